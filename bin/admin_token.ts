import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { usageError } from '../lib/cli/errors.ts'

const VALID_TOKEN = /^[\x21-\x7e]{1,200}$/

export function parseToken(text: string): string {
  if (!VALID_TOKEN.test(text))
    throw usageError('--admin-token or MERCADITO_ADMIN_TOKEN: must be 1 to 200 visible ASCII characters without spaces')
  return text
}

/** The viewer token of a server, from its file; undefined without one. Throws a CliError. */
export function readViewerToken(file: string | undefined, adminToken: string | undefined): string | undefined {
  if (file === undefined) return undefined
  if (adminToken === undefined)
    throw usageError(
      '--viewer-token-file needs an admin token: set one with --admin-token, --admin-token-file or MERCADITO_ADMIN_TOKEN',
    )
  const token = readTokenFile('--viewer-token-file', file)
  if (token === adminToken) throw usageError(`--viewer-token-file: ${file} must not contain the admin token`)
  return token
}

/** Sets the admin token of a command that got `--admin-token-file`. Throws a CliError. */
export function applyTokenFile(command: Command): void {
  const file: string | undefined = command.opts().adminTokenFile
  if (file === undefined) return
  command.setOptionValueWithSource('adminToken', readTokenFile('--admin-token-file', file), 'file')
}

/** The token in the file that a flag names. Throws a CliError. */
function readTokenFile(flag: string, file: string): string {
  const token = readText(flag, file).trim()
  if (!VALID_TOKEN.test(token))
    throw usageError(
      `${flag}: ${file} must contain 1 to 200 visible ASCII characters without spaces; write only the token to it`,
    )
  return token
}

function readText(flag: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw usageError(`${flag}: cannot read ${file} (${code}); write the token to it, or name another file`)
  }
}

import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { usageError } from './errors.ts'

const VALID_TOKEN = /^[\x21-\x7e]{1,200}$/

export function parseToken(text: string): string {
  if (!VALID_TOKEN.test(text))
    throw usageError('--admin-token or MERCADITO_ADMIN_TOKEN: must be 1 to 200 visible ASCII characters without spaces')
  return text
}

/** Sets the admin token of a command that got `--admin-token-file`. Throws a CliError. */
export function applyTokenFile(command: Command): void {
  const file: string | undefined = command.opts().adminTokenFile
  if (file === undefined) return
  const token = readToken(file)
  if (!VALID_TOKEN.test(token))
    throw usageError(
      `--admin-token-file: ${file} must contain 1 to 200 visible ASCII characters without spaces; write only the admin token to it`,
    )
  command.setOptionValueWithSource('adminToken', token, 'file')
}

function readToken(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw usageError(
      `--admin-token-file: cannot read ${file} (${code}); write the admin token to it, or name another file`,
    )
  }
}

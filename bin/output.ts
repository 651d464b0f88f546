import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { styleText } from 'node:util'
import { CONTROL_CHARACTERS, type Output, printable, type Setting } from '../domains/shared/commands.ts'
import { CliError, usageError } from '../lib/cli/errors.ts'

type Style = Parameters<typeof styleText>[0]

/** Coloured on a terminal without NO_COLOR. */
export const styled = (style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string =>
  styleText(style, text, { stream })

/** Formats the output of a command as text. */
export function formatOutput(output: Output): string {
  if (typeof output === 'string') return output
  if ('fields' in output) return formatFields(output.fields)
  if ('columns' in output) return formatTable(output.columns, output.rows)
  return output.map(formatOutput).join('\n')
}

/** Rows below the names of their columns. */
export function formatTable(columns: string[], rows: unknown[][]): string {
  if (rows.length === 0) return 'none'
  const cells = rows.map((row) => row.map(printable))
  const widths = columns.map((name, n) => Math.max(name.length, ...cells.map((row) => row[n]!.length)))
  const line = (row: string[]) => row.map((cell, n) => (n + 1 < row.length ? cell.padEnd(widths[n]!) : cell)).join('  ')
  return [styled('bold', line(columns)), ...cells.map(line)].join('\n')
}

/** One line for each member, with its name first. */
function formatFields(members: Record<string, unknown>): string {
  const width = Math.max(...Object.keys(members).map(({ length }) => length))
  return Object.entries(members)
    .map(([name, value]) => `${styled('bold', name.padEnd(width))}  ${printable(value)}`)
    .join('\n')
}

/** One line of JSON with control characters escaped: they must not steer the terminal. */
export const formatJson = (value: unknown): string =>
  JSON.stringify(value ?? null).replace(
    CONTROL_CHARACTERS,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Of commands that write a file. */
export const FORCE: Setting = { flags: '--force', description: 'replace a file that exists' }

/** Throws a CliError if a file exists that may not be replaced. Before long work, so that nothing is done for it. */
export function checkOutput(file: string | undefined, isForced: boolean | undefined): void {
  if (file !== undefined && !isForced && existsSync(file))
    throw usageError(`${printable(file)} exists; add --force to replace it`)
}

/** Creates or replaces a file. If `write` fails, an existing file stays as it is. Throws a CliError. */
export async function replaceFile<T>(file: string, write: (tempFile: string) => Promise<T>): Promise<T> {
  // A new file, so that this call replaces and removes none that it has not made.
  const tempFile = `${file}.part-${randomUUID()}`
  try {
    const result = await write(tempFile)
    await rename(tempFile, file)
    return result
  } catch (error) {
    await rm(tempFile, { force: true })
    if (error instanceof CliError) throw error
    throw new CliError(
      `cannot write ${printable(file)} (${(error as Error).message.split(',')[0]}); choose another file`,
    )
  }
}

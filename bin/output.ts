import { styleText } from 'node:util'
import { CONTROL_CHARACTERS, type Output, printable } from '../domains/shared/commands.ts'

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
export function formatFields(members: Record<string, unknown>): string {
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

/** Replaces the text of the line. */
export type Progress = (text: string) => void

/** Ms between two changes of the line. */
const MIN_UPDATE_MS = 100

/** A line on standard error that shows progress, if that is a terminal. Call `done` before other output. */
export function progress(): { show: Progress; done(): void } {
  const { stderr } = process
  if (!stderr.isTTY) return { show() {}, done() {} }
  let last = Number.NEGATIVE_INFINITY
  return {
    show(text) {
      const now = performance.now()
      if (now - last < MIN_UPDATE_MS) return
      last = now
      stderr.write(`\r\x1b[2K${text}`)
    },
    done() {
      stderr.write('\r\x1b[2K')
    },
  }
}

/** Shows how long some work has taken so far, if standard error is a terminal. */
export async function withProgress<A>(label: string, work: Promise<A>): Promise<A> {
  const { show, done } = progress()
  const start = performance.now()
  const timer = setInterval(() => show(`${label}, ${Math.round((performance.now() - start) / 1000)} s`), 1000)
  try {
    return await work
  } finally {
    clearInterval(timer)
    done()
  }
}

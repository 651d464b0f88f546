import { styleText } from 'node:util'

/** Control characters and those that turn the direction of text: what others wrote must not steer the terminal. */
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Text that others wrote, fit for a terminal. */
export const printable = (text: unknown): string =>
  String(text ?? '–').replace(CONTROL_CHARACTERS, (c) =>
    c === '\n' ? '↵' : `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

type Style = Parameters<typeof styleText>[0]

/** Coloured on a terminal without NO_COLOR. */
export const styled = (style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string =>
  styleText(style, text, { stream })

/** Columns below their names. */
export function table(head: string[], rows: unknown[][]): string {
  if (rows.length === 0) return 'none'
  const cells = rows.map((row) => row.map(printable))
  const widths = head.map((name, n) => Math.max(name.length, ...cells.map((row) => row[n]!.length)))
  const line = (row: string[]) => row.map((cell, n) => (n + 1 < row.length ? cell.padEnd(widths[n]!) : cell)).join('  ')
  return [styled('bold', line(head)), ...cells.map(line)].join('\n')
}

/** One line for each member, its name in front. */
export function fields(members: Record<string, unknown>): string {
  const width = Math.max(...Object.keys(members).map(({ length }) => length))
  return Object.entries(members)
    .map(([name, value]) => `${styled('bold', name.padEnd(width))}  ${printable(value)}`)
    .join('\n')
}

/** A JSON document that is safe to look at: what steers terminals is escaped. */
export const formatJson = (value: unknown): string =>
  JSON.stringify(value ?? null).replace(
    CONTROL_CHARACTERS,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Shows a text instead of what was there. */
export type Progress = (text: string) => void

/** Ms between two changes of a line: more would be a blur. */
const MIN_UPDATE_MS = 100

/**
 * A line on a terminal that changes while work goes on; nothing elsewhere. Call `done` before anything else is written.
 */
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

/** Shows on a terminal that work goes on, and for how long. */
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

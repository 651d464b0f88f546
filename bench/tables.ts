const sorted = (values: number[]) => values.toSorted((a, b) => a - b)
export const quantile = (values: number[], part: number): number => {
  const place = part * (values.length - 1)
  const [low, high] = [sorted(values)[Math.floor(place)]!, sorted(values)[Math.ceil(place)]!]
  return low + (high - low) * (place - Math.floor(place))
}
export const median = (values: number[]) => quantile(values, 0.5)

export const two = (n: number) => n.toFixed(2)
export const whole = (n: number) => n.toFixed(0)
export const percent = (n: number) => `${whole(100 * n)} %`

/** A Markdown table with aligned columns. */
export function table(head: string[], rows: string[][]): string {
  const widths = head.map((name, n) => Math.max(name.length, ...rows.map((row) => row[n]!.length)))
  const line = (cells: string[]) => `| ${cells.map((cell, n) => cell.padEnd(widths[n]!)).join(' | ')} |\n`
  return line(head) + line(widths.map((width) => '-'.repeat(width))) + rows.map(line).join('')
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2
}
export const quantile = (values: number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(part * (values.length - 1))]!

export const two = (n: number) => n.toFixed(2)
export const whole = (n: number) => n.toFixed(0).replace(/\B(?=(\d{3})+$)/g, ',')

/** The median, and the least and the greatest in brackets. */
export const spread = (values: number[], format: (value: number) => string): string =>
  `${format(median(values))} (${format(Math.min(...values))}–${format(Math.max(...values))})`

/** A Markdown table with aligned columns. */
export function table(head: string[], rows: string[][]): string {
  const widths = head.map((name, n) => Math.max(name.length, ...rows.map((row) => row[n]!.length)))
  const line = (cells: string[]) => `| ${cells.map((cell, n) => cell.padEnd(widths[n]!)).join(' | ')} |\n`
  return line(head) + line(widths.map((width) => '-'.repeat(width))) + rows.map(line).join('')
}

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const fileOf = (name: string) => fileURLToPath(new URL(`./answers/${name}.jsonl`, import.meta.url))

export const readAnswers = (name: string): string[] => readFileSync(fileOf(name), 'utf8').split('\n').slice(0, -1)

export const writeAnswers = (name: string, lines: readonly string[]): void =>
  writeFileSync(fileOf(name), lines.map((line) => `${line}\n`).join(''))

const MAX_DIFFERENCES = 10
const BEFORE = 80
const AFTER = 160

const nameOf = (line: string): string => (JSON.parse(line) as { call: string }).call

/** Two lines, truncated around the first different character. */
function shorten(one: string, other: string): [string, string] {
  let column = 0
  while (column < one.length && one[column] === other[column]) column++
  const from = Math.max(0, column - BEFORE)
  const cut = (line: string) =>
    `${from > 0 ? '…' : ''}${line.slice(from, column + AFTER)}${column + AFTER < line.length ? '…' : ''}`
  return [cut(one), cut(other)]
}

/** Describes the calls that got other answers, were not recorded or not made: the first ten, and their number. */
export function differencesOf(expected: readonly string[], actual: readonly string[]): string[] {
  const wanted = new Map(expected.map((line) => [nameOf(line), line]))
  const got = new Map(actual.map((line) => [nameOf(line), line]))
  const found: string[] = []
  for (const name of new Set([...wanted.keys(), ...got.keys()])) {
    const [one, other] = [wanted.get(name), got.get(name)]
    if (one === other) continue
    const [before, after] = one && other ? shorten(one, other) : [one ?? 'not recorded', other ?? 'no such call']
    found.push(`${name}\n  - ${before}\n  + ${after}`)
  }
  if (found.length === 0 && expected.join() !== actual.join()) found.push('the calls are in another order')
  return found.length > MAX_DIFFERENCES
    ? [...found.slice(0, MAX_DIFFERENCES), `${found.length} differences in all`]
    : found
}

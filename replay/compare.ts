import type { CallLine, Comparison } from '../control/recording/format.ts'
import type { Aliases } from './aliases.ts'
import type { ReplayAnswer } from './send.ts'

/** One thing in which an answer differs. Null: it is not there. */
export interface Difference {
  /** `status`, `header NAME`, `body`, or the path of a member such as `body.results[0].id`. */
  place: string
  recorded: string | null
  replayed: string | null
}

const MAX_MEMBERS = 20
const MAX_DEPTH = 100
/** Characters of a text around the first different one. */
const BEFORE = 40
const AFTER = 120

/** How an answer differs from the recorded one; empty: it does not. */
export function compareAnswers(call: CallLine, answer: ReplayAnswer, aliases: Aliases): Difference[] {
  const found: Difference[] = []
  const add = (place: string, recorded: string | null, replayed: string | null) => {
    if (recorded !== replayed) found.push({ place, recorded, replayed })
  }
  add('status', textOf(call.status), textOf(answer.status))
  if (call.compare === 'status') {
    // Later calls may use the tokens of the answer.
    if (call.answer !== undefined) aliases.toRecorded(call.answer, answer.body.toString())
    return found
  }
  if (call.answer_headers !== null) {
    const headers = new Map(Object.entries(answer.headers))
    for (const [name, value] of Object.entries(call.answer_headers)) {
      const actual = headers.get(name)
      add(`header ${name}`, value, actual === undefined ? null : aliases.toRecorded(value, actual))
      headers.delete(name)
    }
    for (const [name, value] of headers) add(`header ${name}`, null, value)
  }
  return [...found, ...compareBodies(call, answer.body, aliases)]
}

function compareBodies(
  { answer, answer_base64, compare = 'whole' }: CallLine,
  body: Buffer,
  aliases: Aliases,
): Difference[] {
  if (answer_base64 !== undefined) {
    const actual = body.toString('base64')
    return actual === answer_base64 ? [] : [textDifference('body', answer_base64, actual)]
  }
  const expected = answer ?? ''
  const text = body.toString()
  const actual = aliases.toRecorded(expected, text)
  if (isEqual(expected, actual, compare)) return []
  return (compare === 'whole' && jsonDifferences(expected, actual)) || [textDifference('body', expected, actual)]
}

const isEqual = (expected: string, actual: string, compare: Comparison): boolean =>
  compare === 'prefix' ? actual.startsWith(expected) : actual === expected

/** The members that differ; undefined if one of the texts is not JSON, or only their form differs. */
function jsonDifferences(expected: string, actual: string): Difference[] | undefined {
  const found: Difference[] = []
  const compare = (place: string, expected: unknown, actual: unknown, depth: number): void => {
    if (found.length >= MAX_MEMBERS) return
    const [one, other] = [membersOf(expected), membersOf(actual)]
    const isArray = Array.isArray(expected)
    if (one && other && isArray === Array.isArray(actual) && depth < MAX_DEPTH) {
      for (const name of new Set([...one.keys(), ...other.keys()]))
        compare(isArray ? `${place}[${name}]` : `${place}.${name}`, one.get(name), other.get(name), depth + 1)
      return
    }
    const [recorded, replayed] = [jsonOf(expected), jsonOf(actual)]
    if (recorded !== replayed) found.push({ place, recorded: shorten(recorded), replayed: shorten(replayed) })
  }
  try {
    compare('body', JSON.parse(expected), JSON.parse(actual), 0)
    return found.length > 0 ? found : undefined
  } catch {
    return undefined
  }
}

const membersOf = (value: unknown): Map<string, unknown> | undefined =>
  typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : undefined
const jsonOf = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value))
const shorten = (text: string | null): string | null =>
  text !== null && text.length > AFTER ? `${text.slice(0, AFTER)}…` : text
const textOf = (status: number | null): string | null => (status === null ? null : String(status))

/** The texts around the first different character. */
function textDifference(place: string, expected: string, actual: string): Difference {
  let at = 0
  while (at < expected.length && expected[at] === actual[at]) at++
  const from = Math.max(0, at - BEFORE)
  const cut = (text: string) =>
    `${from > 0 ? '…' : ''}${text.slice(from, at + AFTER)}${at + AFTER < text.length ? '…' : ''}`
  return { place: `${place}, character ${at + 1}`, recorded: cut(expected), replayed: cut(actual) }
}

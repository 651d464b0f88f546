import type { Arguments } from './tool.ts'

// Answers of tools are small: an agent pays for each character, and loses what it read before.

/** Bytes of the JSON text of an answer. */
export const MAX_ANSWER_BYTES = 8192
/** Rows of a list in one answer. */
export const MAX_ROWS = 25

/** How long texts and lists inside an answer may be; the first that fits counts. */
const LIMITS = [
  { text: 2000, items: 25 },
  { text: 500, items: 10 },
  { text: 200, items: 5 },
  { text: 80, items: 2 },
]
/** In rows, so that an answer has several of them. */
const ROW_LIMITS = LIMITS.slice(1)
/** Bytes of one row, and of what a list has besides its rows. */
const MAX_ROW_BYTES = 4096
const MAX_REST_BYTES = 1024

interface List {
  paging: { total: number; offset: number; next_before?: unknown }
  results: Record<string, unknown>[]
}

interface AnswerOptions {
  /** The members that are wanted, of the rows of a list; default: all. */
  members?: string[] | undefined
  /** The next page of a list begins behind an id, not at an offset. */
  hasBefore?: boolean
}

/** An answer as JSON of at most MAX_ANSWER_BYTES. */
export function formatAnswer(answer: unknown, { members, hasBefore = false }: AnswerOptions = {}): string {
  if (answer === undefined) return '{"done":true}'
  const small = isList(answer) ? fitList(answer, members, hasBefore) : fit(pick(answer, members), MAX_ANSWER_BYTES)
  return JSON.stringify(small)
}

const isList = (answer: unknown): answer is List =>
  typeof answer === 'object' && answer !== null && 'paging' in answer && 'results' in answer

function pick(value: unknown, members: string[] | undefined): unknown {
  if (!members || typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    members.flatMap((name) => (name in value ? [[name, value[name as keyof typeof value]]] : [])),
  )
}

/** As many rows as fit, at least one, and the arguments of the next page. */
function fitList(list: List, members: string[] | undefined, hasBefore: boolean) {
  const { paging, results, ...rest } = list
  const rows: unknown[] = []
  let bytes = 2 * MAX_REST_BYTES
  for (const result of results.slice(0, MAX_ROWS)) {
    const row = fit(pick(result, members), MAX_ROW_BYTES, ROW_LIMITS)
    bytes += bytesOf(row)
    if (bytes > MAX_ANSWER_BYTES) break
    rows.push(row)
  }
  const next = nextPage(list, rows.length, hasBefore)
  return { total: paging.total, rows, ...(next && { next }), ...(fit(rest, MAX_REST_BYTES) as object) }
}

/** The arguments for the rows behind the first `count` ones; undefined if there are none. */
function nextPage({ paging, results }: List, count: number, hasBefore: boolean): Arguments | undefined {
  const isWhole = count === results.length
  if (isWhole && paging.next_before !== undefined)
    return paging.next_before === null ? undefined : { before: paging.next_before }
  const offset = paging.offset + count
  if (isWhole && offset >= paging.total) return undefined
  return hasBefore && count > 0 ? { before: results[count - 1]!.id } : { offset }
}

/** A value whose texts and lists are cut until its JSON has at most `maxBytes`. */
function fit(value: unknown, maxBytes: number, allLimits = LIMITS): unknown {
  for (const limits of allLimits) {
    const cut = shorten(value, limits)
    if (bytesOf(cut) <= maxBytes) return cut
  }
  const text = JSON.stringify(value)
  // A character may take six bytes, and a quote is escaped once more.
  const prefix = text.slice(0, maxBytes / 8)
  return { too_large: `the first ${prefix.length} of ${text.length} characters`, text: prefix }
}

/** Of its JSON with a comma. */
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value)) + 1

/** Cuts texts and lists, and says what is missing. */
function shorten(value: unknown, limits: (typeof LIMITS)[number]): unknown {
  if (typeof value === 'string')
    return value.length <= limits.text
      ? value
      : `${value.slice(0, limits.text)}… (${value.length - limits.text} more characters)`
  if (Array.isArray(value)) {
    const items = value.slice(0, limits.items).map((one) => shorten(one, limits))
    return value.length <= limits.items ? items : [...items, `… (${value.length - limits.items} more)`]
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shorten(one, limits)]))
}

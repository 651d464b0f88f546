import { LRUCache } from 'lru-cache'
import type { Q, Statement, Values } from './engine.ts'
import { keptFor } from './kept.ts'

// Counts of lists: all pages of a list have the same, and they take longer than the rows of a page.

/** Results of a statement, for as many different values. */
const MAX_RESULTS = 100

interface Lifetime<Result> {
  /** World time of the read, ms. */
  now: number
  /** Resolves with the world time, ms, from which on the result may be another one. */
  until(result: Result): Promise<number>
}

interface Known {
  result: Promise<unknown>
  /** Of the world, when it was read. */
  version: number
  lifetime: Lifetime<never> | undefined
  until?: Promise<number>
}

interface ReadOptions<Result> {
  statement: Statement<unknown>
  values: Values
  before?: number
  lifetime?: Lifetime<Result>
}

const resultsOf = keptFor((_: Statement<unknown>) => new LRUCache<string, Known>({ max: MAX_RESULTS }))

/**
 * The result of reading with a statement and values, which is remembered until a commit changes a table or an index that
 * the statement reads (with `before`: below this value of `writesAt`), and no longer than its `lifetime`. In a unit it is
 * always read.
 */
export async function remembered<Result>(
  q: Q,
  { statement, values, before, lifetime }: ReadOptions<Result>,
  read: () => Promise<Result>,
): Promise<Result> {
  if (!q.version) return read()
  const results = resultsOf(statement)
  const key = JSON.stringify(values)
  const known = results.get(key)
  if (known && statement.isUnchangedSince(known.version, before) && (!lifetime || (await lasts(known, lifetime.now))))
    return known.result as Promise<Result>
  const version = q.version()
  const result = read()
  const entry = { result, version, lifetime }
  results.set(key, entry)
  result.catch(() => results.get(key) === entry && results.delete(key))
  return result
}

/** `until` is asked when a result is needed again: most are not. */
async function lasts(known: Known, now: number): Promise<boolean> {
  const { lifetime } = known
  if (!lifetime || now < lifetime.now) return false
  // If that fails, so will the next read, which the caller sees.
  known.until ??= known.result.then((result) => lifetime.until(result as never)).catch(() => lifetime.now)
  return now < (await known.until)
}

/** The row of a statement that depends on its values only. */
export const rememberedRow = <Row extends object>(
  q: Q,
  statement: Statement<Row>,
  values: Values = {},
): Promise<Row | undefined> => remembered(q, { statement, values }, () => statement.one(values))

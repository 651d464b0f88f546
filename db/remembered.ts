import { LRUCache } from 'lru-cache'
import type { Q, Statement, Values } from './engine.ts'
import { keptFor } from './kept.ts'

// Counts of lists: all pages of a list have the same, and they take longer than the rows of a page.

/** Results of a statement, for as many different values. */
const MAX_RESULTS = 100

/** World time, ms: that of the read, and from when on it may have another result. */
interface Lifetime {
  now: number
  until(): Promise<number>
}

interface Memory {
  /** Of the world: its results are valid as long as nothing is committed after it. */
  version: number
  results: LRUCache<string, { result: Promise<unknown>; from: number; until: number }>
}
const memoryOf = keptFor(
  (_: Statement<unknown>): Memory => ({ version: -1, results: new LRUCache({ max: MAX_RESULTS }) }),
)

/**
 * The result of reading with a statement and values, which is remembered until the next commit, and no longer than its
 * `lifetime`. In a unit it is always read.
 */
export function remembered<Result>(
  q: Q,
  { statement, values, lifetime }: { statement: Statement<unknown>; values: Values; lifetime?: Lifetime },
  read: () => Promise<Result>,
): Promise<Result> {
  if (!q.version) return read()
  const memory = memoryOf(statement)
  const version = q.version()
  if (memory.version !== version) {
    memory.version = version
    memory.results.clear()
  }
  const key = JSON.stringify(values)
  const known = memory.results.get(key)
  if (known && (!lifetime || (known.from <= lifetime.now && lifetime.now < known.until)))
    return known.result as Promise<Result>
  const result = read()
  const entry = { result, from: lifetime?.now ?? 0, until: 0 }
  memory.results.set(key, entry)
  result
    .then(async () => {
      if (lifetime) entry.until = await lifetime.until()
    })
    .catch(() => memory.results.delete(key))
  return result
}

/** The row of a statement that depends on its values only. */
export const rememberedRow = <Row extends object>(
  q: Q,
  statement: Statement<Row>,
  values: Values = {},
): Promise<Row | undefined> => remembered(q, { statement, values }, () => statement.one(values))

import { LRUCache } from 'lru-cache'
import type { Q, Statement, Values } from './engine.ts'
import { keptFor } from './kept.ts'

/** Rows of a statement, for as many different values. */
const MAX_ROWS = 100

interface Memory {
  version: number
  rows: LRUCache<string, Promise<object | undefined>>
}
const memoryOf = keptFor((_: Statement<unknown>): Memory => ({ version: -1, rows: new LRUCache({ max: MAX_ROWS }) }))

/**
 * The row of a statement, which is read once until the next commit of its world: all pages of a list have the same total,
 * and counting it takes longer than reading a page. In a unit it is always read.
 */
export function rememberedRow<Row extends object>(
  q: Q,
  statement: Statement<Row>,
  values: Values = {},
): Promise<Row | undefined> {
  if (!q.version) return statement.one(values)
  const memory = memoryOf(statement)
  const version = q.version()
  if (memory.version !== version) {
    memory.version = version
    memory.rows.clear()
  }
  const key = JSON.stringify(values)
  let row = memory.rows.get(key)
  if (!row) {
    row = statement.one(values)
    row.catch(() => memory.rows.delete(key))
    memory.rows.set(key, row)
  }
  return row as Promise<Row | undefined>
}

import { type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { $, prepared, type Q, yieldToEventLoop } from './engine.ts'

export type Row = Record<string, string | number | null>

/** A row that only one of two states has, or that has other values in the second. */
export type RowChange =
  | { change: 'added'; before: null; after: Row }
  | { change: 'removed'; before: Row; after: null }
  | { change: 'changed'; before: Row; after: Row }

/** Rows that are read at once from each state. */
const PAGE_ROWS = 500

/** Columns of the key of a table. */
export function keyColumns(table: SQLiteTable): SQLiteColumn[] {
  const { columns, primaryKeys } = getTableConfig(table)
  return primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)
}

/** Compares the rows of a table in two files, in the order of its key. Yields to the event loop after each page. */
export async function* rowChanges(table: SQLiteTable, from: Q, to: Q): AsyncGenerator<RowChange> {
  const key = keyColumns(table).map(({ name }) => name)
  const pages = createPageQueries(table)
  const left = new RowCursor(from, pages)
  const right = new RowCursor(to, pages)
  for (;;) {
    if (left.isAtEnd) await left.readPage()
    if (right.isAtEnd) await right.readPage()
    const [before, after] = [left.row, right.row]
    if (!before && !after) return
    const order = !before ? 1 : !after ? -1 : compareKeys(key, before, after)
    if (order <= 0) left.next()
    if (order >= 0) right.next()
    if (order < 0) yield { change: 'removed', before: before!, after: null }
    else if (order > 0) yield { change: 'added', before: null, after: after! }
    else if (changedColumns(before!, after!).length > 0) yield { change: 'changed', before: before!, after: after! }
  }
}

/** The columns in which two rows differ. */
export const changedColumns = (before: Row, after: Row): string[] =>
  Object.keys(before).filter((name) => before[name] !== after[name])

/** In the order of SQLite: numbers by value, texts by their UTF-8 bytes. */
function compareKeys(key: string[], a: Row, b: Row): number {
  for (const name of key) {
    const [left, right] = [a[name]!, b[name]!]
    if (left === right) continue
    if (typeof left === 'number' && typeof right === 'number') return left - right
    return Buffer.compare(Buffer.from(String(left)), Buffer.from(String(right)))
  }
  return 0
}

type PageQueries = ReturnType<typeof createPageQueries>

/** The first page of a table, and the one after a row. */
function createPageQueries(table: SQLiteTable) {
  const key = keyColumns(table)
  const list = (parts: unknown[]) => sql`(${sql.join(parts as SQL[], sql`, `)})`
  const select = (where?: SQL) =>
    prepared(({ db }) =>
      db
        .select()
        .from(table)
        .where(where)
        .orderBy(...key)
        .limit(PAGE_ROWS),
    )
  return { first: select(), next: select(sql`${list(key)} > ${list(key.map(({ name }) => $(name)))}`) }
}

/** Reads a table in pages, in the order of its key. */
class RowCursor {
  readonly #q: Q
  readonly #pages: PageQueries
  #page: Row[] = []
  #position = 0
  #isComplete = false

  constructor(q: Q, pages: PageQueries) {
    this.#q = q
    this.#pages = pages
  }

  /** The present row; undefined after the last. */
  get row(): Row | undefined {
    return this.#page[this.#position]
  }

  /** Whether the page ends here, and another may follow. */
  get isAtEnd(): boolean {
    return this.#position === this.#page.length && !this.#isComplete
  }

  next(): void {
    this.#position++
  }

  async readPage(): Promise<void> {
    const last = this.#page.at(-1)
    const { first, next } = this.#pages
    this.#page = (await (last ? next(this.#q).all(last) : first(this.#q).all())) as Row[]
    this.#position = 0
    this.#isComplete = this.#page.length < PAGE_ROWS
    await yieldToEventLoop()
  }
}

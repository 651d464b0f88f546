import type { Placeholder } from 'drizzle-orm'
import { sql } from 'drizzle-orm'
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'
import { LRUCache } from 'lru-cache'
import type { Cause, EventIds } from './causes.ts'
import { keptFor } from './kept.ts'
import { setImmediate } from './timers.ts'

export type Database = BaseSQLiteDatabase<'sync', unknown>

/** The first parameter of query functions: the query builder of one connection, and its prepared statements. */
export interface Q {
  db: Database
  prepare(query: Preparable): Statement<unknown>
  /** `version` of its world; absent in a unit. */
  version?: () => number
  /** Called in the unit of every event that is published. */
  subscribers: readonly EventSubscriber[]
  /** What the running unit leaves for its commit; absent where nothing follows one, as in drafts. */
  effects?: UnitEffects
}

/** Effects of a unit that follow its commit. */
export interface UnitEffects {
  /** What runs the unit, if that is known. */
  cause?: Cause | undefined
  /** The events that it has published; no other unit publishes in between. */
  events?: EventIds | undefined
  /** Called when the commit is durable. */
  onCommit?: (() => void)[] | undefined
}

/** Events of one unit, and the world time. */
export interface PublishedEvents extends EventIds {
  events: readonly { topic: string; resource: string }[]
  now: number
}
export type EventSubscriber = (q: Q, events: PublishedEvents) => Promise<void>

/** Storage of one world. */
export interface Engine {
  /** Reads committed data. Preparing a statement that writes throws SQLITE_READONLY. */
  read: Q
  /**
   * Runs one atomic unit, the only way to write. Resolves with its result once the commit is durable; rejects, with
   * nothing written, with what the unit threw. A unit does no I/O of its own and starts no other unit.
   */
  tx<T>(unit: (q: Q) => Promise<T>): Promise<T>
  /** Number of commits so far: while it is the same, reads return the same. */
  version(): number
  /**
   * Resolves when all commits that reads have seen so far are stored, rejects if they cannot be; undefined: nothing waits
   * for them. Only worlds that several servers share have such commits: another server may continue without them.
   */
  whenStored(): Promise<void> | undefined
  /** Adds a listener that is called after each durable commit in which events were published. */
  onEvents(listener: () => void): void
  /** Whether the disk lost commits: every later unit is rejected until the file is opened again. Reads still work. */
  isBroken(): boolean
  /** Copies all commits to another file, which must not exist; later units wait. Throws EEXIST. */
  copyTo(file: string): Promise<void>
  close(): void
}

/** A built query: its SQL, and for each `?` a value or placeholder. */
export interface Preparable {
  toSQL(): { sql: string; params: unknown[] }
  /** The name of a value that all rows have that a run of it writes, such as their hour. */
  writesAt?: string | undefined
}

type WriteOptions = Pick<Preparable, 'writesAt'>

/** Drizzle builds the SQL once for all connections. */
function cacheSql(query: Preparable): Preparable {
  const sql = query.toSQL()
  return { toSQL: () => sql }
}

export type Values = Record<string, unknown>

export interface Statement<Row> {
  one(values?: Values): Promise<Row | undefined>
  all(values?: Values): Promise<Row[]>
  /** Resolves with the number of changed rows. */
  run(values?: Values): Promise<number>
  /** Runs once for each row, in order, without yielding: pass a few hundred at a time. */
  runAll(rows: readonly Values[]): Promise<void>
  /**
   * Whether no commit after this `version` of the world has changed a table or an index that it reads. With `before` it
   * reads only rows with a lower value of `writesAt`.
   */
  isUnchangedSince(version: number, before?: number): boolean
}

/** Lets other callbacks run, which the driver itself never does. Inside a unit, other units still wait. */
export const yieldToEventLoop = (): Promise<void> => new Promise(setImmediate)

/** A value given when the statement runs. */
export const $ = (name: string): Placeholder => sql.placeholder(name)

type RowOf<Query> = Query extends { all(): (infer Row)[] } ? Row : never

/**
 * A query that is prepared once per connection: `const byId = prepared(({ db }) => …)`, then `byId(q).one({ id })`.
 * Rows are as SQLite returns them, without drizzle's column mapping: integer, real and text columns only.
 */
export function prepared<Query extends Preparable>(
  build: (q: Q) => Query,
  { writesAt }: WriteOptions = {},
): (q: Q) => Statement<RowOf<Query>> {
  let query: Preparable | undefined
  return keptFor((q) => {
    query ??= { ...cacheSql(build(q)), writesAt }
    return q.prepare(query) as Statement<RowOf<Query>>
  })
}

/** The same of SQL as text, in which `:name` is a value that is given when it runs. */
export const preparedSql = <Row = unknown>(text: string, options: WriteOptions = {}): ((q: Q) => Statement<Row>) =>
  prepared((): Preparable => {
    const params = (text.match(/(?<=:)\w+/g) ?? []).map($)
    return { toSQL: () => ({ sql: text.replace(/:\w+/g, '?'), params }) }
  }, options) as (q: Q) => Statement<Row>

/** Variants of one query that stay prepared per connection; real clients use a handful. */
const MAX_VARIANTS = 64

/** Like `prepared`, for a query whose text depends on `key`: for each key a statement, in an LRU cache. */
export function preparedBy<Key extends object, Query extends Preparable>(
  build: (q: Q, key: Key) => Query,
): (q: Q, key: Key) => Statement<RowOf<Query>> {
  const cacheOf = keptFor((_: Q) => new LRUCache<string, Statement<unknown>>({ max: MAX_VARIANTS }))
  return (q, key) => {
    const cache = cacheOf(q)
    const name = JSON.stringify(key)
    let statement = cache.get(name)
    if (!statement) {
      statement = q.prepare(build(q, key))
      cache.set(name, statement)
    }
    return statement as Statement<RowOf<Query>>
  }
}

import { performance } from 'node:perf_hooks'
import type { Pool, QueryResultRow } from 'pg'
import { setTimeout } from '../../db/timers.ts'
import { Unavailable } from '../../db/world.ts'

/** The database cannot be reached, or cannot write now. Whether it has done what was asked is not known. */
export class DatabaseUnavailable extends Unavailable {}

interface DatabaseOptions {
  url: string
  /** Ms for a connection, and for the answer to a statement. */
  timeoutMs: number
  /** Connections, at most. */
  maxConnections: number
}

export type Query = <Row extends QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>

/** Connections to a PostgreSQL database. Statements are plain, so that poolers can be between. */
export interface Database {
  /** One statement. Rejects with DatabaseUnavailable, or with an error of the database. */
  query: Query
  /** Statements in one transaction, which commits when `run` resolves. */
  transaction<T>(run: (query: Query) => Promise<T>): Promise<T>
  /** Statements that all see the same data. */
  snapshot<T>(run: (query: Query) => Promise<T>): Promise<T>
  /** A connection of its own. */
  withConnection<T>(run: (query: Query) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Ms between two attempts. */
const RETRY_MS = 100

/** Repeats an attempt while the database does not answer, until a monotonic time; then it rejects as the last attempt did. */
export async function untilAnswered<T>(attempt: () => Promise<T>, end: number): Promise<T> {
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || performance.now() + RETRY_MS > end) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

/** SQLSTATEs after which the same call may succeed: connections, shutdown, failover, resources, conflicts. */
const TEMPORARY = /^(08|40|53|57P0[1-5]|25006|58)/

/** An error without a state is one of the connection. */
function toUnavailable(error: Error & { severity?: string; code?: string }): Error {
  if (error.severity !== undefined && !TEMPORARY.test(error.code ?? '')) return error
  return new DatabaseUnavailable(error.message || String(error.code), { cause: error })
}

/** Opens no connection yet. Throws a TypeError if the URL is not valid. */
export async function openDatabase({ url, timeoutMs, maxConnections }: DatabaseOptions): Promise<Database> {
  const { default: pg } = await import('pg')
  const { builtins, getTypeParser } = pg.types
  const pool: Pool = new pg.Pool({
    connectionString: url,
    application_name: 'mercadito',
    max: maxConnections,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    keepAlive: true,
    // Numbers of entries and sizes are below 2^53.
    types: {
      getTypeParser: (type, format) => (type === builtins.INT8 ? Number : getTypeParser(type, format)) as never,
    },
  })
  // A connection that fails rejects its statement, and is replaced.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))

  async function withConnection<T>(run: (query: Query) => Promise<T>): Promise<T> {
    const client = await pool.connect().catch((error) => {
      throw toUnavailable(error)
    })
    let isUsable = false
    try {
      const result = await run(async (text, values) => {
        const { rows } = await client.query(text, values).catch((error) => {
          throw toUnavailable(error)
        })
        return rows as never
      })
      isUsable = true
      return result
    } finally {
      // After an error, what the connection still does is not known.
      client.release(!isUsable)
    }
  }

  const transaction = <T>(begin: string, run: (query: Query) => Promise<T>) =>
    withConnection(async (query) => {
      await query(begin)
      const result = await run(query)
      await query('COMMIT')
      return result
    })

  return {
    withConnection,
    query: (text, values) => withConnection((query) => query(text, values)),
    transaction: (run) => transaction('BEGIN ISOLATION LEVEL READ COMMITTED', run),
    snapshot: (run) => transaction('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY', run),
    close: () => pool.end(),
  }
}

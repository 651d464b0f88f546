import { type Database, DatabaseUnavailable, openDatabase } from '../storage/database.ts'
import { DamagedLog } from '../storage/log_entry.ts'
import { NewerSchema, WrongTables } from '../storage/schema.ts'

/** Which database a URL names: without user and password, for messages. */
export function databaseName(url: string): string {
  const { hostname, port, pathname } = new URL(url)
  return `${hostname}:${port || 5432}${pathname}`
}

/** What to do about errors, by the SQLSTATE of PostgreSQL or the code of the system. */
const REMEDIES: [codes: RegExp, remedy: string][] = [
  [/^ECONNREFUSED$/, 'start PostgreSQL there, or correct host and port in --database'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'correct the host in --database'],
  [/^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ECONNRESET)$/, 'check host, port, network and firewall'],
  [/^28/, 'correct user and password in --database, or pg_hba.conf of the server'],
  [/^3D000$/, 'create it with `createdb`, or correct its name in --database'],
  [/^42501$/, '`mercadito status check --database` says which rights the user needs'],
  [/^25006$/, 'the database is read-only: name the primary in --database, or set default_transaction_read_only to off'],
  [/^53300$/, 'raise max_connections of PostgreSQL, or start fewer servers'],
  [/^53/, 'give PostgreSQL more space or memory'],
  [/^57P03$/, 'try again when PostgreSQL has started'],
]
const CONNECTION_TIMEOUT = /timeout/i
const PASSWORD_MISSING = /password must be a string/

/** Explains an error of a database in one line, with what to do; undefined for any other. It never has the password. */
export function explainDatabaseError(error: Error, url: string): string | undefined {
  const name = databaseName(url)
  if (error instanceof NewerSchema || error instanceof WrongTables) return `${name}: ${error.message}`
  if (error instanceof DamagedLog) return `${name}: ${error.message}; restore a backup of it`
  const cause = (error instanceof DatabaseUnavailable ? error.cause : error) as Error & {
    code?: string
    severity?: string
  }
  if (cause === error && cause.severity === undefined) return undefined
  const { code = '' } = cause
  if (PASSWORD_MISSING.test(cause.message)) return `${name} needs a password; add it in --database`
  const remedy = REMEDIES.find(([codes]) => codes.test(code))?.[1]
  if (remedy) return `${name}: ${error.message}; ${remedy}`
  if (CONNECTION_TIMEOUT.test(cause.message)) return `${name} does not answer; check host, port, network and firewall`
  return `${name}: ${error.message}; see the log of PostgreSQL, and try again`
}

/** An error of a command that uses a database, in one line with what to do. */
export class DatabaseProblem extends Error {}

/** Connects a command to a database. Rejects with DatabaseProblem. */
export async function withDatabase<T>(
  url: string,
  timeoutMs: number,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabase({ url, timeoutMs, maxConnections: 1 })
  try {
    return await work(database)
  } catch (error) {
    const line = explainDatabaseError(error as Error, url)
    throw line === undefined ? error : new DatabaseProblem(line)
  } finally {
    await database.close()
  }
}

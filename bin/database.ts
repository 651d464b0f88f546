import { type Database, openDatabase } from '../db/shared/database.ts'
import { NewerWorld } from '../db/shared/directory.ts'
import { NewerSchema } from '../db/shared/schema.ts'
import { explainDatabaseError } from '../lib/database_errors.ts'
import { CliError, EXIT, usageError } from './errors.ts'

/** An error of a start with a database: one line, with what to do. Any other error stays as it is. */
export function toDatabaseError(error: Error, url: string): Error {
  if (error instanceof NewerWorld) return new CliError(error.message, EXIT.newerVersion)
  const line = explainDatabaseError(error, url)
  if (line === undefined) return error
  return new CliError(line, error instanceof NewerSchema ? EXIT.newerVersion : EXIT.databaseUnusable)
}

/** Connects a command to a database; errors of it are one line. */
export async function withDatabase<T>(
  url: string | undefined,
  timeoutMs: number,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  if (url === undefined) throw usageError('set the database with --database')
  const database = await openDatabase({ url, timeoutMs, maxConnections: 1 })
  try {
    return await work(database)
  } catch (error) {
    const line = explainDatabaseError(error as Error, url)
    throw line === undefined ? error : new CliError(line)
  } finally {
    await database.close()
  }
}

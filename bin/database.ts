import { CliError, EXIT, usageError } from '../lib/cli/errors.ts'

type Commands = typeof import('../cluster/commands/index.ts')

/** Lazy: most commands need no database. */
const load = (): Promise<Commands> => import('../cluster/commands/index.ts')

/** An error of a start with a database: one line, with what to do. Any other error stays as it is. */
export async function toDatabaseError(error: Error, url: string): Promise<Error> {
  const { explainDatabaseError, NewerSchema, NewerWorld } = await load()
  if (error instanceof NewerWorld) return new CliError(error.message, EXIT.newerVersion)
  const line = explainDatabaseError(error, url)
  if (line === undefined) return error
  return new CliError(line, error instanceof NewerSchema ? EXIT.newerVersion : EXIT.databaseUnusable)
}

/** Does something with a database that servers share; its errors are one line. */
export async function useDatabase<T>(
  url: string | undefined,
  use: (commands: Commands, url: string) => Promise<T>,
): Promise<T> {
  if (url === undefined) throw usageError('set the database with --database')
  const commands = await load()
  try {
    return await use(commands, url)
  } catch (error) {
    throw error instanceof commands.DatabaseProblem ? new CliError(error.message) : error
  }
}

import { explainStartError, type OptionNames } from '../start_errors.ts'
import { CliError, EXIT } from './errors.ts'

const FLAGS: OptionNames = { port: '--port', freePort: '--port 0', host: '--host', data: '--data' }

/** Converts an error of a start to one line with its cause and a remedy, and its exit code. */
export function toStartError(
  error: NodeJS.ErrnoException,
  options: { host: string; port: number; data?: string | undefined },
): Error {
  if (error instanceof CliError) return error
  const problem = explainStartError(error, options, FLAGS)
  return problem ? new CliError(problem.message, EXIT[problem.kind]) : error
}

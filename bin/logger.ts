import { type Logger, pino } from 'pino'
import { redactTokens } from '../http/redaction.ts'
import { openPrettyStream } from './log_pretty.ts'

const STANDARD_ERROR = 2

/** Logs to standard error, without worker threads: single executables have none. */
export function openLogger(format: 'json' | 'pretty'): Logger {
  const stream =
    format === 'pretty'
      ? openPrettyStream(STANDARD_ERROR, Boolean(process.stderr.isTTY) && !process.env.NO_COLOR)
      : pino.destination({ dest: STANDARD_ERROR, sync: true })
  return pino({ timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: serializeError } }, stream)
}

/** An error without tokens. */
const serializeError = ({ name, message, stack = '' }: Error) => ({
  type: name,
  message: redactTokens(message),
  stack: redactTokens(stack),
})

import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'
import { redactTokens } from '../http/redaction.ts'

const STANDARD_ERROR = 2

/** Logs to standard error, without worker threads: single executables have none. */
export function openLogger(format: 'json' | 'pretty'): Logger {
  const stream =
    format === 'pretty'
      ? pretty({
          destination: STANDARD_ERROR,
          sync: true,
          colorize: Boolean(process.stderr.isTTY) && !process.env.NO_COLOR,
          translateTime: 'SYS:HH:MM:ss.l',
          ignore: 'pid,hostname',
        })
      : pino.destination({ dest: STANDARD_ERROR, sync: true })
  return pino({ timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: serializeError } }, stream)
}

/** An error without tokens. */
const serializeError = ({ name, message, stack = '' }: Error) => ({
  type: name,
  message: redactTokens(message),
  stack: redactTokens(stack),
})

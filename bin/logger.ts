import { type Logger, pino } from 'pino'
import { redactTokens } from '../http/journal/redaction.ts'
import { createFormatter } from './log_pretty.ts'
import type { LogStream } from './log_stream.ts'

/** Writes without worker threads: single executables have none. */
export function openLogger(format: 'json' | 'pretty', stream: LogStream): Logger {
  const toText =
    format === 'pretty' ? createFormatter(Boolean(process.stderr.isTTY) && !process.env.NO_COLOR) : undefined
  const destination = toText ? { write: (line: string) => stream.write(toText(line)) } : stream
  return pino({ timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: serializeError } }, destination)
}

/** An error without tokens. */
const serializeError = ({ name, message, stack = '' }: Error) => ({
  type: name,
  message: redactTokens(message),
  stack: redactTokens(stack),
})

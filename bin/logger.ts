import { type Logger, pino } from 'pino'
import { prettyFactory } from 'pino-pretty'
import { redactTokens } from '../http/journal/redaction.ts'
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

/** A logged request; see `requestFields` in log.ts. */
interface RequestLog {
  method: string
  path?: string
  query?: Record<string, string>
  status: number
  ms: number
  world?: number
}

const REQUEST_MEMBERS = ['reqId', 'method', 'route', 'path', 'query', 'status', 'ms', 'world']

type Colours = Record<'green' | 'yellow' | 'red', (text: string) => string>

function formatRequest({ method, path, query = {}, status, ms, world }: RequestLog, colours: Colours): string {
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${value}`)
  const url = (path ?? '(no such path)') + (parameters.length > 0 ? `?${parameters.join('&')}` : '')
  const colour = status === 0 || status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green'
  const outcome = colours[colour](status === 0 ? 'closed by the client' : String(status))
  return `${method} ${url}  ${outcome}  ${ms} ms${world === undefined || world === 1 ? '' : `  world ${world}`}`
}

/** Formats a log line as text, requests in one line; errors keep their stack. */
const createFormatter = (colorize: boolean): ((line: string) => string) =>
  prettyFactory({
    colorize,
    translateTime: 'SYS:HH:MM:ss.l',
    singleLine: true,
    ignore: ['pid', 'hostname', ...REQUEST_MEMBERS].join(','),
    messageFormat: (log, messageKey, _, { colors }) =>
      'method' in log ? formatRequest(log as unknown as RequestLog, colors) : String(log[messageKey]),
  })

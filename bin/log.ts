import type { FastifyRequest } from 'fastify'
import type { OnRequestEnd } from '../http/connections/traffic.ts'
import type { OnFault } from '../http/errors/error_handler.ts'
import { type LogStream, openLogStream } from './log_stream.ts'
import { redactUrl } from './log_url.ts'

export const LOG_FORMATS = ['off', 'on', 'json', 'pretty'] as const
export type LogFormat = (typeof LOG_FORMATS)[number]

export interface Log {
  /** Undefined if requests are not logged: they cost nothing then. */
  onRequestEnd: OnRequestEnd | undefined
  onFault: OnFault
  /** Called with messages for the operator. */
  onNotice(text: string): void
  /** Logs an event of the server, if requests are logged. */
  info(what: string, members?: object): void
  /** Lines that were dropped because they were not read. */
  droppedLines(): number
  /** Waits for a moment until all lines are written. */
  flush(): Promise<void>
}

const DROPPED = 'log lines were dropped, because standard error was not read'

/** Unexpected errors are always logged; requests and events of the server unless the format is `off`. */
export async function openLog(format: LogFormat): Promise<Log> {
  const resolvedFormat = format === 'json' || format === 'pretty' ? format : process.stderr.isTTY ? 'pretty' : 'json'
  // Lazy: with `off` most processes never need the logger.
  const open = async (stream: LogStream) => (await import('./logger.ts')).openLogger(resolvedFormat, stream)
  if (format === 'off') {
    const onNotice = (text: string) => stream.write(`mercadito: ${text}\n`)
    const stream = openLogStream(process.stderr, (lines) => onNotice(`${lines} ${DROPPED}`))
    let logger: ReturnType<typeof open> | undefined
    const onFault = async (err: Error) => {
      logger ??= open(stream)
      ;(await logger).error({ err }, 'unexpected fault')
    }
    return { onRequestEnd: undefined, onFault, onNotice, info() {}, droppedLines: stream.dropped, flush: stream.flush }
  }
  const stream = openLogStream(process.stderr, (lines) => logger.warn({ lines }, DROPPED))
  const logger = await open(stream)
  return {
    onRequestEnd(request, status, ms) {
      if (request.routeOptions.config.health) return
      logger[status >= 500 ? 'warn' : 'info'](requestFields(request, status, ms), status === 0 ? 'gone' : 'answered')
    },
    onNotice: (text) => logger.warn(text),
    onFault: (err) => logger.error({ err }, 'unexpected fault'),
    info: (what, members = {}) => logger.info(members, what),
    droppedLines: stream.dropped,
    flush: stream.flush,
  }
}

/** Without free text and secrets: see `redactUrl`. */
const requestFields = (request: FastifyRequest, status: number, ms: number) => ({
  reqId: request.id,
  method: request.method,
  ...redactUrl(request),
  status,
  ms: Math.round(ms * 100) / 100,
  world: request.world?.id,
})

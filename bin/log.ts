import type { CountedRequest, OnRequestEnd } from '../http/connections/traffic.ts'
import type { OnFault } from '../http/errors/error_handler.ts'
import { REDACTED, redactTokens, SECRETS } from '../http/journal/redaction.ts'
import { type LogStream, openLogStream } from './log_stream.ts'

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
const requestFields = (request: CountedRequest, status: number, ms: number) => ({
  reqId: request.id,
  method: request.method,
  ...redactUrl(request),
  status,
  ms: Math.round(ms * 100) / 100,
  world: request.world?.id,
})

/** Ids, numbers, instants and names may be logged. */
const PLAIN_VALUE = /^[\w.:,+-]{1,64}$/
const SECRET_NAMES = new Set([...SECRETS.request, ...SECRETS.response, 'callback', '_body', 'state', 'admin_token'])

const redactValue = (name: string, value: unknown): string =>
  SECRET_NAMES.has(name) || !PLAIN_VALUE.test(String(value)) ? REDACTED : redactTokens(String(value))

/**
 * A request's URL for the log: route, path, and the query parameters that the route declares. Secrets and free text are
 * redacted; a URL without a route is not logged.
 */
function redactUrl({ routeOptions, params, query }: CountedRequest) {
  const { url: route, schema } = routeOptions
  if (route === undefined) return { route: null }
  const path = route.replace(/:(\w+)/g, (_, name: string) =>
    redactValue(name, (params as Record<string, unknown>)[name]),
  )
  const known = (schema?.querystring as { properties?: object } | undefined)?.properties ?? {}
  const redactedQuery = Object.entries((query ?? {}) as Record<string, unknown>).map(
    ([name, value]): [string, string] =>
      name in known
        ? [name, redactValue(name, value)]
        : [PLAIN_VALUE.test(name) ? redactTokens(name) : REDACTED, REDACTED],
  )
  return { route, path, ...(redactedQuery.length > 0 && { query: Object.fromEntries(redactedQuery) }) }
}

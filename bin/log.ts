import type { FastifyRequest } from 'fastify'
import type { OnFault } from '../http/errors.ts'
import type { OnRequestEnd } from '../plugins/traffic.ts'
import { redactUrl } from './log_url.ts'

export const LOG_FORMATS = ['off', 'on', 'json', 'pretty'] as const
export type LogFormat = (typeof LOG_FORMATS)[number]

export interface Log {
  /** Undefined where requests are not logged: then they cost nothing. */
  onOver: OnRequestEnd | undefined
  onFault: OnFault
  /** Told what whoever runs the server should know. */
  onNotice(text: string): void
  /** What happens to the server itself; only told where requests are. */
  info(what: string, members?: object): void
}

/** Faults are always told; requests and the server's life unless the format is `off`. */
export async function openLog(format: LogFormat): Promise<Log> {
  const resolvedFormat = format === 'json' || format === 'pretty' ? format : process.stderr.isTTY ? 'pretty' : 'json'
  // Loaded when there is something to say.
  const open = async () => (await import('./logger.ts')).openLogger(resolvedFormat)
  if (format === 'off') {
    let logger: ReturnType<typeof open> | undefined
    const onFault = async (err: Error) => {
      logger ??= open()
      ;(await logger).error({ err }, 'unexpected fault')
    }
    const onNotice = (text: string) => void process.stderr.write(`mercadito: ${text}\n`)
    return { onOver: undefined, onFault, onNotice, info() {} }
  }
  const logger = await open()
  return {
    onOver(request, status, ms) {
      if (request.routeOptions.config.health) return
      logger[status >= 500 ? 'warn' : 'info'](requestFields(request, status, ms), status === 0 ? 'gone' : 'answered')
    },
    onNotice: (text) => logger.warn(text),
    onFault: (err) => logger.error({ err }, 'unexpected fault'),
    info: (what, members = {}) => logger.info(members, what),
  }
}

/** Nothing that a person wrote, and no secrets: see `addressIn`. */
const requestFields = (request: FastifyRequest, status: number, ms: number) => ({
  reqId: request.id,
  method: request.method,
  ...redactUrl(request),
  status,
  ms: Math.round(ms * 100) / 100,
  world: request.world?.id,
})

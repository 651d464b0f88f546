import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as overHttp } from 'node:http'
import { Agent as HttpsAgent, request as overHttps } from 'node:https'
import { comparedHeaders } from '../control/recording/calls.ts'
import { type CallLine, replayOf } from '../control/recording/format.ts'
import { pathOf } from '../http/patterns.ts'
import { CONTROL_PREFIX } from '../http/rewrite_url.ts'
import { CliError } from '../lib/cli/errors.ts'
import { withoutBrackets } from '../lib/urls.ts'

/** An answer may be delayed by a fault rule; after this it counts as missing. Ms. */
const ANSWER_TIMEOUT_MS = 120_000
/** Of an answer: more than any that a recording has. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024

export interface RawCall {
  method: string
  /** With the prefix of the world. */
  target: string
  headers: Record<string, string>
  body: Buffer | undefined
}

/** An answer; `status` null: there was none. */
export interface ReplayAnswer {
  status: number | null
  /** The headers that count. */
  headers: Record<string, string>
  body: Buffer
}

interface Sender {
  send(call: RawCall): Promise<ReplayAnswer>
  close(): void
}

/** Sends calls one after the other over one connection. */
export function createSender(base: string, trusted?: string[] | undefined): Sender {
  const isHttps = base.startsWith('https:')
  const agent = isHttps
    ? new HttpsAgent({ keepAlive: true, maxSockets: 1, ...(trusted && { ca: trusted }) })
    : new HttpAgent({ keepAlive: true, maxSockets: 1 })
  const { protocol, hostname, port, pathname } = new URL(base)
  const prefix = pathname.replace(/\/+$/, '')
  return {
    send: ({ method, target, headers, body }) =>
      new Promise((resolve, reject) => {
        const request: ClientRequest = (isHttps ? overHttps : overHttp)({
          ...{ agent, protocol, port, method, path: prefix + target, timeout: ANSWER_TIMEOUT_MS },
          hostname: withoutBrackets(hostname),
          headers: { ...headers, ...(body && { 'content-length': body.length }) },
        })
        request.on('timeout', () => request.destroy())
        request.on('response', (answer) => readAnswer(answer).then(resolve, () => resolve(NO_ANSWER)))
        request.on('error', (error: NodeJS.ErrnoException) =>
          error.code === 'ECONNREFUSED'
            ? reject(new CliError(`no server answers at ${base}; it has ended during the replay`))
            : resolve(NO_ANSWER),
        )
        request.end(body)
      }),
    close: () => agent.destroy(),
  }
}

const NO_ANSWER: ReplayAnswer = { status: null, headers: {}, body: Buffer.alloc(0) }

async function readAnswer(answer: IncomingMessage): Promise<ReplayAnswer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_ANSWER_BYTES) throw new Error('too long')
    chunks.push(chunk)
  }
  return { status: answer.statusCode!, headers: comparedHeaders(answer.headers), body: Buffer.concat(chunks) }
}

/** How a call is sent again. */
interface Sendable {
  /** Target without the prefix of a world. Undefined: it is not sent. */
  target?: string
  /** The call is not one that a recording has. */
  problem?: string
}

const WORLD_PREFIX = /^\/w\/[^/?]*(?=[/?]|$)/

/**
 * Decides by the address alone, whatever the recording calls the line: a file from elsewhere must not reach control
 * calls that act on the server or on other worlds.
 */
export function toSendable({ kind, method, target }: CallLine): Sendable {
  // Absolute and asterisk forms are for proxies; an HTTP client does not send them.
  if (!target.startsWith('/')) return {}
  const rest = target.replace(WORLD_PREFIX, '')
  const local = rest.startsWith('/') ? rest : `/${rest}`
  const isControl = `${pathOf(local)}/`.startsWith(`${CONTROL_PREFIX}/`)
  if (kind === 'call') return isControl ? { problem: 'target: is a control call' } : { target: local }
  if (!isControl) return { problem: 'target: is not a control call' }
  // What is checked is what is sent: one spelling of each path.
  const [path = '', ...query] = local.split('?')
  const segments = pathOf(path).split('/').filter(Boolean)
  const plain = `/${segments.slice(1).join('/')}`
  if (segments.some((segment) => segment === '.' || segment === '..') || replayOf(method, plain) !== 'send')
    return { problem: `target: ${method} ${plain.slice(0, 100)} is not a control call of a recording` }
  const encoded = segments.map((segment) => encodeURIComponent(segment)).join('/')
  return { target: `/${encoded}${query.length > 0 ? `?${query.join('?')}` : ''}` }
}

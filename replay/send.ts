import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as overHttp } from 'node:http'
import { Agent as HttpsAgent, request as overHttps } from 'node:https'
import { comparedHeaders } from '../control/recording/calls.ts'
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

export interface Sender {
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

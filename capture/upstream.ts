import { Agent as HttpAgent, type IncomingHttpHeaders, type IncomingMessage, request as overHttp } from 'node:http'
import { Agent as HttpsAgent, request as overHttps } from 'node:https'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { connectionHeaders } from '../http/connections/connection_headers.ts'
import { withoutBrackets } from '../lib/urls.ts'

/** Ms without a byte. */
const TIMEOUT_MS = 60_000
/** Of an answer, decompressed. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024

/** The upstream gave no answer; `status` is that of the proxy. The message names no secret. */
export class UpstreamError extends Error {
  readonly status: 502 | 504
  constructor(message: string, status: 502 | 504 = 502) {
    super(message)
    this.status = status
  }
}

export interface UpstreamAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface UpstreamCall {
  method: string
  target: string
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface Upstream {
  origin: string
  host: string
  send(call: UpstreamCall): Promise<UpstreamAnswer>
  close(): void
}

/** The headers of a message that its receiver sends on. */
export function forwardedHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const dropped = new Set([...connectionHeaders(headers), 'transfer-encoding', 'expect'])
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name)))
}

/** Sends calls to the server at `base`, such as `https://api.example.com`. `trusted`: certificates, PEM. */
export function createUpstream(base: string, trusted?: string[]): Upstream {
  const { origin, protocol, hostname, port, host, pathname } = new URL(base)
  const isHttps = protocol === 'https:'
  const options = { keepAlive: true, maxSockets: 50 }
  const agent = isHttps ? new HttpsAgent({ ...options, ...(trusted && { ca: trusted }) }) : new HttpAgent(options)
  const prefix = pathname.replace(/\/+$/, '')
  const send = ({ method, target, headers, body }: UpstreamCall): Promise<UpstreamAnswer> =>
    new Promise((resolve, reject) => {
      const { 'content-length': _, ...rest } = forwardedHeaders(headers)
      const request = (isHttps ? overHttps : overHttp)({
        ...{ agent, protocol, port, method, path: prefix + target, timeout: TIMEOUT_MS },
        hostname: withoutBrackets(hostname),
        // A recording has texts: nothing is to be compressed.
        headers: {
          ...rest,
          host,
          'accept-encoding': 'identity',
          ...(body.length > 0 && { 'content-length': body.length }),
        },
      })
      request.on('timeout', () =>
        request.destroy(new UpstreamError(`${origin} has sent nothing for ${TIMEOUT_MS / 1000} s`, 504)),
      )
      request.on('error', (error) => reject(toUpstreamError(origin, error)))
      request.on('response', (answer) => {
        readBody(answer).then(
          (bytes) => resolve({ status: answer.statusCode!, headers: answer.headers, body: bytes }),
          (error) => {
            request.destroy()
            reject(toUpstreamError(origin, error))
          },
        )
      })
      request.end(body)
    })
  return { origin, host, send, close: () => agent.destroy() }
}

async function readBody(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of decompressed(answer) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_ANSWER_BYTES) throw new UpstreamError(`its answer has more than ${MAX_ANSWER_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Some servers compress whatever they are asked. */
function decompressed(answer: IncomingMessage): Readable {
  const encoding = String(answer.headers['content-encoding'] ?? 'identity').toLowerCase()
  const unzip =
    encoding === 'gzip' || encoding === 'x-gzip'
      ? createGunzip()
      : encoding === 'deflate'
        ? createInflate()
        : encoding === 'br'
          ? createBrotliDecompress()
          : undefined
  if (!unzip) return answer
  answer.on('error', (error) => unzip.destroy(error)).pipe(unzip)
  return unzip
}

/** Errors of Node have addresses and codes, and no headers. */
const toUpstreamError = (origin: string, error: Error): UpstreamError =>
  error instanceof UpstreamError
    ? error
    : new UpstreamError(`${origin} gave no answer (${(error as NodeJS.ErrnoException).code ?? error.message})`)

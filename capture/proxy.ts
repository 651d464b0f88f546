import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { pathOf } from '../http/patterns.ts'
import { READ_BY_POST } from './personal_members.ts'
import { forwardedHeaders, type Upstream, type UpstreamAnswer, type UpstreamCall, UpstreamError } from './upstream.ts'

/** Of a request. */
const MAX_BODY_BYTES = 8 * 1024 * 1024
const MAX_HEADER_BYTES = 32 * 1024
const MAX_CONNECTIONS = 500
/** For a whole request to arrive, ms. */
const REQUEST_TIMEOUT_MS = 30_000
/** In place of a token: the proxy sends the one that it was given. */
const TOKEN_PLACEHOLDER = 'from-env'

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i

interface ProxyOptions {
  upstream: Upstream
  token: string | undefined
  allowWrites: boolean
  /** Called before the answer is sent. */
  onCall(call: UpstreamCall, answer: UpstreamAnswer, ms: number): void
  /** A write that was refused. */
  onRefused(call: string): void
  /** A call that the upstream did not answer. */
  onFailed(): void
}

interface Proxy {
  url: string
  /** Resolves when the calls in flight are answered. */
  close(): Promise<void>
}

/** A call that the proxy does not send on. */
class Refused extends Error {
  readonly status: number
  readonly error: string
  constructor(status: number, error: string, message: string) {
    super(message)
    this.status = status
    this.error = error
  }
}

/** Starts a proxy on loopback. Rejects if the port is taken. */
export async function startProxy(port: number, options: ProxyOptions): Promise<Proxy> {
  let url = ''
  const server = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS },
    (request, response) => {
      serve(request, url, options).then(
        (answer) => send(response, request, answer),
        (error) => sendError(response, error, options.onFailed),
      )
    },
  )
  server.maxConnections = MAX_CONNECTIONS
  refuseOthers(server)
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
      }),
  }
}

/** Answers connections that send no HTTP/1.1 request with one clear line. */
function refuseOthers(server: Server): void {
  const end = (socket: Socket, status: string, message: string) => {
    const head = ['Connection: close', 'Content-Type: text/plain', `Content-Length: ${message.length}`].join('\r\n')
    socket.on('error', () => socket.destroy())
    if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\n${head}\r\n\r\n${message}`, () => socket.destroy())
  }
  server.on('upgrade', (_request, socket) =>
    end(socket as Socket, '501 Not Implemented', 'mercadito capture speaks HTTP/1.1 only, without upgrades.'),
  )
  server.on('connect', (_request, socket) =>
    end(
      socket as Socket,
      '405 Method Not Allowed',
      'mercadito capture is no CONNECT proxy: use its address as the base address.',
    ),
  )
  server.on('clientError', (_error, socket) =>
    end(socket as Socket, '400 Bad Request', 'mercadito capture got no valid HTTP/1.1 request.'),
  )
}

async function serve(request: IncomingMessage, url: string, options: ProxyOptions): Promise<UpstreamAnswer> {
  checkSender(request)
  const body = await readBody(request)
  const call = withToken(
    { method: request.method!, target: request.url!, headers: request.headers, body },
    options.token,
  )
  if (!options.allowWrites && isWrite(call)) {
    options.onRefused(`${call.method} ${pathOf(call.target)}`)
    throw new Refused(
      403,
      'read_only',
      'This call may change something: mercadito capture sends it only with --allow-writes.',
    )
  }
  const start = performance.now()
  const answer = await options.upstream.send(call)
  options.onCall(call, answer, performance.now() - start)
  const { location } = answer.headers
  const { origin } = options.upstream
  // A redirect to the upstream stays a redirect to the proxy.
  const isOwn = location !== undefined && (location === origin || location.startsWith(`${origin}/`))
  return isOwn ? { ...answer, headers: { ...answer.headers, location: url + location.slice(origin.length) } } : answer
}

/** The proxy adds a token to calls: no web page may use it. */
function checkSender({ url = '', headers }: IncomingMessage): void {
  const { host = '', origin, 'sec-fetch-site': site } = headers
  const isPage = origin !== undefined || (site !== undefined && site !== 'none' && site !== 'same-origin')
  if (!LOOPBACK_HOST.test(host) || isPage)
    throw new Refused(403, 'access_denied', 'mercadito capture serves programs of this machine, and no web pages.')
  if (!url.startsWith('/'))
    throw new Refused(400, 'bad_request', 'mercadito capture is no general proxy: use its address as the base address.')
}

/** Whether a call may change something on the upstream. */
function isWrite({ method, target, headers, body }: UpstreamCall): boolean {
  if (method === 'POST' && READ_BY_POST.test(pathOf(target))) return /\bmutation\b/.test(body.toString())
  // JSONP: a GET that is carried out as another method.
  const named = new URLSearchParams(target.split('?').slice(1).join('?')).getAll('_method')
  const override = headers['x-http-method-override'] ?? headers['x-http-method'] ?? headers['x-method-override']
  return !READS.has(method) || named.some((one) => !READS.has(one.toUpperCase())) || override !== undefined
}

function withToken(call: UpstreamCall, token: string | undefined): UpstreamCall {
  if (token === undefined) return call
  const { authorization = '' } = call.headers
  const placeholder = new RegExp(`([?&]access_token=)${TOKEN_PLACEHOLDER}(?=&|$)`)
  if (placeholder.test(call.target))
    return { ...call, target: call.target.replace(placeholder, (_, before) => before + encodeURIComponent(token)) }
  const isAbsent = authorization === '' && !/[?&]access_token=/.test(call.target)
  if (!isAbsent && authorization !== `Bearer ${TOKEN_PLACEHOLDER}`) return call
  return { ...call, headers: { ...call.headers, authorization: `Bearer ${token}` } }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES)
      throw new Refused(413, 'payload_too_large', `The body must have at most ${MAX_BODY_BYTES} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function send(response: ServerResponse, { method }: IncomingMessage, { status, headers, body }: UpstreamAnswer): void {
  const { 'content-encoding': _, 'content-length': length, ...rest } = forwardedHeaders(headers)
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304
  response.writeHead(status, {
    ...rest,
    ...(hasBody
      ? { 'content-length': body.length }
      : method === 'HEAD' && length !== undefined && { 'content-length': length }),
  })
  response.end(hasBody ? body : undefined)
}

function sendError(response: ServerResponse, error: Error, onFailed: () => void): void {
  if (error instanceof UpstreamError) onFailed()
  if (response.destroyed) return
  const { status, code } =
    error instanceof Refused
      ? { status: error.status, code: error.error }
      : { status: error instanceof UpstreamError ? error.status : 502, code: 'no_answer' }
  const message =
    error instanceof Refused || error instanceof UpstreamError ? error.message : 'The call has broken off.'
  const body = JSON.stringify({ message, error: code, status, cause: [] })
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), connection: 'close' }
  response.writeHead(status, headers).end(body)
}

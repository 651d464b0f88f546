import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import about from '../../../package.json' with { type: 'json' }
import { type DeliveryRequest, describeNetworkError, type PinnedAddress } from './attempt.ts'
import { type Connection, isHttps } from './connection.ts'

const MAX_BODY_BYTES = 64 * 1024

/** A response as far as it has been read. */
interface ReceivedResponse {
  head?: IncomingMessage
  chunks: Buffer[]
  bodyBytes: number
}

/** Reads a response into `received`. `onEnd`: it is complete, or `isCut`: the connection must be closed after it. */
function readResponse(
  request: ClientRequest,
  head: IncomingMessage,
  received: ReceivedResponse,
  onEnd: (isCut: boolean) => void,
): void {
  received.head = head
  head.on('data', (chunk: Buffer) => {
    if (isTruncated(received)) return
    received.chunks.push(chunk)
    received.bodyBytes += chunk.length
    if (isTruncated(received)) onEnd(true)
  })
  // A receiver that responds before it has read the whole request may never read the rest.
  head.on('end', () => onEnd(!request.writableFinished))
}

/** The members of an attempt that come from the response. */
export function presentResponse({ head, chunks, bodyBytes }: ReceivedResponse) {
  const truncated = isTruncated({ bodyBytes })
  return {
    http_code: head?.statusCode ?? null,
    headers: head ? headersOf(head) : {},
    body: decodeBody(chunks, truncated),
    truncated,
  }
}

const isTruncated = ({ bodyBytes }: Pick<ReceivedResponse, 'bodyBytes'>): boolean => bodyBytes > MAX_BODY_BYTES

function headersOf({ rawHeaders }: IncomingMessage): Record<string, string> {
  const headers = new Map<string, string>()
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n]!.toLowerCase()
    const previous = headers.get(name)
    headers.set(name, previous === undefined ? rawHeaders[n + 1]! : `${previous}, ${rawHeaders[n + 1]}`)
  }
  return Object.fromEntries(headers)
}

/** Drops a character that the limit cuts in two; replaces invalid UTF-8 by U+FFFD. */
const decodeBody = (chunks: Buffer[], truncated: boolean): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES), {
    stream: truncated,
  })

/** The progress of a delivery, over all its HTTP requests. */
export interface Exchange extends ReceivedResponse {
  /** Aborting it with a message closes the connection. */
  signal: AbortSignal
  /** `performance.now()` when the first byte was sent. */
  firstByteAt?: number
}

export interface RequestResult {
  /** null: the whole response was read, or as much of it as is kept. */
  error: string | null
  /** No connection was made: another address may accept one. */
  isUnreachable?: boolean
  /** Nothing listens at the address. */
  isRefused?: boolean
  /** The receiver had closed the kept connection before it saw the request. */
  isStale?: boolean
}

const MAX_HEADER_BYTES = 16 * 1024
const UNREACHABLE_CODES = ['ECONNREFUSED', 'EADDRNOTAVAIL', 'ENETUNREACH', 'EHOSTUNREACH']
const CLOSED_CODES = ['ECONNRESET', 'EPIPE', 'ECONNABORTED']

/**
 * Sends one HTTP request to one address and reads the response into `exchange`. Resolves when the connection is idle
 * or closed. Throws synchronously if Node rejects the request.
 */
export function sendRequest(
  connection: Connection,
  address: PinnedAddress,
  { url, body }: Pick<DeliveryRequest, 'url' | 'body'>,
  exchange: Exchange,
): Promise<RequestResult> {
  const { signal } = exchange
  const { promise, resolve } = Promise.withResolvers<RequestResult>()
  const request = createRequest(connection, address, url, body)
  const socketState = watchSocket(request, url, exchange)
  let result: RequestResult | undefined
  const finish = (first: RequestResult) => {
    result ??= first
  }
  const onAbort = () => {
    finish({ error: signal.reason })
    request.destroy()
  }
  signal.addEventListener('abort', onAbort)
  request.on('response', (response) => {
    readResponse(request, response, exchange, (isCut) => {
      finish({ error: null })
      if (isCut) request.destroy()
    })
  })
  request.on('upgrade', (response, socket) => {
    exchange.head = response
    socket.destroy()
    finish({ error: 'answer switches to another protocol' })
  })
  request.on('error', (error) => finish(failedResult(error, request, socketState, exchange)))
  request.on('close', () => {
    signal.removeEventListener('abort', onAbort)
    if (socketState.isConnected) connection.address = address.address
    // Neither an end nor an error came before: the body is incomplete.
    resolve(result ?? { error: 'answer broke off' })
  })
  request.end(body)
  return promise
}

interface SocketState {
  isConnected: boolean
  /** Bytes that the socket had received before this request. */
  bytesReadBefore: number
}

function watchSocket(request: http.ClientRequest, url: URL, exchange: Exchange): SocketState {
  const state: SocketState = { isConnected: false, bytesReadBefore: 0 }
  const markFirstByte = () => {
    exchange.firstByteAt ??= performance.now()
  }
  request.on('socket', (socket) => {
    state.isConnected = request.reusedSocket
    state.bytesReadBefore = socket.bytesRead
    if (request.reusedSocket) return markFirstByte()
    socket.once('connect', () => {
      state.isConnected = true
    })
    socket.once(isHttps(url) ? 'secureConnect' : 'connect', markFirstByte)
  })
  return state
}

function failedResult(
  error: NodeJS.ErrnoException,
  { reusedSocket, socket }: http.ClientRequest,
  { isConnected, bytesReadBefore }: SocketState,
  { head }: Exchange,
): RequestResult {
  const code = error.code ?? ''
  return {
    error: describeNetworkError(error, head !== undefined),
    isRefused: !isConnected && code === 'ECONNREFUSED',
    isUnreachable: !isConnected && UNREACHABLE_CODES.includes(code),
    isStale: reusedSocket && CLOSED_CODES.includes(code) && socket?.bytesRead === bytesReadBefore,
  }
}

/** All headers of a notification. Without `Connection` Node would add it. */
export const requestHeaders = ({ host }: URL, body: string): Record<string, string> => ({
  host,
  accept: '*/*',
  'user-agent': `mercadito/${about.version}`,
  'content-type': 'application/json',
  'content-length': String(Buffer.byteLength(body)),
  Connection: 'keep-alive',
})

const createRequest = (
  { agent }: Connection,
  { address, family }: PinnedAddress,
  url: URL,
  body: string,
): http.ClientRequest =>
  (isHttps(url) ? https : http).request({
    agent,
    protocol: url.protocol,
    method: 'POST',
    // The address itself instead of a `lookup`: Node does not call `lookup` for a host that is an address already.
    host: address,
    family,
    port: url.port,
    path: url.pathname + url.search,
    ...(isHttps(url) && { servername: serverName(url) }),
    headers: requestHeaders(url, body),
    maxHeaderSize: MAX_HEADER_BYTES,
  })

/** The name for SNI and the certificate: never an address, and without the dot that ends a fully qualified name. */
function serverName({ hostname }: URL): string {
  const name = hostname.replace(/^\[|\]$|\.$/g, '')
  return isIP(name) ? '' : name
}

import http from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import about from '../../../package.json' with { type: 'json' }
import type { DeliveryRequest, PinnedAddress } from './attempt.ts'
import { type Connection, isHttps } from './connection.ts'
import { describeNetworkError } from './network_errors.ts'
import { type ReceivedResponse, readResponse } from './response.ts'

/** The progress of a delivery, over all its HTTP requests. */
export interface Exchange extends ReceivedResponse {
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
 * or closed. Throws synchronously if Node rejects the request. Aborting `signal` with a message closes the connection.
 */
export function sendRequest(
  connection: Connection,
  address: PinnedAddress,
  { url, body }: Pick<DeliveryRequest, 'url' | 'body'>,
  exchange: Exchange,
  signal: AbortSignal,
): Promise<RequestResult> {
  const { promise, resolve } = Promise.withResolvers<RequestResult>()
  const request = createRequest(connection, address, url, Buffer.byteLength(body))
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

const createRequest = (
  { agent }: Connection,
  { address, family }: PinnedAddress,
  url: URL,
  bodyBytes: number,
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
    headers: {
      host: url.host,
      accept: '*/*',
      'user-agent': `mercadito/${about.version}`,
      'content-type': 'application/json',
      'content-length': bodyBytes,
    },
    maxHeaderSize: MAX_HEADER_BYTES,
  })

/** The name for SNI and the certificate: never an address, and without the dot that ends a fully qualified name. */
function serverName({ hostname }: URL): string {
  const name = hostname.replace(/^\[|\]$|\.$/g, '')
  return isIP(name) ? '' : name
}

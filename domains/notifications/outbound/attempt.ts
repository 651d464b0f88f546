import http from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import about from '../../../package.json' with { type: 'json' }
import { describeNetworkError } from './network_errors.ts'
import { decodeBody, headersOf, MAX_BODY_BYTES } from './response.ts'

/** What one attempt to deliver came to. A receiver took it when it answered 200 and `error` is null. */
export interface Attempt {
  /** The code of the answer's head, also when what follows it failed; null: no answer. */
  http_code: number | null
  /** Names in lower case, those sent twice joined with commas; at most 16 KiB. */
  headers: Record<string, string>
  /** At most 64 KiB of it, read as UTF-8. */
  body: string
  /** The body was longer, and no more of it was read. */
  truncated: boolean
  /**
   * Real time from the first byte sent (or, where none was, from the start) to the end of the answer or to the failure.
   */
  ms: number
  /** Short, for people; null: the answer came whole, or 64 KiB of its body. */
  error: string | null
}

/** An IP address, without brackets. */
export interface PinnedAddress {
  address: string
  family: 4 | 6
}

/** What is sent where. */
export interface DeliveryRequest {
  url: URL
  /**
   * What is connected to, whatever the URL's host resolves to by now: the first, or where nothing listens or no way
   * leads there, the next.
   */
  addresses: PinnedAddress[]
  /** JSON. */
  body: string
  /** Real ms for all of it: connecting, sending, and the whole answer. */
  timeoutMs: number
}

/** An attempt on its way. */
export interface InFlightAttempt {
  result: Promise<Attempt>
  /** Ends it now, for this reason. */
  abort(error: string): void
}

const MAX_HEADER_BYTES = 16 * 1024
const REDIRECT_STATUSES = [301, 302, 303, 307, 308]

export const isHttps = (url: URL): boolean => url.protocol === 'https:'

/** Why nothing more is sent. */
export const SERVER_STOPPING = 'the server is stopping'

/** An attempt that never went out, and what it took all the same. */
export const failedAttempt = (error: string, ms = 0): Attempt => ({
  http_code: null,
  headers: {},
  body: '',
  truncated: false,
  ms: Math.round(ms),
  error,
})

/** What the keeper of the agent does. */
export interface AgentHandle {
  agent: http.Agent
  /** Lets go of the agent's idle connections, so that the next request gets a new one. */
  closeIdleConnections(): void
  /** A connection to this address was made. */
  onConnected(address: string): void
  /** Once, later than `post` returns: the agent takes the connection back right after this, or it is closed. */
  onClosed(): void
}

/** POSTs once. */
export function post(
  { agent, closeIdleConnections, onConnected, onClosed }: AgentHandle,
  { url, addresses, body, timeoutMs }: DeliveryRequest,
): InFlightAttempt {
  const { promise: result, resolve } = Promise.withResolvers<Attempt>()
  const startedAt = performance.now()
  let firstByteAt: number | undefined
  let responseHead: http.IncomingMessage | undefined
  const chunks: Buffer[] = []
  let bodyBytes = 0
  let isSettled = false
  let currentRequest: http.ClientRequest | undefined
  const remainingAddresses = [...addresses]
  /** The first address where nothing listens: of several failures the one to tell. */
  let refusedError: NodeJS.ErrnoException | undefined

  function settle(error: string | null): void {
    if (isSettled) return
    isSettled = true
    clearTimeout(timer)
    const truncated = bodyBytes > MAX_BODY_BYTES
    resolve({
      http_code: responseHead?.statusCode ?? null,
      headers: responseHead ? headersOf(responseHead) : {},
      body: decodeBody(chunks, truncated),
      truncated,
      ms: Math.round(performance.now() - (firstByteAt ?? startedAt)),
      error: error ?? (REDIRECT_STATUSES.includes(responseHead?.statusCode ?? 0) ? 'redirects are not followed' : null),
    })
  }
  function abort(error: string | null): void {
    settle(error)
    currentRequest?.destroy()
  }
  const timer = setTimeout(() => {
    // An answer that lies in the socket already, while this process was busy, is read first.
    setImmediate(() => isSettled || abort(`no ${responseHead ? 'whole ' : ''}answer within ${timeoutMs} ms`))
  }, timeoutMs)

  function readResponse(request: http.ClientRequest, response: http.IncomingMessage): void {
    responseHead = response
    response.on('data', (chunk: Buffer) => {
      if (isSettled) return
      chunks.push(chunk)
      bodyBytes += chunk.length
      if (bodyBytes > MAX_BODY_BYTES) abort(null)
    })
    // Who answers without having read all that was sent may never read it.
    response.on('end', () => (request.writableFinished ? settle(null) : abort(null)))
    response.on('error', (error) => settle(describeNetworkError(error, true)))
  }

  function sendTo({ address, family }: PinnedAddress): void {
    if (isIP(address) !== family) throw Object.assign(new Error(), { code: 'ERR_NO_ADDRESS' })
    const bytes = Buffer.from(body)
    const request = (isHttps(url) ? https : http).request({
      agent,
      protocol: url.protocol,
      method: 'POST',
      // The address itself, not a lookup that answers it: a host that is an address already would not be looked up.
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
        'content-length': bytes.length,
      },
      maxHeaderSize: MAX_HEADER_BYTES,
    })
    currentRequest = request
    let bytesReadBefore = 0
    let isConnected = false
    request.on('socket', (socket) => {
      bytesReadBefore = socket.bytesRead
      const markFirstByte = () => {
        firstByteAt ??= performance.now()
      }
      isConnected = request.reusedSocket
      if (isConnected) return markFirstByte()
      socket.once('connect', () => {
        isConnected = true
        onConnected(address)
      })
      socket.once(isHttps(url) ? 'secureConnect' : 'connect', markFirstByte)
    })
    request.on('response', (response) => readResponse(request, response))
    request.on('upgrade', (response, socket) => {
      responseHead = response
      socket.destroy()
      settle('answer switches to another protocol')
    })
    request.on('error', (error: NodeJS.ErrnoException) => {
      const code = error.code ?? ''
      if (isSettled) return
      if (!isConnected && UNREACHABLE_CODES.includes(code)) {
        if (code === 'ECONNREFUSED') refusedError ??= error
        const nextAddress = remainingAddresses.shift()
        return nextAddress ? trySendTo(nextAddress) : settle(describeNetworkError(refusedError ?? error, false))
      }
      const isStaleSocket =
        request.reusedSocket && BROKEN_CONNECTION_CODES.includes(code) && request.socket?.bytesRead === bytesReadBefore
      if (!isStaleSocket) return settle(describeNetworkError(error, responseHead !== undefined))
      // Once only: the next one is not kept from before.
      closeIdleConnections()
      trySendTo({ address, family })
    })
    request.on('close', () => {
      if (currentRequest === request) onClosed()
    })
    request.end(bytes)
  }
  /** What Node refuses to send is a failed attempt too. */
  function trySendTo(target: PinnedAddress): void {
    try {
      sendTo(target)
    } catch (error) {
      currentRequest = undefined
      settle(describeNetworkError(error as Error, false))
      queueMicrotask(onClosed)
    }
  }

  trySendTo(remainingAddresses.shift() ?? { address: '', family: 4 })
  return { result, abort }
}

/** How connecting fails where nothing was sent, and another address may do. */
const UNREACHABLE_CODES = ['ECONNREFUSED', 'EADDRNOTAVAIL', 'ENETUNREACH', 'EHOSTUNREACH']

/** How a kept connection ends that the receiver had closed meanwhile. */
const BROKEN_CONNECTION_CODES = ['ECONNRESET', 'EPIPE', 'ECONNABORTED']

/** What TLS asks for, and the certificate must bear: never an address, never with the dot of a full name. */
function serverName({ hostname }: URL): string {
  const name = hostname.replace(/^\[|\]$|\.$/g, '')
  return isIP(name) ? '' : name
}

import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { handleClientError } from '../http/connections/client_errors.ts'
import { MAX_HEAD_BYTES } from '../http/connections/limits.ts'
import { withoutBrackets } from '../lib/urls.ts'
import { type Authority, createContexts, secureOptions } from './authority.ts'
import { createHandler, type HandlerOptions } from './handler.ts'
import { isAllowed, isMarketplaceHost, parseTarget, type Target } from './hosts.ts'
import { createRefusals, REFUSAL_MESSAGES, type Reason, type Refusal } from './refusals.ts'

/** A proxy for the programs of one run, on loopback. */
interface Proxy {
  port: number
  /** Takes connections that a program meant to open to port 443 of any host, without CONNECT. */
  securePort: number
  /** Calls that were sent to the world. */
  calls(): number
  refusals(): Refusal[]
  /** Breaks what is in flight. */
  close(): Promise<void>
}

const MAX_CONNECTIONS = 5000
const LIMITS = {
  maxHeaderSize: MAX_HEAD_BYTES,
  requireHostHeader: false,
  /** Ms, as those of the server. */
  headersTimeout: 15_000,
  keepAliveTimeout: 72_000,
  connectionsCheckingInterval: 5000,
  /** The server ends slow bodies earlier; this is for those that it never gets. */
  requestTimeout: 60_000,
}
/** Turns of the event loop after which TLS in a tunnel has noticed that the tunnel is closed, and is counted. */
const CLOSING_TURNS = 5
const HTTP_2_PREFACE = 'HPE_PAUSED_H2_UPGRADE'
/** What clients do that do not trust a certificate: most send an alert of TLS, Node closes the connection or leaves it. */
const DISTRUST = /_ALERT_(UNKNOWN_CA|\w*CERTIFICATE\w*)$|^ECONNRESET$|^ERR_TLS_HANDSHAKE_TIMEOUT$/

export async function openProxy(authority: Authority, options: Omit<HandlerOptions, 'onRefusal'>): Promise<Proxy> {
  const { add: onRefusal, all: refusals } = createRefusals()
  const handler = createHandler({ ...options, onRefusal })
  const plain = createServer(LIMITS, handler.handle)
  const secure = createSecureServer(
    {
      ...LIMITS,
      ...secureOptions(await createContexts(authority), { onHttp2: (host) => onRefusal(host, 'http2') }),
    },
    handler.handle,
  )
  const servers = [plain, secure]
  const sockets = new Set<Socket>()
  for (const server of servers) {
    server.maxConnections = MAX_CONNECTIONS
    server.on('checkContinue', handler.handle).on('checkExpectation', handler.handle)
    server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    })
    server.on('clientError', (error: Error & { code?: string }, socket: Socket) => {
      if (error.code === HTTP_2_PREFACE) rejectConnection(socket, 505, REFUSAL_MESSAGES.http2(''))
      else handleClientError(error, socket)
    })
  }
  secure.on('tlsClientError', ({ code = '' }: NodeJS.ErrnoException, { servername }) => {
    if (servername && DISTRUST.test(code)) onRefusal(servername, 'certificate')
  })
  plain.on(
    'connect',
    createConnectHandler({
      allowed: options.allowed,
      onMarketplace: (socket, isSecure) => (isSecure ? secure : plain).emit('connection', socket),
      onRefusal,
    }),
  )
  await Promise.all(servers.map((server) => once(server.listen(0, '127.0.0.1'), 'listening')))
  return {
    port: (plain.address() as AddressInfo).port,
    securePort: (secure.address() as AddressInfo).port,
    calls: handler.calls,
    refusals,
    async close() {
      handler.close()
      const closed = servers.map((server) => once(server.close(), 'close'))
      for (const socket of sockets) socket.destroy()
      await Promise.all(closed)
      for (let n = 0; n < CLOSING_TURNS; n++) await setImmediate()
    },
  }
}

const CONNECTED = 'HTTP/1.1 200 Connection established\r\n\r\n'
/** Ms in which a client reads why its connection was rejected. */
const MAX_UNREAD_MS = 10_000

interface ConnectOptions {
  /** Hosts that may be called, as `parseAllowed` returns them. */
  allowed: string[]
  /** Called with a connection that a client believes to lead to the marketplace. */
  onMarketplace(socket: Socket, isSecure: boolean): void
  onRefusal(host: string, reason: Reason): void
}

/** Node's `connect` event: connections to allowed hosts pass unread, those to the marketplace are taken over. */
function createConnectHandler({ allowed, onMarketplace, onRefusal }: ConnectOptions) {
  return ({ url = '' }: IncomingMessage, socket: Socket, head: Buffer): void => {
    // Node no longer handles the errors of this socket.
    socket.on('error', () => socket.destroy())
    const target = parseTarget(url, 443)
    if (!target) {
      rejectConnection(socket, 400, 'CONNECT needs a host and a port, such as example.com:443')
    } else if (isAllowed(target.host, allowed)) {
      openTunnel(socket, head, target)
    } else if (isMarketplaceHost(target.host)) {
      socket.write(CONNECTED)
      if (head.length > 0) socket.unshift(head)
      onMarketplace(socket, target.port !== 80)
    } else {
      onRefusal(target.host, 'host')
      rejectConnection(socket, 403, REFUSAL_MESSAGES.host(target.host))
    }
  }
}

function openTunnel(socket: Socket, head: Buffer, { host, port }: Target): void {
  const upstream = connect({ host: withoutBrackets(host), port, allowHalfOpen: true })
  const onUnreachable = ({ code }: NodeJS.ErrnoException) =>
    rejectConnection(socket, 502, `mercadito cannot reach ${host}:${port} (${code})`)
  upstream.once('error', onUnreachable)
  upstream.once('connect', () => {
    upstream.off('error', onUnreachable).on('error', () => socket.destroy())
    upstream.once('close', () => socket.destroySoon())
    socket.write(CONNECTED)
    upstream.write(head)
    socket.pipe(upstream).pipe(socket)
  })
  socket.once('close', () => upstream.destroy())
}

/** Many clients show only the status line, so it has the message, too. */
function rejectConnection(socket: Socket, status: number, message: string): void {
  const head = [
    `HTTP/1.1 ${status} ${message}`,
    'content-type: text/plain; charset=utf-8',
    `content-length: ${Buffer.byteLength(message) + 1}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${message}\n`)
  socket.resume().setTimeout(MAX_UNREAD_MS, () => socket.destroy())
}

import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { handleClientError } from '../http/connections/client_errors.ts'
import { MAX_HEAD_BYTES } from '../http/connections/limits.ts'
import { type Authority, createContexts } from './authority.ts'
import { createConnectHandler, rejectConnection } from './connect.ts'
import { createHandler, type HandlerOptions } from './handler.ts'
import { createRefusals, REFUSAL_MESSAGES, type Refusal } from './refusals.ts'
import { secureOptions } from './secure_options.ts'

/** A proxy for the programs of one run, on loopback. */
export interface Proxy {
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
const HTTP_2_PREFACE = 'HPE_PAUSED_H2_UPGRADE'

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
    },
  }
}

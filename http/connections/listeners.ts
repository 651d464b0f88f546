import { Server as HttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import type { Server as TlsServer } from 'node:tls'
import type { FastifyInstance } from 'fastify'

interface ListenOptions {
  host: string
  port: number
  backlog?: number
}

export interface Listeners {
  /** Listens on `host`; on both addresses of `localhost`, if the machine has ::1. Rejects with the error of the system. */
  listen(options: ListenOptions): Promise<void>
  /** Serves the connections of a TLS server, too; they count against the same limits. Its owner lets it listen. */
  attach(listener: TlsServer): void
  addresses(): AddressInfo[]
  /** Stops what Fastify does not: resolves when the connections of all other addresses have ended. */
  close(): Promise<void>
}

/** Errors of machines without IPv6. */
const NO_IPV6_CODES = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT'])

/**
 * Lets a server listen. For the second address of `localhost` Fastify would make another HTTP server, without the
 * listeners and limits of `createServer`. Here the first one gets the connections of both.
 */
export function createListeners(server: FastifyInstance): Listeners {
  const first = server.server
  // HTTP servers of Node have this option, those of HTTPS do not.
  const second = createServer({ allowHalfOpen: first instanceof HttpServer, noDelay: true }, (socket) =>
    first.emit('connection', socket),
  )
  second.maxConnections = first.maxConnections
  const others = [second]

  async function listen({ host, port, backlog }: ListenOptions): Promise<void> {
    const isLocalhost = host === 'localhost'
    await server.listen({ host: isLocalhost ? '127.0.0.1' : host, port, ...(backlog && { backlog }) })
    if (!isLocalhost) return
    const { port: actualPort } = first.address() as AddressInfo
    await new Promise<void>((resolve, reject) => {
      second.once('error', (error: NodeJS.ErrnoException) =>
        NO_IPV6_CODES.has(error.code!) ? resolve() : reject(error),
      )
      second.listen({ host: '::1', port: actualPort, ...(backlog && { backlog }) }, resolve)
    })
  }

  return {
    listen,
    attach(listener) {
      const event = first instanceof HttpServer ? 'connection' : 'secureConnection'
      listener.on('secureConnection', (socket) => first.emit(event, socket))
      listener.maxConnections = first.maxConnections
      others.push(listener)
    },
    addresses: () => [first, ...others].flatMap((one) => (one.address() as AddressInfo | null) ?? []),
    async close() {
      await Promise.all(others.map((one) => new Promise((resolve) => one.close(resolve))))
    },
  }
}

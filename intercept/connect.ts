import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { withoutBrackets } from '../lib/urls.ts'
import { isAllowed, isMarketplaceHost, parseTarget, type Target } from './hosts.ts'
import { REFUSAL_MESSAGES, type Reason } from './refusals.ts'

const CONNECTED = 'HTTP/1.1 200 Connection established\r\n\r\n'
/** Ms in which a client reads why its connection was rejected. */
const MAX_UNREAD_MS = 10_000

export interface ConnectOptions {
  /** Hosts that may be called, as `parseAllowed` returns them. */
  allowed: string[]
  /** Called with a connection that a client believes to lead to the marketplace. */
  onMarketplace(socket: Socket, isSecure: boolean): void
  onRefusal(host: string, reason: Reason): void
}

/** Node's `connect` event: connections to allowed hosts pass unread, those to the marketplace are taken over. */
export function createConnectHandler({ allowed, onMarketplace, onRefusal }: ConnectOptions) {
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
export function rejectConnection(socket: Socket, status: number, message: string): void {
  const head = [
    `HTTP/1.1 ${status} ${message}`,
    'content-type: text/plain; charset=utf-8',
    `content-length: ${Buffer.byteLength(message) + 1}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${message}\n`)
  socket.resume().setTimeout(MAX_UNREAD_MS, () => socket.destroy())
}

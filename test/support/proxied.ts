import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls'

/** A connection through a proxy by CONNECT. Rejects with the status line unless it is 200. */
export async function openTunnel(port: number, target: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => {})
  socket.write(`CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n\r\n`)
  await Promise.race([once(socket, 'readable'), once(socket, 'close')])
  const head = String(socket.read() ?? 'closed')
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(head.split('\r\n')[0])
  return socket
}

/** As `openTunnel`, then TLS for the host of `target`. */
export async function openSecureTunnel(port: number, target: string, options: ConnectionOptions): Promise<TLSSocket> {
  const socket = connectTls({
    socket: await openTunnel(port, target),
    servername: target.split(':')[0]!,
    ALPNProtocols: ['http/1.1'],
    ...options,
  })
  await once(socket, 'secureConnect')
  return socket
}

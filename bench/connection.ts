import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A connection for one request at a time, with little overhead. */
export interface Connection {
  socket: Socket
  /** Resolves with the status, or with 0 when the connection was closed. */
  request(request: string): Promise<number>
  isClosed(): boolean
}

const LENGTH = 'content-length: '

export async function openConnection(port: number): Promise<Connection> {
  return createConnection(await openSocket(port))
}

export async function openSocket(port: number): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** Uses an open socket, which has a listener for errors. */
export function createConnection(socket: Socket): Connection {
  let answered: ((status: number) => void) | undefined
  let status = 0
  let remaining = 0
  let closed = false
  const finish = (status: number) => {
    const resolve = answered
    answered = undefined
    resolve?.(status)
  }
  socket.on('data', (chunk: Buffer) => {
    if (remaining === 0) {
      const head = chunk.toString('latin1', 0, Math.min(chunk.length, 2048))
      status = Number(head.slice(9, 12))
      const length = head.toLowerCase().indexOf(LENGTH)
      const size = length < 0 ? 0 : Number.parseInt(head.slice(length + LENGTH.length), 10)
      remaining = head.indexOf('\r\n\r\n') + 4 + size
    }
    remaining -= chunk.length
    if (remaining <= 0) {
      remaining = 0
      finish(status)
    }
  })
  socket.on('close', () => {
    closed = true
    finish(0)
  })
  return {
    socket,
    isClosed: () => closed,
    request: (request) =>
      new Promise((resolve) => {
        if (closed) return resolve(0)
        answered = resolve
        socket.write(request)
      }),
  }
}

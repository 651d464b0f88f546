import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** One connection that asks one thing after the other, with next to no work of its own. */
export interface Line {
  socket: Socket
  /** The status; 0 when the connection broke instead. */
  ask(request: string): Promise<number>
  broken(): boolean
}

const LENGTH = 'content-length: '

export async function dial(port: number): Promise<Line> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  let answered: ((status: number) => void) | undefined
  let status = 0
  let left = 0
  let closed = false
  const end = (told: number) => {
    const tell = answered
    answered = undefined
    tell?.(told)
  }
  socket.on('data', (chunk: Buffer) => {
    if (left === 0) {
      const head = chunk.toString('latin1', 0, Math.min(chunk.length, 2048))
      status = Number(head.slice(9, 12))
      const length = head.toLowerCase().indexOf(LENGTH)
      const size = length < 0 ? 0 : Number.parseInt(head.slice(length + LENGTH.length), 10)
      left = head.indexOf('\r\n\r\n') + 4 + size
    }
    left -= chunk.length
    if (left <= 0) {
      left = 0
      end(status)
    }
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    closed = true
    end(0)
  })
  await once(socket, 'connect')
  return {
    socket,
    broken: () => closed,
    ask: (request) =>
      new Promise((resolve) => {
        if (closed) return resolve(0)
        answered = resolve
        socket.write(request)
      }),
  }
}

export const get = (path: string, token: string): string =>
  `GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n\r\n`

export function post(path: string, token: string, body: object): string {
  const text = JSON.stringify(body)
  return `POST ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
}

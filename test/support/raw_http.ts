import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'

/** An answer as it came over the wire. */
export interface RawAnswer {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  text: string
}

/** Ms after which a connection that the server leaves open fails the test. */
const PATIENCE_MS = 10_000

export interface Connection {
  socket: Socket
  /** Writes the pieces one after the other, with a pause between them. */
  write(...pieces: string[]): Promise<void>
  /** The answers that have arrived by now. */
  received(): RawAnswer[]
  /** All answers until the server closes the connection. */
  answers(): Promise<RawAnswer[]>
}

/** A connection on which a test writes bytes of its own. */
export async function openConnection(port: number, host = '127.0.0.1'): Promise<Connection> {
  const socket = connect({ port, host, allowHalfOpen: true })
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  // A connection that is reset shows in the answers that are missing.
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => void socket.once('end', resolve).once('close', () => resolve()))
  await once(socket, 'connect')
  return {
    socket,
    async write(...pieces) {
      for (const [n, piece] of pieces.entries()) {
        if (n > 0) await setTimeout(10)
        socket.write(Buffer.from(piece, 'latin1'))
      }
    },
    received: () => parseAnswers(Buffer.concat(chunks)),
    async answers() {
      const timeout = new AbortController()
      await Promise.race([
        closed,
        setTimeout(PATIENCE_MS, undefined, { signal: timeout.signal }).then(() => {
          throw new Error(`The connection is still open after ${Buffer.concat(chunks)}`)
        }),
      ])
      timeout.abort()
      socket.destroy()
      return parseAnswers(Buffer.concat(chunks))
    },
  }
}

/** Sends bytes and reads all answers until the server closes the connection. */
export async function exchange(port: number, ...pieces: string[]): Promise<RawAnswer[]> {
  const connection = await openConnection(port)
  await connection.write(...pieces)
  return connection.answers()
}

/** The answers in a stream of bytes. Each has a content-length, or no body. */
function parseAnswers(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = []
  for (let rest = bytes; rest.length > 0; ) {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) throw new Error(`not an answer: ${rest}`)
    const [first, ...lines] = rest.subarray(0, end).toString().split('\r\n')
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    )
    const body = rest.subarray(end + 4, end + 4 + Number(headers['content-length'] ?? 0))
    answers.push({ status: Number(first!.split(' ')[1]), headers, text: body.toString() })
    rest = rest.subarray(end + 4 + body.length)
  }
  return answers
}

import { connect } from 'node:net'

// The load generator: a process on its own core that plays the rounds that it receives.

export interface Round {
  port: number
  connections: number
  /** Complete HTTP/1.1 requests, which are sent in this order and repeated. */
  requests: string[]
  /** The round ends after so many requests, or after `maxSeconds`. */
  count: number
  maxSeconds: number
  /** How the status of every answer begins, and the bytes of its body; default: 20, its content-length. */
  status?: string | undefined
  bodyBytes?: number | undefined
  /** Returns the duration of each request. */
  isTimed?: boolean | undefined
}

export interface RoundResult {
  /** Answers received. */
  count: number
  seconds: number
  /** Of each request, in the order in which they were sent. */
  ms: number[]
}

const READ_BUFFER_BYTES = 64 * 1024
/** A JVM is slow at first. */
const TIMEOUT_MS = 30_000
const LENGTH = /\r\ncontent-length: *(\d+)/i

/** A connection for one request at a time. */
interface Connection {
  send(request: Buffer, onAnswer: () => void): void
  close(): void
}
type Expected = Pick<Round, 'port' | 'status' | 'bodyBytes'>

/** Reads only what is needed for a check: the status in the first chunk, then as many bytes as its content-length. */
function open(expected: Expected, onFailure: (error: Error) => void): Promise<Connection> {
  let remaining = 0
  let onAnswer = () => {}
  const read = (size: number, chunk: Uint8Array): boolean => {
    try {
      remaining = (remaining === 0 ? sizeOfAnswer(chunk as Buffer, size, expected) : remaining) - size
      if (remaining < 0) throw new Error('more bytes than the content-length of the answer')
      if (remaining === 0) onAnswer()
    } catch (error) {
      onFailure(error as Error)
    }
    return true
  }
  return new Promise((resolve) => {
    const onread = { buffer: Buffer.allocUnsafe(READ_BUFFER_BYTES), callback: read }
    const socket = connect({ host: '127.0.0.1', port: expected.port, noDelay: true, onread })
    const onClose = () => onFailure(new Error('the server closed a connection'))
    socket.on('error', onFailure).on('close', onClose)
    socket.on('connect', () =>
      resolve({
        send(request, then) {
          onAnswer = then
          socket.write(request)
        },
        close: () => socket.off('close', onClose).destroy(),
      }),
    )
  })
}

/** Bytes of an answer with its head, from its first chunk. Throws for another status or length. */
function sizeOfAnswer(chunk: Buffer, size: number, { status = '20', bodyBytes }: Expected): number {
  const head = chunk.toString('latin1', 0, Math.min(size, 1024))
  const end = head.indexOf('\r\n\r\n')
  const length = Number(LENGTH.exec(head)?.[1] ?? Number.NaN)
  if (!head.startsWith(`HTTP/1.1 ${status}`) || end < 0 || Number.isNaN(length) || (bodyBytes ?? length) !== length)
    throw new Error(`unexpected answer: ${head}`)
  return end + 4 + length
}

async function play(round: Round): Promise<RoundResult> {
  const { promise: failed, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new Error('the server stopped answering')),
    round.maxSeconds * 1000 + TIMEOUT_MS,
  )
  const opening = Array.from({ length: round.connections }, () => open(round, reject))
  try {
    return await Promise.race([failed, Promise.all(opening).then((connections) => send(round, connections))])
  } finally {
    clearTimeout(timer)
    for (const connection of opening) void connection.then(({ close }) => close())
  }
}

/** Sends the requests and resolves when each has its answer. */
function send({ requests, count, maxSeconds, isTimed }: Round, connections: Connection[]): Promise<RoundResult> {
  const bytes = requests.map((request) => Buffer.from(request))
  const ms: number[] = []
  let sent = 0
  let received = 0
  let waiting = connections.length
  let most = count
  const start = performance.now()
  const deadline = start + maxSeconds * 1000
  return new Promise((resolve) => {
    // To wake a load that sleeps takes time of the server's core: more for a server that is slower than the load.
    const stayAwake = () => void (waiting > 0 && setImmediate(stayAwake))
    stayAwake()
    for (const connection of connections) {
      let place = 0
      let sentAt = 0
      const next = () => {
        if (sent >= most || (sent % 16 === 0 && performance.now() > deadline)) {
          most = sent
          if (--waiting === 0) resolve({ count: received, seconds: (performance.now() - start) / 1000, ms })
          return
        }
        place = sent++
        connection.send(bytes[place % bytes.length]!, onAnswer)
        // After the call, whose time is not the server's.
        if (isTimed) sentAt = performance.now()
      }
      const onAnswer = () => {
        if (isTimed) ms[place] = performance.now() - sentAt
        received++
        next()
      }
      next()
    }
  })
}

process.on('message', (round: Round) => {
  play(round).then(
    (result) => process.send!({ result }),
    (error: Error) => process.send!({ error: error.message }),
  )
})
process.on('disconnect', () => process.exit(0))

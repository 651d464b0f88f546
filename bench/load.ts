import { connect, type Socket } from 'node:net'

// The load generator: a process on its own core that plays the rounds that it receives.

/** A round, which ends after `count` requests or `maxSeconds`. */
export interface Round {
  port: number
  connections: number
  /** Complete HTTP/1.1 requests, which are sent in this order and repeated. */
  requests: string[]
  count: number
  maxSeconds: number
  /** Every connection sends all of them in their order, instead of the next one of all. */
  isSequential?: boolean | undefined
  /** Bytes that every body must have; default: its content-length. */
  bodyBytes?: number | undefined
  /** Returns the duration of each request. */
  isTimed?: boolean
  /**
   * Opens connections for this round, sends one request on each before the clock starts, and closes them after it:
   * servers that are stopped between their turns would close idle connections.
   */
  closesConnections?: boolean
}

export interface RoundResult {
  /** Answers received. */
  count: number
  seconds: number
  /** Answers received before the clock started. */
  before: number
  /** CPU time of this process per second: near 1 it is the bottleneck. */
  busy: number
  /** Of each request, in the order in which they were sent. */
  ms?: number[]
}

/** A connection for one request at a time. */
interface Connection {
  socket: Socket
  /** Calls `answered` when the answer is complete. */
  request(request: Buffer, answered: () => void, bytes?: number): void
}

const READ_BUFFER_BYTES = 64 * 1024

/** Reads only what is needed for a check: a 2xx head in one chunk, then as many bytes as its content-length. */
function openConnection(port: number, fail: (error: Error) => void): Promise<Connection> {
  let remaining = 0
  let answered = () => {}
  let bytes: number | undefined
  const read = (size: number, chunk: Uint8Array): boolean => {
    try {
      remaining = (remaining === 0 ? sizeOfAnswer(chunk as Buffer, size, bytes) : remaining) - size
      if (remaining < 0) throw new Error('more bytes than the content-length of the answer')
      if (remaining === 0) answered()
    } catch (error) {
      fail(error as Error)
    }
    return true
  }
  return new Promise((resolve) => {
    const socket = connect({
      host: '127.0.0.1',
      port,
      noDelay: true,
      onread: { buffer: Buffer.allocUnsafe(READ_BUFFER_BYTES), callback: read },
    })
    socket.on('error', fail)
    socket.on('close', () => fail(new Error('the server closed a connection')))
    socket.on('connect', () =>
      resolve({
        socket,
        request(request, then, wanted) {
          answered = then
          bytes = wanted
          socket.write(request)
        },
      }),
    )
  })
}

const LENGTH = /\r\ncontent-length: *(\d+)/i

/** Bytes of an answer with its head, from its first chunk. Throws for an error status or another length. */
function sizeOfAnswer(chunk: Buffer, size: number, bytes: number | undefined): number {
  const head = chunk.toString('latin1', 0, Math.min(size, 1024))
  const end = head.indexOf('\r\n\r\n')
  const length = Number(LENGTH.exec(head)?.[1] ?? Number.NaN)
  if (!head.startsWith('HTTP/1.1 20') || end < 0 || Number.isNaN(length) || (bytes ?? length) !== length)
    throw new Error(`unexpected answer: ${head}`)
  return end + 4 + length
}

let pools: { port: number; all: Connection[] }[] = []
let onFailure: (error: Error) => void = () => {}

/** Reuses the open connections to a port if their number is right. */
async function connectionsTo(port: number, connections: number): Promise<Connection[]> {
  const open = pools.find((pool) => pool.port === port && pool.all.length === connections)
  if (open) return open.all
  closeConnections(port)
  const all = await Promise.all(
    Array.from({ length: connections }, () => openConnection(port, (error) => onFailure(error))),
  )
  pools.push({ port, all })
  return all
}

function closeConnections(port: number): void {
  for (const pool of pools)
    if (pool.port === port) for (const { socket } of pool.all) socket.removeAllListeners('close').destroy()
  pools = pools.filter((pool) => pool.port !== port)
}

/** Resolves when every connection has had an answer, so that the server has accepted all of them. */
function warmConnections(all: Connection[], request: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => onFailure(new Error('the server does not answer')), TIMEOUT_MS)
    onFailure = (error) => {
      clearTimeout(timer)
      reject(error)
    }
    let waiting = all.length
    const answered = () => {
      if (--waiting > 0) return
      clearTimeout(timer)
      resolve()
    }
    for (const connection of all) connection.request(request, answered)
  })
}

/** A JVM is slow at first. */
const TIMEOUT_MS = 30_000

async function play({
  port,
  connections,
  requests,
  count,
  maxSeconds: mostSeconds,
  isSequential,
  bodyBytes,
  isTimed,
  closesConnections,
}: Round): Promise<RoundResult> {
  const bytes = requests.map((request) => Buffer.from(request))
  const all = await connectionsTo(port, connections)
  if (closesConnections) await warmConnections(all, bytes[0]!)
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => onFailure(new Error('the server stopped answering')),
      mostSeconds * 1000 + TIMEOUT_MS,
    )
    onFailure = (error) => {
      clearTimeout(timer)
      reject(error)
    }
    let sent = 0
    let received = 0
    let waiting = connections
    const ms: number[] = []
    const cpu = process.cpuUsage()
    const start = performance.now()
    const deadline = start + mostSeconds * 1000
    const end = () => {
      clearTimeout(timer)
      onFailure = () => {}
      if (closesConnections) closeConnections(port)
      const seconds = (performance.now() - start) / 1000
      const { user, system } = process.cpuUsage(cpu)
      const before = closesConnections ? connections : 0
      resolve({ count: received, seconds, before, busy: (user + system) / 1e6 / seconds, ...(isTimed && { ms }) })
    }
    for (const connection of all) {
      let own = 0
      let place = 0
      let sentAt = 0
      const next = () => {
        if (sent >= count || (sent % 16 === 0 && performance.now() > deadline)) {
          count = sent
          if (--waiting === 0) end()
          return
        }
        const n = isSequential ? own++ : sent
        place = sent++
        connection.request(bytes[n % bytes.length]!, answered, bodyBytes)
        // After the call, whose time is not the server's.
        sentAt = performance.now()
      }
      const answered = () => {
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

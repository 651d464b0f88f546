import { connect, type Socket } from 'node:net'

// The load: a process of its own, on a core of its own, that plays one round after the other as run.ts tells it.

/** One round, bounded in count and in time. */
export interface Round {
  port: number
  connections: number
  /** Whole HTTP/1.1 requests, sent in this order; begun again at the end until `count` were sent. */
  requests: string[]
  count: number
  mostSeconds: number
  /** Every connection sends all of them in their order, instead of whichever is next. */
  each?: boolean | undefined
  /** Bytes that every body must have; default: as many as it says. */
  bytes?: number | undefined
  /** Whether to tell how long each answer took. */
  timed?: boolean
  /**
   * New connections, which are answered once before the clock starts, and ended after it: servers that wait for their
   * turn end them by themselves after some seconds.
   */
  hangUp?: boolean
}

export interface Played {
  /** Answers received; fewer than asked for when the time was up. */
  count: number
  seconds: number
  /** Answers received before the clock started. */
  before: number
  /** Share of that time that this process was on its core: near 1 it would be the limit. */
  busy: number
  /** Ms of each request, in the order in which they were sent; only where they are asked for. */
  ms?: number[]
}

/** A connection that holds one request at a time. */
interface Line {
  socket: Socket
  /** Sends a request; `answered` is called when the whole answer is there. */
  ask(request: Buffer, answered: () => void, bytes?: number): void
}

const LARGEST_READ = 64 * 1024

/** The least reading of HTTP that counts as checking: a 2xx head in one piece, then as many bytes as it says. */
function dial(port: number, fail: (error: Error) => void): Promise<Line> {
  let left = 0
  let answered = () => {}
  let bytes: number | undefined
  const read = (size: number, chunk: Uint8Array): boolean => {
    try {
      left = (left === 0 ? sizeOfAnswer(chunk as Buffer, size, bytes) : left) - size
      if (left < 0) throw new Error('more bytes than the answer says it has')
      if (left === 0) answered()
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
      onread: { buffer: Buffer.allocUnsafe(LARGEST_READ), callback: read },
    })
    socket.on('error', fail)
    socket.on('close', () => fail(new Error('the server closed a connection')))
    socket.on('connect', () =>
      resolve({
        socket,
        ask(request, then, wanted) {
          answered = then
          bytes = wanted
          socket.write(request)
        },
      }),
    )
  })
}

const LENGTH = /\r\ncontent-length: *(\d+)/i

/** Bytes of an answer, head and all, by its first chunk. Throws for anything but a success with so many bytes. */
function sizeOfAnswer(chunk: Buffer, size: number, bytes: number | undefined): number {
  const head = chunk.toString('latin1', 0, Math.min(size, 1024))
  const end = head.indexOf('\r\n\r\n')
  const length = Number(LENGTH.exec(head)?.[1] ?? Number.NaN)
  if (!head.startsWith('HTTP/1.1 20') || end < 0 || Number.isNaN(length) || (bytes ?? length) !== length)
    throw new Error(`unexpected answer: ${head}`)
  return end + 4 + length
}

let lines: { port: number; all: Line[] }[] = []
let broken: (error: Error) => void = () => {}

/** The open connections to a port, as many as asked for. */
async function linesTo(port: number, connections: number): Promise<Line[]> {
  const open = lines.find((known) => known.port === port && known.all.length === connections)
  if (open) return open.all
  leave(port)
  const all = await Promise.all(Array.from({ length: connections }, () => dial(port, (error) => broken(error))))
  lines.push({ port, all })
  return all
}

/** Hangs up on a port. */
function leave(port: number): void {
  for (const known of lines)
    if (known.port === port) for (const { socket } of known.all) socket.removeAllListeners('close').destroy()
  lines = lines.filter((known) => known.port !== port)
}

/** Waits until every connection has been answered once: it is the server's by then. */
function greet(all: Line[], request: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const stuck = setTimeout(() => broken(new Error('the server does not answer')), PATIENCE)
    broken = (error) => {
      clearTimeout(stuck)
      reject(error)
    }
    let waiting = all.length
    const answered = () => {
      if (--waiting > 0) return
      clearTimeout(stuck)
      resolve()
    }
    for (const line of all) line.ask(request, answered)
  })
}

/** Ms that the last answers may take: a JVM that nobody has asked yet is slow. */
const PATIENCE = 30_000

async function play({
  port,
  connections,
  requests,
  count,
  mostSeconds,
  each,
  bytes: length,
  timed,
  hangUp,
}: Round): Promise<Played> {
  const bytes = requests.map((request) => Buffer.from(request))
  const all = await linesTo(port, connections)
  if (hangUp) await greet(all, bytes[0]!)
  return new Promise((resolve, reject) => {
    const stuck = setTimeout(() => broken(new Error('the server stopped answering')), mostSeconds * 1000 + PATIENCE)
    broken = (error) => {
      clearTimeout(stuck)
      reject(error)
    }
    let sent = 0
    let received = 0
    let waiting = connections
    const ms: number[] = []
    const cpu = process.cpuUsage()
    const begun = performance.now()
    const deadline = begun + mostSeconds * 1000
    const end = () => {
      clearTimeout(stuck)
      broken = () => {}
      if (hangUp) leave(port)
      const seconds = (performance.now() - begun) / 1000
      const { user, system } = process.cpuUsage(cpu)
      const before = hangUp ? connections : 0
      resolve({ count: received, seconds, before, busy: (user + system) / 1e6 / seconds, ...(timed && { ms }) })
    }
    for (const line of all) {
      let own = 0
      let place = 0
      let asked = 0
      const next = () => {
        if (sent >= count || (sent % 16 === 0 && performance.now() > deadline)) {
          count = sent
          if (--waiting === 0) end()
          return
        }
        const n = each ? own++ : sent
        place = sent++
        line.ask(bytes[n % bytes.length]!, answered, length)
        // After it: what the load itself does for it is not the server's.
        asked = performance.now()
      }
      const answered = () => {
        if (timed) ms[place] = performance.now() - asked
        received++
        next()
      }
      next()
    }
  })
}

process.on('message', (round: Round) => {
  play(round).then(
    (played) => process.send!({ played }),
    (error: Error) => process.send!({ failed: error.message }),
  )
})
process.on('disconnect', () => process.exit(0))

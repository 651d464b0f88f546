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
}

export interface Played {
  /** Answers received; fewer than asked for when the time was up. */
  count: number
  seconds: number
  /** Share of that time that this process was on its core: near 1 it would be the limit. */
  busy: number
}

/** A connection that holds one request at a time. */
interface Line {
  socket: Socket
  /** Sends a request; `answered` is called when the whole answer is there. */
  ask(request: Buffer, answered: () => void): void
}

const LARGEST_READ = 64 * 1024

/** The least reading of HTTP that counts as checking: a 2xx head in one piece, then as many bytes as it says. */
function dial(port: number, fail: (error: Error) => void): Promise<Line> {
  let left = 0
  let answered = () => {}
  const read = (size: number, chunk: Uint8Array): boolean => {
    try {
      left = (left === 0 ? sizeOfAnswer(chunk as Buffer, size) : left) - size
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
        ask(request, then) {
          answered = then
          socket.write(request)
        },
      }),
    )
  })
}

const LENGTH = 'content-length: '

/** Bytes of an answer, head and all, by its first chunk. Throws for anything but a success. */
function sizeOfAnswer(chunk: Buffer, size: number): number {
  const head = chunk.toString('latin1', 0, Math.min(size, 512))
  const end = head.indexOf('\r\n\r\n')
  const length = head.indexOf(LENGTH)
  if (!head.startsWith('HTTP/1.1 20') || end < 0 || length < 0) throw new Error(`unexpected answer: ${head}`)
  return end + 4 + Number.parseInt(head.slice(length + LENGTH.length, length + LENGTH.length + 10), 10)
}

let lines: { port: number; all: Line[] }[] = []
let broken: (error: Error) => void = () => {}

/** The open connections to a port, as many as asked for. */
async function linesTo(port: number, connections: number): Promise<Line[]> {
  const open = lines.find((known) => known.port === port && known.all.length === connections)
  if (open) return open.all
  for (const known of lines) if (known.port === port) hangUp(known.all)
  lines = lines.filter((known) => known.port !== port)
  const all = await Promise.all(Array.from({ length: connections }, () => dial(port, (error) => broken(error))))
  lines.push({ port, all })
  return all
}

function hangUp(all: Line[]): void {
  for (const { socket } of all) socket.removeAllListeners('close').destroy()
}

async function play({ port, connections, requests, count, mostSeconds }: Round): Promise<Played> {
  const bytes = requests.map((request) => Buffer.from(request))
  const all = await linesTo(port, connections)
  return new Promise((resolve, reject) => {
    const stuck = setTimeout(() => broken(new Error('the server stopped answering')), mostSeconds * 1000 + 5000)
    broken = (error) => {
      clearTimeout(stuck)
      reject(error)
    }
    let sent = 0
    let received = 0
    let waiting = connections
    const cpu = process.cpuUsage()
    const begun = performance.now()
    const deadline = begun + mostSeconds * 1000
    const end = () => {
      clearTimeout(stuck)
      broken = () => {}
      const seconds = (performance.now() - begun) / 1000
      const { user, system } = process.cpuUsage(cpu)
      resolve({ count: received, seconds, busy: (user + system) / 1e6 / seconds })
    }
    for (const line of all) {
      const next = () => {
        if (sent >= count || (sent % 64 === 0 && performance.now() > deadline)) {
          count = sent
          if (--waiting === 0) end()
          return
        }
        line.ask(bytes[sent++ % bytes.length]!, answered)
      }
      const answered = () => {
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

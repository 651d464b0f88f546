import { cpuNanoseconds, type Load, type Server } from '../processes.ts'
import { ask } from '../requests.ts'

// One server at a time: all are on the same core, and those whose turn it is not are stopped, so that what they would
// still compile, collect or log costs them their own time and nobody else's.

/** What was played in a turn. */
export interface Turn {
  count: number
  seconds: number
  /** Seconds of the server's core that each answer took. */
  cpuEach: number
  /** Share of the time that the load was on its own core. */
  loadBusy: number
}

export const pause = ({ pid }: Server): void => void process.kill(pid, 'SIGSTOP')
export const resume = ({ pid }: Server): void => void process.kill(pid, 'SIGCONT')

export interface Play {
  requests: string[]
  connections: number
  seconds: number
  /** Whether the answer is the same each time: it is asked for once before, and all must have as many bytes. */
  same?: boolean
  /** Whether each connection sends all requests in their order. */
  each?: boolean
}

/** Wakes a server for what is asked of it meanwhile; it is stopped again then. */
export async function withTurn<T>(server: Server, work: () => Promise<T>): Promise<T> {
  resume(server)
  try {
    return await work()
  } finally {
    pause(server)
  }
}

/** One turn of a server that is awake. Throws at the first answer that is no success, or not the same. */
export async function play(
  load: Load,
  server: Server,
  { requests, connections, seconds, same, each }: Play,
): Promise<Turn> {
  let bytes: number | undefined
  if (same) {
    const { status, body } = await ask(server, requests[0]!)
    if (status !== 200) throw new Error(`${requests[0]}${status} ${body}`)
    bytes = Buffer.byteLength(body)
  }
  const before = cpuNanoseconds(server.pid)
  const { port } = server
  const round = { port, connections, requests, count: Number.MAX_SAFE_INTEGER, mostSeconds: seconds, each, bytes }
  const played = await load.play({ ...round, hangUp: true })
  const cpu = (cpuNanoseconds(server.pid) - before) / 1e9
  const { count, before: greeted, seconds: taken, busy } = played
  return { count, seconds: taken, cpuEach: cpu / (count + greeted), loadBusy: busy }
}

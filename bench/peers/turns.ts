import { cpuNanoseconds, type Load, type Server } from '../processes.ts'
import { sendRequest } from '../requests.ts'

// One server at a time: all are on the same core, and the others are stopped, so that their background work does not
// disturb it.

export interface Turn {
  count: number
  seconds: number
  /** CPU seconds of the server per answer. */
  cpuEach: number
  /** CPU time of the load generator per second. */
  loadBusy: number
}

export const pause = ({ pid }: Server): void => void process.kill(pid, 'SIGSTOP')
export const resume = ({ pid }: Server): void => void process.kill(pid, 'SIGCONT')

export interface Play {
  requests: string[]
  connections: number
  seconds: number
  /** The answer is always the same: its length is checked. */
  isSameAnswer?: boolean
  /** Each connection sends all requests in their order. */
  isSequential?: boolean
}

/** Resumes a server for the duration of `work`. */
export async function withTurn<T>(server: Server, work: () => Promise<T>): Promise<T> {
  resume(server)
  try {
    return await work()
  } finally {
    pause(server)
  }
}

/** One turn of a running server. Throws for an error status or an answer of another length. */
export async function play(
  load: Load,
  server: Server,
  { requests, connections, seconds, isSameAnswer, isSequential }: Play,
): Promise<Turn> {
  let bodyBytes: number | undefined
  if (isSameAnswer) {
    const { status, body } = await sendRequest(server, requests[0]!)
    if (status !== 200) throw new Error(`${requests[0]}${status} ${body}`)
    bodyBytes = Buffer.byteLength(body)
  }
  const before = cpuNanoseconds(server.pid)
  const { port } = server
  const result = await load.play({
    ...{ port, connections, requests, count: Number.MAX_SAFE_INTEGER, maxSeconds: seconds },
    ...{ isSequential, bodyBytes, closesConnections: true },
  })
  const cpu = (cpuNanoseconds(server.pid) - before) / 1e9
  const { count, before: warmUps, busy } = result
  return { count, seconds: result.seconds, cpuEach: cpu / (count + warmUps), loadBusy: busy }
}

import { once } from 'node:events'
import type { Round, RoundResult } from './load.ts'
import { at, cpuSeconds, LOAD_CORE, launch, type Server } from './processes.ts'

// Turns of servers that share a core: all but the one whose turn it is are stopped, so that their background work does
// not disturb it.

export const pause = ({ pid }: Server): void => void process.kill(pid, 'SIGSTOP')
export const resume = ({ pid }: Server): void => void process.kill(pid, 'SIGCONT')

/** The process of load.ts. */
export class Load {
  readonly #child = launch([at('bench/load.ts')], { core: LOAD_CORE, hasIpc: true })

  async play(round: Round): Promise<RoundResult> {
    this.#child.send(round)
    const [{ result, error }] = (await once(this.#child, 'message')) as [{ result?: RoundResult; error?: string }]
    if (!result) throw new Error(error)
    return result
  }

  stop(): void {
    this.#child.disconnect()
  }
}

export interface Turn extends RoundResult {
  perSecond: number
  /** CPU seconds of the server for a request. */
  cpu: number
}

export const CONNECTIONS = 64
export const ENDLESS = Number.MAX_SAFE_INTEGER

type TurnOptions = Partial<Round> &
  Pick<Round, 'requests' | 'maxSeconds'> & {
    /** Time for requests that are not measured: after a pause V8 collects garbage, and its young generation has shrunk. */
    settleSeconds?: number
  }

/** One turn of a server; without `count` it lasts `maxSeconds`. */
export async function turn(load: Load, server: Server, { settleSeconds, ...options }: TurnOptions): Promise<Turn> {
  const round = { port: server.port, connections: CONNECTIONS, count: ENDLESS, ...options }
  resume(server)
  try {
    if (settleSeconds) await load.play({ ...round, maxSeconds: settleSeconds })
    const before = cpuSeconds(server.pid)
    const result = await load.play(round)
    const cpu = (cpuSeconds(server.pid) - before) / result.count
    return { ...result, perSecond: result.count / result.seconds, cpu }
  } finally {
    pause(server)
  }
}

/** The servers in both orders by turns, so that a drift of the machine affects all equally. */
export const inOrder = <T>(all: readonly T[], round: number): readonly T[] => (round % 2 === 0 ? all : all.toReversed())

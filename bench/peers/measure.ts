import { type Load, progress } from '../processes.ts'
import { AFTER, type AfterRow, afterWrites } from './after_writes.ts'
import { type Entrant, type Field, MINIMUM, OURS } from './entrants.ts'
import { ROWS, type RowName } from './facts.ts'
import { pause, play, resume, withTurn } from './turns.ts'

/** How long what takes. */
export interface Pace {
  rounds: number
  /** Seconds of one turn. */
  turn: number
  /** Most seconds that a server is warmed up with one kind of request, by whether it has a JVM. */
  warmUp: { java: number; node: number }
}

export const CONNECTIONS = [64, 1] as const
/** Three turns of the warm-up within this much of each other are called stable. */
export const STABLE = 0.05

/** What one entrant did with one kind of request, by rounds. */
export interface Series {
  perSecond: number[]
  /** Requests per second that the server was on its core: the same where nobody else was there. */
  perCpu: number[]
  /** Share of the time that the load was on its own core: near 1 it was the limit. */
  loadBusy: number[]
}

export interface WarmUp {
  seconds: number
  stable: boolean
}

export interface Measured {
  of(row: RowName, connections: number, name: string): Series | undefined
  after(row: AfterRow, name: string): Series
  warmUps: Map<string, WarmUp>
}

/** Warms everybody up, then plays the rounds. */
export async function measure({ facts, entrants }: Field, load: Load, pace: Pace): Promise<Measured> {
  const measured = new Map<string, Series>()
  const note = (key: string, { perSecond, perCpu, loadBusy }: { [K in keyof Series]: number }) => {
    const series = measured.get(key) ?? { perSecond: [], perCpu: [], loadBusy: [] }
    measured.set(key, series)
    series.perSecond.push(perSecond)
    series.perCpu.push(perCpu)
    series.loadBusy.push(loadBusy)
  }
  const warmUps = new Map<string, WarmUp>()
  for (const { server } of entrants) pause(server)
  for (const entrant of entrants) {
    progress(`warming up ${entrant.name}`)
    for (const row of ROWS)
      if (entrant.requests[row]) warmUps.set(`${row}/${entrant.name}`, await warmUp(load, entrant, row, pace))
  }
  for (let round = 0; round < pace.rounds; round++) {
    progress(`round ${round + 1} of ${pace.rounds}`)
    // There and back: what drifts hits all alike.
    const order = round % 2 === 0 ? entrants : entrants.toReversed()
    for (const connections of CONNECTIONS)
      for (const row of ROWS)
        for (const entrant of order) {
          if (!entrant.requests[row]) continue
          const { count, seconds, cpuEach, loadBusy } = await turn(load, entrant, row, connections, pace.turn)
          note(`${row}/${connections}/${entrant.name}`, { perSecond: count / seconds, perCpu: 1 / cpuEach, loadBusy })
        }
    for (const row of AFTER)
      for (const entrant of order) {
        if (entrant.name !== OURS && entrant.name !== MINIMUM) continue
        const read = () => afterWrites(load, entrant, row, facts, pace.turn)
        note(`after ${row}/${entrant.name}`, await withTurn(entrant.server, read))
      }
  }
  for (const { server } of entrants) resume(server)
  return {
    of: (row, connections, name) => measured.get(`${row}/${connections}/${name}`),
    after: (row, name) => measured.get(`after ${row}/${name}`)!,
    warmUps,
  }
}

/** Turns until the last three are within 5 % of each other, or the time for it is over. */
async function warmUp(load: Load, entrant: Entrant, row: RowName, pace: Pace): Promise<WarmUp> {
  const most = entrant.java ? pace.warmUp.java : pace.warmUp.node
  const rates: number[] = []
  let taken = 0
  const stable = () => {
    const last = rates.slice(-3)
    return last.length === 3 && Math.max(...last) <= (1 + STABLE) * Math.min(...last)
  }
  while (taken < most && !stable()) {
    const { count, seconds } = await turn(load, entrant, row, CONNECTIONS[0], pace.turn)
    rates.push(count / seconds)
    taken += seconds
  }
  return { seconds: taken, stable: stable() }
}

const turn = (load: Load, { server, requests, forgets }: Entrant, row: RowName, connections: number, seconds: number) =>
  withTurn(server, () => {
    if (forgets && row === 'create') process.kill(server.pid, 'SIGUSR2')
    return play(load, server, { requests: requests[row]!, connections, seconds, same: row !== 'create' })
  })

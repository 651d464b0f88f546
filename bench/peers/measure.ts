import { type Load, progress } from '../processes.ts'
import { AFTER, type AfterRow, afterWrites } from './after_writes.ts'
import { MINIMUM, OURS, type Participant, type Participants } from './participants.ts'
import { ROWS, type RowName } from './test_data.ts'
import { pause, play, resume, withTurn } from './turns.ts'

export interface Pace {
  rounds: number
  /** Seconds of one turn. */
  turn: number
  /** Longest warm-up with one kind of request, seconds. */
  warmUp: { java: number; node: number }
}

export const CONNECTIONS = [64, 1] as const
/** A server is warm when three turns differ by less than this. */
export const STABLE = 0.05

/** One server and one kind of request, by rounds. */
export interface Series {
  perSecond: number[]
  /** Requests per second of CPU time: the same if no other process used the core. */
  perCpu: number[]
  /** CPU time of the load generator per second: near 1 it was the bottleneck. */
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

/** Warms up all servers, then plays the rounds. */
export async function measure({ data, participants }: Participants, load: Load, pace: Pace): Promise<Measured> {
  const measured = new Map<string, Series>()
  const note = (key: string, { perSecond, perCpu, loadBusy }: { [K in keyof Series]: number }) => {
    const series = measured.get(key) ?? { perSecond: [], perCpu: [], loadBusy: [] }
    measured.set(key, series)
    series.perSecond.push(perSecond)
    series.perCpu.push(perCpu)
    series.loadBusy.push(loadBusy)
  }
  const warmUps = new Map<string, WarmUp>()
  for (const { server } of participants) pause(server)
  for (const participant of participants) {
    progress(`warming up ${participant.name}`)
    for (const row of ROWS)
      if (participant.requests[row])
        warmUps.set(`${row}/${participant.name}`, await warmUp(load, participant, row, pace))
  }
  for (let round = 0; round < pace.rounds; round++) {
    progress(`round ${round + 1} of ${pace.rounds}`)
    // In both orders, so that a drift affects all equally.
    const order = round % 2 === 0 ? participants : participants.toReversed()
    for (const connections of CONNECTIONS)
      for (const row of ROWS)
        for (const participant of order) {
          if (!participant.requests[row]) continue
          const { count, seconds, cpuEach, loadBusy } = await turn(load, participant, row, connections, pace.turn)
          note(`${row}/${connections}/${participant.name}`, {
            perSecond: count / seconds,
            perCpu: 1 / cpuEach,
            loadBusy,
          })
        }
    for (const row of AFTER)
      for (const participant of order) {
        if (participant.name !== OURS && participant.name !== MINIMUM) continue
        const read = () => afterWrites(load, participant, row, data, pace.turn)
        note(`after ${row}/${participant.name}`, await withTurn(participant.server, read))
      }
  }
  for (const { server } of participants) resume(server)
  return {
    of: (row, connections, name) => measured.get(`${row}/${connections}/${name}`),
    after: (row, name) => measured.get(`after ${row}/${name}`)!,
    warmUps,
  }
}

/** Plays turns until the server is warm or the time for it is over. */
async function warmUp(load: Load, participant: Participant, row: RowName, pace: Pace): Promise<WarmUp> {
  const most = participant.isJava ? pace.warmUp.java : pace.warmUp.node
  const rates: number[] = []
  let taken = 0
  const stable = () => {
    const last = rates.slice(-3)
    return last.length === 3 && Math.max(...last) <= (1 + STABLE) * Math.min(...last)
  }
  while (taken < most && !stable()) {
    const { count, seconds } = await turn(load, participant, row, CONNECTIONS[0], pace.turn)
    rates.push(count / seconds)
    taken += seconds
  }
  return { seconds: taken, stable: stable() }
}

const turn = (
  load: Load,
  { server, requests, canForget: forgets }: Participant,
  row: RowName,
  connections: number,
  seconds: number,
) =>
  withTurn(server, () => {
    if (forgets && row === 'create') process.kill(server.pid, 'SIGUSR2')
    return play(load, server, { requests: requests[row]!, connections, seconds, isSameAnswer: row !== 'create' })
  })

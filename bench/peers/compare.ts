import { parseArgs } from 'node:util'
import { buildAll } from '../../tools/build.ts'
import { progress } from '../processes.ts'
import { median, table, two, whole } from '../tables.ts'
import { inOrder, Load, pause, type Turn, turn } from '../turns.ts'
import {
  FULL,
  KEPT,
  MINIMUM,
  OURS,
  type Participant,
  type Participants,
  RAW,
  startParticipants,
} from './participants.ts'
import { type AfterRow, PEER_ROWS, ROWS, type RowName, writesOf } from './test_data.ts'

// `npm run bench -- requests`: our server, the least that could answer the same, and with --peers other mock servers.

const TURN_SECONDS = 0.6
const SETTLE_SECONDS = 0.2
/** Of each kind of request, before the rounds: V8 still compiles after 80,000 of one kind. */
const WARM_UP_SECONDS = 5
const AFTER_WRITES: AfterRow[] = ['page', 'series']
const TITLES: Record<RowName, string> = {
  question: 'question',
  page: 'page of 50',
  series: 'series of 30 days',
  me: 'users/me',
  missing: '404',
  create: 'create',
}
const afterTitle = (row: AfterRow) => `${TITLES[row]}, after a write`

/** Least ratios of our rates to those of another. */
const GOALS: (readonly [row: string, ours: string, other: string, least: number])[] = [
  ...ROWS.filter((row) => row !== 'create').map((row) => [TITLES[row], OURS, RAW, 0.75] as const),
  ...AFTER_WRITES.map((row) => [afterTitle(row), OURS, MINIMUM, 0.95] as const),
  [TITLES.create, OURS, MINIMUM, 1.2],
  [TITLES.create, KEPT, FULL, 1.2],
]

/** Requests per CPU second of a server, by row, name and round. */
type Rates = Map<string, Map<string, number[]>>

export async function compareRequests(args: string[]): Promise<string> {
  const options = { rounds: { type: 'string', default: '5' }, peers: { type: 'boolean', default: false } } as const
  const { values } = parseArgs({ args, options })
  const rounds = Number(values.rounds)
  await buildAll()
  const all = await startParticipants(values.peers)
  const load = new Load()
  try {
    const rates = await measure(load, all, rounds)
    return report(all, rates, rounds)
  } finally {
    load.stop()
    for (const { server } of all.participants) await server.stop()
  }
}

async function measure(load: Load, { data, participants }: Participants, rounds: number): Promise<Rates> {
  const rates: Rates = new Map()
  const note = (row: string, name: string, rate: number) => {
    const ofRow = rates.get(row) ?? new Map<string, number[]>()
    rates.set(row, ofRow.set(name, [...(ofRow.get(name) ?? []), rate]))
  }
  const afterWrite = (row: AfterRow) => ({ read: data.requests[row][0]!, writes: writesOf(row, data) })
  for (const { server } of participants) pause(server)
  for (const participant of participants) {
    progress(`warming up ${participant.name}`)
    for (const row of ROWS) await play(load, participant, row, WARM_UP_SECONDS)
    if (isMeasuredAfterWrites(participant))
      for (const row of AFTER_WRITES) await cpuAfterWrite(load, participant, afterWrite(row), WARM_UP_SECONDS)
  }
  for (let round = 0; round < rounds; round++) {
    progress(`round ${round + 1} of ${rounds}`)
    for (const row of ROWS)
      for (const participant of inOrder(participants, round)) {
        const turn = await play(load, participant, row, TURN_SECONDS)
        if (turn) note(TITLES[row], participant.name, 1 / turn.cpu)
      }
    for (const row of AFTER_WRITES)
      for (const participant of inOrder(participants, round))
        if (isMeasuredAfterWrites(participant)) {
          const cpu = await cpuAfterWrite(load, participant, afterWrite(row), 2 * TURN_SECONDS)
          note(afterTitle(row), participant.name, 1 / cpu)
        }
  }
  return rates
}

const isMeasuredAfterWrites = ({ name }: Participant) => name === OURS || name === MINIMUM

/** Undefined if the server is not measured with this row. */
async function play(
  load: Load,
  { server, requests, canForget }: Participant,
  row: RowName,
  maxSeconds: number,
): Promise<Turn | undefined> {
  const texts = requests[row]
  if (!texts) return undefined
  if (canForget && row === 'create') process.kill(server.pid, 'SIGUSR2')
  const status = row === 'missing' ? '404' : '20'
  return turn(load, server, { requests: texts, maxSeconds, settleSeconds: SETTLE_SECONDS, status })
}

/**
 * The CPU seconds of a read after a write that changes its answer: those of both, minus those of a write alone. On one
 * connection, so that every read follows a write. The writes add no rows that the reads would scan.
 */
async function cpuAfterWrite(
  load: Load,
  { server }: Participant,
  { read, writes }: { read: string; writes: string[] },
  maxSeconds: number,
): Promise<number> {
  const pairs = writes.flatMap((write) => [write, read])
  const one = async (requests: string[]) =>
    (await turn(load, server, { requests, connections: 1, maxSeconds, settleSeconds: SETTLE_SECONDS })).cpu
  return 2 * (await one(pairs)) - (await one(writes))
}

function report({ data, participants, missing }: Participants, rates: Rates, rounds: number): string {
  const cell = (row: string, { name, kinds }: Participant): string => {
    const [own, minimum] = [rates.get(row)?.get(name), rates.get(row)?.get(MINIMUM)]
    if (!own || !minimum) return '–'
    const kind = ROWS.find((one) => TITLES[one] === row)
    return `${whole(median(own))}${kind && kinds[kind] === 'fixed' ? '*' : ''} (${two(ratio(own, minimum))})`
  }
  const [peers, own] = [participants.filter(({ isPeer }) => isPeer), participants.filter(({ isPeer }) => !isPeer)]
  const sizes = data.fixed.map(({ row, body }) => `${TITLES[row]} ${Buffer.byteLength(body)} B`)
  const tables = [
    table(
      ['', ...own.map(({ name }) => name)],
      [...rates.keys()].map((row) => [row, ...own.map((participant) => cell(row, participant))]),
    ),
    goals(rates),
  ]
  if (peers.length > 0) {
    const titles = PEER_ROWS.map((row) => TITLES[row])
    const rows = peers.map((peer) => [peer.name, ...titles.map((row) => cell(row, peer))])
    tables.push(`* a fixed text\n\n${table(['', ...titles], rows)}`)
  }
  for (const name of missing) tables.push(`${name} was not measured: there is no java\n`)
  return `Requests per second of one core's time, medians of ${rounds} rounds; in brackets: to the minimum in the same round
${sizes.join(', ')}\n\n${tables.join('\n')}`
}

const goals = (rates: Rates): string =>
  table(
    ['', 'ratio', 'goal', ''],
    GOALS.map(([row, ours, other, least]) => {
      const of = (name: string) => rates.get(row)!.get(name)!
      const measured = ratio(of(ours), of(other))
      return [`${row}: ${ours} / ${other}`, two(measured), two(least), measured >= least ? 'met' : 'MISSED']
    }),
  )

const ratio = (rates: number[], others: number[]) => median(rates.map((rate, round) => rate / others[round]!))

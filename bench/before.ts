import { parseArgs } from 'node:util'
import { ROWS, type Row } from './before_rows.ts'
import { buildRevision, buildThis, type Checkout } from './checkout.ts'
import { cpuSeconds, ourServer, progress, type ReadyServer, residentMegabytes, SERVER_CORE } from './processes.ts'
import { get, sendRequest } from './requests.ts'
import { median, spread, table, two, whole } from './tables.ts'
import { inOrder, Load, pause, type Turn, turn } from './turns.ts'

// `npm run bench -- before REV`: has something become slower since an earlier revision? In each round both start again,
// because two processes of one program differ by several per cent, and take turns with each kind of request.

const ROUNDS = 6
/** On a busy machine there are fewer rounds. */
const MAX_MS = 240_000
const TURN_SECONDS = 0.4
const WARM_UP = { count: 5000, seconds: 1 }
/** A change is reported if it is greater than this, and all of so many rounds agree on its sign. */
const MIN_CHANGE = 0.05
const MIN_ROUNDS = 5

/** One side of a round: CPU seconds or MB, and a rate where there is one. */
interface Cost {
  cost: number
  rate?: number
}
type Pair = [now: Cost, before: Cost]

interface Side {
  checkout: Checkout
  server: ReadyServer
}

export async function compareBefore(args: string[]): Promise<string> {
  const { values, positionals } = parseArgs({ args, options: { rounds: { type: 'string' } }, allowPositionals: true })
  const [revision] = positionals
  const rounds = Number(values.rounds ?? ROUNDS)
  if (revision === undefined || !(rounds > 0)) throw new Error('usage: npm run bench -- before REV [--rounds N]')
  const before = buildRevision(revision)
  const checkouts = [buildThis(), before]
  // Each keeps its compiled code at its first start.
  for (const checkout of checkouts) await (await start(checkout)).server.stop()
  const load = new Load()
  const measured = new Map<string, Pair[]>()
  const begun = performance.now()
  let played = 0
  for (; played < rounds && performance.now() - begun < MAX_MS; played++) {
    progress(`round ${played + 1} of ${rounds}`)
    for (const [name, pair] of await playRound(load, checkouts, played))
      measured.set(name, [...(measured.get(name) ?? []), pair])
  }
  load.stop()
  return `This tree / ${before.title}: medians of ${played} rounds, with the least and the greatest ratio\n
${table(
  ['', 'now', 'before', 'CPU, memory', 'rate', ''],
  [...measured].map(([name, pairs]) => lineOf(name, pairs)),
)}`
}

async function playRound(load: Load, checkouts: Checkout[], round: number): Promise<Map<string, Pair>> {
  const measured = new Map<string, Pair>()
  const sides: Side[] = []
  const note = (name: string, { checkout }: Side, cost: Cost) => {
    const pair = measured.get(name) ?? ([] as unknown as Pair)
    pair[checkouts.indexOf(checkout)] = cost
    measured.set(name, pair)
  }
  for (const checkout of inOrder(checkouts, round)) {
    const { server, cost } = await start(checkout)
    const side = { checkout, server }
    sides.push(side)
    note('start', side, cost)
    note('memory at the start, MB', side, { cost: residentMegabytes(server.pid) })
    pause(server)
  }
  for (const row of ROWS) for (const [side, cost] of await playRow(load, row, sides)) note(row.name, side, cost)
  for (const side of sides) {
    note('memory after the load, MB', side, { cost: residentMegabytes(side.server.pid) })
    await side.server.stop()
  }
  return measured
}

/** From its launch to the first answer to a seller. */
async function start(checkout: Checkout): Promise<{ server: ReadyServer; cost: Cost }> {
  const begun = performance.now()
  const server = await ourServer(undefined, { core: SERVER_CORE }, checkout.path)
  const { status } = await sendRequest(server, get('/users/me', server.world.sellers[0]!.token))
  if (status !== 200) throw new Error(`${checkout.title} answers ${status}`)
  const rate = 1000 / (performance.now() - begun)
  return { server, cost: { cost: cpuSeconds(server.pid), rate } }
}

/** Both get the same requests, as many as the slower one answers in a turn. */
async function playRow(load: Load, { status, requests }: Row, sides: Side[]): Promise<[Side, Cost][]> {
  const play = async (server: ReadyServer, count: number, maxSeconds: number) =>
    turn(load, server, { requests: await requests(server, count, load), count, maxSeconds, status })
  let slower = Number.POSITIVE_INFINITY
  for (const { server } of sides)
    slower = Math.min(slower, (await play(server, WARM_UP.count, WARM_UP.seconds)).perSecond)
  const turns = new Map(sides.map((side): [Side, Turn[]] => [side, []]))
  // Two turns of each: this, before, before, this.
  for (const side of [...sides, ...sides.toReversed()])
    turns.get(side)!.push(await play(side.server, Math.ceil(slower * TURN_SECONDS), 30))
  return [...turns].map(([side, all]) => [side, { cost: mean(all, 'cpu'), rate: mean(all, 'perSecond') }])
}

const mean = (turns: Turn[], of: 'cpu' | 'perSecond') => turns.reduce((sum, turn) => sum + turn[of], 0) / turns.length

function lineOf(name: string, pairs: Pair[]): string[] {
  const costs = pairs.map(([now, before]) => now.cost / before.cost)
  const rates = pairs.flatMap(([now, before]) => (now.rate && before.rate ? [now.rate / before.rate] : []))
  const format = (cost: number) =>
    rates.length === 0 ? whole(cost) : cost > 0.01 ? `${whole(1000 * cost)} ms` : `${whole(1e6 * cost)} µs`
  const change = median(costs) - 1
  const agree = costs.length >= MIN_ROUNDS && (Math.min(...costs) > 1 || Math.max(...costs) < 1)
  return [
    name,
    format(median(pairs.map(([now]) => now.cost))),
    format(median(pairs.map(([, before]) => before.cost))),
    spread(costs, two),
    rates.length === 0 ? '' : spread(rates, two),
    !agree || Math.abs(change) < MIN_CHANGE ? '' : change > 0 ? 'MORE' : 'less',
  ]
}

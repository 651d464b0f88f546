import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { type Case, POOL, WRITE_GOAL } from './cases.ts'
import { at, cpuSeconds, folder, Load, ourServer, progress, type ReadyServer, SERVER_CORE, serve } from './processes.ts'
import { sendRequest } from './requests.ts'
import { median, percent, quantile, table, two, whole } from './tables.ts'

// Our server against minimal.ts, in interleaved rounds.

export const ROUNDS = 8
const ROUND_SECONDS = 0.8
const CONNECTIONS = [1, 64]
const MAX_WRITES = Math.floor((0.9 * POOL) / CONNECTIONS.length / ROUNDS)

interface Measured {
  /** Requests per second of the server's CPU time. */
  perCpu: number
  perSecond: number
  serverBusy: number
  loadBusy: number
}

export interface Row {
  name: string
  connections: number
  goal: number
  rounds: { ours: Measured; minimal: Measured }[]
}

export async function compare(test: Case, base: string): Promise<Row[]> {
  const { ours, minimal, stop } = await startServers(test, base)
  const load = new Load()
  const next = requestsOf(test)
  const play = async (server: ReadyServer, connections: number, requests: string[], count: number) => {
    const before = cpuSeconds(server.pid)
    const round = { port: server.port, connections, requests, count, maxSeconds: 10 * ROUND_SECONDS }
    const { count: received, seconds, busy } = await load.play(round)
    const cpu = cpuSeconds(server.pid) - before
    return { perCpu: received / cpu, perSecond: received / seconds, serverBusy: cpu / seconds, loadBusy: busy }
  }
  try {
    await assertSameAnswers(test.name, ours, minimal, next(20).slice(0, 20))
    const rows: Row[] = []
    for (const connections of CONNECTIONS) {
      const warmUp = async () => {
        const requests = next(test.warmUp)
        const first = await play(ours, connections, requests, test.warmUp)
        const second = await play(minimal, connections, requests, test.warmUp)
        return Math.min(first.perSecond, second.perSecond)
      }
      await warmUp()
      const wanted = Math.ceil((await warmUp()) * ROUND_SECONDS)
      const count = test.goal === WRITE_GOAL ? Math.min(wanted, MAX_WRITES) : wanted
      const row: Row = { name: test.name, connections, goal: test.goal, rounds: [] }
      for (let n = 0; n < ROUNDS; n++) {
        const requests = next(count)
        const both: { ours?: Measured; minimal?: Measured } = {}
        // Ours, minimal, minimal, ours: a drift affects both equally.
        for (const name of n % 2 === 0 ? (['ours', 'minimal'] as const) : (['minimal', 'ours'] as const))
          both[name] = await play(name === 'ours' ? ours : minimal, connections, requests, count)
        row.rounds.push(both as Required<typeof both>)
      }
      progress(`${test.name} at ${connections}: ${ratios(row, 'perCpu').map(two).join(' ')}`)
      rows.push(row)
    }
    return rows
  } finally {
    load.stop()
    await stop()
  }
}

/** Both servers, each with a copy of the same file. */
async function startServers(test: Case, base: string) {
  const parent = join(folder, test.name)
  for (const name of ['ours', 'minimal']) mkdirSync(join(parent, name), { recursive: true })
  const prepared = join(parent, 'prepared.sqlite')
  copyFileSync(base, prepared)
  const db = new Sqlite(prepared)
  db.transaction(() => test.prepare?.(db))()
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
  copyFileSync(prepared, join(parent, 'ours/world-1.sqlite'))
  copyFileSync(prepared, join(parent, 'minimal/world.sqlite'))
  const ours = await ourServer(join(parent, 'ours'), { core: SERVER_CORE })
  const minimal = await serve([at('bench/minimal.ts'), join(parent, 'minimal/world.sqlite')], { core: SERVER_CORE })
  const stop = async () => {
    await ours.stop()
    await minimal.stop()
    rmSync(parent, { recursive: true })
  }
  return { ours, minimal, stop }
}

/** Returns the next requests; both servers get the same ones. */
function requestsOf(test: Case): (count: number) => string[] {
  let used = 0
  return (count) => {
    if (test.distinct < POOL) return Array.from({ length: test.distinct }, (_, n) => test.request(n))
    if (used + count > test.distinct) throw new Error(`${test.name}: more than ${test.distinct} requests are needed`)
    const from = used
    used += count
    return Array.from({ length: count }, (_, n) => test.request(from + n))
  }
}

/** Throws an Error unless both give the same bytes, except for the time of a write and the Date header. */
async function assertSameAnswers(name: string, ours: ReadyServer, minimal: ReadyServer, requests: string[]) {
  for (const text of requests) {
    const [expected, actual] = [await comparableAnswer(ours, text), await comparableAnswer(minimal, text)]
    if (expected !== actual) throw new Error(`${name}: the answers differ\n${text}\n\n${expected}\n\n${actual}`)
  }
}

/** Status, headers and body as one text, without the time of a write. */
export async function comparableAnswer(server: ReadyServer, text: string): Promise<string> {
  const { status, headers, body } = await sendRequest(server, text)
  const masked = text.startsWith('GET') ? body : body.replace(/"date_created":"[^"]*"/g, '"date_created":""')
  return `${status} ${JSON.stringify(Object.entries(headers).sort())}\n${masked}`
}

const ratios = ({ rounds }: Row, of: 'perCpu' | 'perSecond') =>
  rounds.map(({ ours, minimal }) => ours[of] / minimal[of])

export function comparisonTable(rows: Row[]): string {
  return table(
    ['case', 'conn', 'goal', 'req/CPU-s', 'middle half', '', 'req/s', 'our req/s', 'minimal', 'server', 'load'],
    rows.map((row) => {
      const perCpu = ratios(row, 'perCpu')
      const of = (who: 'ours' | 'minimal', what: keyof Measured) => median(row.rounds.map((round) => round[who][what]))
      return [
        row.name,
        String(row.connections),
        two(row.goal),
        two(median(perCpu)),
        `${two(quantile(perCpu, 0.25))}–${two(quantile(perCpu, 0.75))}`,
        row.goal === 0 ? '' : median(perCpu) >= row.goal ? 'met' : 'MISSED',
        two(median(ratios(row, 'perSecond'))),
        whole(of('ours', 'perSecond')),
        whole(of('minimal', 'perSecond')),
        percent(of('ours', 'serverBusy')),
        percent(of('ours', 'loadBusy')),
      ]
    }),
  )
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Postgres, startPostgres } from '../test/cluster/postgres.ts'
import { atLeast, atMost, type Measurement, measurementsTable } from './measurements.ts'
import {
  at,
  cpuNanoseconds,
  flagsOf,
  folder,
  Load,
  ourServer,
  progress,
  type ReadyServer,
  residentMegabytes,
  serve,
} from './processes.ts'
import { get, post, send, sendRequest } from './requests.ts'
import { median, two, whole } from './tables.ts'

// Servers that share their worlds in PostgreSQL, against one with a data folder: `npm run bench -- cluster`. All of them,
// PostgreSQL and the load are on one machine, so only ratios and differences count.

const ROUNDS = 7
const ASKS = 4000
/** Equal processes differ by up to 8 % in their rate of reads, so several are compared. */
const PAIRS = 7
const ROUNDS_OF_PAIR = 5
const READS = 10_000
/** Of reads that are timed one by one. */
const TIMED_ROUNDS = 21
/** Of calls that are timed one by one. */
const TIMED = 400
/** Reads are so short that code must be compiled before they are compared. */
const TIMED_READS = 1000
const NEW_WORLDS = 15
/** Ms after which a server has prepared copies of a scenario for the next worlds. */
const PREPARED_MS = 200
/** Almost as many as are folded. */
const ENTRIES = 990

interface Servers {
  kept: ReadyServer
  /** Has the default world. */
  owner: ReadyServer
  /** Sends calls on to the owner. */
  other: ReadyServer
}

export async function measureCluster(): Promise<string> {
  const postgres = await startPostgres()
  const load = new Load()
  const kept = await ourServer(join(folder, 'kept'))
  const owner = await sharing(postgres.url, 4600)
  const other = await sharing(postgres.url, 4601)
  const servers = { kept, owner, other }
  try {
    const measured = [
      ...(await measureAsks(load, servers, postgres)),
      memory(servers),
      await measureSentOn(load, servers),
      await measureNewWorlds(servers),
      await measureReads(load, postgres),
      await measureTakeOver(servers),
    ]
    return `Servers that share worlds / one with a data folder; medians of ${ROUNDS} interleaved rounds, ${PAIRS * ROUNDS_OF_PAIR} of reads\n\n${measurementsTable(measured)}`
  } finally {
    load.stop()
    for (const server of Object.values(servers)) await server.stop()
    await postgres.stop()
  }
}

/** A server whose worlds are in the database. */
const sharing = (url: string, port: number): Promise<ReadyServer> =>
  serve([
    at('dist/mercadito.js'),
    ...flagsOf(undefined).slice(0, -1),
    String(port),
    '--database',
    url,
    '--advertise',
    `http://127.0.0.1:${port}`,
  ])

let serial = 0
const asks = ({ world }: ReadyServer, count: number): string[] =>
  Array.from({ length: count }, () =>
    post('/questions', world.buyers[0]!.token, { item_id: 'MLA1400000001', text: `¿Hay stock? ${++serial}` }),
  )

const rateOf = async (load: Load, server: ReadyServer, requests: string[], connections: number): Promise<number> => {
  const { count, seconds } = await load.play({
    port: server.port,
    connections,
    requests,
    count: requests.length,
    maxSeconds: 60,
  })
  return count / seconds
}

const durationOf = async (load: Load, server: ReadyServer, requests: string[]): Promise<number> => {
  const { ms } = await load.play({
    port: server.port,
    connections: 1,
    requests,
    count: requests.length,
    maxSeconds: 60,
    isTimed: true,
  })
  return median(ms!)
}

/** Measures two servers, in another order in each round. Both have had the same calls then. */
async function inTurn(
  round: number,
  first: ReadyServer,
  second: ReadyServer,
  measure: (server: ReadyServer) => Promise<number>,
): Promise<[first: number, second: number]> {
  if (round % 2 === 0) return [await measure(first), await measure(second)]
  const measured = await measure(second)
  return [await measure(first), measured]
}

async function measureAsks(load: Load, { kept, owner }: Servers, postgres: Postgres): Promise<Measurement[]> {
  const rates: number[] = []
  const delays: number[] = []
  const costs: number[] = []
  for (let n = 0; n < ROUNDS; n++) {
    progress(`asks, round ${n + 1} of ${ROUNDS}`)
    const [alone, shared] = await inTurn(n, kept, owner, (server) => rateOf(load, server, asks(server, ASKS), 64))
    rates.push(shared / alone)
    const [direct, stored] = await inTurn(n, kept, owner, (server) => durationOf(load, server, asks(server, TIMED)))
    delays.push(stored - direct)
    const [, cost] = await inTurn(n, kept, owner, async (server) => {
      const before = cpuOf(postgres)
      await rateOf(load, server, asks(server, ASKS), 16)
      return (cpuOf(postgres) - before) / ASKS / 1000
    })
    costs.push(cost)
  }
  return [
    atLeast(0.6, 'asks per second, 64 connections', rates, two),
    atMost(1, 'an ask more, 1 connection, ms', delays, two),
    atMost(60, 'CPU of PostgreSQL per ask, 16 connections, µs', costs, whole),
  ]
}

/** CPU time of all processes of PostgreSQL that exist now, ns. */
function cpuOf({ pid }: Postgres): number {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
  return [pid, ...children.map(Number)].reduce((sum, one) => sum + cpuNanoseconds(one), 0)
}

function parentOf(process: string): number {
  try {
    const stat = readFileSync(`/proc/${process}/stat`, 'latin1')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return 0
  }
}

const reads = ({ world: { sellers } }: ReadyServer, count: number) =>
  Array<string>(count).fill(get(`/questions/search?seller_id=${sellers[0]!.id}&limit=10`, sellers[0]!.token))

/** Reads at owners, each with a database of its own, and at servers with a folder. */
async function measureReads(load: Load, postgres: Postgres): Promise<Measurement> {
  const rates: number[] = []
  for (let n = 0; n < PAIRS; n++) {
    progress(`reads, servers ${n + 1} of ${PAIRS}`)
    postgres.sql(`CREATE DATABASE pair_${n}`)
    const kept = await ourServer(join(folder, `kept-${n}`))
    const owner = await sharing(postgres.url.replace(/[^/]*$/, `pair_${n}`), 4610 + n)
    const rate = (server: ReadyServer) => rateOf(load, server, reads(server, READS), 16)
    for (const server of [kept, owner]) await rate(server)
    for (let round = 0; round < ROUNDS_OF_PAIR; round++) {
      const [alone, shared] = await inTurn(n + round, kept, owner, rate)
      rates.push(shared / alone)
    }
    for (const server of [kept, owner]) await server.stop()
  }
  return atLeast(0.95, 'repeated reads per second at the owner, 16 connections', rates, two)
}

async function measureSentOn(load: Load, { owner, other }: Servers): Promise<Measurement> {
  const delays: number[] = []
  for (let n = 0; n < TIMED_ROUNDS; n++) {
    progress(`reads that are sent on, round ${n + 1} of ${TIMED_ROUNDS}`)
    const [direct, sentOn] = await inTurn(n, owner, other, (server) =>
      durationOf(load, server, reads(owner, TIMED_READS)),
    )
    delays.push(sentOn - direct)
  }
  return atMost(0.3, 'a read more that is sent on, 1 connection, ms', delays, two)
}

async function measureNewWorlds({ kept, owner }: Servers): Promise<Measurement> {
  const create = send('POST', '/_sandbox/worlds', undefined, { scenario: 'demo' })
  const time = async (server: ReadyServer) => {
    await setTimeout(PREPARED_MS)
    const begun = performance.now()
    await expectStatus(201, sendRequest(server, create))
    return performance.now() - begun
  }
  const ratios: number[] = []
  for (let n = 0; n < NEW_WORLDS; n++) {
    const alone = await time(kept)
    ratios.push((await time(owner)) / alone)
  }
  return atMost(2, 'a new demo world', ratios, two)
}

async function expectStatus(status: number, answer: Promise<{ status: number; body: string }>): Promise<string> {
  const { status: answered, body } = await answer
  if (answered !== status) throw new Error(`${answered} ${body}`)
  return body
}

/** After the writes, which fill the cache of pages. */
const memory = ({ kept, owner }: Servers): Measurement =>
  atMost(64, 'memory of the owner more, MB', [residentMegabytes(owner.pid) - residentMegabytes(kept.pid)], whole)

/** From the end of an owner to the first answer of another server. */
async function measureTakeOver({ owner, other }: Servers): Promise<Measurement> {
  const { body } = await sendRequest(owner, send('POST', '/_sandbox/worlds', undefined, { scenario: 'demo' }))
  const { sellers, buyers } = JSON.parse(body) as ReadyServer['world']
  const request = (n: number) => post('/questions', buyers[0]!.token, { item_id: 'MLA1400000001', text: `¿Sí? ${n}` })
  for (let n = 0; n < ENTRIES; n++) await expectStatus(201, sendRequest(owner, request(n)))
  await owner.stop()
  const begun = performance.now()
  await expectStatus(200, sendRequest(other, get('/users/me', sellers[0]!.token)))
  return atMost(300, `open a world with ${ENTRIES} entries in its log, ms`, [performance.now() - begun], whole)
}

import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import Sqlite from 'better-sqlite3'
import type { WorldInfo } from '../control/worlds/world_info.ts'
import { buildAll } from '../tools/build.ts'
import { buildExecutable } from '../tools/executable.ts'
import { measureCommits } from './commit.ts'
import { configurationQuery } from './configuration.ts'
import type { Delays } from './delay.ts'
import { measureImport } from './import.ts'
import { measureMixed } from './mixed.ts'
import { leavePending, measureDeliveries, measurePending } from './notifications.ts'
import { measurePeers } from './peers.ts'
import {
  at,
  cpuSeconds,
  flagsOf,
  folder,
  Load,
  launch,
  ourServer,
  progress,
  residentMegabytes,
  SERVER_CORE,
  serve,
  type Told,
} from './processes.ts'
import { ask, get, post } from './requests.ts'
import { measureScale } from './scale.ts'
import { measureInside, type Spent } from './start.ts'
import { median, percent, quantile, table, two, whole } from './tables.ts'
import { type Figure, measureWorlds } from './worlds.ts'

// Measures our server against minimal.ts: ratios of interleaved rounds, because rates of a shared machine mean nothing.
// `npm run bench` runs all; `node bench/run.ts question start` only those cases. `npm run bench -- peers` measures
// other servers as well, and writes BENCHMARKS.md; `--quick` in two minutes instead of ten. `npm run bench -- commit`
// compares how commits reach the disk (commit.ts; about four minutes for each disk).

const ROUNDS = 8
const ROUND_SECONDS = 0.8
const CONNECTIONS = [1, 64]
const STARTS = 9
const READ_GOAL = 0.85
const WRITE_GOAL = 0.8
/** Against a route that has the object ready and runs no query. */
const QUERY_GOAL = 0.7
/** Unanswered questions that POST /answers uses up, and so what one of its rounds may have. */
const POOL = 100_000
const MOST_WRITES = Math.floor((0.9 * POOL) / CONNECTIONS.length / ROUNDS)

// Cases

interface Case {
  name: string
  goal: number
  /** Rows that the case needs, written to the file that both servers get a copy of. */
  prepare?(db: Sqlite.Database): void
  /** How many different requests there are. */
  distinct: number
  /** The n-th request as its bytes. */
  request(n: number): string
  /** Requests of a warm-up; about half a second. */
  warmUp: number
}

/** The cases on a demo world; `file` is read for ids only. */
function casesOf({ sellers, buyers }: WorldInfo, file: string): Case[] {
  const db = new Sqlite(file, { readonly: true })
  const seller = sellers[0]!
  const questions = db
    .prepare<[number], number>(`SELECT id FROM question WHERE seller_id = ? AND status <> 'DELETED' LIMIT 256`)
    .pluck()
    .all(seller.id)
  const item = db
    .prepare<[number], string>(`SELECT id FROM item WHERE seller_id = ? AND status = 'active' LIMIT 1`)
    .pluck()
    .get(seller.id)!
  const askable = db
    .prepare<[number, number], string>(
      `SELECT id FROM item WHERE status = 'active' AND seller_id <> ?
       AND seller_id NOT IN (SELECT seller_id FROM blocked_buyer WHERE buyer_id = ?)`,
    )
    .pluck()
  const asks = buyers.flatMap((buyer) => askable.all(buyer.id, buyer.id).map((item_id) => ({ buyer, item_id })))
  const flex = db
    .prepare<[], { user_id: number; site_id: string; service_id: number }>(
      `SELECT user_id, site_id, service_id FROM flex_subscription WHERE mode = 'FLEX' AND status = 'in'`,
    )
    .all()
  db.close()
  const lender = sellers.find(({ site_id }) => site_id === 'MLB')!
  const day = (days: number) => `${new Date(Date.now() + days * 24 * 3_600_000).toISOString().slice(0, 10)}T00:00:00`

  const tokens = new Map(sellers.map(({ id, token }) => [id, token]))
  const configurationRequest = ({ user_id, site_id, service_id }: (typeof flex)[number], blanks: string) =>
    post(`/shipping/flex/sites/${site_id}/configuration/v3`, tokens.get(user_id)!, {
      query: configurationQuery(user_id, service_id) + blanks,
    })

  const first = 14_000_000_000
  return [
    {
      name: 'question',
      goal: READ_GOAL,
      distinct: questions.length,
      request: (n) => get(`/questions/${questions[n]}`, seller.token),
      warmUp: 6000,
    },
    {
      name: 'search',
      goal: READ_GOAL,
      distinct: 1,
      request: () => get(`/questions/search?seller_id=${seller.id}&limit=50`, seller.token),
      warmUp: 1500,
    },
    {
      name: 'series',
      goal: READ_GOAL,
      distinct: sellers.length,
      request: (n) => get(`/users/${sellers[n]!.id}/contacts/phone_views/time_window?last=30&unit=day`, seller.token),
      warmUp: 3000,
    },
    {
      // The same query again: the executor is spared, as for a client that polls.
      name: 'configuration',
      goal: QUERY_GOAL,
      distinct: flex.length,
      request: (n) => configurationRequest(flex[n]!, ''),
      warmUp: 4000,
    },
    {
      // More texts than are kept, for comparison: each is parsed, validated and executed anew.
      name: 'new query',
      goal: 0,
      distinct: 100 * flex.length,
      request: (n) => configurationRequest(flex[n % flex.length]!, ' '.repeat(n / flex.length)),
      warmUp: 500,
    },
    {
      name: 'leads',
      goal: READ_GOAL,
      distinct: 1,
      prepare(db) {
        const insert = db.prepare(
          `INSERT INTO credit_lead (id, item_id, seller_id, buyer_id, down_payment_amount, installments_number,
           installments_amount, proposal_id, financial_entity_id, status, date_created)
           VALUES (?, 'MLB1400000015', ?, 2500000211, 15000.5, 48, 1234.56, '1234567', 'SANTANDER', 'approved', ?)`,
        )
        for (let n = 0; n < 1000; n++)
          insert.run(`00000000-0000-4000-8000-${String(n).padStart(12, '0')}`, lender.id, Date.now() - n * 3_600_000)
      },
      request: () =>
        get(`/vis/loans/search?seller_id=${lender.id}&date_from=${day(-80)}&date_to=${day(2)}&limit=100`, lender.token),
      warmUp: 1500,
    },
    {
      name: 'ask',
      goal: WRITE_GOAL,
      distinct: Number.POSITIVE_INFINITY,
      request: (n) => {
        const { buyer, item_id } = asks[n % asks.length]!
        return post('/questions', buyer.token, { item_id, text: `Hola, ¿tienen stock para llevar hoy? (${n})` })
      },
      warmUp: 1500,
    },
    {
      name: 'answer',
      goal: WRITE_GOAL,
      distinct: POOL,
      prepare(db) {
        // Three of each buyer, so that the count of what was answered to them stays as short as in the demo.
        const insert = db.prepare(
          `INSERT INTO question (id, seller_id, item_id, from_id, text, status, date_created, first_of_buyer)
           VALUES (?, ?, ?, ?, 'Hola, ¿hacen envíos al interior? Gracias.', 'UNANSWERED', ?, ?)`,
        )
        const now = Date.now()
        for (let n = 0; n < POOL; n++)
          insert.run(first + n, seller.id, item, 9e9 + Math.floor(n / 3), now - 1000 * (POOL - n), n % 3 === 0 ? 1 : 0)
      },
      request: (n) =>
        post('/answers', seller.token, {
          question_id: first + n,
          text: 'Hola, ¡buen día! Sí, enviamos a todo el país.',
        }),
      warmUp: 1500,
    },
  ]
}

// Rounds

interface Measured {
  /** Requests per second that the server was on its core. */
  perCpu: number
  perSecond: number
  serverBusy: number
  loadBusy: number
}

interface Row {
  name: string
  connections: number
  goal: number
  rounds: { ours: Measured; minimal: Measured }[]
}

async function measure(test: Case, base: string): Promise<Row[]> {
  const world = join(folder, test.name)
  for (const name of ['ours', 'minimal']) mkdirSync(join(world, name), { recursive: true })
  const draft = join(world, 'draft.sqlite')
  copyFileSync(base, draft)
  const db = new Sqlite(draft)
  db.transaction(() => test.prepare?.(db))()
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
  copyFileSync(draft, join(world, 'ours/world-1.sqlite'))
  copyFileSync(draft, join(world, 'minimal/world.sqlite'))

  const ours = await ourServer(join(world, 'ours'), { core: SERVER_CORE })
  const minimal = await serve([at('bench/minimal.ts'), join(world, 'minimal/world.sqlite')], { core: SERVER_CORE })
  const load = new Load()
  let used = 0
  /** The next requests: both servers get the same ones, and as many. */
  const next = (count: number): string[] => {
    if (test.distinct < POOL) return Array.from({ length: test.distinct }, (_, n) => test.request(n))
    if (used + count > test.distinct) throw new Error(`${test.name}: more than ${test.distinct} requests are needed`)
    const from = used
    used += count
    return Array.from({ length: count }, (_, n) => test.request(from + n))
  }
  const play = async (server: Told, connections: number, requests: string[], count: number): Promise<Measured> => {
    const before = cpuSeconds(server.pid)
    const played = await load.play({ port: server.port, connections, requests, count, mostSeconds: 10 * ROUND_SECONDS })
    const cpu = cpuSeconds(server.pid) - before
    const { seconds, busy } = played
    return {
      perCpu: played.count / cpu,
      perSecond: played.count / seconds,
      serverBusy: cpu / seconds,
      loadBusy: busy,
    }
  }

  try {
    await assertSameAnswers(test.name, ours, minimal, next(20).slice(0, 20))
    const rows: Row[] = []
    for (const connections of CONNECTIONS) {
      const warm = async () => {
        const requests = next(test.warmUp)
        const first = await play(ours, connections, requests, test.warmUp)
        const second = await play(minimal, connections, requests, test.warmUp)
        return Math.min(first.perSecond, second.perSecond)
      }
      await warm()
      const wished = Math.ceil((await warm()) * ROUND_SECONDS)
      const count = test.goal === WRITE_GOAL ? Math.min(wished, MOST_WRITES) : wished
      const rounds: Row['rounds'] = []
      for (let n = 0; n < ROUNDS; n++) {
        const requests = next(count)
        // Ours, minimal, minimal, ours: what drifts hits both alike.
        if (n % 2 === 0) {
          const first = await play(ours, connections, requests, count)
          rounds.push({ ours: first, minimal: await play(minimal, connections, requests, count) })
        } else {
          const first = await play(minimal, connections, requests, count)
          rounds.push({ minimal: first, ours: await play(ours, connections, requests, count) })
        }
      }
      const row = { name: test.name, connections, goal: test.goal, rounds }
      progress(`${test.name} at ${connections}: ${ratios(row, 'perCpu').map(two).join(' ')}`)
      rows.push(row)
    }
    return rows
  } finally {
    load.stop()
    await ours.stop()
    await minimal.stop()
    rmSync(world, { recursive: true })
  }
}

/** Fails unless both give the same bytes, but for the instant of a write and the Date header. */
async function assertSameAnswers(name: string, ours: Told, minimal: Told, requests: string[]): Promise<void> {
  for (const text of requests) {
    const [expected, answered] = [await answerOf(ours, text), await answerOf(minimal, text)]
    if (expected !== answered) throw new Error(`${name}: the answers differ\n${text}\n\n${expected}\n\n${answered}`)
  }
}

/** An answer as it is compared. */
async function answerOf(server: Told, text: string): Promise<string> {
  const { status, headers, body } = await ask(server, text)
  const masked = text.startsWith('GET') ? body : body.replace(/"date_created":"[^"]*"/g, '"date_created":""')
  return `${status} ${JSON.stringify(Object.entries(headers).sort())}\n${masked}`
}

// Start-up

interface Start {
  name: string
  /** Ms and MB that are wished for. */
  goal?: [ms: number, megabytes: number]
  ms: number[]
  /** Two seconds after. */
  megabytes: number[]
  /** Once V8 has seen that nothing goes on, and has given back what the start took. */
  idleMegabytes?: number
}

/** Ms: V8 waits for eight seconds. */
const IDLE = 12_000

/** Spawn to the first 200 of a call with a token, and memory after it; all kinds take turns. */
async function measureStarts(data: string, executable: string): Promise<Start[]> {
  const blank: Start = { name: 'node -e 0', ms: [], megabytes: [] }
  const kinds: [name: string, goal: Start['goal'] | undefined, serve: () => Promise<Told>][] = [
    ['bundle, new demo world', [450, 110], () => ourServer(undefined)],
    ['bundle, kept demo world', [450, 110], () => ourServer(data)],
    ['executable, new demo world', [350, 100], () => serve(flagsOf(undefined), { program: executable })],
    [
      'executable, new empty world',
      undefined,
      () => serve(['--scenario', 'empty', ...flagsOf(undefined)], { program: executable }),
    ],
    ['executable, kept demo world', [350, 100], () => serve(flagsOf(data), { program: executable })],
  ]
  const starts = kinds.map(([name, goal]): Start => ({ name, ...(goal && { goal }), ms: [], megabytes: [] }))
  // What of it is Node and the program's own commands, what is the database's library.
  const parts = ['config', '--version'].map(
    (word) => ({ name: `executable, ${word}`, word, ms: [], megabytes: [] }) as Start & { word: string },
  )
  for (let n = 0; n < STARTS; n++) {
    const begun = performance.now()
    await once(launch(['-e', '0']), 'exit')
    blank.ms.push(performance.now() - begun)
    for (const { word, ms } of parts) {
      const begun = performance.now()
      await once(launch([word], { program: executable }), 'exit')
      ms.push(performance.now() - begun)
    }
    for (const [k, [, , serve]] of kinds.entries()) {
      const { ms, megabytes } = starts[k]!
      const begun = performance.now()
      const server = await serve()
      const answer = await answerOf(server, get('/users/me', server.told.sellers[0]!.token))
      if (!answer.startsWith('200 ')) throw new Error(`the first answer is none: ${answer}`)
      ms.push(performance.now() - begun)
      if (n % 3 === 0) {
        await new Promise((resolve) => setTimeout(resolve, 2000))
        megabytes.push(residentMegabytes(server.pid))
      }
      if (n === 0) {
        await new Promise((resolve) => setTimeout(resolve, IDLE))
        starts[k]!.idleMegabytes = residentMegabytes(server.pid)
      }
      await server.stop()
    }
  }
  return [blank, ...parts, ...starts]
}

// Report

const ratios = ({ rounds }: Row, of: 'perCpu' | 'perSecond') =>
  rounds.map(({ ours, minimal }) => ours[of] / minimal[of])
function loadTable(rows: Row[]): string {
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

const figuresTable = (figures: Figure[]): string =>
  table(
    ['what', 'measured', 'goal', ''],
    figures.map(({ name, value, goal, met }) => [name, value, goal, goal === '' ? '' : met ? 'met' : 'missed']),
  )

/** A server that tells how long its loop was blocked. */
async function measureImports(): Promise<Figure[]> {
  const report = join(folder, 'delays.json')
  const watch = pathToFileURL(at('bench/delay.ts'))
  watch.searchParams.set('report', report)
  const server = await serve(['--import', watch.href, at('dist/mercadito.js'), '--ready-json', '--port', '0'])
  const delays = async (): Promise<Delays> => {
    process.kill(server.pid, 'SIGUSR2')
    while (!existsSync(report)) await new Promise((resolve) => setTimeout(resolve, 5))
    const told = JSON.parse(readFileSync(report, 'utf8')) as Delays
    rmSync(report)
    return told
  }
  try {
    return await measureImport(server.told, () => residentMegabytes(server.pid), delays)
  } finally {
    await server.stop()
  }
}

/** The second figure's servers get copies of the base file, one of them with much to tell. */
async function measureNotifications(base: string, { application, sellers }: WorldInfo): Promise<Figure[]> {
  const server = await ourServer(undefined, { core: SERVER_CORE })
  const figures = await measureDeliveries(server.told)
  await server.stop()
  const servers = new Map<WorldInfo, Told>()
  for (const name of ['pending', 'none']) {
    const data = join(folder, `notifications-${name}`)
    mkdirSync(data)
    const file = join(data, 'world-1.sqlite')
    copyFileSync(base, file)
    const db = new Sqlite(file)
    if (name === 'pending') db.transaction(() => leavePending(db, application.id, sellers[0]!.id))()
    db.pragma('wal_checkpoint(TRUNCATE)')
    db.close()
    const server = await ourServer(data, { core: SERVER_CORE })
    servers.set(server.told, server)
  }
  const [pending, none] = [...servers.keys()] as [WorldInfo, WorldInfo]
  figures.push(...(await measurePending(pending, none, (told) => cpuSeconds(servers.get(told)!.pid))))
  for (const server of servers.values()) await server.stop()
  return figures
}

function startTable(starts: Start[]): string {
  const blank = starts[0]!
  const verdict = (value: number, goal: number, unit: string) => `${goal} ${unit} ${value <= goal ? 'met' : 'missed'}`
  return table(
    ['start', 'least ms', 'median ms', 'to node -e 0', 'RSS, MB', 'idle', 'goals'],
    starts.map(({ name, goal, ms, megabytes, idleMegabytes = 0 }) => [
      name,
      whole(Math.min(...ms)),
      whole(median(ms)),
      two(median(ms.map((one, n) => one / blank.ms[n]!))),
      megabytes.length > 0 ? whole(median(megabytes)) : '',
      idleMegabytes ? whole(idleMegabytes) : '',
      goal ? [verdict(median(ms), goal[0], 'ms'), verdict(idleMegabytes, goal[1], 'MB idle')].join(', ') : '',
    ]),
  )
}

const spentTable = (what: string, spent: Spent): string =>
  table(
    [what, 'least ms', 'median ms'],
    [...spent].map(([name, ms]) => [name, Math.min(...ms).toFixed(1), median(ms).toFixed(1)]),
  )

async function main(asked: string[]): Promise<void> {
  if (availableParallelism() < 2) throw new Error('two cores are needed: one for the server, one for the load')
  const begun = performance.now()
  progress('building')
  await buildAll()
  if (asked[0] === 'peers') {
    const quick = asked.includes('--quick')
    process.stdout.write(await measurePeers({ quick, command: asked.join(' ') }))
    return
  }
  if (asked[0] === 'mixed') {
    process.stdout.write(await measureMixed())
    return
  }
  if (asked[0] === 'commit') {
    process.stdout.write(await measureCommits(asked.slice(1)))
    return
  }
  if (asked[0] === 'scale') {
    process.stdout.write(await measureScale(asked.slice(1)))
    return
  }
  const data = join(folder, 'world')
  const first = await ourServer(data)
  await first.stop()
  const base = join(data, 'world-1.sqlite')
  const cases = casesOf(first.told, base)
  const known = [...cases.map(({ name }) => name), 'start', 'worlds', 'import', 'notifications']
  const unknown = asked.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Error(`no case ${unknown}; there are ${known.join(', ')}`)
  const wanted = (name: string) => asked.length === 0 || asked.includes(name)

  const rows: Row[] = []
  for (const test of cases) if (wanted(test.name)) rows.push(...(await measure(test, base)))
  if (rows.length > 0) {
    process.stdout.write(`\nOurs / minimal, medians of ${ROUNDS} interleaved rounds\n\n${loadTable(rows)}`)
  }
  if (wanted('worlds')) {
    progress('making worlds')
    const server = await ourServer(undefined)
    const figures = await measureWorlds(server.told.url, () => residentMegabytes(server.pid))
    await server.stop()
    process.stdout.write(`\nWorlds, medians as a client sees them\n\n${figuresTable(figures)}`)
  }
  if (wanted('import')) {
    progress('importing')
    process.stdout.write(`\nImport, as a client sees it\n\n${figuresTable(await measureImports())}`)
  }
  if (wanted('notifications')) {
    progress('notifying')
    const figures = await measureNotifications(base, first.told)
    process.stdout.write(`\nNotifications, from a server on a core of its own\n\n${figuresTable(figures)}`)
  }
  if (wanted('start')) {
    progress('starting')
    const executable = await buildExecutable()
    process.stdout.write(`\nSpawn to first 200, ${STARTS} starts each\n\n`)
    process.stdout.write(startTable(await measureStarts(data, executable)))
    const { starts, parts } = await measureInside(folder, STARTS)
    process.stdout.write(`\n${spentTable('in a test’s process', starts)}\n${spentTable('of a start', parts)}`)
  }
  progress(`${whole((performance.now() - begun) / 1000)} s`)
}

await main(process.argv.slice(2))

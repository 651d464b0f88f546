import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { sendLines } from './import.ts'
import { type Measurement, measurementsTable } from './measurements.ts'
import { folder, Load, progress } from './processes.ts'
import { get, sendRequest } from './requests.ts'
import { casesOf, type ExpectedCall, type ScaleCase } from './scale_cases.ts'
import { itemId, NOW, type ScaleWorld, scaleWorld } from './scale_world.ts'
import { median, quantile, table, two, whole } from './tables.ts'
import { startWatchedServer, type WatchedServer } from './watched_server.ts'

// The same calls to servers with worlds of three sizes, in turns.

const SIZES = [10_000, 1_000_000, 10_000_000]
const ROUNDS = 7
/** Calls of a round, all different. */
const CALLS = 200
/** Of a round; a round of slow calls has fewer. */
const MAX_SECONDS = 1
const CHECKED_CALLS = 8
const MAX_GROWTH = 1.5
const MAX_TURN_MS = 20
const INGEST_CONTACTS = 300_000
/** Contacts of one call; a body may hold 10,000. */
const ARRAY_CONTACTS = 5000
const MIN_PER_SECOND = 15_000
const MAX_MEGABYTES = 250

interface Size {
  world: ScaleWorld
  server: WatchedServer
  db: Sqlite.Database
}

interface Measured {
  name: string
  isBounded: boolean
  /** By size. */
  ms: number[][]
  /** By round and size. */
  medians: number[][]
  /** Medians by size of a call that is repeated without a write between. */
  repeated: number[]
  /** CPU time of the longest turn of the event loop, by size. */
  longest: number[]
}

export async function measureScale(wanted: string[] = []): Promise<string> {
  const sizes: Size[] = []
  for (const events of SIZES) {
    const world = await scaleWorld(events)
    sizes.push({ world, server: await startWatchedServer(world.data), db: new Sqlite(world.file, { readonly: true }) })
  }
  const isWanted = (name: string) => wanted.length === 0 || wanted.some((part) => name.includes(part))
  const load = new Load()
  const rows: Measured[] = []
  try {
    const cases = await Promise.all(sizes.map((size) => casesOf(size, isWanted)))
    for (const [place, { name }] of cases[0]!.entries()) {
      if (!isWanted(name)) continue
      const tests = cases.map((ofSize) => ofSize[place]!)
      const row = await measureCase(load, sizes, tests)
      progress(
        `${name}: ${row.ms.map((ms) => two(median(ms))).join(' ')} ms, longest ${row.longest.map(two).join(' ')}`,
      )
      rows.push(row)
    }
    const measurements = sizes.map((size) => memory(`of ${size.world.events} contacts, after these`, size.server))
    if (isWanted('ingest')) measurements.push(...(await measureIngest(sizes.at(-1)!.world)))
    return `${timesTable(rows, sizes)}\n${measurementsTable(measurements)}`
  } finally {
    load.stop()
    for (const { server, db } of sizes) {
      db.close()
      await server.stop()
    }
  }
}

let serial = 0
/** An unused parameter makes each call unique, so that none is answered from a cache. */
const unique = ({ path }: ExpectedCall) => `${path}${path.includes('?') ? '&' : '?'}n=${++serial}`

async function measureCase(load: Load, sizes: Size[], tests: ScaleCase[]): Promise<Measured> {
  const { name, isBounded = false } = tests[0]!
  const row: Measured = { name, isBounded, ms: sizes.map(() => []), medians: [], repeated: [], longest: [] }
  for (const [n, size] of sizes.entries()) await check(size, tests[n]!)
  const play = async (n: number, requests: string[]): Promise<number[]> => {
    const { port } = sizes[n]!.server
    const round = { port, connections: 1, requests, count: CALLS, maxSeconds: MAX_SECONDS, isTimed: true }
    return (await load.play(round)).ms!
  }
  const calls = (n: number, from: number) =>
    Array.from({ length: CALLS }, (_, k) => get(unique(tests[n]!.call(from + k)), tokenOf(sizes[n]!)))
  for (const n of sizes.keys()) await play(n, calls(n, 1_000_000))
  for (const { server } of sizes) await server.loopReport()
  for (let round = 0; round < ROUNDS; round++) {
    const medians: number[] = []
    // In both orders, so that a drift affects all equally.
    for (const n of round % 2 === 0 ? sizes.keys() : [...sizes.keys()].reverse()) {
      const ms = await play(n, calls(n, round * CALLS))
      row.ms[n]!.push(...ms)
      medians[n] = median(ms)
    }
    row.medians.push(medians)
  }
  for (const { server } of sizes) row.longest.push((await server.loopReport()).longestCpu)
  for (const n of sizes.keys())
    row.repeated.push(median(await play(n, [get(tests[n]!.call(0).path, tokenOf(sizes[n]!))])))
  return row
}

const tokenOf = ({ server }: Size): string => server.world.sellers[0]!.token

async function check(size: Size, test: ScaleCase): Promise<void> {
  for (let n = 0; n < CHECKED_CALLS; n++) {
    const call = test.call(n)
    const { status, body } = await sendRequest(size.server, get(call.path, tokenOf(size)))
    const actual = JSON.stringify(status === 200 ? test.compared(JSON.parse(body) as never) : body)
    const expected = JSON.stringify(call.expected())
    if (actual !== expected)
      throw new Error(`${test.name} of ${size.world.events}: ${call.path}\nanswers  ${actual}\nshould be ${expected}`)
  }
}

function timesTable(rows: Measured[], sizes: Size[]): string {
  const short = ({ world }: Size) => (world.events < 1e6 ? `${world.events / 1e3} k` : `${world.events / 1e6} M`)
  const growths = (row: Measured) => row.medians.map((medians) => medians.at(-1)! / medians[0]!)
  const text = table(
    [
      'call',
      ...sizes.map((size) => `p50 ${short(size)}`),
      ...sizes.map((size) => `p99 ${short(size)}`),
      'growth',
      '',
      'p99',
      'again',
      'loop ms',
      '',
    ],
    rows.map((row) => {
      const growth = median(growths(row))
      const p99 = row.ms.map((ms) => quantile(ms, 0.99))
      const longest = Math.max(...row.longest)
      return [
        row.name,
        ...row.ms.map((ms) => median(ms).toFixed(3)),
        ...p99.map((ms) => ms.toFixed(3)),
        two(growth),
        row.isBounded ? '' : growth <= MAX_GROWTH ? 'met' : 'MISSED',
        two(p99.at(-1)! / p99[0]!),
        two(row.repeated.at(-1)! / row.repeated[0]!),
        longest.toFixed(1),
        longest <= MAX_TURN_MS ? 'met' : 'MISSED',
      ]
    }),
  )
  const made = sizes.map(
    (size) =>
      `- ${short(size)}: ${size.world.items} listings, ${size.world.questions} questions, ${whole(size.world.megabytes)} MB${size.world.seconds > 0 ? `, made in ${whole(size.world.seconds)} s` : ''}`,
  )
  return `${made.join('\n')}\n\nGoals: growth of the median from the smallest to the largest ${MAX_GROWTH}, no turn of the loop above ${MAX_TURN_MS} ms\n\n${text}`
}

function memory(when: string, server: WatchedServer): Measurement {
  const megabytes = server.peakMegabytes()
  return {
    name: `most memory of the server with the world ${when}`,
    value: `${whole(megabytes)} MB`,
    goal: `${MAX_MEGABYTES} MB`,
    isMet: megabytes <= MAX_MEGABYTES,
  }
}

/** The folder of a writable copy, which is removed with the run. */
export function copyWorld({ file, events }: ScaleWorld): string {
  const data = join(folder, `scale-${events}`)
  mkdirSync(data, { recursive: true })
  copyFileSync(file, join(data, 'world-1.sqlite'))
  return data
}

/**
 * New contacts of the last day for all listings of the largest world. The server and the client share both cores, because
 * the server has a thread that moves the log.
 */
async function measureIngest(world: ScaleWorld): Promise<Measurement[]> {
  progress('ingesting')
  const data = copyWorld(world)
  const server = await startWatchedServer(data, {})
  try {
    const measurements: Measurement[] = []
    for (const [name, send] of [
      ['lines', (url: string) => sendLines(url, lines(world), INGEST_CONTACTS)],
      [`arrays of ${ARRAY_CONTACTS}`, (url: string) => sendArrays(url, world)],
    ] as const) {
      await server.loopReport()
      const start = performance.now()
      await send(server.world.url)
      const rate = (INGEST_CONTACTS / (performance.now() - start)) * 1000
      const { longestCpu, commits } = await server.loopReport()
      measurements.push(
        {
          name: `${INGEST_CONTACTS} contacts as ${name} into ${world.events}, in ${commits} commits`,
          value: `${whole(rate)}/s`,
          goal: `${MIN_PER_SECOND}/s`,
          isMet: rate >= MIN_PER_SECOND,
        },
        {
          name: 'CPU time of the longest turn of the loop',
          value: `${longestCpu.toFixed(1)} ms`,
          goal: `${MAX_TURN_MS} ms`,
          isMet: longestCpu <= MAX_TURN_MS,
        },
      )
    }
    measurements.push(memory('that has imported these', server))
    await server.stop()
    const db = new Sqlite(join(data, 'world-1.sqlite'), { readonly: true })
    const count = (what: string) => db.prepare<[], number>(`SELECT ${what}`).pluck().get()
    for (const what of [
      'count(*) FROM contact_event',
      'sum(n) FROM contact_user_hour',
      'sum(n) FROM contact_item_hour',
    ])
      if (count(what) !== world.events + 2 * INGEST_CONTACTS)
        throw new Error(`${what} is ${count(what)} after the ingest`)
    db.close()
    return measurements
  } finally {
    rmSync(data, { recursive: true })
  }
}

const KINDS = ['phone_view', 'whatsapp', 'question']
function contact(n: number, { items }: ScaleWorld) {
  const at = new Date(NOW - 24 * 3_600_000 + (n / INGEST_CONTACTS) * 24 * 3_600_000).toISOString()
  return { kind: KINDS[n % 3], item_id: itemId((n * 7919) % items), at }
}

const LINES = 500
function* lines(world: ScaleWorld) {
  for (let n = 0; n < INGEST_CONTACTS; n += LINES)
    yield Array.from({ length: LINES }, (_, k) => `${JSON.stringify(contact(n + k, world))}\n`).join('')
}

async function sendArrays(url: string, world: ScaleWorld): Promise<void> {
  for (let n = 0; n < INGEST_CONTACTS; n += ARRAY_CONTACTS) {
    const body = JSON.stringify(Array.from({ length: ARRAY_CONTACTS }, (_, k) => contact(n + k, world)))
    const answer = await fetch(`${url}/_sandbox/contacts`, { method: 'POST', body })
    if (answer.status !== 201) throw new Error(`the contacts answer ${answer.status} ${await answer.text()}`)
  }
}

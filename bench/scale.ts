import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import Sqlite from 'better-sqlite3'
import type { Delays } from './delay.ts'
import { sendLines } from './import.ts'
import { at, folder, type How, Load, progress, SERVER_CORE, serve, type Told } from './processes.ts'
import { ask, get } from './requests.ts'
import { type Asked, casesOf, type ScaleCase } from './scale_cases.ts'
import { itemId, NOW, type ScaleWorld, scaleWorld } from './scale_world.ts'
import { median, quantile, table, two, whole } from './tables.ts'
import type { Figure } from './worlds.ts'

// What calls cost by the size of their world: the same calls to servers of three sizes, in turns.

const SIZES = [10_000, 1_000_000, 10_000_000]
const ROUNDS = 7
/** Calls of a round, each another one. */
const CALLS = 200
/** Of a round: slow calls are fewer. */
const MOST_SECONDS = 1
const CHECKED = 8
const GROWTH = 1.5
const LONGEST_MS = 20
const INGESTED = 300_000
/** Contacts of one call; a body may hold 10,000. */
const ARRAY = 5000
const PER_SECOND = 15_000
const MEGABYTES = 250

/** A server that tells how long its loop was busy. */
export interface Watched extends Told {
  delays(): Promise<Delays>
  /** The most memory that it has had, MB. */
  megabytes(): number
}

let watched = 0
/** On the server's core, unless it may have all. */
export async function watchedServer(data: string, how: How = { core: SERVER_CORE }): Promise<Watched> {
  const report = join(folder, `delays-${++watched}.json`)
  const hook = pathToFileURL(at('bench/delay.ts'))
  hook.searchParams.set('report', report)
  const args = ['--import', hook.href, at('dist/mercadito.js'), '--data', data, '--ready-json', '--port', '0']
  const server = await serve(args, how)
  return {
    ...server,
    async delays() {
      process.kill(server.pid, 'SIGUSR2')
      while (!existsSync(report)) await new Promise((resolve) => setTimeout(resolve, 5))
      // Made before it is written.
      await new Promise((resolve) => setTimeout(resolve, 5))
      const told = JSON.parse(readFileSync(report, 'utf8')) as Delays
      rmSync(report)
      return told
    },
    megabytes: () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'latin1'))![1]) / 1024,
  }
}

interface Size {
  world: ScaleWorld
  server: Watched
  db: Sqlite.Database
}

interface Measured {
  name: string
  isBounded: boolean
  /** By size; ms. */
  ms: number[][]
  /** Of each round, by size: its median. */
  medians: number[][]
  /** The same call again and again, nothing written meanwhile: medians by size. */
  again: number[]
  /** Longest turn of the loop on its core, by size. */
  longest: number[]
}

export async function measureScale(wanted: string[] = []): Promise<string> {
  const sizes: Size[] = []
  for (const events of SIZES) {
    const world = await scaleWorld(events)
    sizes.push({ world, server: await watchedServer(world.data), db: new Sqlite(world.file, { readonly: true }) })
  }
  const isWanted = (name: string) => wanted.length === 0 || wanted.some((part) => name.includes(part))
  const load = new Load()
  let serial = 0
  const unique = ({ path }: Asked) => `${path}${path.includes('?') ? '&' : '?'}n=${++serial}`
  const rows: Measured[] = []
  try {
    const cases = await Promise.all(sizes.map((size) => casesOf(size, isWanted)))
    for (const [place, { name, isBounded = false }] of cases[0]!.entries()) {
      if (!isWanted(name)) continue
      const row: Measured = { name, isBounded, ms: sizes.map(() => []), medians: [], again: [], longest: [] }
      const tests = cases.map((known) => known[place]!)
      for (const [n, size] of sizes.entries()) await check(size, tests[n]!)
      const play = async (n: number, requests: string[], count = CALLS): Promise<number[]> => {
        const { port } = sizes[n]!.server
        return (await load.play({ port, connections: 1, requests, count, mostSeconds: MOST_SECONDS, timed: true })).ms!
      }
      const others = (n: number, from: number) =>
        Array.from({ length: CALLS }, (_, k) => get(unique(tests[n]!.call(from + k)), tokenOf(sizes[n]!)))
      for (const n of sizes.keys()) await play(n, others(n, 1_000_000))
      for (const { server } of sizes) await server.delays()
      for (let round = 0; round < ROUNDS; round++) {
        const medians: number[] = []
        // What drifts hits all alike.
        for (const n of round % 2 === 0 ? sizes.keys() : [...sizes.keys()].reverse()) {
          const ms = await play(n, others(n, round * CALLS))
          row.ms[n]!.push(...ms)
          medians[n] = median(ms)
        }
        row.medians.push(medians)
      }
      for (const { server } of sizes) row.longest.push((await server.delays()).longestCpu)
      for (const n of sizes.keys())
        row.again.push(median(await play(n, [get(tests[n]!.call(0).path, tokenOf(sizes[n]!))])))
      progress(
        `${name}: ${row.ms.map((ms) => two(median(ms))).join(' ')} ms, longest ${row.longest.map(two).join(' ')}`,
      )
      rows.push(row)
    }
    const figures = sizes.map((size) => memory(`of ${size.world.events} contacts, after these`, size.server))
    if (isWanted('ingest')) figures.push(...(await measureIngest(sizes.at(-1)!.world)))
    return `${timesTable(rows, sizes)}\n${figuresTable(figures)}`
  } finally {
    load.stop()
    for (const { server, db } of sizes) {
      db.close()
      await server.stop()
    }
  }
}

const tokenOf = ({ server }: Size): string => server.told.sellers[0]!.token

async function check(size: Size, test: ScaleCase): Promise<void> {
  for (let n = 0; n < CHECKED; n++) {
    const asked = test.call(n)
    const { status, body } = await ask(size.server, get(asked.path, tokenOf(size)))
    const answered = JSON.stringify(status === 200 ? test.told(JSON.parse(body) as never) : body)
    const expected = JSON.stringify(asked.expected())
    if (answered !== expected)
      throw new Error(
        `${test.name} of ${size.world.events}: ${asked.path}\nanswers  ${answered}\nshould be ${expected}`,
      )
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
        row.isBounded ? '' : growth <= GROWTH ? 'met' : 'MISSED',
        two(p99.at(-1)! / p99[0]!),
        two(row.again.at(-1)! / row.again[0]!),
        longest.toFixed(1),
        longest <= LONGEST_MS ? 'met' : 'MISSED',
      ]
    }),
  )
  const made = sizes.map(
    (size) =>
      `- ${short(size)}: ${size.world.items} listings, ${size.world.questions} questions, ${whole(size.world.megabytes)} MB${size.world.seconds > 0 ? `, made in ${whole(size.world.seconds)} s` : ''}`,
  )
  return `${made.join('\n')}\n\nGoals: growth of the median from the smallest to the largest ${GROWTH}, no turn of the loop above ${LONGEST_MS} ms\n\n${text}`
}

export const figuresTable = (figures: Figure[]): string =>
  table(
    ['what', 'measured', 'goal', ''],
    figures.map(({ name, value, goal, met }) => [name, value, goal, goal === '' ? '' : met ? 'met' : 'missed']),
  )

function memory(when: string, server: Watched): Figure {
  const megabytes = server.megabytes()
  return {
    name: `most memory of the server with the world ${when}`,
    value: `${whole(megabytes)} MB`,
    goal: `${MEGABYTES} MB`,
    met: megabytes <= MEGABYTES,
  }
}

/** A copy of a world, to be written; gone with the run. */
export function copyOf({ file, events }: ScaleWorld): string {
  const data = join(folder, `scale-${events}`)
  mkdirSync(data, { recursive: true })
  copyFileSync(file, join(data, 'world-1.sqlite'))
  return data
}

/**
 * New contacts of the last day into the largest world, in the order of time, over all its listings. The server may have
 * both cores, as people's have, and the client with it: a thread of its own moves the log.
 */
async function measureIngest(world: ScaleWorld): Promise<Figure[]> {
  progress('ingesting')
  const data = copyOf(world)
  const server = await watchedServer(data, {})
  try {
    const figures: Figure[] = []
    for (const [name, send] of [
      ['lines', (url: string) => sendLines(url, lines(world), INGESTED)],
      [`arrays of ${ARRAY}`, (url: string) => sendArrays(url, world)],
    ] as const) {
      await server.delays()
      const begun = performance.now()
      await send(server.told.url)
      const rate = (INGESTED / (performance.now() - begun)) * 1000
      const { longestCpu, commits } = await server.delays()
      figures.push(
        {
          name: `${INGESTED} contacts as ${name} into ${world.events}, in ${commits} commits`,
          value: `${whole(rate)}/s`,
          goal: `${PER_SECOND}/s`,
          met: rate >= PER_SECOND,
        },
        {
          name: 'longest turn of the loop meanwhile, on its core',
          value: `${longestCpu.toFixed(1)} ms`,
          goal: `${LONGEST_MS} ms`,
          met: longestCpu <= LONGEST_MS,
        },
      )
    }
    figures.push(memory('that took these in', server))
    await server.stop()
    const db = new Sqlite(join(data, 'world-1.sqlite'), { readonly: true })
    const total = (what: string) => db.prepare<[], number>(`SELECT ${what}`).pluck().get()
    for (const what of [
      'count(*) FROM contact_event',
      'sum(n) FROM contact_user_hour',
      'sum(n) FROM contact_item_hour',
    ])
      if (total(what) !== world.events + 2 * INGESTED) throw new Error(`${what} is ${total(what)} after the ingest`)
    db.close()
    return figures
  } finally {
    rmSync(data, { recursive: true })
  }
}

const KINDS = ['phone_view', 'whatsapp', 'question']
function contact(n: number, { items }: ScaleWorld) {
  const at = new Date(NOW - 24 * 3_600_000 + (n / INGESTED) * 24 * 3_600_000).toISOString()
  return { kind: KINDS[n % 3], item_id: itemId((n * 7919) % items), at }
}

const LINES = 500
function* lines(world: ScaleWorld) {
  for (let n = 0; n < INGESTED; n += LINES)
    yield Array.from({ length: LINES }, (_, k) => `${JSON.stringify(contact(n + k, world))}\n`).join('')
}

async function sendArrays(url: string, world: ScaleWorld): Promise<void> {
  for (let n = 0; n < INGESTED; n += ARRAY) {
    const body = JSON.stringify(Array.from({ length: ARRAY }, (_, k) => contact(n + k, world)))
    const answer = await fetch(`${url}/_sandbox/contacts`, { method: 'POST', body })
    if (answer.status !== 201) throw new Error(`the contacts answer ${answer.status} ${await answer.text()}`)
  }
}

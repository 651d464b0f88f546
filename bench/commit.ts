import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { build } from 'esbuild'
import type { WorldInfo } from '../control/worlds/world_info.ts'
import type { CommitOptions, Counts } from './commit_server.ts'
import type { Round } from './load.ts'
import { at, cpuSeconds, folder, Load, ourServer, progress, type ReadyServer, SERVER_CORE, serve } from './processes.ts'
import { get, post } from './requests.ts'
import { median, quantile, table, two, whole } from './tables.ts'

// Compares how commits of kept worlds reach the disk, in interleaved rounds: rates and latencies of writes, and of reads
// at the same time, on the disk of this machine and on slower ones. `npm run bench -- commit` runs all delays;
// `npm run bench -- commit 0 10` only those, in ms added to each sync.

const ROUNDS = 7
const ROUND_SECONDS = 0.6
const WARM_UPS = 2
const DELAYS = [0, 2, 10]
/** Different requests of a round; after the last the first is sent again. */
const DISTINCT = 2000
const WORLDS = 8

type Variant = Pick<CommitOptions, 'syncMode' | 'hasCheckpointer'> & { name: string }

/** The first is the baseline of all ratios. */
const VARIANTS: Variant[] = [
  { name: 'background, checkpointer', syncMode: 'background', hasCheckpointer: true },
  { name: 'background', syncMode: 'background', hasCheckpointer: false },
  { name: 'FULL', syncMode: 'full', hasCheckpointer: false },
  { name: 'FULL, checkpointer', syncMode: 'full', hasCheckpointer: true },
]

interface Case {
  name: string
  writers: number
  readers: number
  /** Whether the writers use several worlds of the server. */
  isSpread?: true
}

const CASES: Case[] = [
  ...[1, 16, 64, 256].map((writers) => ({ name: `${writers} writing`, writers, readers: 0 })),
  { name: `16 writing to ${WORLDS} worlds`, writers: 16, readers: 0, isSpread: true },
  { name: '1 reading, 16 writing', writers: 16, readers: 1 },
  { name: '64 reading, 16 writing', writers: 16, readers: 64 },
]

/** One round of one variant; rates per second, times in ms. */
interface RoundResult {
  rate: number
  p50: number
  p99: number
  longest: number
  /** Answered writes, those before the clock started too. */
  writes: number
  reads?: { rate: number; p50: number; p99: number; longest: number }
  cpu: number
  counts: Counts
  busy: number
}

interface Running {
  variant: Variant
  server: ReadyServer
  counts(): Promise<Counts>
  /** The next writes, to the default world or alternating between all. */
  writes(isSpread: boolean): string[]
  reads(): string[]
}

export async function measureCommits(givenDelays: string[]): Promise<string> {
  const delays = givenDelays.length > 0 ? givenDelays.map(Number) : DELAYS
  const [program, base] = [await bundled(), await baseWorld()]
  let text = `Medians of ${ROUNDS} interleaved rounds of ${ROUND_SECONDS} s; in brackets: times "${VARIANTS[0]!.name}" of the same round, and the middle half of that ratio; ms are medians of the rounds' own\n`
  for (const delay of delays) text += await measureDelay(program, base, delay)
  return text
}

async function measureDelay(program: string, base: string, delay: number): Promise<string> {
  const running: Running[] = []
  const [writing, reading] = [new Load(), new Load()]
  try {
    for (const variant of VARIANTS) running.push(await start(program, base, variant, delay))
    const sections: string[] = []
    for (const test of CASES) {
      const results = running.map((): RoundResult[] => [])
      for (let n = 0; n < WARM_UPS + ROUNDS; n++)
        for (let k = 0; k < running.length; k++) {
          // The first variant rotates, so that drift of the machine affects all equally.
          const place = (n + k) % running.length
          const result = await play(running[place]!, test, writing, reading)
          if (n >= WARM_UPS) results[place]!.push(result)
        }
      progress(
        `+${delay} ms, ${test.name}: ${results.map((all) => whole(median(all.map(({ rate }) => rate)))).join(' ')}`,
      )
      sections.push(`\n${test.name}\n\n${tableOf(results)}`)
    }
    return `\n## ${delay === 0 ? 'The disk of this machine' : `${delay} ms more for each sync`}\n${sections.join('')}`
  } finally {
    writing.stop()
    reading.stop()
    for (const { server } of running) await server.stop()
    for (const n of VARIANTS.keys()) rmSync(join(folder, `commit-${delay}-${n}`), { recursive: true, force: true })
  }
}

async function bundled(): Promise<string> {
  const outfile = join(folder, 'commit_server.cjs')
  await build({
    entryPoints: [at('bench/commit_server.ts')],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    // From that folder neither the addon nor the assets would be found.
    external: ['better-sqlite3'],
    define: { 'import.meta.url': 'OWN_URL' },
    banner: {
      js: `const OWN_URL=${JSON.stringify(new URL('../dist/', import.meta.url).href)};require=require('node:module').createRequire(OWN_URL);`,
    },
  })
  return outfile
}

async function baseWorld(): Promise<string> {
  const data = join(folder, 'commit')
  const server = await ourServer(data)
  await server.stop()
  return join(data, 'world-1.sqlite')
}

async function start(program: string, base: string, variant: Variant, delay: number): Promise<Running> {
  const data = join(folder, `commit-${delay}-${VARIANTS.indexOf(variant)}`)
  mkdirSync(data)
  copyFileSync(base, join(data, 'world-1.sqlite'))
  const { syncMode, hasCheckpointer } = variant
  const options: CommitOptions = { data, syncMode, hasCheckpointer, delay }
  const server = await serve([program, JSON.stringify(options)], { core: SERVER_CORE })
  const countsPort = (server.world as WorldInfo & { counts: number }).counts
  const create = async () => {
    const answer = await fetch(`${server.world.url}/_sandbox/worlds`, {
      method: 'POST',
      body: JSON.stringify({ scenario: 'demo' }),
    })
    if (!answer.ok) throw new Error(`no world was created: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as WorldInfo
  }
  const others: WorldInfo[] = []
  for (let n = 1; n < WORLDS; n++) others.push(await create())
  const items = itemsIn(join(data, 'world-1.sqlite'))
  const seller = server.world.sellers[0]!
  let serial = 0
  return {
    variant,
    server,
    counts: async () => (await fetch(`http://127.0.0.1:${countsPort}`)).json() as Promise<Counts>,
    writes(isSpread) {
      const worlds = isSpread ? [server.world, ...others] : [server.world]
      return Array.from({ length: DISTINCT }, (_, n) => {
        const { buyers } = worlds[n % worlds.length]!
        const buyer = buyers[Math.floor(n / worlds.length) % buyers.length]!
        const allowed = items.get(buyer.id)!
        const body = { item_id: allowed[n % allowed.length], text: `Hola, ¿tienen stock para hoy? (${++serial})` }
        return post('/questions', buyer.token, body)
      })
    },
    // Each has another URL, so that the response cache answers none.
    reads: () =>
      Array.from({ length: DISTINCT }, () =>
        get(`/questions/search?seller_id=${seller.id}&limit=20&n=${++serial}`, seller.token),
      ),
  }
}

/** Listings that each user may ask about. */
function itemsIn(file: string): Map<number, string[]> {
  const db = new Sqlite(file, { readonly: true })
  const users = db.prepare<[], number>('SELECT id FROM user').pluck().all()
  const askable = db
    .prepare<[number, number], string>(
      `SELECT id FROM item WHERE status = 'active' AND seller_id <> ?
       AND seller_id NOT IN (SELECT seller_id FROM blocked_buyer WHERE buyer_id = ?) LIMIT 50`,
    )
    .pluck()
  const items = new Map(users.map((id) => [id, askable.all(id, id)]))
  db.close()
  return items
}

async function play(running: Running, test: Case, writing: Load, reading: Load): Promise<RoundResult> {
  const { port, pid } = running.server
  const round = (connections: number, requests: string[]): Round => ({
    port,
    connections,
    requests,
    count: Number.MAX_SAFE_INTEGER,
    maxSeconds: ROUND_SECONDS,
    isTimed: true,
    closesConnections: true,
  })
  const [writes, reads] = [running.writes(test.isSpread ?? false), running.reads()]
  await running.counts()
  const before = cpuSeconds(pid)
  const [written, read] = await Promise.all([
    writing.play(round(test.writers, writes)),
    test.readers > 0 ? reading.play(round(test.readers, reads)) : undefined,
  ])
  const ms = written.ms!
  return {
    rate: written.count / written.seconds,
    p50: quantile(ms, 0.5),
    p99: quantile(ms, 0.99),
    longest: Math.max(...ms),
    writes: written.count + written.before,
    ...(read && {
      reads: {
        rate: read.count / read.seconds,
        p50: quantile(read.ms!, 0.5),
        p99: quantile(read.ms!, 0.99),
        longest: Math.max(...read.ms!),
      },
    }),
    cpu: ((cpuSeconds(pid) - before) / (written.count + written.before)) * 1e6,
    counts: await running.counts(),
    busy: written.busy + (read?.busy ?? 0),
  }
}

function tableOf(results: RoundResult[][]): string {
  const hasReads = results[0]![0]!.reads !== undefined
  const of = (all: RoundResult[], value: (result: RoundResult) => number) => median(all.map(value))
  const ratio = (all: RoundResult[], value: (result: RoundResult) => number) =>
    all.map((result, n) => value(result) / value(results[0]![n]!))
  const compared = (all: RoundResult[], value: (result: RoundResult) => number, digits: number) => {
    const ratios = ratio(all, value)
    return `${of(all, value).toFixed(digits)} (${two(median(ratios))}, ${two(quantile(ratios, 0.25))}–${two(quantile(ratios, 0.75))})`
  }
  const head = ['commit', 'writes/s', 'p50 ms', 'p99 ms', 'longest ms']
  if (hasReads) head.push('reads/s', 'p50 ms', 'p99 ms', 'longest ms')
  head.push('CPU µs/write', 'writes/commit', 'writes/sync', 'longest COMMIT, ms', 'of all rounds', 'load')
  return table(
    head,
    results.map((all, n) => {
      const row = [
        VARIANTS[n]!.name,
        compared(all, ({ rate }) => rate, 0),
        compared(all, ({ p50 }) => p50, 2),
        compared(all, ({ p99 }) => p99, 2),
        compared(all, ({ longest }) => longest, 1),
      ]
      if (hasReads)
        row.push(
          compared(all, ({ reads }) => reads!.rate, 0),
          compared(all, ({ reads }) => reads!.p50, 2),
          compared(all, ({ reads }) => reads!.p99, 2),
          compared(all, ({ reads }) => reads!.longest, 1),
        )
      const perCount = (count: (counts: Counts) => number) =>
        of(all, ({ writes, counts }) => writes / count(counts)).toFixed(1)
      row.push(
        whole(of(all, ({ cpu }) => cpu)),
        perCount(({ commits }) => commits),
        perCount(({ syncs }) => syncs),
        of(all, ({ counts }) => counts.longestCommit).toFixed(1),
        Math.max(...all.map(({ counts }) => counts.longestCommit)).toFixed(1),
        two(of(all, ({ busy }) => busy)),
      )
      return row
    }),
  )
}

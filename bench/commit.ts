import { join } from 'node:path'
import { buildAll } from '../tools/build.ts'
import { at, folder, progress, type ReadyServer, SERVER_CORE, serve } from './processes.ts'
import { get, post } from './requests.ts'
import { median, quantile, table, two, whole } from './tables.ts'
import { ENDLESS, inOrder, Load } from './turns.ts'

// `npm run bench -- commit`: how commits of kept worlds reach the disk, against SQLite's own `synchronous = FULL`.

const ROUNDS = 5
const TURN_SECONDS = 0.8
const DISTINCT = 1000

/** The first is the default of a kept world, and what the others are compared with. */
const VARIANTS: [name: string, ...args: string[]][] = [
  ['background, checkpointer', 'background', 'checkpointer'],
  ['background', 'background'],
  ['FULL', 'full'],
]
const CASES = [
  { writers: 1, readers: 0 },
  { writers: 16, readers: 0 },
  { writers: 64, readers: 0 },
  { writers: 16, readers: 1 },
]
type Case = (typeof CASES)[number]

interface Variant {
  name: string
  server: ReadyServer
}

/** Per second, and ms. */
interface Times {
  rate: number
  p50: number
  p99: number
}

export async function measureCommits(): Promise<string> {
  // The server needs the assets.
  await buildAll()
  const variants: Variant[] = []
  for (const [n, [name, ...args]] of VARIANTS.entries()) {
    const server = await serve([at('bench/commit_server.ts'), join(folder, `commit-${n}`), ...args], {
      core: SERVER_CORE,
    })
    variants.push({ name, server })
  }
  const [writing, reading] = [new Load(), new Load()]
  try {
    const rows: string[][] = []
    for (const test of CASES) rows.push(...(await measureCase(test, variants, writing, reading)))
    return `Questions created, and searches beside them; medians of ${ROUNDS} rounds\n
${table(['writers, readers', 'commit', 'writes/s', 'to the default', 'p50, p99 ms', 'reads/s', 'p50, p99 ms'], rows)}`
  } finally {
    writing.stop()
    reading.stop()
    for (const { server } of variants) await server.stop()
  }
}

async function measureCase(test: Case, variants: Variant[], writing: Load, reading: Load): Promise<string[][]> {
  const { writers, readers } = test
  progress(`${writers} writing, ${readers} reading`)
  const measured = new Map(variants.map(({ name }) => [name, { writes: [] as Times[], reads: [] as Times[] }]))
  for (let round = -1; round < ROUNDS; round++)
    for (const { name, server } of inOrder(variants, round + 1)) {
      const [writes, reads] = await Promise.all([
        play(writing, server, writers, asks(server)),
        readers > 0 ? play(reading, server, readers, searches(server)) : undefined,
      ])
      // The first round warms up.
      if (round < 0) continue
      measured.get(name)!.writes.push(writes)
      if (reads) measured.get(name)!.reads.push(reads)
    }
  const first = measured.get(variants[0]!.name)!.writes
  return [...measured].map(([name, { writes, reads }]) => {
    const ratio = median(writes.map(({ rate }, round) => rate / first[round]!.rate))
    return [`${writers}, ${readers}`, name, rateOf(writes), two(ratio), timesOf(writes), rateOf(reads), timesOf(reads)]
  })
}

async function play(load: Load, { port }: ReadyServer, connections: number, requests: string[]): Promise<Times> {
  const round = { port, connections, requests, count: ENDLESS, maxSeconds: TURN_SECONDS, isTimed: true }
  const { count, seconds, ms } = await load.play(round)
  return { rate: count / seconds, p50: quantile(ms, 0.5), p99: quantile(ms, 0.99) }
}

const rateOf = (all: Times[]) => (all.length === 0 ? '' : whole(median(all.map(({ rate }) => rate))))
const timesOf = (all: Times[]) =>
  all.length === 0 ? '' : [all.map(({ p50 }) => p50), all.map(({ p99 }) => p99)].map((ms) => two(median(ms))).join(', ')

let serial = 0
const asks = ({ world: { buyers } }: ReadyServer): string[] =>
  Array.from({ length: DISTINCT }, () =>
    post('/questions', buyers[0]!.token, { item_id: 'MLA1400000001', text: `¿Tienen stock? (${++serial})` }),
  )
/** Each has another URL, so that no answer comes from a cache. */
const searches = ({ world: { sellers } }: ReadyServer): string[] =>
  Array.from({ length: DISTINCT }, () =>
    get(`/questions/search?seller_id=${sellers[0]!.id}&limit=20&n=${++serial}`, sellers[0]!.token),
  )

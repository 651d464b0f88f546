import { rmSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { type Measurement, measurementsTable } from './measurements.ts'
import { Load } from './processes.ts'
import { get, post, sendRequest } from './requests.ts'
import { copyWorld } from './scale.ts'
import { itemId, type ScaleWorld, scaleWorld } from './scale_world.ts'
import { median, quantile, table, two, whole } from './tables.ts'
import { startWatchedServer, type WatchedServer } from './watched_server.ts'

// Many connections that mostly read: how much longer than the median the slowest calls take, and how commits are grouped.

const CONTACTS = 1_000_000
const CONNECTIONS = 256
const ROUNDS = 5
const CALLS = 12_000
/** Every tenth call is a write. */
const WRITE_INTERVAL = 10
const MAX_SPREAD = 5

const KINDS = ['question', 'search', 'series', 'create'] as const
type Kind = (typeof KINDS)[number]

export async function measureMixed(): Promise<string> {
  const world = await scaleWorld(CONTACTS)
  const data = copyWorld(world)
  const server = await startWatchedServer(data)
  const load = new Load()
  const client = createClient(server, world)
  try {
    await playRound(load, client, CALLS / 2)
    await server.loopReport()
    const before = await client.countQuestions()
    const rounds: Round[] = []
    for (let n = 0; n < ROUNDS; n++) rounds.push(await playRound(load, client, CALLS))
    const { commits, syncs } = await server.loopReport()
    const after = await client.countQuestions()
    if (after <= before) throw new Error(`the seller has ${after} questions, after ${before}`)
    await server.stop()
    assertStored(`${data}/world-1.sqlite`, (ROUNDS * CALLS + CALLS / 2) / WRITE_INTERVAL)
    return `${CONNECTIONS} connections to a kept world, one call of ${WRITE_INTERVAL} writes; medians of ${ROUNDS} rounds of ${CALLS} calls

${timesTable(rounds)}
${measurementsTable(measurementsOf(rounds, commits, syncs))}`
  } finally {
    load.stop()
    await server.stop()
    rmSync(data, { recursive: true })
  }
}

/** All calls are different, so that none is answered from a cache. */
function createClient(server: WatchedServer, world: ScaleWorld) {
  const { sellers, buyers } = server.world
  const seller = sellers[0]!
  const db = new Sqlite(world.file, { readonly: true })
  const visible = db
    .prepare<[], number>(`SELECT id FROM question WHERE status NOT IN ('DELETED', 'BANNED')`)
    .pluck()
    .all()
  db.close()
  let serial = 0
  return {
    port: server.port,
    request(kind: Kind): string {
      const n = ++serial
      if (kind === 'create') {
        const body = { item_id: itemId((n * 7919) % world.items), text: `Hola, ¿tienen stock? (${n})` }
        return post('/questions', buyers[n % 2]!.token, body)
      }
      if (kind === 'question') return get(`/questions/${visible[(n * 7919) % visible.length]}?n=${n}`, seller.token)
      if (kind === 'search') return get(`/questions/search?seller_id=${seller.id}&limit=20&n=${n}`, seller.token)
      return get(`/users/${seller.id}/contacts/phone_views/time_window?last=30&unit=day&n=${n}`, seller.token)
    },
    async countQuestions(): Promise<number> {
      const path = `/questions/search?seller_id=${seller.id}&limit=1&n=${++serial}`
      const { body } = await sendRequest(server, get(path, seller.token))
      return (JSON.parse(body) as { total: number }).total
    },
  }
}

interface Round {
  perSecond: number
  /** Ms of the calls of a kind. */
  timesOf(kind: Kind): number[]
}

async function playRound(
  load: Load,
  { port, request }: ReturnType<typeof createClient>,
  calls: number,
): Promise<Round> {
  const kinds = Array.from(
    { length: calls },
    (_, n): Kind => (n % WRITE_INTERVAL === WRITE_INTERVAL - 1 ? 'create' : KINDS[n % 3]!),
  )
  const requests = kinds.map(request)
  const { ms, seconds } = await load.play({
    ...{ port, connections: CONNECTIONS, requests, count: calls, maxSeconds: 120, isTimed: true },
  })
  return { perSecond: calls / seconds, timesOf: (kind) => ms!.filter((_, n) => kinds[n] === kind) }
}

function timesTable(rounds: Round[]): string {
  const row = (name: string, timesOf: (round: Round) => number[]) => {
    const at = (part: number) => median(rounds.map((round) => quantile(timesOf(round), part)))
    const spread = at(0.99) / at(0.5)
    const times = [0.5, 0.99, 1].map((part) => at(part).toFixed(1))
    return [name, ...times, two(spread), spread <= MAX_SPREAD ? 'met' : 'MISSED']
  }
  return table(
    ['call', 'p50 ms', 'p99 ms', 'longest', `p99 / p50, goal ${MAX_SPREAD}`, ''],
    [
      ...KINDS.map((kind) => row(kind, ({ timesOf }) => timesOf(kind))),
      row('all', ({ timesOf }) => KINDS.flatMap(timesOf)),
    ],
  )
}

function measurementsOf(rounds: Round[], commits: number, syncs: number): Measurement[] {
  const writes = (ROUNDS * CALLS) / WRITE_INTERVAL
  const grouped = (name: string, count: number): Measurement => ({
    name,
    value: (writes / count).toFixed(1),
    goal: 'above 1',
    isMet: writes > count,
  })
  return [
    {
      name: 'requests per second',
      value: whole(median(rounds.map(({ perSecond }) => perSecond))),
      goal: '',
      isMet: true,
    },
    grouped(`writes per commit (${writes} in ${commits})`, commits),
    grouped(`writes per wait for the disk (${syncs} waits)`, syncs),
  ]
}

function assertStored(file: string, expected: number): void {
  const db = new Sqlite(file, { readonly: true })
  const stored = db
    .prepare<[], number>(`SELECT count(*) FROM question WHERE text LIKE 'Hola, ¿tienen stock? (%'`)
    .pluck()
    .get()
  db.close()
  if (stored !== expected) throw new Error(`${stored} questions are stored, ${expected} were asked`)
}

import { rmSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { Load } from './processes.ts'
import { ask, get, post } from './requests.ts'
import { copyOf, figuresTable, watchedServer } from './scale.ts'
import { itemId, scaleWorld } from './scale_world.ts'
import { median, quantile, table, two, whole } from './tables.ts'
import type { Figure } from './worlds.ts'

// Many clients at once that mostly read: whether anybody waits much longer than the others, and what writing waits for.

const CONTACTS = 1_000_000
const CONNECTIONS = 256
const ROUNDS = 5
const CALLS = 12_000
/** Every tenth call writes. */
const WRITES_OF = 10
const SPREAD = 5

const KINDS = ['question', 'search', 'series', 'create'] as const
type Kind = (typeof KINDS)[number]

export async function measureMixed(): Promise<string> {
  const world = await scaleWorld(CONTACTS)
  const data = copyOf(world)
  const server = await watchedServer(data)
  const load = new Load()
  const { sellers, buyers } = server.told
  const seller = sellers[0]!
  const file = new Sqlite(world.file, { readonly: true })
  const shown = file
    .prepare<[], number>(`SELECT id FROM question WHERE status NOT IN ('DELETED', 'BANNED')`)
    .pluck()
    .all()
  file.close()
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= server.stop()
    return stopped
  }
  let serial = 0
  const kindOf = (n: number): Kind => (n % WRITES_OF === WRITES_OF - 1 ? 'create' : KINDS[n % 3]!)
  /** Each call is another one: nothing is answered from what was kept. */
  function request(kind: Kind): string {
    const n = ++serial
    if (kind === 'create') {
      const body = { item_id: itemId((n * 7919) % world.items), text: `Hola, ¿tienen stock? (${n})` }
      return post('/questions', buyers[n % 2]!.token, body)
    }
    if (kind === 'question') return get(`/questions/${shown[(n * 7919) % shown.length]}?n=${n}`, seller.token)
    if (kind === 'search') return get(`/questions/search?seller_id=${seller.id}&limit=20&n=${n}`, seller.token)
    return get(`/users/${seller.id}/contacts/phone_views/time_window?last=30&unit=day&n=${n}`, seller.token)
  }
  const countOf = async (): Promise<number> => {
    const answer = await ask(
      server,
      get(`/questions/search?seller_id=${seller.id}&limit=1&n=${++serial}`, seller.token),
    )
    return (JSON.parse(answer.body) as { total: number }).total
  }
  const play = async (calls: number) => {
    const kinds = Array.from({ length: calls }, (_, n) => kindOf(n))
    const requests = kinds.map(request)
    const round = { port: server.port, connections: CONNECTIONS, requests, count: calls, mostSeconds: 120, timed: true }
    const { ms, seconds } = await load.play(round)
    return { seconds, by: (kind: Kind) => ms!.filter((_, n) => kinds[n] === kind) }
  }
  try {
    await play(CALLS / 2)
    await server.delays()
    const before = await countOf()
    const rounds: Awaited<ReturnType<typeof play>>[] = []
    for (let n = 0; n < ROUNDS; n++) rounds.push(await play(CALLS))
    const { commits, syncs } = await server.delays()
    const after = await countOf()
    const units = (ROUNDS * CALLS) / WRITES_OF
    const rates = rounds.map(({ seconds }) => CALLS / seconds)
    const of = (kind: Kind, part: number) => median(rounds.map(({ by }) => quantile(by(kind), part)))
    const all = (part: number) => median(rounds.map(({ by }) => quantile(KINDS.flatMap(by), part)))
    const rows = KINDS.map((kind) => {
      const spread = of(kind, 0.99) / of(kind, 0.5)
      return [
        kind,
        ...[0.5, 0.99, 1].map((part) => of(kind, part).toFixed(1)),
        two(spread),
        spread <= SPREAD ? 'met' : 'MISSED',
      ]
    })
    const spread = all(0.99) / all(0.5)
    rows.push([
      'all',
      ...[0.5, 0.99, 1].map((part) => all(part).toFixed(1)),
      two(spread),
      spread <= SPREAD ? 'met' : 'MISSED',
    ])
    await stop()
    const file = new Sqlite(`${data}/world-1.sqlite`, { readonly: true })
    const stored = file
      .prepare<[], number>(`SELECT count(*) FROM question WHERE text LIKE 'Hola, ¿tienen stock? (%'`)
      .pluck()
      .get()
    file.close()
    const written = units + CALLS / 2 / WRITES_OF
    if (stored !== written) throw new Error(`${stored} questions are stored, ${written} were asked`)
    if (after <= before) throw new Error(`the seller has ${after} questions, after ${before}`)
    const figures: Figure[] = [
      { name: 'requests per second', value: whole(median(rates)), goal: '', met: true },
      {
        name: `units per commit (${units} in ${commits})`,
        value: (units / commits).toFixed(1),
        goal: 'above 1',
        met: units > commits,
      },
      {
        name: `units for each time that the disk is waited for (${syncs} times)`,
        value: (units / syncs).toFixed(1),
        goal: 'above 1',
        met: units > syncs,
      },
    ]
    return `${CONNECTIONS} connections to a kept world, one call of ${WRITES_OF} writes; medians of ${ROUNDS} rounds of ${CALLS} calls

${table(['call', 'p50 ms', 'p99 ms', 'longest', `p99 / p50, goal ${SPREAD}`, ''], rows)}
${figuresTable(figures)}`
  } finally {
    load.stop()
    await stop()
    rmSync(data, { recursive: true, force: true })
  }
}

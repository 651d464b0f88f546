import { join } from 'node:path'
import { startPostgres } from '../test/cluster/postgres.ts'
import { buildAll } from '../tools/build.ts'
import { at, folder, ourServer, progress, type ReadyServer, residentMegabytes, serve } from './processes.ts'
import { get, post, send, sendRequest } from './requests.ts'
import { median, spread, table, two, whole } from './tables.ts'
import { CONNECTIONS, inOrder, Load } from './turns.ts'

// `npm run bench -- cluster`: a server whose worlds are in PostgreSQL, and another one that sends calls on to it, against
// one with a data folder. All of them, PostgreSQL and the load share the machine, so only ratios and differences count.

const ROUNDS = 7
const ASKS = 3000
/** Of calls that are timed one by one. */
const TIMED = 400
/** In which a server prepares a copy of the scenario for the next world. */
const PAUSE_MS = 200

export async function measureCluster(): Promise<string> {
  await buildAll()
  const postgres = await startPostgres()
  const load = new Load()
  const kept = await ourServer(join(folder, 'kept'))
  const owner = await sharing(postgres.url, 4600)
  const other = await sharing(postgres.url, 4601)
  const rates: number[] = []
  const asking: number[] = []
  const sentOn: number[] = []
  const worlds: number[] = []
  /** Of two servers, in another order in each round. */
  const both = async (round: number, servers: ReadyServer[], of: (server: ReadyServer) => Promise<number>) => {
    const values = new Map<ReadyServer, number>()
    for (const server of inOrder(servers, round)) values.set(server, await of(server))
    return servers.map((server) => values.get(server)!) as [number, number]
  }
  try {
    for (let n = 0; n < ROUNDS; n++) {
      progress(`round ${n + 1} of ${ROUNDS}`)
      const [alone, shared] = await both(n, [kept, owner], (server) => rateOf(load, server, asks(server, ASKS)))
      rates.push(shared / alone)
      const [direct, stored] = await both(n, [kept, owner], (server) => durationOf(load, server, asks(server, TIMED)))
      asking.push(stored - direct)
      const [here, there] = await both(n, [owner, other], (server) => durationOf(load, server, pages(owner)))
      sentOn.push(there - here)
      const [one, another] = await both(n, [kept, owner], timeOfWorld)
      worlds.push(another / one)
    }
    const memory = residentMegabytes(owner.pid) - residentMegabytes(kept.pid)
    const least = (goal: number, values: number[]) => [`≥ ${two(goal)}`, median(values) >= goal ? 'met' : 'MISSED']
    const most = (goal: number, values: number[]) => [`≤ ${two(goal)}`, median(values) <= goal ? 'met' : 'MISSED']
    return `Medians of ${ROUNDS} rounds, with the least and the greatest\n
${table(
  ['a shared world', 'measured', 'goal', ''],
  [
    [`asks per second, ${CONNECTIONS} connections, to a kept world`, spread(rates, two), ...least(0.6, rates)],
    ['an ask, ms more than to a kept world', spread(asking, two), ...most(1, asking)],
    ['a read that another server sends on, ms more', spread(sentOn, two), ...most(0.3, sentOn)],
    ['a new demo world, to one in a folder', spread(worlds, two), ...most(2, worlds)],
    ['memory of the owner more, MB', whole(memory), ...most(64, [memory])],
  ],
)}`
  } finally {
    load.stop()
    for (const server of [kept, owner, other]) await server.stop()
    await postgres.stop()
  }
}

/** A server whose worlds are in the database. */
const sharing = (url: string, port: number): Promise<ReadyServer> =>
  serve([
    ...[at('dist/mercadito.js'), '--ready-json', '--port', String(port)],
    ...['--database', url, '--advertise', `http://127.0.0.1:${port}`],
  ])

let serial = 0
const asks = ({ world: { buyers } }: ReadyServer, count: number): string[] =>
  Array.from({ length: count }, () =>
    post('/questions', buyers[0]!.token, { item_id: 'MLA1400000001', text: `¿Hay stock? ${++serial}` }),
  )
const pages = ({ world: { sellers } }: ReadyServer) =>
  Array<string>(TIMED).fill(get(`/questions/search?seller_id=${sellers[0]!.id}&limit=10`, sellers[0]!.token))

const all = (requests: string[]) => ({ requests, count: requests.length, maxSeconds: 60 })

async function rateOf(load: Load, { port }: ReadyServer, requests: string[]): Promise<number> {
  const { count, seconds } = await load.play({ port, connections: CONNECTIONS, ...all(requests) })
  return count / seconds
}

const durationOf = async (load: Load, { port }: ReadyServer, requests: string[]): Promise<number> =>
  median((await load.play({ port, connections: 1, isTimed: true, ...all(requests) })).ms)

async function timeOfWorld(server: ReadyServer): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  const begun = performance.now()
  const { status } = await sendRequest(server, send('POST', '/_sandbox/worlds', undefined, { scenario: 'demo' }))
  if (status !== 201) throw new Error(`a new world answers ${status}`)
  return performance.now() - begun
}

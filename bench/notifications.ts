import { once } from 'node:events'
import { copyFileSync, mkdirSync } from 'node:fs'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { WorldInfo } from '../control/worlds/world_info.ts'
import type { Measurement } from './measurements.ts'
import { cpuSeconds, folder, ourServer, type ReadyServer, SERVER_CORE } from './processes.ts'
import { median } from './tables.ts'

/** Questions at a steady rate, and their number. */
const PER_SECOND = 100
const PACED = 400
const MAX_LATENCY_MS = 20
/** Questions without a pause; each causes two notifications, for the seller and for the buyer. */
const BURST = 4000
const MIN_PER_SECOND = 500
const CONNECTIONS = 16
const PENDING = 100_000
const ROUNDS = 8
const PER_ROUND = 200
const MAX_RATIO = 1.1

/** A client with keep-alive connections. `ask` creates a question and returns its path. */
function createClient({ url, buyers, application }: WorldInfo) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const askingBuyers = buyers.filter(({ site_id }) => site_id === 'MLA')
  const call = async (method: string, path: string, body?: object, token?: string) => {
    const headers = { ...(token && { authorization: `Bearer ${token}` }), 'content-type': 'application/json' }
    const sending = request(url + path, { method, agent, headers }).end(body && JSON.stringify(body))
    const [answer] = await once(sending, 'response')
    let text = ''
    for await (const chunk of answer) text += chunk
    if (answer.statusCode >= 300) throw new Error(`${method} ${path} answers ${answer.statusCode} ${text}`)
    return text && JSON.parse(text)
  }
  return {
    call,
    subscribe: (callback_url: string, id = application.id) =>
      call('PUT', `/_sandbox/applications/${id}/notifications`, { callback_url, topics: ['questions'] }),
    async ask(n: number): Promise<string> {
      const question = { item_id: 'MLA1400000001', text: `Hola, ¿tienen stock para llevar hoy? (${n})` }
      return `/questions/${(await call('POST', '/questions', question, askingBuyers[n % askingBuyers.length]!.token)).id}`
    },
    close: () => agent.destroy(),
  }
}
type Client = ReturnType<typeof createClient>

/** Asks `count` questions, one at a time on each connection. */
async function askAll({ ask }: Client, count: number): Promise<void> {
  let n = 0
  const work = async () => {
    while (n < count) await ask(n++)
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
}

/** A receiver that answers at once. `arrived`: when the first notification for each resource came. */
async function createReceiver() {
  const arrived = new Map<string, number>()
  const state = { url: '', count: 0, arrived, whenReceived, close: () => server.close().closeAllConnections() }
  const server = createServer(async (request, answer) => {
    let text = ''
    for await (const chunk of request) text += chunk
    answer.end()
    const { resource } = JSON.parse(text)
    state.count++
    if (!arrived.has(resource)) arrived.set(resource, performance.now())
  })
  async function whenReceived(count: number): Promise<void> {
    while (state.count < count) await new Promise((resolve) => setTimeout(resolve, 2))
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return state
}

/** Latency, throughput, and the cost of many pending notifications. `base`: the file of `world`. */
export async function measureNotifications(base: string, world: WorldInfo): Promise<Measurement[]> {
  const server = await ourServer(undefined, { core: SERVER_CORE })
  const measurements = await measureDeliveries(server.world)
  await server.stop()
  const pending = await serveCopy(base, 'pending', (db) => addPending(db, world.application.id, world.sellers[0]!.id))
  const none = await serveCopy(base, 'none', () => {})
  measurements.push(...(await measurePending(pending, none)))
  for (const server of [pending, none]) await server.stop()
  return measurements
}

async function serveCopy(base: string, name: string, change: (db: Sqlite.Database) => void): Promise<ReadyServer> {
  const data = join(folder, `notifications-${name}`)
  mkdirSync(data)
  const file = join(data, 'world-1.sqlite')
  copyFileSync(base, file)
  const db = new Sqlite(file)
  db.transaction(() => change(db))()
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
  return ourServer(data, { core: SERVER_CORE })
}

/** Latency and rate of notifications to a receiver that answers at once. */
async function measureDeliveries(world: WorldInfo): Promise<Measurement[]> {
  const client = createClient(world)
  const hook = await createReceiver()
  await client.subscribe(hook.url)
  await askAll(client, 500)
  await hook.whenReceived(2 * 500)

  const answered = new Map<string, number>()
  const start = performance.now()
  const asking: Promise<unknown>[] = []
  for (let n = 0; n < PACED; n++) {
    const wait = start + (n * 1000) / PER_SECOND - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    asking.push(client.ask(n).then((resource) => answered.set(resource, performance.now())))
  }
  await Promise.all(asking)
  await hook.whenReceived(2 * (500 + PACED))
  const delays = [...answered].map(([resource, at]) => Math.max(0, hook.arrived.get(resource)! - at))
  const delay = median(delays)

  const before = hook.count
  const burstStart = performance.now()
  await askAll(client, BURST)
  await hook.whenReceived(before + 2 * BURST)
  const seconds = (performance.now() - burstStart) / 1000
  const rate = (2 * BURST) / seconds
  client.close()
  hook.close()
  return [
    {
      name: `from the answer of POST /questions to the receiver, ${PER_SECOND}/s, median (longest ${Math.max(...delays).toFixed(0)} ms)`,
      value: `${delay.toFixed(1)} ms`,
      goal: `${MAX_LATENCY_MS} ms`,
      isMet: delay <= MAX_LATENCY_MS,
    },
    {
      name: `deliveries, sustained over ${seconds.toFixed(0)} s`,
      value: `${rate.toFixed(0)}/s`,
      goal: `${MIN_PER_SECOND}/s`,
      isMet: rate >= MIN_PER_SECOND,
    },
  ]
}

/** Adds notifications whose first attempt has failed, each for its own resource. */
function addPending(db: Sqlite.Database, application_id: number, user_id: number): void {
  const insert = db.prepare(
    `INSERT INTO notification (outbox_id, application_id, user_id, topic, resource, received, status, attempts, first_at, next_at)
     VALUES (0, ?, ?, 'questions', '/questions/' || ?, ?, 'pending', 1, ?, ?)`,
  )
  const now = Date.now()
  for (let n = 0; n < PENDING; n++) insert.run(application_id, user_id, n, now, now, now + 3_600_000)
}

/**
 * POST /questions on a server with many pending notifications, compared with one that has none. Both have a frozen
 * clock, a receiver that does not exist, and a second application whose receiver answers. Rounds are interleaved.
 */
async function measurePending(pending: ReadyServer, none: ReadyServer): Promise<Measurement[]> {
  const hook = await createReceiver()
  const sides = [pending, none].map((server) => ({
    server,
    client: createClient(server.world),
    seconds: [] as number[],
    times: [] as number[],
  }))
  for (const { server, client } of sides) {
    const { paging } = await client.call('GET', '/_sandbox/deliveries?status=pending&limit=1')
    if (paging.total !== (server === pending ? PENDING : 0)) throw new Error(`${paging.total} deliveries are pending`)
    await client.call('PUT', '/_sandbox/clock', { mode: 'frozen' })
    await client.subscribe('http://127.0.0.1:1/hook')
    const second = await client.call('POST', '/_sandbox/applications', { redirect_uri: 'http://localhost/' })
    const [seller] = server.world.sellers
    await client.call('POST', '/_sandbox/tokens', { user_id: seller!.id, application_id: second.id })
    await client.subscribe(hook.url, second.id)
    await askAll(client, PER_ROUND)
    await client.call('POST', '/_sandbox/settle')
  }
  for (let round = 0; round < ROUNDS; round++)
    for (const { server, client, seconds, times } of round % 2 === 0 ? sides : sides.toReversed()) {
      const before = cpuSeconds(server.pid)
      // One at a time, because the dispatcher handles simultaneous questions together.
      for (let n = 0; n < PER_ROUND; n++) {
        const start = performance.now()
        await client.ask(n)
        times.push(performance.now() - start)
      }
      await client.call('POST', '/_sandbox/settle')
      seconds.push(cpuSeconds(server.pid) - before)
    }
  for (const { client } of sides) client.close()
  hook.close()
  const compared = (name: string, [full, empty]: number[], goal?: number): Measurement => ({
    name: `${name} with ${PENDING} pending (${full!.toFixed(2)} ms; with none ${empty!.toFixed(2)} ms)`,
    value: `${(full! / empty!).toFixed(2)} times`,
    goal: goal === undefined ? '' : `${goal} times`,
    isMet: goal === undefined || full! / empty! <= goal,
  })
  const each = ({ seconds }: { seconds: number[] }) => (median(seconds) / PER_ROUND) * 1000
  return [
    compared(
      'POST /questions, as a client sees it,',
      sides.map(({ times }) => median(times)),
      MAX_RATIO,
    ),
    // No goal: it explains the first value.
    compared('CPU of a question and of three attempts to deliver it,', sides.map(each)),
  ]
}

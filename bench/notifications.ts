import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type Sqlite from 'better-sqlite3'
import type { WorldInfo } from '../control/worlds/world_info.ts'
import type { Figure } from './worlds.ts'

/** Questions at a steady rate, and how many in all. */
const PER_SECOND = 100
const PACED = 400
const LATENCY_MS = 20
/** Questions as fast as they go; each is told twice, to the seller's and to the buyer's application. */
const BURST = 4000
const RATE = 500
const AT_ONCE = 16
const PENDING = 100_000
const ROUNDS = 8
const PER_ROUND = 200
const SLOWER = 1.1

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!

/** A client of one server, over kept connections; `ask` answers the path of a new question. */
function clientOf({ url, buyers, application }: WorldInfo) {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  const askers = buyers.filter(({ site_id }) => site_id === 'MLA')
  const call = async (method: string, path: string, body?: object, token?: string) => {
    const headers = { ...(token && { authorization: `Bearer ${token}` }), 'content-type': 'application/json' }
    const sending = request(url + path, { method, agent, headers }).end(body && JSON.stringify(body))
    const [answer] = await once(sending, 'response')
    let text = ''
    for await (const piece of answer) text += piece
    if (answer.statusCode >= 300) throw new Error(`${method} ${path} answers ${answer.statusCode} ${text}`)
    return text && JSON.parse(text)
  }
  return {
    call,
    tell: (callback_url: string, id = application.id) =>
      call('PUT', `/_sandbox/applications/${id}/notifications`, { callback_url, topics: ['questions'] }),
    async ask(n: number): Promise<string> {
      const asked = { item_id: 'MLA1400000001', text: `Hola, ¿tienen stock para llevar hoy? (${n})` }
      return `/questions/${(await call('POST', '/questions', asked, askers[n % askers.length]!.token)).id}`
    },
    close: () => agent.destroy(),
  }
}
type Client = ReturnType<typeof clientOf>

/** Asks so many questions, as many at once as there are connections. */
async function askAll({ ask }: Client, count: number): Promise<void> {
  let n = 0
  const work = async () => {
    while (n < count) await ask(n++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

/** A receiver that answers at once; `arrived` knows when each resource came first. */
async function receiver() {
  const arrived = new Map<string, number>()
  const state = { url: '', count: 0, arrived, until, close: () => server.close().closeAllConnections() }
  const server = createServer(async (asked, answer) => {
    let text = ''
    for await (const piece of asked) text += piece
    answer.end()
    const { resource } = JSON.parse(text)
    state.count++
    if (!arrived.has(resource)) arrived.set(resource, performance.now())
  })
  async function until(count: number): Promise<void> {
    while (state.count < count) await new Promise((resolve) => setTimeout(resolve, 2))
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return state
}

/** How soon and how many changes reach a receiver that answers at once, from a server with its default world only. */
export async function measureDeliveries(told: WorldInfo): Promise<Figure[]> {
  const client = clientOf(told)
  const hook = await receiver()
  await client.tell(hook.url)
  await askAll(client, 500)
  await hook.until(2 * 500)

  const answered = new Map<string, number>()
  const begun = performance.now()
  const asking: Promise<unknown>[] = []
  for (let n = 0; n < PACED; n++) {
    const wait = begun + (n * 1000) / PER_SECOND - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    asking.push(client.ask(n).then((resource) => answered.set(resource, performance.now())))
  }
  await Promise.all(asking)
  await hook.until(2 * (500 + PACED))
  const delays = [...answered].map(([resource, at]) => Math.max(0, hook.arrived.get(resource)! - at))
  const delay = median(delays)

  const before = hook.count
  const started = performance.now()
  await askAll(client, BURST)
  await hook.until(before + 2 * BURST)
  const seconds = (performance.now() - started) / 1000
  const rate = (2 * BURST) / seconds
  client.close()
  hook.close()
  return [
    {
      name: `from the answer of POST /questions to the receiver, ${PER_SECOND}/s, median (longest ${Math.max(...delays).toFixed(0)} ms)`,
      value: `${delay.toFixed(1)} ms`,
      goal: `${LATENCY_MS} ms`,
      met: delay <= LATENCY_MS,
    },
    {
      name: `deliveries, sustained over ${seconds.toFixed(0)} s`,
      value: `${rate.toFixed(0)}/s`,
      goal: `${RATE}/s`,
      met: rate >= RATE,
    },
  ]
}

/** Leaves in a world what an application could not be told at the first attempt; each is of a resource of its own. */
export function leavePending(db: Sqlite.Database, application_id: number, user_id: number): void {
  const insert = db.prepare(
    `INSERT INTO notification (outbox_id, application_id, user_id, topic, resource, received, status, attempts, first_at, next_at)
     VALUES (0, ?, ?, 'questions', '/questions/' || ?, ?, 'pending', 1, ?, ?)`,
  )
  const now = Date.now()
  for (let n = 0; n < PENDING; n++) insert.run(application_id, user_id, n, now, now, now + 3_600_000)
}

/**
 * What POST /questions takes at a server whose world has much to tell (`leavePending`), against one that has nothing:
 * both with a frozen clock, a receiver that is not there, and a second application that is told all it asks for.
 * Interleaved rounds.
 */
export async function measurePending(
  pending: WorldInfo,
  none: WorldInfo,
  cpu: (told: WorldInfo) => number,
): Promise<Figure[]> {
  const hook = await receiver()
  const sides = [pending, none].map((told) => ({
    told,
    client: clientOf(told),
    seconds: [] as number[],
    times: [] as number[],
  }))
  for (const { told, client } of sides) {
    const { paging } = await client.call('GET', '/_sandbox/deliveries?status=pending&limit=1')
    if (paging.total !== (told === pending ? PENDING : 0)) throw new Error(`${paging.total} deliveries are pending`)
    await client.call('PUT', '/_sandbox/clock', { mode: 'frozen' })
    await client.tell('http://127.0.0.1:1/hook')
    const second = await client.call('POST', '/_sandbox/applications', { redirect_uri: 'http://localhost/' })
    const [seller] = told.sellers
    await client.call('POST', '/_sandbox/tokens', { user_id: seller!.id, application_id: second.id })
    await client.tell(hook.url, second.id)
    await askAll(client, PER_ROUND)
    await client.call('POST', '/_sandbox/settle')
  }
  for (let round = 0; round < ROUNDS; round++)
    for (const { told, client, seconds, times } of round % 2 === 0 ? sides : sides.toReversed()) {
      const before = cpu(told)
      // One after the other: what is asked at the same time is looked after at once.
      for (let n = 0; n < PER_ROUND; n++) {
        const begun = performance.now()
        await client.ask(n)
        times.push(performance.now() - begun)
      }
      await client.call('POST', '/_sandbox/settle')
      seconds.push(cpu(told) - before)
    }
  for (const { client } of sides) client.close()
  hook.close()
  const compared = (name: string, [full, empty]: number[], goal?: number): Figure => ({
    name: `${name} with ${PENDING} pending (${full!.toFixed(2)} ms; with none ${empty!.toFixed(2)} ms)`,
    value: `${(full! / empty!).toFixed(2)} times`,
    goal: goal === undefined ? '' : `${goal} times`,
    met: goal === undefined || full! / empty! <= goal,
  })
  const each = ({ seconds }: { seconds: number[] }) => (median(seconds) / PER_ROUND) * 1000
  return [
    compared(
      'POST /questions, as a client sees it,',
      sides.map(({ times }) => median(times)),
      SLOWER,
    ),
    // What is set is what a client sees; this tells where it went.
    compared('CPU of a question and of three attempts to tell it,', sides.map(each)),
  ]
}

import { request } from 'node:http'
import { Readable } from 'node:stream'
import type { WorldInfo } from '../control/worlds/world_info.ts'
import type { Measurement } from './measurements.ts'
import { residentMegabytes } from './processes.ts'
import { startWatchedServer, type WatchedServer } from './watched_server.ts'

const EVENTS = 1_000_000
const LISTINGS = 1000
const DAYS = 90
const MIN_PER_SECOND = 40_000
const MAX_TURN_MS = 20
/** Growth of memory during a second million, MB. */
const MAX_GROWTH_MB = 24
const LINES_PER_CHUNK = 500

const KINDS = ['phone_view', 'whatsapp', 'question']

/** A million contacts in the order of time into a new world, twice: rate, blocking of the event loop, memory. */
export async function measureImport(): Promise<Measurement[]> {
  const server = await startWatchedServer(undefined, {})
  try {
    return await measure(server)
  } finally {
    await server.stop()
  }
}

async function measure({ world: { url }, pid, loopReport }: WatchedServer): Promise<Measurement[]> {
  const first = await createWorld(url)
  await loopReport()
  const start = performance.now()
  await send(first)
  const rate = (EVENTS / (performance.now() - start)) * 1000
  const { longest, p99, longestCpu } = await loopReport()
  const before = residentMegabytes(pid)
  await send(await createWorld(url))
  const after = residentMegabytes(pid)
  return [
    {
      name: `import of ${EVENTS} contacts over ${LISTINGS} listings and ${DAYS} days`,
      value: `${rate.toFixed(0)}/s`,
      goal: `${MIN_PER_SECOND}/s`,
      isMet: rate >= MIN_PER_SECOND,
    },
    {
      name: `longest turn of the loop, on its core (by the clock ${longest.toFixed(0)} ms, 99 % of them ${p99.toFixed(1)} ms)`,
      value: `${longestCpu.toFixed(1)} ms`,
      goal: `${MAX_TURN_MS} ms`,
      isMet: longestCpu <= MAX_TURN_MS,
    },
    {
      name: `memory grows with a second million (to ${after.toFixed(0)} MB)`,
      value: `${(after - before).toFixed(0)} MB`,
      goal: `${MAX_GROWTH_MB} MB`,
      isMet: after - before <= MAX_GROWTH_MB,
    },
  ]
}

interface World {
  url: string
  items: string[]
}

async function createWorld(url: string): Promise<World> {
  const post = async <T>(url: string, body: object): Promise<T> => {
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${url} answers ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
  const world = await post<WorldInfo>(`${url}/_sandbox/worlds`, { scenario: 'empty' })
  const items: string[] = []
  for (let n = 0; n < LISTINGS; n++) {
    const seller_id = world.sellers[n % world.sellers.length]!.id
    const item = { seller_id, title: `Producto ${n}`, price: 100 }
    items.push((await post<{ id: string }>(`${world.url}/_sandbox/items`, item)).id)
  }
  return { url: world.url, items }
}

function* linesFor(items: string[]) {
  const first = Date.now() - DAYS * 24 * 3_600_000
  // A linear congruential generator: the same numbers in every run.
  let state = 1
  const random = (n: number) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
  for (let n = 0; n < EVENTS; n += LINES_PER_CHUNK) {
    let chunk = ''
    for (let k = n; k < n + LINES_PER_CHUNK; k++) {
      const at = new Date(first + (k / EVENTS) * DAYS * 24 * 3_600_000).toISOString()
      chunk += `{"kind":"${KINDS[random(3)]}","item_id":"${items[random(items.length)]}","at":"${at}"}\n`
    }
    yield chunk
  }
}

const send = ({ url, items }: World): Promise<void> => sendLines(url, linesFor(items), EVENTS)

/** Sends contacts as lines to a world. Rejects unless all `count` of them were imported. */
export function sendLines(url: string, chunks: Iterable<string>, count: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/x-ndjson' }
    const sending = request(`${url}/_sandbox/contacts`, { method: 'POST', headers }, async (answer) => {
      let text = ''
      for await (const chunk of answer) text += chunk
      if (text === JSON.stringify({ imported: count })) resolve()
      else reject(new Error(text))
    })
    sending.on('error', reject)
    Readable.from(chunks).on('error', reject).pipe(sending)
  })
}

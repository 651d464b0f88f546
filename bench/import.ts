import { request } from 'node:http'
import { Readable } from 'node:stream'
import type { WorldInfo } from '../control/worlds/world_info.ts'
import type { Delays } from './delay.ts'
import type { Figure } from './worlds.ts'

const EVENTS = 1_000_000
const LISTINGS = 1000
const DAYS = 90
const PER_SECOND = 40_000
const LONGEST_MS = 20
/** What memory may grow by with a second million, MB. */
const GROWTH = 24
/** Lines that are written to the socket at once. */
const PIECE = 500

const KINDS = ['phone_view', 'whatsapp', 'question']

/**
 * A million contacts in the order of time into a fresh world, and then once more; the server's memory in MB, and how
 * long its loop was busy with one turn.
 */
export async function measureImport(
  { url }: WorldInfo,
  megabytes: () => number,
  delays: () => Promise<Delays>,
): Promise<Figure[]> {
  const first = await freshWorld(url)
  await delays()
  const begun = performance.now()
  await send(first)
  const rate = (EVENTS / (performance.now() - begun)) * 1000
  const { longest, p99, longestCpu } = await delays()
  const before = megabytes()
  await send(await freshWorld(url))
  const after = megabytes()
  return [
    {
      name: `import of ${EVENTS} contacts over ${LISTINGS} listings and ${DAYS} days`,
      value: `${rate.toFixed(0)}/s`,
      goal: `${PER_SECOND}/s`,
      met: rate >= PER_SECOND,
    },
    {
      name: `longest turn of the loop, on its core (by the clock ${longest.toFixed(0)} ms, 99 % of them ${p99.toFixed(1)} ms)`,
      value: `${longestCpu.toFixed(1)} ms`,
      goal: `${LONGEST_MS} ms`,
      met: longestCpu <= LONGEST_MS,
    },
    {
      name: `memory grows with a second million (to ${after.toFixed(0)} MB)`,
      value: `${(after - before).toFixed(0)} MB`,
      goal: `${GROWTH} MB`,
      met: after - before <= GROWTH,
    },
  ]
}

interface World {
  url: string
  items: string[]
}

async function freshWorld(url: string): Promise<World> {
  const post = async <T>(url: string, body: object): Promise<T> => {
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${url} answers ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
  const made = await post<WorldInfo>(`${url}/_sandbox/worlds`, { scenario: 'empty' })
  const items: string[] = []
  for (let n = 0; n < LISTINGS; n++) {
    const seller_id = made.sellers[n % made.sellers.length]!.id
    const item = { seller_id, title: `Producto ${n}`, price: 100 }
    items.push((await post<{ id: string }>(`${made.url}/_sandbox/items`, item)).id)
  }
  return { url: made.url, items }
}

function* linesFor(items: string[]) {
  const first = Date.now() - DAYS * 24 * 3_600_000
  // Any order that is no order will do; the same at every run.
  let state = 1
  const any = (n: number) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
  for (let n = 0; n < EVENTS; n += PIECE) {
    let piece = ''
    for (let k = n; k < n + PIECE; k++) {
      const at = new Date(first + (k / EVENTS) * DAYS * 24 * 3_600_000).toISOString()
      piece += `{"kind":"${KINDS[any(3)]}","item_id":"${items[any(items.length)]}","at":"${at}"}\n`
    }
    yield piece
  }
}

const send = ({ url, items }: World): Promise<void> => sendLines(url, linesFor(items), EVENTS)

/** Sends contacts as lines to a world's address; rejects unless all `count` of them were taken. */
export function sendLines(url: string, pieces: Iterable<string>, count: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/x-ndjson' }
    const sending = request(`${url}/_sandbox/contacts`, { method: 'POST', headers }, async (answer) => {
      let text = ''
      for await (const piece of answer) text += piece
      if (text === JSON.stringify({ imported: count })) resolve()
      else reject(new Error(text))
    })
    sending.on('error', reject)
    Readable.from(pieces).on('error', reject).pipe(sending)
  })
}

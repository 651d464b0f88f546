import { request } from 'node:http'
import { Readable } from 'node:stream'
import type { Ready } from '../domains/sandbox/ready.ts'
import type { Delays } from './delay.ts'
import type { Figure } from './worlds.ts'

const EVENTS = 1_000_000
const LISTINGS = 1000
const DAYS = 90
const PER_SECOND = 40_000
const LONGEST_MS = 20
/** What memory may grow by between the first tenth and the end, MB. */
const GROWTH = 48
/** Lines that are written to the socket at once. */
const PIECE = 500

const KINDS = ['phone_view', 'whatsapp', 'question']

/** A million contacts in the order of time into a fresh world; memory in MB and delays of the server's loop while it lasts. */
export async function measureImport(
  { url }: Ready,
  megabytes: () => number,
  delays: () => Promise<Delays>,
): Promise<Figure[]> {
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(url + path, { method, ...(body && { body: JSON.stringify(body) }) })
    if (!answer.ok) throw new Error(`${method} ${path} answers ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
  const world = await call<Ready>('POST', '/_sandbox/worlds', { scenario: 'empty' })
  const base = new URL(world.url).pathname
  const items: string[] = []
  for (let n = 0; n < LISTINGS; n++) {
    const seller = world.sellers[n % world.sellers.length]!
    const made = { seller_id: seller.id, title: `Producto ${n}`, price: 100 }
    items.push((await call<{ id: string }>('POST', `${base}/_sandbox/items`, made)).id)
  }

  const first = Date.now() - DAYS * 24 * 3_600_000
  let early = 0
  function* pieces() {
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
        piece += `{"kind":"${KINDS[any(3)]}","item_id":"${items[any(LISTINGS)]}","at":"${at}"}\n`
      }
      if (n === EVENTS / 10) early = megabytes()
      yield piece
    }
  }

  await delays()
  const begun = performance.now()
  const imported = await sendLines(`${url}${base === '/' ? '' : base}/_sandbox/contacts`, Readable.from(pieces()))
  const seconds = (performance.now() - begun) / 1000
  const late = megabytes()
  const { longest, p99 } = await delays()
  if (imported !== EVENTS) throw new Error(`${imported} of ${EVENTS} were imported`)
  const rate = EVENTS / seconds
  return [
    {
      name: `import of ${EVENTS} contacts over ${LISTINGS} listings and ${DAYS} days`,
      value: `${rate.toFixed(0)}/s`,
      goal: `${PER_SECOND}/s`,
      met: rate >= PER_SECOND,
    },
    {
      name: `meanwhile the loop is blocked, at most (99 of 100: ${p99.toFixed(1)} ms)`,
      value: `${longest.toFixed(1)} ms`,
      goal: `${LONGEST_MS} ms`,
      met: longest <= LONGEST_MS,
    },
    {
      name: `meanwhile memory grows (to ${late.toFixed(0)} MB)`,
      value: `${(late - early).toFixed(0)} MB`,
      goal: `${GROWTH} MB`,
      met: late - early <= GROWTH,
    },
  ]
}

function sendLines(url: string, lines: Readable): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/x-ndjson' }
    const sending = request(url, { method: 'POST', headers }, async (answer) => {
      let text = ''
      for await (const piece of answer) text += piece
      if (answer.statusCode !== 201) reject(new Error(text))
      else resolve(JSON.parse(text).imported)
    })
    sending.on('error', reject)
    lines.on('error', reject).pipe(sending)
  })
}

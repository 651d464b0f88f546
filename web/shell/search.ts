import type { IconName } from '../parts/icons.tsx'
import { wordsOf } from '../screens/words.ts'
import { formatAddress } from '../world/address.ts'
import { baseUrl, read } from '../world/client.ts'

const w = wordsOf('search')

/** Something of the world or the docs that was found by words. */
export interface Found {
  title: string
  hint: string
  icon: IconName
  href: string
}

/** Of each kind. */
const LIMIT = 4
/** Fewer characters find too much. */
const MIN_CHARACTERS = 2

/** Listings, users, orders, questions and calls of the API with the words. */
export async function search(text: string, signal: AbortSignal): Promise<Found[]> {
  const q = text.trim()
  if (q.length < MIN_CHARACTERS) return []
  const query = { q, limit: LIMIT }
  const [items, users, orders, questions, calls] = await Promise.all([
    read('GET /items', { query, signal }),
    read('GET /users', { query, signal }),
    read('GET /orders', { query, signal }),
    read('GET /questions', { query, signal }),
    callsWith(q, signal),
  ])
  const found = (screen: IconName, id: string | number, title: string): Found => ({
    ...{ title, hint: String(id), icon: screen, href: formatAddress(screen, [id]) },
  })
  return [
    ...items.results.map(({ id, title }) => found('listings', id, title)),
    ...users.results.map(({ id, nickname }) => found('users', id, nickname)),
    ...orders.results.map(({ id, order_items: [sold] }) => found('orders', id, sold!.item.title)),
    ...questions.results.map(({ id, text }) => found('questions', id, text)),
    ...calls,
  ]
}

let operations: Promise<string[]> | undefined

/** The forms of `/docs` for calls of the API. */
async function callsWith(text: string, signal: AbortSignal): Promise<Found[]> {
  operations ??= read('GET /coverage', { signal }).then(
    (coverage) => coverage.operations.map(({ call }) => call),
    () => {
      operations = undefined
      return []
    },
  )
  const wanted = text.toLowerCase().split(/\s+/)
  const matching = (await operations).filter((call) => wanted.every((word) => call.toLowerCase().includes(word)))
  return matching.slice(0, LIMIT).map((call) => ({
    title: `${w.tryIt}: ${call}`,
    hint: '/docs',
    icon: 'requests',
    href: `${baseUrl}/docs#${encodeURI(call)}`,
  }))
}

import { type DemoGenerator, type Shop, seenAt } from '../demo.ts'
import type { sale_order } from '../orders/tables.ts'
import type { question } from '../questions/tables.ts'
import type { Random } from '../shared/demo/random.ts'
import { DAY, FIRST_DAY, HOUR, LAST_DAY } from '../shared/demo/wording.ts'
import type { ContactKind, contact_event, contact_item_hour, contact_user_hour } from './tables.ts'

type OrderRow = typeof sale_order.$inferInsert
type QuestionRow = typeof question.$inferInsert
type ContactEventRow = typeof contact_event.$inferInsert
type Event = Omit<ContactEventRow, 'seq'>

export const generateRows: DemoGenerator = (shops, { question, sale_order }) => {
  const [questions, orders] = [question as QuestionRow[], sale_order as OrderRow[]]
  const events = shops.flatMap((shop) =>
    withSequence([
      ...contactsOf(shop, questions, shop.random.fork('contacts')),
      ...visitsOf(shop, questions, orders, shop.random.fork('visits')),
    ]),
  )
  return { contact_event: events, ...rollups(events) }
}

// Contacts per seller and day, without questions. `known`: share of buyers who are logged in.
const VIEWS = [
  { kind: 'phone_views', perDay: 12, known: 0.4 },
  { kind: 'whatsapp', perDay: 5, known: 0.7 },
] as const satisfies { kind: ContactKind; perDay: number; known: number }[]

/** One seller's contacts: its questions, and views of its numbers. */
function contactsOf({ cast, listings, rhythm }: Shop, questions: readonly QuestionRow[], r: Random): Event[] {
  const user_id = cast.seller.row.id
  // Buyers prefer the phone for cars and flats.
  const called = listings.map((listing) => ({
    ...listing,
    popularity: listing.popularity * (listing.product.tags.includes('classified') ? 3 : 1),
  }))
  const asked = questions
    .filter(({ seller_id }) => seller_id === user_id)
    .map(
      ({ date_created: at, item_id, from_id: buyer_id }): Event => ({
        user_id,
        kind: 'questions',
        at,
        item_id,
        buyer_id,
      }),
    )
  const seen = VIEWS.flatMap(({ kind, perDay, known }): Event[] => {
    const n = Math.floor((LAST_DAY - FIRST_DAY) * perDay * (0.9 + 0.2 * r.next()))
    return Array.from({ length: n }, () => {
      const at = rhythm.instant(r)
      const { row } = seenAt(called, at, r)!
      return { user_id, kind, at, item_id: row.id, buyer_id: r.chance(known) ? r.pick(cast.shoppers).row.id : null }
    })
  })
  return [...asked, ...seen]
}

/** Hours of a day in which a listing is visited several times: alike rows, because a world is copied and shipped. */
const VISITED_PER_DAY = 3

/** A visit before each question and order, in the same hour, and others that led to nothing. */
function visitsOf(
  { cast, listings, rhythm }: Shop,
  questions: readonly QuestionRow[],
  orders: readonly OrderRow[],
  r: Random,
): Event[] {
  const user_id = cast.seller.row.id
  const visit = (at: number, item_id: string): Event => ({
    ...{ user_id, kind: 'visits', at: Math.floor(at / HOUR) * HOUR, item_id, buyer_id: null },
  })
  const led = [...questions, ...orders.filter((one) => one.date_created >= FIRST_DAY * DAY)]
    .filter(({ seller_id }) => seller_id === user_id)
    .map(({ date_created, item_id }) => visit(date_created, item_id))
  const others = Array.from({ length: (LAST_DAY - FIRST_DAY) * VISITED_PER_DAY }, () => {
    const at = rhythm.instant(r)
    const { row } = seenAt(listings, at, r)!
    return Array.from({ length: r.int(2, 7) }, () => visit(at, row.id))
  })
  return [...led, ...others.flat()]
}

/** In the order of the table's key. */
function withSequence(events: Event[]): ContactEventRow[] {
  let last: ContactEventRow | undefined
  return events
    .sort((a, b) => (a.kind === b.kind ? a.at - b.at : a.kind < b.kind ? -1 : 1))
    .map((event) => {
      const seq = last && last.kind === event.kind && last.at === event.at ? last.seq + 1 : 0
      last = { ...event, seq }
      return last
    })
}

/** The counts per hour, from which statistics are read. */
function rollups(events: readonly ContactEventRow[]) {
  const items = new Map<string, typeof contact_item_hour.$inferInsert>()
  const users = new Map<string, typeof contact_user_hour.$inferInsert>()
  for (const { user_id, item_id, kind, at } of events) {
    const hour = Math.floor(at / HOUR)
    count(items, `${item_id} ${kind} ${hour}`, { item_id, kind, hour, n: 0 })
    count(users, `${user_id} ${kind} ${hour}`, { user_id, kind, hour, n: 0 })
  }
  return { contact_item_hour: [...items.values()], contact_user_hour: [...users.values()] }
}

function count<T extends { n: number }>(counts: Map<string, T>, key: string, fresh: T): void {
  const row = counts.get(key)
  if (row) row.n++
  else counts.set(key, { ...fresh, n: 1 })
}

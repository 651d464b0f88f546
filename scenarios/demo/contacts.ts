import type { ContactKind } from '../../domains/contacts/tables.ts'
import type { Random } from '../random.ts'
import type { Draft } from './inbox.ts'
import { type Listing, seenAt } from './listings.ts'
import type { Cast } from './people.ts'
import { FIRST_DAY, HOUR, LAST_DAY, type Rhythm } from './rhythm.ts'
import type { ContactEventRow, ScenarioRows } from './rows.ts'

type Event = Omit<ContactEventRow, 'seq'>

// A day and seller, about; questions come on top. Who only looks at a number mostly is not logged in.
const VIEWS = [
  { kind: 'phone_views', perDay: 12, known: 0.4 },
  { kind: 'whatsapp', perDay: 5, known: 0.7 },
] as const satisfies { kind: ContactKind; perDay: number; known: number }[]

/** One seller's contacts in the order of the table's key: every question, and what else people did. */
export function contactsOf(
  { cast, listings, rhythm }: { cast: Cast; listings: readonly Listing[]; rhythm: Rhythm },
  drafts: readonly Draft[],
  r: Random,
): ContactEventRow[] {
  const user_id = cast.seller.row.id
  // Cars and flats are what one calls about.
  const called = listings.map((listing) => ({
    ...listing,
    popularity: listing.popularity * (listing.product.tags.includes('classified') ? 3 : 1),
  }))
  const asked: Event[] = drafts.map(({ date_created: at, item_id, from_id: buyer_id }) => ({
    user_id,
    kind: 'questions',
    at,
    item_id,
    buyer_id,
  }))
  const seen = VIEWS.flatMap(({ kind, perDay, known }): Event[] => {
    const n = Math.floor((LAST_DAY - FIRST_DAY) * perDay * (0.9 + 0.2 * r.next()))
    return Array.from({ length: n }, () => {
      const at = rhythm.instant(r)
      const { row } = seenAt(called, at, r)!
      return { user_id, kind, at, item_id: row.id, buyer_id: r.chance(known) ? r.pick(cast.shoppers).row.id : null }
    })
  })
  return withSequence([...asked, ...seen])
}

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

/** The counts per hour that the statistics are read from. */
export function rollups(
  events: readonly ContactEventRow[],
): Pick<ScenarioRows, 'contact_item_hour' | 'contact_user_hour'> {
  const items = new Map<string, ScenarioRows['contact_item_hour'][number]>()
  const users = new Map<string, ScenarioRows['contact_user_hour'][number]>()
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

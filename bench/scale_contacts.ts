import type { ScaleCase, ScaleTarget } from './scale_cases.ts'
import { itemId, NOW } from './scale_world.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Days begin at 04:00Z. */
const MIDNIGHT = Math.floor((NOW - 4 * HOUR) / DAY) * DAY + 4 * HOUR
const LISTINGS = 50

interface Total {
  total: number
}
type Listing = (n: number) => string

const iso = (ms: number) => new Date(ms).toISOString()

/** Contact statistics of listings and of the large seller. */
export function contactCases(target: ScaleTarget): ScaleCase[] {
  const { world, server } = target
  const seller = server.world.sellers[0]!.id
  const listing: Listing = (n) => itemId((n * 7919) % world.items)
  const count = counter(target)
  const subjectOf = (item: Listing | undefined, n: number) => (item ? `/items/${item(n)}` : `/users/${seller}`)

  const total = (name: string, days: number, item?: Listing): ScaleCase => ({
    name,
    isBounded: days > 30,
    call(n) {
      const to = NOW - (n % 1000) * 61_000
      const from = to - days * DAY
      return {
        path: `${subjectOf(item, n)}/contacts/phone_views?date_from=${iso(from)}&date_to=${iso(to)}`,
        expected: () => count(item?.(n), from, to),
      }
    },
    compared: ({ total }: Total) => total,
  })
  const series = (name: string, last: number, unit: 'day' | 'hour', item?: Listing): ScaleCase => ({
    name,
    call(n) {
      const size = unit === 'day' ? DAY : HOUR
      const end = (unit === 'day' ? MIDNIGHT : Math.floor(NOW / HOUR) * HOUR) + size - (n % 24) * size
      const query = `last=${last}&unit=${unit}&ending=${iso(end - 1)}`
      return {
        path: `${subjectOf(item, n)}/contacts/phone_views/time_window?${query}`,
        expected: () => [last, count(item?.(n), end - last * size, end)],
      }
    },
    compared: ({ total, results }: Total & { results: unknown[] }) => [results.length, total],
  })
  const several: ScaleCase = {
    name: '50 listings, 30 days each',
    call(n) {
      const ids = Array.from({ length: Math.min(LISTINGS, world.items) }, (_, k) => listing(n * LISTINGS + k))
      const end = MIDNIGHT + DAY
      return {
        path: `/items/contacts/phone_views/time_window?last=30&unit=day&ending=${iso(end - 1)}&ids=${ids.join(',')}`,
        expected: () => ids.map((id) => count(id, end - 30 * DAY, end)),
      }
    },
    compared: (all: Total[]) => all.map(({ total }) => total),
  }
  return [
    total('total of a listing, 30 days', 30, listing),
    total('total of a seller, 30 days', 30),
    total('total of a seller, 170 days', 170),
    series('series of a listing, 30 days', 30, 'day', listing),
    series('series of a seller, 30 days', 30, 'day'),
    series('series of a seller, 168 hours', 168, 'hour'),
    several,
  ]
}

/** Counts phone views of a listing, or of the seller, row by row. */
function counter({ server, db }: ScaleTarget) {
  const { origin } = db.prepare('SELECT origin FROM world').get() as { origin: number }
  const user = server.world.sellers[0]!.id
  const where = (item: string | undefined) =>
    item ? 'item_id = :item AND user_id = (SELECT seller_id FROM item WHERE id = :item)' : 'user_id = :user'
  return (item: string | undefined, from: number, to: number): number =>
    db
      .prepare<[object], number>(
        `SELECT count(*) FROM contact_event WHERE ${where(item)} AND kind = 'phone_views' AND at >= :from AND at < :to`,
      )
      .pluck()
      .get({ item, user, from: from - origin, to: to - origin })!
}

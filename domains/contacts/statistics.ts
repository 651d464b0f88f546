import type { World } from '../../db/world.ts'
import { badParameter } from '../../http/errors/errors.ts'
import type { RuleId } from '../../http/rules.ts'
import { restorePlus, utcSeconds } from '../shared/instants.ts'
import { parseInstantParameter } from '../shared/schemas.ts'
import { CURRENT_BUCKET, DAY_OFFSET } from './assumptions.ts'
import { countBetween, countInBuckets, type Subject } from './queries.ts'
import type { StatisticKind } from './tables.ts'
import { presentBuckets, type Unit, type Window, windowOf } from './windows.ts'

interface RangeQuery {
  date_from: string
  date_to: string
}

/** Ms of the bounds of a range. Throws 400 for an invalid date, and by `rule` for a reversed range. */
export function readRange({ date_from, date_to }: RangeQuery, rule: RuleId): { from: number; to: number } {
  const from = parseInstantParameter('date_from', date_from)
  const to = parseInstantParameter('date_to', date_to)
  if (from > to) throw badParameter('date_from', 'must not be after date_to', rule)
  return { from, to }
}

/** Parses the range of a total. Throws 400 for an invalid date or a reversed range. The answer echoes the raw dates. */
export function parseRange(query: RangeQuery) {
  const { date_from, date_to } = query
  const range = readRange(query, 'contacts.totals.required')
  return {
    async total(world: World, kind: StatisticKind, subject: Subject) {
      const total = await countBetween(world, kind, subject, range)
      return { ...idOf(subject), date_from: restorePlus(date_from), date_to: restorePlus(date_to), total }
    },
  }
}

/** The answers have years of four digits [spec: contacts.windows.ending_range]. */
const MIN_WINDOW_START = Date.UTC(1000, 0)
const MAX_WINDOW_END = Date.UTC(9999, 11, 31)

/** Whether both years of a period have four digits. */
export const isAnswerable = ({ from, to }: { from: number; to: number }): boolean =>
  from >= MIN_WINDOW_START && to <= MAX_WINDOW_END

interface WindowQuery {
  last: number
  unit: Unit
  ending?: string
}

/** The window of a query, which ends now without `ending`. Throws 400 if that is invalid or out of range. */
export function readWindow(
  { clock }: World,
  { last, unit, ending }: WindowQuery,
  options: Parameters<typeof windowOf>[3],
): Window {
  const end = ending === undefined ? clock.hour() : parseInstantParameter('ending', ending)
  const window = windowOf(last, unit, end, options)
  if (!isAnswerable(window))
    throw badParameter(
      'ending',
      'must leave the window between the years 1000 and 9999',
      'contacts.windows.ending_range',
    )
  return window
}

/** Parses the window of a series. Throws 400 if `ending` is invalid or out of range. */
export function parseWindow(world: World, query: WindowQuery & { order?: string }) {
  const window = readWindow(world, query, {
    dayOffset: DAY_OFFSET.of(world),
    whole: query.ending === undefined && CURRENT_BUCKET.of(world) === 'exclude',
  })
  return {
    async seriesOf(kind: StatisticKind, subject: Subject) {
      const counts = await countInBuckets(world, kind, subject, window)
      const results = presentBuckets(window, counts, (at, total) => ({ date: utcSeconds(at), total }))
      return {
        ...idOf(subject),
        total: counts.reduce((sum, total) => sum + total, 0),
        date_from: utcSeconds(window.from),
        date_to: utcSeconds(window.to),
        last: kind === 'whatsapp' ? String(query.last) : query.last,
        unit: query.unit,
        results: query.order === 'desc' ? results.reverse() : results,
      }
    },
  }
}

/** The schemas of the answers decide the order of their members. */
const idOf = ({ item_id, user_id }: Subject) => (item_id ? { item_id } : { user_id: String(user_id) })

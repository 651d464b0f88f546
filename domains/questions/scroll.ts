import { derived } from '../../db/ids.ts'
import type { World } from '../../db/world.ts'
import { invalidScroll } from './errors.ts'
import type { Criteria, Cursor, Sort } from './search_queries.ts'

/** A scroll_id is valid for this time, ms [spec: questions.search.scroll_id]. */
const SCROLL_LIFETIME_MS = 5 * 60_000

/** The state of a scan: search, caller and the last row of the pages so far; undefined before the first row. */
export interface Scan {
  caller: number
  criteria: Criteria
  sort: Sort[]
  after: Cursor | undefined
}

// The server stores nothing of a scan: its state is in the scroll_id, signed with the world's key.

/** The `scroll_id` of the next page. */
export function createScrollId({ key, clock }: World, { caller, criteria, sort, after }: Scan): string {
  const state = {
    caller,
    criteria,
    sort,
    after: after && cursorOf(after),
    until: clock.now() + SCROLL_LIFETIME_MS,
  }
  const text = Buffer.from(JSON.stringify(state)).toString('base64url')
  return `${text}.${signature(key, text)}`
}

/** The scan in a `scroll_id`. Throws 400 if it is of another world or caller, or expired. */
export function parseScrollId({ key, clock }: World, scroll_id: string, caller: number): Scan {
  const [text, givenSignature, rest] = scroll_id.split('.')
  if (!text || rest !== undefined || givenSignature !== signature(key, text)) throw invalidScroll()
  const { until, ...scan } = JSON.parse(Buffer.from(text, 'base64url').toString()) as Scan & { until: number }
  if (scan.caller !== caller || until <= clock.now()) throw invalidScroll()
  return scan
}

const cursorOf = ({ id, item_id, seller_id, from_id, date_created }: Cursor): Cursor => ({
  id,
  item_id,
  seller_id,
  from_id,
  date_created,
})

const signature = (key: string, text: string): string => derived(key, `scroll ${text}`, 32)

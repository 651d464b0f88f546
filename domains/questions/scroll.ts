import { derived } from '../../db/ids.ts'
import type { World } from '../../db/world.ts'
import { invalidScroll } from './errors.ts'
import type { QuestionRow } from './queries.ts'
import type { Criteria, Sort } from './search_queries.ts'

/** A scan goes on within this time, ms. */
const SCROLL_LIFETIME_MS = 5 * 60_000

/** Where a scan stands: what it searches for, for whom, and the last row that was answered. */
export interface Scan {
  caller: number
  criteria: Criteria
  sort: Sort[]
  after: Pick<QuestionRow, 'id' | 'item_id' | 'seller_id' | 'from_id' | 'date_created'>
}

// The server remembers nothing of a scan: its state travels in the id, signed with the world's key.

/** The `scroll_id` with which the scan goes on. */
export function createScrollId({ key, clock }: World, { caller, criteria, sort, after }: Scan): string {
  const { id, item_id, seller_id, from_id, date_created } = after
  const state = {
    caller,
    criteria,
    sort,
    after: { id, item_id, seller_id, from_id, date_created },
    until: clock.now() + SCROLL_LIFETIME_MS,
  }
  const text = Buffer.from(JSON.stringify(state)).toString('base64url')
  return `${text}.${signature(key, text)}`
}

/** The scan that a `scroll_id` goes on with; 400 when it is not one of this world and caller, or too old. */
export function parseScrollId({ key, clock }: World, scroll_id: string, caller: number): Scan {
  const [text, givenSignature, rest] = scroll_id.split('.')
  if (!text || rest !== undefined || givenSignature !== signature(key, text)) throw invalidScroll()
  const { until, ...scan } = JSON.parse(Buffer.from(text, 'base64url').toString()) as Scan & { until: number }
  if (scan.caller !== caller || until <= clock.now()) throw invalidScroll()
  return scan
}

const signature = (key: string, text: string): string => derived(key, `scroll ${text}`, 32)

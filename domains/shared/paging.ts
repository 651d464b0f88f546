import { Type } from '@sinclair/typebox'
import { derived } from '../../db/ids.ts'
import type { Paging } from '../../db/lists.ts'
import type { World } from '../../db/world.ts'
import { badParameter, badRequest } from '../../http/errors/errors.ts'
import type { RuleId } from '../../http/rules.ts'
import { defineSwitch } from '../../http/switches.ts'

/** `limit` of a page, from 0 (only the total) to `maximum`. */
export const Limit = (maximum: number, byDefault = 50) =>
  Type.Integer({
    minimum: 0,
    maximum,
    default: byDefault,
    description: `Elements of a page, 0 (only the total) to ${maximum}`,
    examples: [byDefault],
    'x-message': `must be an integer from 0 to ${maximum}`,
    'x-rule': 'http.paging.bounds',
  })

const OFFSET = {
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Elements before the page',
  examples: [0],
  'x-message': 'must be an integer, 0 or more',
  'x-rule': 'http.paging.bounds',
}
export const Offset = Type.Integer({ ...OFFSET, default: 0 })
/** Of a search that can be a scan, where it must be absent. */
export const OffsetWithoutScroll = Type.Optional(
  Type.Integer({ ...OFFSET, description: 'Elements before the page; default 0, and none with scroll_id' }),
)

export const SCAN_OFFSET = defineSwitch('questions.scan_offset', ['reject', 'ignore'])

/** Throws 400 for an offset beside the scroll_id, which has the place [spec: questions.search.scan_offset]. */
export function checkScanOffset(
  world: World,
  { scroll_id, offset }: { scroll_id?: string | undefined; offset?: number | undefined },
  rule: RuleId,
): void {
  if (scroll_id && offset !== undefined && SCAN_OFFSET.of(world) === 'reject')
    throw badParameter('offset', 'cannot be combined with scroll_id', rule)
}

/** Elements beyond this position need a scan [spec: questions.search.paging, items.search.paging]. */
export const MAX_PAGE_END = 1000

/** Throws 400 for a page that only a scan reaches. `rule`: that of the search. */
export function checkDepth({ limit, offset }: { limit: number; offset: number }, rule: RuleId): void {
  if (offset + limit > MAX_PAGE_END)
    throw badRequest(rule, `offset + limit must be at most ${MAX_PAGE_END}; use search_type=scan`, 'offset')
}

/** The page of a list in memory. */
export const pageOf = <T, Shown>(all: readonly T[], { limit, offset }: Paging, present: (one: T) => Shown) => ({
  paging: { total: all.length, limit, offset },
  results: all.slice(offset, offset + limit).map((one) => present(one)),
})

/** A scroll_id is valid for this time, ms [spec: questions.search.scroll_id, items.search.scroll_id]. */
const SCROLL_LIFETIME_MS = 5 * 60_000

/** The state of a scan, as JSON: whose it is, what it searches and where it is. */
interface ScanState {
  caller: number
}

/** The search that a scroll_id belongs to, and the rule that an invalid one breaks. */
interface Scroll {
  purpose: string
  rule: RuleId
}

// The server stores nothing of a scan: its state is in the scroll_id, signed with the world's key.

/** The `scroll_id` of the next page. */
export function createScrollId({ key, clock }: World, { purpose }: Scroll, state: ScanState): string {
  const text = Buffer.from(JSON.stringify({ ...state, until: clock.now() + SCROLL_LIFETIME_MS })).toString('base64url')
  return `${text}.${signature(key, purpose, text)}`
}

/** The state in a `scroll_id`. Throws 400 if it is of another world, search or caller, or expired. */
export function parseScrollId<State extends ScanState>(
  { key, clock }: World,
  { purpose, rule }: Scroll,
  scroll_id: string,
  caller: number,
): State {
  const [text, givenSignature, rest] = scroll_id.split('.')
  if (!text || rest !== undefined || givenSignature !== signature(key, purpose, text)) throw invalidScroll(rule)
  const { until, ...state } = JSON.parse(Buffer.from(text, 'base64url').toString()) as State & { until: number }
  if (state.caller !== caller || until <= clock.now()) throw invalidScroll(rule)
  return state as unknown as State
}

const invalidScroll = (rule: RuleId) =>
  badParameter('scroll_id', 'is unknown or has expired; begin again with search_type=scan', rule)

const signature = (key: string, purpose: string, text: string): string => derived(key, `${purpose} ${text}`, 32)

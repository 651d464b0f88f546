import { Type } from '@sinclair/typebox'
import { badRequest } from '../../http/errors/errors.ts'
import type { RuleId } from '../../http/rules.ts'

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

export const Offset = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  default: 0,
  description: 'Elements before the page',
  examples: [0],
  'x-message': 'must be an integer, 0 or more',
  'x-rule': 'http.paging.bounds',
})

/** Elements beyond this position need a scan [spec: questions.search.paging, items.search.paging]. */
const MAX_PAGE_END = 1000

/** Throws 400 for a page that only a scan reaches. `rule`: that of the search. */
export function checkDepth({ limit, offset }: { limit: number; offset: number }, rule: RuleId): void {
  if (offset + limit > MAX_PAGE_END)
    throw badRequest(rule, `offset + limit must be at most ${MAX_PAGE_END}; use search_type=scan`, 'offset')
}

import { Type } from '@sinclair/typebox'

/** `limit` of a page, from 0 (only the total) to `maximum`. */
export const Limit = (maximum: number, byDefault = 50) =>
  Type.Integer({
    minimum: 0,
    maximum,
    default: byDefault,
    description: `Elements of a page, 0 (only the total) to ${maximum}`,
    examples: [byDefault],
    'x-message': `must be an integer from 0 to ${maximum}`,
  })

export const Offset = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  default: 0,
  description: 'Elements before the page',
  examples: [0],
  'x-message': 'must be an integer, 0 or more',
})

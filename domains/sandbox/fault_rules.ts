import { validateHeaderName, validateHeaderValue } from 'node:http'
import { type Static, Type } from '@sinclair/typebox'
import type { Action, CountedRule } from '../../db/faults.ts'
import { badRequest } from '../../plugins/errors.ts'
import { MAX_DELAY_MS } from '../../plugins/faults.ts'
import { ResponseObject, MAX_ID, Nullable, OneOf } from '../shared/atoms.ts'
import { isTooDeep, MOST_LEVELS } from './depth.ts'
import { body } from './shapes.ts'

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Rules that a world may have: each is tried on every call. */
export const MOST_RULES = 1000
const MOST_BODY = 64 * 1024
const MOST_PATH = 1000
const LONGEST_WINDOW = 24 * 3600

/** A path of the API in which `*` stands for anything. */
export const PathPattern = Type.String({
  pattern: '^[/*][^?#\\u0000]*$',
  maxLength: MOST_PATH,
  description:
    'A path of the API, without the base address and the query; `*` stands for anything, a trailing slash for nothing',
  examples: ['/questions/*'],
  'x-message': 'must be a path of the API, where * stands for anything, such as /questions/*',
})

export const bare = (path: string) => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path)

const Match = {
  method: Type.Optional(
    OneOf(METHODS, {
      description:
        'Of the call; GET takes HEAD as well. OPTIONS goes wrong only where a rule names it. A JSONP write is of the method it stands for',
      examples: ['POST'],
      'x-message': `must be one of ${METHODS.join(', ')}`,
    }),
  ),
  path: Type.Optional(PathPattern),
  user: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_ID,
      description: 'Only calls with a token of this user',
      examples: [2500000101],
      'x-message': 'must be a user of this world',
    }),
  ),
}

const ms = (more = '') => ({
  type: 'integer',
  minimum: 0,
  maximum: MAX_DELAY_MS,
  'x-message': `must be ms from 0 to ${MAX_DELAY_MS}${more}`,
})
const positive = (maximum: number, description: string, message: string) =>
  Type.Integer({ minimum: 1, maximum, description, examples: [10], 'x-message': message })

const Acts = {
  status: Type.Optional(
    Type.Integer({
      minimum: 400,
      maximum: 599,
      description: 'It is answered with this status, and the error that the API has for it unless there is a body',
      examples: [503],
      'x-message': 'must be an integer from 400 to 599',
    }),
  ),
  body: Type.Optional(
    Type.Unknown({ description: `With status: the answer; a text goes out as it is, anything else as JSON` }),
  ),
  headers: Type.Optional(
    Type.Record(Type.String(), Type.String({ 'x-message': 'must be a text' }), {
      description: 'With status: headers of the answer',
      examples: [{ 'retry-after': '30' }],
      'x-message': 'must be a text',
    }),
  ),
  delay: Type.Optional(
    Type.Unsafe<number | { min: number; max: number }>({
      description: 'It waits so many ms before it goes on, or any from min to max',
      examples: [2000],
      if: { type: 'object' },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: {
        type: 'object',
        required: ['min', 'max'],
        additionalProperties: false,
        properties: { min: ms(), max: ms() },
      },
      else: ms(', or {min, max} of them'),
    }),
  ),
  drop: Type.Optional(
    Type.Literal(true, {
      description: 'Its connection closes without an answer',
      'x-message': 'must be true',
    }),
  ),
  rate_limit: Type.Optional(
    body(
      {
        limit: positive(1_000_000, 'So many calls pass', 'must be an integer from 1 to 1000000'),
        window: positive(
          LONGEST_WINDOW,
          'In so many seconds of real time from the first one',
          `must be seconds from 1 to ${LONGEST_WINDOW}`,
        ),
      },
      {
        description: 'Beyond the limit it is 429 with Retry-After; counted by user, without a token by address',
        'x-message': 'must be {limit, window}',
      },
    ),
  ),
}

const own = {
  probability: Type.Number({
    minimum: 0,
    maximum: 1,
    default: 1,
    description: 'How likely it happens to a call that fits',
    examples: [0.1],
    'x-message': 'must be a number from 0 to 1',
  }),
  times: Nullable(Type.Integer({ minimum: 1, maximum: MAX_ID, 'x-message': 'must be an integer from 1, or null' }), {
    default: null,
    description: 'How often it may happen; null: always',
    examples: [3],
    'x-message': 'must be an integer from 1, or null',
  }),
}
const seed = Type.Integer({
  minimum: 0,
  maximum: MAX_ID,
  description: 'The same seed draws the same for the same calls; without one it is the world’s and the id’s',
  examples: [7],
  'x-message': 'must be an integer from 0',
})
const id = Type.Integer({
  minimum: 1,
  maximum: MAX_ID,
  description: 'Number of the rule: rules are tried in this order',
  examples: [1],
  'x-message': 'must be an integer from 1',
})

export const NewFault = body(
  {
    id: Type.Optional(id),
    match: Type.Optional(
      body(Match, {
        description: 'Which calls; all without it',
        'x-message': 'must be an object of method, path and user',
      }),
    ),
    action: body(Acts, {
      description: 'What happens to them: exactly one of status, delay, drop and rate_limit',
      'x-message': 'must be an object with one of status, delay, drop and rate_limit',
    }),
    ...Type.Partial(Type.Object(own)).properties,
    seed: Type.Optional(seed),
  },
  { examples: [{ match: { method: 'POST', path: '/answers' }, action: { status: 503 }, times: 2 }] },
)
export type NewFault = Static<typeof NewFault>

export const Fault = ResponseObject(
  {
    id,
    match: ResponseObject(Match, { description: 'Which calls' }),
    action: ResponseObject(Acts, { description: 'What happens to them' }),
    ...own,
    seed,
    matched: Type.Integer({ description: 'Calls that it fitted so far' }),
    applied: Type.Integer({ description: 'Calls that went wrong by it so far' }),
  },
  { title: 'Fault', description: 'A rule by which calls go wrong' },
)

/** Headers that belong to the connection, not to the answer. */
const NOT_YOURS = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding', 'upgrade', 'trailer'])

/** Throws 400 naming what does not go together. */
export function actionOf({ status, body, headers, delay, drop, rate_limit }: NewFault['action']): Action {
  const named = [status, delay, drop, rate_limit].filter((one) => one !== undefined)
  if (named.length !== 1) throw badRequest('action: must have exactly one of status, delay, drop and rate_limit')
  if (status === undefined && (body !== undefined || headers !== undefined))
    throw badRequest('action: body and headers belong to status')
  if (delay !== undefined) {
    if (typeof delay === 'object' && delay.min > delay.max) throw badRequest('action.delay: min must not be above max')
    return { delay }
  }
  if (drop) return { drop: true }
  if (rate_limit) return { rate_limit }
  if (isTooDeep(body)) throw badRequest(`action.body: must have at most ${MOST_LEVELS} levels`)
  if (body !== undefined && Buffer.byteLength(JSON.stringify(body)) > MOST_BODY)
    throw badRequest(`action.body: must have at most ${MOST_BODY} bytes`)
  return { status: status!, ...(body !== undefined && { body }), ...(headers && { headers: headersOf(headers) }) }
}

function headersOf(sent: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => {
      const known = name.toLowerCase()
      try {
        validateHeaderName(known)
        validateHeaderValue(known, value)
      } catch {
        throw badRequest(`action.headers.${name}: must be a header that HTTP can send`)
      }
      if (NOT_YOURS.has(known)) throw badRequest(`action.headers.${name}: belongs to the connection`)
      return [known, value]
    }),
  )
}

export function present({ id, method, path, user_id, action, probability, times, seed, ...counted }: CountedRule) {
  return {
    id,
    match: {
      ...(method !== null && { method }),
      ...(path !== null && { path }),
      ...(user_id !== null && { user: user_id }),
    },
    action,
    probability,
    times,
    seed,
    matched: counted.matched,
    applied: counted.applied,
  }
}

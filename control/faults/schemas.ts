import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type { Action, CountedRule } from '../../db/faults.ts'
import { derived } from '../../db/ids.ts'
import { StrictBody } from '../../domains/shared/control_schemas.ts'
import { MAX_ID, Nullable, OneOf, ResponseObject } from '../../domains/shared/schemas.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import { MAX_DELAY_MS } from '../../http/faults/faults.ts'
import { checkJson, readHeaders } from '../answers.ts'

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Limit of rules per world: each call is matched with all of them. */
export const MAX_RULES = 1000
const MAX_BODY_BYTES = 64 * 1024
const MAX_PATH_CHARACTERS = 1000
const MAX_WINDOW_SECONDS = 24 * 3600

/** A path of the API in which `*` matches anything. */
export const PathPattern = Type.String({
  pattern: '^[/*][^?#\\u0000]*$',
  maxLength: MAX_PATH_CHARACTERS,
  description: 'A path of the API, without base address and query; `*` matches anything, a trailing slash is ignored',
  examples: ['/questions/*'],
  'x-message': 'must be a path of the API, such as /questions/*; * matches anything',
})

export const CheckPath = Type.Optional(
  Type.Boolean({
    default: false,
    description: 'true: 400 for a path that neither the API nor a stub has, with the nearest paths',
    examples: [true],
    'x-message': 'must be true or false',
  }),
)

export const withoutTrailingSlash = (path: string) => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path)

const MatchFields = {
  method: Type.Optional(
    OneOf(METHODS, {
      description:
        'Method of the call; GET includes HEAD. OPTIONS is matched only if a rule names it. A JSONP write has the method in its `_method`',
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

const delayField = (more = '') => ({
  type: 'integer',
  minimum: 0,
  maximum: MAX_DELAY_MS,
  'x-message': `must be ms from 0 to ${MAX_DELAY_MS}${more}`,
})
const positive = (maximum: number, description: string, message: string) =>
  Type.Integer({ minimum: 1, maximum, description, examples: [10], 'x-message': message })

const ActionFields = {
  status: Type.Optional(
    Type.Integer({
      minimum: 400,
      maximum: 599,
      description: 'Status of the answer; without `body` the API’s error for this status is sent',
      examples: [503],
      'x-message': 'must be an integer from 400 to 599',
    }),
  ),
  body: Type.Optional(
    Type.Unknown({
      description: `With status: body of the answer; a string unchanged, any other value as JSON`,
    }),
  ),
  headers: Type.Optional(
    Type.Record(Type.String(), Type.String({ 'x-message': 'must be a string' }), {
      description: 'With status: headers of the answer',
      examples: [{ 'retry-after': '30' }],
      'x-message': 'must be a string',
    }),
  ),
  delay: Type.Optional(
    Type.Unsafe<number | { min: number; max: number }>({
      description: 'Delay in ms, or a random one from min to max',
      examples: [2000],
      if: { type: 'object' },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: {
        type: 'object',
        required: ['min', 'max'],
        additionalProperties: false,
        properties: {
          min: { ...delayField(), description: 'Minimum, ms' },
          max: { ...delayField(), description: 'Maximum, ms' },
        },
      },
      else: delayField(', or {min, max} of them'),
    }),
  ),
  drop: Type.Optional(
    Type.Literal(true, {
      description: 'The connection is closed without an answer',
      'x-message': 'must be true',
    }),
  ),
  optimistic_lock: Type.Optional(
    Type.Literal(true, {
      description: 'As after two writes of a listing at once: 409 `conflict`, `item optimistic locking error`',
      'x-message': 'must be true',
    }),
  ),
  rate_limit: Type.Optional(
    StrictBody(
      {
        limit: positive(1_000_000, 'Calls that pass in a window', 'must be an integer from 1 to 1000000'),
        window: positive(
          MAX_WINDOW_SECONDS,
          'Seconds, from its first call',
          `must be seconds from 1 to ${MAX_WINDOW_SECONDS}`,
        ),
        clock: Type.Optional(
          OneOf(['real', 'world'], {
            description: 'Whose seconds: default real time',
            'x-message': 'must be real or world',
          }),
        ),
      },
      {
        description: 'Calls beyond it get 429 with Retry-After; counted by user, or by address without a token',
        'x-message': 'must be {limit, window}',
      },
    ),
  ),
  limits: Type.Optional(
    OneOf(['published'], {
      description: 'Limits of the real service',
      'x-message': 'must be published',
    }),
  ),
}

const RuleFields = {
  probability: Type.Number({
    minimum: 0,
    maximum: 1,
    default: 1,
    description: 'Probability that a matching call is affected',
    examples: [0.1],
    'x-message': 'must be a number from 0 to 1',
  }),
  times: Nullable(Type.Integer({ minimum: 1, maximum: MAX_ID, 'x-message': 'must be an integer from 1, or null' }), {
    default: null,
    description: 'How often the rule may be applied; null: no limit',
    examples: [3],
    'x-message': 'must be an integer from 1, or null',
  }),
}
const enabled = Type.Boolean({
  default: true,
  description: 'false: the rule is off and matches nothing',
  examples: [true],
  'x-message': 'must be true or false',
})
const seed = Type.Integer({
  minimum: 0,
  maximum: MAX_ID,
  description: 'The same seed selects the same calls; default: derived from the world and the id',
  examples: [7],
  'x-message': 'must be an integer from 0',
})
const id = Type.Integer({
  minimum: 1,
  maximum: MAX_ID,
  description: 'Number of the rule; rules apply in this order',
  examples: [1],
  'x-message': 'must be an integer from 1',
})
const match = StrictBody(MatchFields, {
  description: 'Which calls; default: all',
  'x-message': 'must be an object with method, path and user',
})
const action = StrictBody(ActionFields, {
  description: 'The effect: exactly one of status, delay, drop, optimistic_lock, rate_limit and limits',
  'x-message': 'must be an object with one of status, delay, drop, optimistic_lock, rate_limit and limits',
})

export const NewFault = StrictBody(
  {
    id: Type.Optional(id),
    match: Type.Optional(match),
    action,
    ...Type.Partial(Type.Object(RuleFields)).properties,
    seed: Type.Optional(seed),
    enabled: Type.Optional(enabled),
    check_path: CheckPath,
  },
  { examples: [{ match: { method: 'POST', path: '/answers' }, action: { status: 503 }, times: 2 }] },
)
export type NewFault = Static<typeof NewFault>

/** An omitted member of a change has no default. */
const withoutDefault = <T extends TSchema>({ default: _, ...schema }: T) => Type.Optional(schema as unknown as T)
export const FaultChange = StrictBody(
  {
    match: Type.Optional({ ...match, description: 'Which calls; replaces all members of the present one' }),
    action: Type.Optional({ ...action, description: `${action.description}; replaces the present one` }),
    probability: withoutDefault(RuleFields.probability),
    times: withoutDefault(RuleFields.times),
    seed: Type.Optional({ ...seed, description: 'The same seed selects the same calls' }),
    enabled: withoutDefault(enabled),
  },
  {
    minProperties: 1,
    'x-message': 'must be a JSON object with some of match, action, probability, times, seed and enabled',
    examples: [{ enabled: false }],
  },
)
export type FaultChange = Static<typeof FaultChange>

export const Fault = ResponseObject(
  {
    id,
    match: ResponseObject(MatchFields, { description: 'Which calls' }),
    action: ResponseObject(ActionFields, { description: 'The effect' }),
    ...RuleFields,
    seed,
    matched: Type.Integer({ description: 'Matching calls so far' }),
    applied: Type.Integer({ description: 'Calls that were affected so far' }),
    enabled,
  },
  { title: 'Fault', description: 'A rule that makes calls fail' },
)

/** The default seed of a rule. */
export const seedOf = ({ key }: { key: string }, id: number): number =>
  Number.parseInt(derived(key, `fault ${id}`, 8), 16)

/** Throws 400 if members contradict each other. */
export function readAction(sent: NewFault['action']): Action {
  const { status, body, headers, delay, drop, optimistic_lock, rate_limit, limits } = sent
  const given = [status, delay, drop, optimistic_lock, rate_limit, limits].filter((one) => one !== undefined)
  if (given.length !== 1)
    throw badRequest('action: must have exactly one of status, delay, drop, optimistic_lock, rate_limit and limits')
  if (status === undefined && (body !== undefined || headers !== undefined))
    throw badRequest('action: body and headers are allowed with status only')
  if (delay !== undefined) {
    if (typeof delay === 'object' && delay.min > delay.max) throw badRequest('action.delay: min must not be above max')
    return { delay }
  }
  if (drop) return { drop: true }
  if (optimistic_lock) return { optimistic_lock: true }
  if (rate_limit) return { rate_limit }
  if (limits) return { limits: 'published' }
  checkJson('action.body', body, MAX_BODY_BYTES)
  return {
    status: status!,
    ...(body !== undefined && { body }),
    ...(headers && { headers: readHeaders('action.headers', headers) }),
  }
}

export function present({
  id,
  method,
  path,
  user_id,
  action,
  probability,
  times,
  seed,
  enabled,
  ...counters
}: CountedRule) {
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
    matched: counters.matched,
    applied: counters.applied,
    enabled,
  }
}

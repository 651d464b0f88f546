import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { StrictBody } from '../../domains/shared/control_schemas.ts'
import { Bool, IntegerFrom, MAX_ID, membersOf, Nullable, OneOf, ResponseObject } from '../../domains/shared/schemas.ts'
import { notFound } from '../../http/errors/control_errors.ts'
import type { CountedRule } from '../../http/faults/rules.ts'
import { ActionFields, action } from './action.ts'

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Limit of rules per world: each call is matched with all of them. */
export const MAX_RULES = 1000
const MAX_PATH_CHARACTERS = 1000

/** A path of the API in which `*` matches anything. */
export const PathPattern = Type.String({
  pattern: '^[/*][^?#\\u0000]*$',
  maxLength: MAX_PATH_CHARACTERS,
  description: 'A path of the API, without base address and query; `*` matches anything, a trailing slash is ignored',
  examples: ['/questions/*'],
  'x-message': 'must be a path of the API, such as /questions/*; * matches anything',
})

export const CheckPath = Type.Optional(
  Bool('true: 400 for a path that neither the API nor a stub has, with the nearest paths', {
    default: false,
    examples: [true],
  }),
)

export const withoutTrailingSlash = (path: string) => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path)

const MatchFields = {
  method: Type.Optional(
    OneOf(METHODS, {
      description:
        'Method of the call; GET includes HEAD. OPTIONS is matched only if a rule names it. A JSONP write has the method in its `_method`',
      examples: ['POST'],
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
const enabled = Bool('false: the rule is off and matches nothing', { default: true, examples: [true] })
const seed = IntegerFrom(0, 'The same seed selects the same calls; default: derived from the world and the id', 7)
const id = IntegerFrom(1, 'Number of the rule; rules apply in this order', 1)
const match = StrictBody(MatchFields, {
  description: 'Which calls; default: all',
  'x-message': 'must be an object with method, path and user',
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

export const faultNotFound = (id: unknown) => notFound(`Fault ${id} not found`)

export const present = ({ method, path, user_id, ...rule }: CountedRule) =>
  membersOfFault({
    ...rule,
    match: {
      ...(method !== null && { method }),
      ...(path !== null && { path }),
      ...(user_id !== null && { user: user_id }),
    },
  })
const membersOfFault = membersOf(Fault)

import { defineSwitch, type Switch } from './switches.ts'

/** A point in which the behaviour of the real service is not known for sure, and the behaviour of this server. */
interface Assumption {
  /** `assumed`: no public source was found. `observed`: it was seen, but other behaviour may be wanted. */
  source: 'assumed' | 'observed'
  means: string
  /** Behaviour of this server; a switch if a world can choose. */
  value: string | Switch
  /** How calls can rest on it although they could do without; GET /audit names such calls. */
  uses?: readonly AssumedUse[]
}

/** Calls that rest on an assumption: all that is named here must be so. */
export interface AssumedUse {
  /** Pattern of routes, such as `GET /users/:user_id/contacts/*`; absent: every call. */
  route?: string
  /** They send one of these parameters; absent: with `value` any parameter of their route. */
  sends?: readonly string[]
  /** The form of that parameter's value; absent: not empty. */
  value?: RegExp
  /** They send none of these. */
  omits?: readonly string[]
  /** They have no token. */
  isAnonymous?: true
}

/** By name: `<domain>.<topic>`. */
export type Assumptions = Record<string, Assumption>

export const assumed = (means: string, value: string | Switch, uses: readonly AssumedUse[] = []): Assumption => ({
  source: 'assumed',
  means,
  value,
  uses,
})
export const observed = (means: string, value: string | Switch): Assumption => ({ source: 'observed', means, value })

export const QUERY_TOKEN = defineSwitch('auth.query_token', ['accept', 'reject'])
export const INVALID_TOKEN = defineSwitch('auth.invalid_token', ['2014', '2023'])
export const EMPTY_PARAMETER = defineSwitch('calls.empty_parameter', ['absent', 'reject'])

const WITHOUT_OFFSET = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/
/** The dates of credits have no offset: theirs is documented. */
const DATED_CALLS: readonly AssumedUse[] = [
  { route: 'GET /*/contacts/*', sends: ['date_from', 'date_to', 'ending'], value: WITHOUT_OFFSET },
  { sends: ['date_created.from', 'date_created.to'], value: WITHOUT_OFFSET },
]

/** The assumptions of every call. */
export const COMMON_ASSUMPTIONS: Assumptions = {
  [QUERY_TOKEN.name]: observed('Whether a token in the query, `access_token=T`, counts', QUERY_TOKEN),
  [INVALID_TOKEN.name]: observed(
    'Answer to an invalid token, as published answers of that year have it',
    INVALID_TOKEN,
  ),
  'auth.token_missing': assumed(
    'Answer without a required token',
    '401 unauthorized, authorization value not present, in the standard error object',
  ),
  'calls.dates': assumed('Offset of a date in a query without one', 'UTC', DATED_CALLS),
  'calls.bad_parameter': assumed(
    'Answer to a parameter with an invalid value',
    '400 bad_request with `<name>: <what is allowed>`',
  ),
  [EMPTY_PARAMETER.name]: assumed(
    'Whether an empty optional parameter of a query counts as absent or is rejected',
    EMPTY_PARAMETER,
    [{ value: /^$/ }],
  ),
  'calls.malformed_id': assumed(
    'Answer to a malformed id in a path, or one above 2^53−1',
    'the 404 of that resource; a word of lower-case letters in a path of two parts: unknown path',
  ),
  'calls.limit_zero': assumed('Meaning of `limit=0`', 'only the total', [{ sends: ['limit'], value: /^0$/ }]),
  'calls.unknown_path': assumed('Answer to an unknown path', '404 resource not found'),
  'calls.wrong_method': assumed('Answer to a method that a path does not have', '405 with Allow'),
  'attributes.empty': assumed('Members that `attributes` without a value omits', 'nothing', [
    { sends: ['attributes'], value: /^$/ },
  ]),
  'attributes.errors': assumed('Whether `attributes` applies to errors', 'no'),
  'jsonp.bad_callback': assumed('Answer to a callback that is not a function name', '400 invalid_callback'),
}

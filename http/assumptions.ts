import { defineSwitch, type Switch } from './switches.ts'

/** A point in which the behaviour of the real service is not known for sure, and the behaviour of this server. */
export interface Assumption {
  /** `assumed`: no public source was found. `observed`: it was seen, but other behaviour may be wanted. */
  source: 'assumed' | 'observed'
  means: string
  /** Behaviour of this server; a switch if a world can choose. */
  value: string | Switch
}

/** By name: `<domain>.<topic>`. */
export type Assumptions = Record<string, Assumption>

export const assumed = (means: string, value: string | Switch): Assumption => ({ source: 'assumed', means, value })
export const observed = (means: string, value: string | Switch): Assumption => ({ source: 'observed', means, value })

export const QUERY_TOKEN = defineSwitch('auth.query_token', ['accept', 'reject'])
export const EMPTY_PARAMETER = defineSwitch('calls.empty_parameter', ['absent', 'reject'])

/** The assumptions of every call. */
export const COMMON_ASSUMPTIONS: Assumptions = {
  [QUERY_TOKEN.name]: observed('Whether a token in the query, `access_token=T`, counts', QUERY_TOKEN),
  'auth.token_missing': assumed(
    'Answer without a required token',
    '401 unauthorized, authorization value not present, in the standard error object',
  ),
  'calls.dates': assumed('Offset of a date in a query without one', 'UTC'),
  'calls.bad_parameter': assumed(
    'Answer to a parameter with an invalid value',
    '400 bad_request with `<name>: <what is allowed>`',
  ),
  [EMPTY_PARAMETER.name]: assumed(
    'Whether an empty optional parameter of a query counts as absent or is rejected',
    EMPTY_PARAMETER,
  ),
  'calls.malformed_id': assumed('Answer to a malformed id in a path, or one above 2^53−1', 'the 404 of that resource'),
  'calls.limit_zero': assumed('Meaning of `limit=0`', 'only the total'),
  'calls.unknown_path': assumed('Answer to an unknown path', '404 resource not found'),
  'calls.wrong_method': assumed('Answer to a method that a path does not have', '405 with Allow'),
  'attributes.empty': assumed('Members that `attributes` without a value omits', 'nothing'),
  'attributes.errors': assumed('Whether `attributes` applies to errors', 'no'),
  'jsonp.bad_callback': assumed('Answer to a callback that is not a function name', '400 invalid_callback'),
}

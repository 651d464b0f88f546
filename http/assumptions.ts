import { defineSwitch, type Switch } from './switches.ts'

/** A point in which the behaviour of the real service is not known for sure, and what this server does instead. */
export interface Assumption {
  /** `assumed`: no public source was found. `observed`: it was seen, but other behaviour may be wanted. */
  source: 'assumed' | 'observed'
  means: string
  /** What this server does; a switch where a world can choose. */
  value: string | Switch
}

/** By name: `<domain>.<topic>`. */
export type Assumptions = Record<string, Assumption>

export const assumed = (means: string, value: string | Switch): Assumption => ({ source: 'assumed', means, value })
export const observed = (means: string, value: string | Switch): Assumption => ({ source: 'observed', means, value })

export const QUERY_TOKEN = defineSwitch('auth.query_token', ['accept', 'reject'])

/** The assumptions of every call. */
export const COMMON_ASSUMPTIONS: Assumptions = {
  [QUERY_TOKEN.name]: observed('Whether a token in the query, `access_token=T`, counts', QUERY_TOKEN),
  'auth.token_missing': assumed(
    'What is answered without a token where one is needed',
    '401 unauthorized, authorization value not present, in the standard error object',
  ),
  'calls.dates': assumed('How a date in a query is read that has no offset', 'UTC'),
  'calls.bad_parameter': assumed(
    'What is answered to a parameter with a value that is not allowed',
    '400 bad_request with `<name>: <what is allowed>`',
  ),
  'calls.malformed_id': assumed(
    'What is answered to an id in a path that has not its form, or is above 2^53−1',
    'the 404 of that resource',
  ),
  'calls.limit_zero': assumed('What `limit=0` asks for', 'only the total'),
  'calls.unknown_path': assumed('What is answered where no path is', '404 resource not found'),
  'calls.wrong_method': assumed('What is answered to a method that a path does not know', '405 with Allow'),
  'attributes.empty': assumed('What `attributes` without a value leaves out', 'nothing'),
  'attributes.errors': assumed('Whether `attributes` applies to errors', 'no'),
  'jsonp.bad_callback': assumed('What is answered to a callback that is no name of a function', '400 invalid_callback'),
}

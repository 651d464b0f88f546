/**
 * A point in which nobody, or nobody for sure, knows what the real service does: what this one does instead. Each list
 * stands beside the code that obeys it and takes its numbers from there.
 */
export interface Assumption {
  /** `assumed`: nothing public was found. `observed`: it was seen, but may well be wanted otherwise. */
  source: 'assumed' | 'observed'
  means: string
  /** What is done; left out where a switch of the same name decides (db/switches.ts). */
  value?: string
}

/** By name: `<domain>.<what>`. */
export type Assumptions = Record<string, Assumption>

export const assumed = (means: string, value?: string): Assumption =>
  value === undefined ? { source: 'assumed', means } : { source: 'assumed', means, value }
export const observed = (means: string, value?: string): Assumption => ({
  ...assumed(means, value),
  source: 'observed',
})

/** Those of every call. */
export const COMMON_ASSUMPTIONS: Assumptions = {
  'auth.query_token': observed('Whether a token in the query, `access_token=T`, counts'),
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

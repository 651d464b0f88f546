import { CONTROL_PREFIX } from '../rewrite_url.ts'
import type { RuleId } from '../rules.ts'
import type { Violation } from './answered_error.ts'

/** With `explain` refused answers have this header: the address of their explanation. */
export const EXPLAIN_HEADER = 'x-sandbox-explain'

/** Codes of the errors of calls that no journal has, by their rules. */
const UNRECORDED_CODES: Partial<Record<RuleId, string>> = {
  'http.errors.host': 'HOST',
  'http.errors.expect': 'EXPECT',
  'http.errors.overload': 'OVERLOAD',
  'http.worlds.address': 'WORLD',
}

/** The explanation of a recorded call. `base`: that of its world. */
export const requestExplanation = (base: string, id: number): string =>
  `${base}${CONTROL_PREFIX}/requests/${id}/explain`

export const codeExplanation = (base: string, code: string): string => `${base}${CONTROL_PREFIX}/explain?code=${code}`

/** The explanation of a call that was not recorded; undefined if there is none. */
export function violationExplanation(base: string, { rule }: Violation): string | undefined {
  const code = UNRECORDED_CODES[rule]
  return code && codeExplanation(base, code)
}

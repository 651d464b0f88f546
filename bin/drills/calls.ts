import { isObject, parseJson } from '../../http/bodies.ts'
import type { Call, Check, Text } from './drill.ts'

// What drills ask about recorded calls.

export const isCall = (method: string, pattern: RegExp) => (call: Call) =>
  call.method === method && pattern.test(call.path)

export const statusOf = ({ response }: Call): number | null => response.status
export const succeeded = (call: Call): boolean => (statusOf(call) ?? 500) < 300
/** The code of the error that was answered. */
export const errorOf = ({ response: { body } }: Call): unknown => membersOf(body).error

/** Those of a recorded JSON text. */
function membersOf(text: unknown): Record<string, unknown> {
  const { value } = parseJson(text)
  return isObject(value) ? value : {}
}

export const isRefresh = (call: Call): boolean =>
  isCall('POST', /^\/oauth\/token$/)(call) && JSON.stringify([call.body, call.query]).includes('refresh_token')
/** With a token that is no longer valid, or whose application is blocked. */
export const isUnauthorized = (call: Call): boolean => statusOf(call) === 401
export const isAnswer = isCall('POST', /^\/answers\/?$/)
export const questionOf = ({ body }: Call): number => Number(membersOf(body).question_id)

/** There are calls that match, and `test` holds for them; without any the program never came to it. */
export const when =
  (matches: (call: Call) => boolean, test: (found: Call[], calls: Call[]) => boolean): Check['passed'] =>
  (calls) => {
    const found = calls.filter(matches)
    return found.length === 0 ? null : test(found, calls)
  }

/** The program meets the situation at all. */
export const meets = (text: Text, matches: (call: Call) => boolean): Check => ({
  text,
  passed: (calls) => (calls.some(matches) ? true : null),
})

/** At most `limit` calls match, once there is one. */
export const atMost = (limit: number, text: Text, matches: (call: Call) => boolean): Check => ({
  text,
  passed: when(matches, (found) => found.length <= limit),
})

/** Whether a call comes after another one. */
export const after =
  ({ id }: Call) =>
  (call: Call) =>
    call.id > id

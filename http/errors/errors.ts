import type { RuleId } from '../rules.ts'
import { AnsweredError, type Violation } from './answered_error.ts'

/** An error of the emulated API. */
export type ApiError = AnsweredError & { violation: Violation }

/** An error with a status from 400 to 599. */
export const apiError = (
  violation: RuleId | Violation,
  statusCode: number,
  code: string | undefined,
  message: string | undefined,
): ApiError => {
  const error = new AnsweredError(statusCode, message, code)
  error.violation = typeof violation === 'string' ? { rule: violation } : violation
  return error as ApiError
}

/** [spec: http.query.bad_parameter] */
export const badRequest = (rule: RuleId, message: string, field?: string): ApiError =>
  apiError({ rule, field }, 400, undefined, message)
/** A parameter or member with a value that is not allowed; the message begins with its name. */
export const badParameter = (field: string, problem: string, rule: RuleId = 'http.query.bad_parameter'): ApiError =>
  badRequest(rule, `${field}: ${problem}`, field)
/** For the journal and the log: the client is gone. */
export const incompleteBody = () =>
  badRequest('http.body.incomplete', 'The connection broke before the body was complete.')
/** `bytes`: the limit. */
export const bodyTooLarge = (bytes: number): ApiError =>
  apiError('http.body.limit', 413, 'payload_too_large', `The body must have at most ${bytes} bytes.`)
export const notFound = (rule: RuleId, message: string, field?: string): ApiError =>
  apiError({ rule, field }, 404, undefined, message)
export const missingToken = (rule: RuleId = 'http.token.missing') =>
  apiError(rule, 401, undefined, 'authorization value not present')
export const invalidToken = () => apiError('http.token.invalid', 401, 'not_found', 'invalid_token')
/** The application of the token is blocked. */
export const applicationBlocked = () => apiError('oauth.blocked', 401, 'unauthorized_scopes', 'unauthorized_scopes')
/** Beyond the limits of the real service: without headers [spec: http.limits]. */
export const localRateLimited = () => apiError('http.limits', 429, 'local_rate_limited', 'local_rate_limited')
/** Two writes of a listing at once: only by a fault rule. */
export const optimisticLock = () => apiError('http.faults', 409, 'conflict', 'item optimistic locking error')
/** Data of another user [spec: http.errors.foreign_data]. */
export const forbidden = (rule: RuleId, message = 'access to the requested resource is forbidden') =>
  apiError(rule, 403, 'access_denied', message)
export const routeNotFound = (rule: RuleId = 'http.errors.unknown_path') =>
  apiError(rule, 404, 'resource not found', 'Resource not found.')
export const methodNotAllowed = (allow: string, rule: RuleId = 'http.errors.wrong_method') =>
  Object.assign(apiError(rule, 405, undefined, `Method not allowed. Allowed: ${allow}`), { headers: { allow } })
export const internalError = () => apiError('http.errors.internal', 500, undefined, 'Internal server error')
export const diskFull = () =>
  apiError(
    'http.errors.disk_full',
    507,
    'insufficient_storage',
    'The disk of the server is full: nothing was stored. Try again when it has space.',
  )

/** Statuses that the API answers with a code or message of its own. */
const STATUS_ERRORS: Record<number, () => ApiError> = {
  401: invalidToken,
  403: () => forbidden('http.faults'),
  404: routeNotFound,
  500: internalError,
}

/**
 * The API's usual error of a status from 400 to 599, for another reason than usual: `rule`. `headers` are added to it.
 */
export function errorForStatus(rule: RuleId, status: number, given: Record<string, string> = {}): ApiError {
  const headers = status === 429 ? { 'retry-after': '1', ...given } : given
  const { error: code, message } = STATUS_ERRORS[status]?.() ?? {}
  return Object.assign(apiError({ rule, retryAfter: headers['retry-after'] }, status, code, message), { headers })
}

export const unavailable = (): ApiError => errorForStatus('http.errors.unavailable', 503, { 'retry-after': '1' })

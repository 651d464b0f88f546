import { STATUS_CODES } from 'node:http'
import { type HttpError, httpErrors } from '@fastify/sensible'

/** An error that is answered as it is: its status, code, message and headers are all that a client sees. */
export interface ApiError extends HttpError {
  /** The code for programs. */
  error: string
  headers?: Record<string, string>
}

/** Gives an HTTP error its code: `Too Many Requests` is `too_many_requests` unless the API has another one. */
export const withCode = (
  error: HttpError,
  code = defaultCode(error.statusCode),
  headers?: ApiError['headers'],
): ApiError => Object.assign(error, { error: code, ...(headers && { headers }) })

const defaultCode = (status: number): string =>
  defaultMessage(status)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
const defaultMessage = (status: number): string => STATUS_CODES[status] ?? `Status ${status}`

/** Without the stack traces that http-errors captures: no answer shows them, and they take 30 µs. */
function createError(statusCode: number, message: string): HttpError {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return httpErrors.createError(statusCode, message)
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** An error with a status from 400 to 599. */
export const apiError = (
  statusCode: number,
  code: string,
  message: string,
  headers?: Record<string, string>,
): ApiError => withCode(createError(statusCode, message), code, headers)

/** [spec: http.query.bad_parameter] */
export const badRequest = (message: string) => withCode(createError(400, message))
export const notFound = (message: string) => withCode(createError(404, message))
/** [spec: http.token.missing] */
export const missingToken = () => withCode(createError(401, 'authorization value not present'))
/** [spec: http.token.invalid] */
export const invalidToken = () => withCode(createError(401, 'invalid_token'), 'not_found')
/** [spec: http.errors.foreign_data] */
export const forbidden = (message = 'access to the requested resource is forbidden') =>
  withCode(createError(403, message), 'access_denied')
/** [spec: http.errors.unknown_path] */
export const routeNotFound = () => withCode(createError(404, 'Resource not found.'), 'resource not found')
/** [spec: http.errors.wrong_method] */
export const methodNotAllowed = (allow: string) =>
  withCode(createError(405, `Method not allowed. Allowed: ${allow}`), undefined, { allow })
/** [spec: http.errors.internal] */
export const internalError = () => withCode(createError(500, 'Internal server error'))

/** [spec: http.errors.disk_full] */
export const diskFull = () =>
  apiError(
    507,
    'insufficient_storage',
    'The disk of the server is full: nothing was stored. Try again when it has space.',
  )

/** Statuses that the API answers with a code or message of its own. */
const STATUS_ERRORS: Record<number, () => ApiError> = {
  401: invalidToken,
  403: forbidden,
  404: routeNotFound,
  500: internalError,
}

/**
 * The API's usual error of a status from 400 to 599 [spec: http.errors.too_many_requests, http.errors.overload].
 * `headers` are added to it.
 */
export function errorForStatus(status: number, headers: Record<string, string> = {}): ApiError {
  const error = STATUS_ERRORS[status]?.() ?? apiError(status, defaultCode(status), defaultMessage(status))
  return Object.assign(error, { headers: status === 429 ? { 'retry-after': '1', ...headers } : headers })
}

/** The body of every error answer [spec: http.errors.shape]. */
export interface StandardError {
  message: string
  error: string
  status: number
  cause: unknown[]
}

export const standardError = ({ message, error, statusCode }: ApiError): StandardError => ({
  message,
  error,
  status: statusCode,
  cause: [],
})

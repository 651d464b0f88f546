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

/** An error with a status from 400 to 599. */
export const apiError = (
  statusCode: number,
  code: string,
  message: string,
  headers?: Record<string, string>,
): ApiError => withCode(httpErrors.createError(statusCode, message), code, headers)

/** [spec: http.query.bad_parameter] */
export const badRequest = (message: string) => withCode(httpErrors.badRequest(message))
export const notFound = (message: string) => withCode(httpErrors.notFound(message))
/** [spec: http.token.missing] */
export const missingToken = () => withCode(httpErrors.unauthorized('authorization value not present'))
/** [spec: http.token.invalid] */
export const invalidToken = () => withCode(httpErrors.unauthorized('invalid_token'), 'not_found')
/** [spec: http.errors.foreign_data] */
export const forbidden = (message = 'access to the requested resource is forbidden') =>
  withCode(httpErrors.forbidden(message), 'access_denied')
/** [spec: http.errors.unknown_path] */
export const routeNotFound = () => withCode(httpErrors.notFound('Resource not found.'), 'resource not found')
/** [spec: http.errors.wrong_method] */
export const methodNotAllowed = (allow: string) =>
  withCode(httpErrors.methodNotAllowed(`Method not allowed. Allowed: ${allow}`), undefined, { allow })
/** [spec: http.errors.internal] */
export const internalError = () => withCode(httpErrors.internalServerError('Internal server error'))

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

import { STATUS_CODES } from 'node:http'
import { type HttpError, httpErrors } from '@fastify/sensible'
import type { RuleId } from '../rules.ts'

/** What is wrong with a call: explanations start from it. */
export interface Violation {
  rule: RuleId
  /** The parameter or member that is wrong: `limit`, `delivery_ranges.week[0].to`. */
  field?: string | undefined
  /** The check that found it, where the rule does not tell. */
  check?: string | undefined
  /** `Retry-After` of the answer. */
  retryAfter?: string | undefined
}

/** An error that is answered as it is: its status, code, message and headers are all that a client sees. */
export interface AnsweredError extends HttpError {
  /** The code for programs. */
  error: string
  headers?: Record<string, string>
  /** Errors of control calls have none. */
  violation?: Violation
}

/** An error with a status from 400 to 599; `Too Many Requests` has the code `too_many_requests`. */
export const answeredError = (
  statusCode: number,
  message = defaultMessage(statusCode),
  code?: string,
  headers?: Record<string, string>,
): AnsweredError => withCode(createError(statusCode, message), code, headers)

/** Gives an HTTP error its code. */
export const withCode = (
  error: HttpError,
  code = defaultCode(error.statusCode),
  headers?: AnsweredError['headers'],
): AnsweredError => Object.assign(error, { error: code, ...(headers && { headers }) })

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

/** The body of every error answer [spec: http.errors.shape]. */
export interface StandardError {
  message: string
  error: string
  status: number
  cause: unknown[]
}

export const standardError = ({ message, error, statusCode }: AnsweredError): StandardError => ({
  message,
  error,
  status: statusCode,
  cause: [],
})

import { STATUS_CODES } from 'node:http'
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
export class AnsweredError extends Error {
  readonly statusCode: number
  /** The code for programs. */
  readonly error: string
  headers: Record<string, string> | undefined
  /** Errors of control calls have none. */
  violation: Violation | undefined
  /** `cause` of the standard body; undefined: an empty list. */
  causes?: readonly object[]

  /** `statusCode` from 400 to 599; `Too Many Requests` has the code `too_many_requests`. */
  constructor(
    statusCode: number,
    message = defaultMessage(statusCode),
    code = defaultCode(statusCode),
    headers?: Record<string, string>,
  ) {
    // Capturing a stack trace takes 30 µs, and no answer shows it.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
    this.statusCode = statusCode
    this.error = code
    this.headers = headers
  }
}

const defaultCode = (status: number): string =>
  defaultMessage(status)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
const defaultMessage = (status: number): string => STATUS_CODES[status] ?? `Status ${status}`

/** The body of every error answer [spec: http.errors.shape]. */
export interface StandardError {
  message: string
  error: string
  status: number
  cause: unknown[]
}

export const standardError = ({ message, error, statusCode, causes = [] }: AnsweredError): StandardError => ({
  message,
  error,
  status: statusCode,
  cause: [...causes],
})

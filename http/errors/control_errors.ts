import { type AnsweredError, answeredError } from './answered_error.ts'

// Errors of control calls. Those of the emulated API name the rule that the call violates: see errors.ts.

export const controlError = (
  statusCode: number,
  code: string,
  message: string,
  headers?: Record<string, string>,
): AnsweredError => answeredError(statusCode, message, code, headers)

export const badRequest = (message: string): AnsweredError => answeredError(400, message)
export const notFound = (message: string): AnsweredError => answeredError(404, message)
export const forbidden = (message: string): AnsweredError => answeredError(403, message, 'access_denied')

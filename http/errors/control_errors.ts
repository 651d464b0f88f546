import { AnsweredError } from './answered_error.ts'

// Errors of control calls. Those of the emulated API name the rule that the call violates: see errors.ts.

export const controlError = (
  statusCode: number,
  code: string,
  message: string,
  headers?: Record<string, string>,
): AnsweredError => new AnsweredError(statusCode, message, code, headers)

export const badRequest = (message: string): AnsweredError => new AnsweredError(400, message)
export const notFound = (message: string): AnsweredError => new AnsweredError(404, message)
export const forbidden = (message: string): AnsweredError => new AnsweredError(403, message, 'access_denied')

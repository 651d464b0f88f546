import { httpErrors } from '@fastify/sensible'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isDiskFull } from '../db/disk.ts'
import { MAX_BODY_BYTES } from './bodies.ts'
import { type ApiError, apiError, badRequest, diskFull, internalError, standardError, withCode } from './errors.ts'
import { wrapInScript } from './jsonp.ts'
import { stateOf } from './request_state.ts'
import { validationError } from './validation_errors.ts'

/** Called for every unexpected error; API errors do not reach it. The client gets a 500 without details. */
export type OnFault = (error: Error) => void

const JSON_TYPE = 'application/json; charset=utf-8'

/** Fastify's error handler. A domain whose errors have another form passes its own `toBody`. */
export const createErrorHandler =
  (onFault: OnFault, toBody: (error: ApiError) => object = standardError) =>
  (error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const apiError = toApiError(error, onFault, request)
    if (apiError.headers) reply.headers(apiError.headers)
    return reply.code(apiError.statusCode).type(JSON_TYPE).send(toBody(apiError))
  }

/** Fastify's `frameworkErrors`: answers what fails before routing, where no hook runs. */
export const createFrameworkErrorHandler =
  (onFault: OnFault) =>
  (error: Error, request: FastifyRequest, reply: FastifyReply): void => {
    const apiError = toApiError(error, onFault)
    const body = JSON.stringify(standardError(apiError))
    reply.code(apiError.statusCode).header('content-type', JSON_TYPE)
    const { callback, isControl } = stateOf(request.raw)
    if (!isControl) reply.header('access-control-allow-origin', '*')
    reply.send(callback === undefined ? body : wrapInScript(callback, reply, body))
  }

/** Fastify's own errors that clients may see. */
const FRAMEWORK_ERRORS: Record<string, () => ApiError> = {
  // For the journal and the log: the client is gone.
  ECONNRESET: () => badRequest('The connection broke before the body was complete.'),
  /** [spec: http.path.malformed] */
  FST_ERR_BAD_URL: () => badRequest('The address is not a well-formed URL.'),
  /** [spec: http.body.limit] */
  FST_ERR_CTP_BODY_TOO_LARGE: () =>
    apiError(413, 'payload_too_large', `The body must have at most ${MAX_BODY_BYTES} bytes.`),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => badRequest('The body is not as long as Content-Length says.'),
}

function toApiError(error: Error, onFault: OnFault, request?: FastifyRequest): ApiError {
  if ('error' in error && 'statusCode' in error) return error as ApiError
  // Thrown by `app.assert` or sent by `reply.notFound()` and its siblings.
  if (error instanceof httpErrors.HttpError) return withCode(error)
  if ('validation' in error) {
    const { validation, validationContext } = error as FastifyError
    return validationError(validation![0]!, validationContext, request)
  }
  const createError = FRAMEWORK_ERRORS[(error as { code?: string }).code ?? '']
  if (createError) return createError()
  onFault(error)
  return isDiskFull(error) ? diskFull() : internalError()
}

import { httpErrors } from '@fastify/sensible'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isDiskFull } from '../../db/disk.ts'
import { Unavailable } from '../../db/world.ts'
import { NoSuchWorld } from '../../db/worlds.ts'
import { INVALID_TOKEN } from '../assumptions.ts'
import { MAX_BODY_BYTES } from '../bodies.ts'
import { wrapInScript } from '../jsonp.ts'
import { resourceOf } from '../paths.ts'
import { stateOf } from '../request_state.ts'
import { AnsweredError, standardError } from './answered_error.ts'
import {
  type ApiError,
  badRequest,
  bodyTooLarge,
  diskFull,
  incompleteBody,
  internalError,
  unavailable,
} from './errors.ts'
import { codeExplanation, EXPLAIN_HEADER } from './explain_address.ts'
import { validationError } from './validation_errors.ts'

/** Called for every unexpected error; API errors do not reach it. The client gets a 500 without details. */
export type OnFault = (error: Error) => void

const JSON_TYPE = 'application/json; charset=utf-8'

/** The body of an error, as the resource of the path has it; a request without a route may have such a path, too. */
export function errorBody({ routeOptions, server, url }: FastifyRequest, error: AnsweredError): object {
  const resource = routeOptions.config?.resource ?? resourceOf(server.paths.match(url))
  return (resource?.errorBody ?? standardError)(error)
}

// As text: the schemas of errors do not have it.
const OF_2023 = JSON.stringify({ code: 'unauthorized', message: 'invalid access token' })
/** An invalid token, in a world that answers it as in 2023 [spec: http.token.invalid]. */
const isInvalidTokenOf2023 = ({ world, raw }: FastifyRequest, { violation }: AnsweredError): boolean =>
  violation?.rule === 'http.token.invalid' && !stateOf(raw).isControl && INVALID_TOKEN.of(world) === '2023'

/** Fastify's error handler. `replace`: the domain's own error in place of one. */
export const createErrorHandler =
  (onFault: OnFault, replace = (error: AnsweredError): AnsweredError => error) =>
  (error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined => {
    const answer = (error: Error): FastifyReply => {
      const found = toAnsweredError(error, onFault, request)
      const answered = replace(found)
      stateOf(request.raw).violation = answered.violation
      if (answered.headers) reply.headers(answered.headers)
      return reply
        .code(answered.statusCode)
        .type(JSON_TYPE)
        .send(isInvalidTokenOf2023(request, found) ? OF_2023 : errorBody(request, answered))
    }
    const { answerUnavailable } = request.server
    if (!answerUnavailable || !(error instanceof Unavailable)) return answer(error)
    answerUnavailable(request, reply, error, answer)
    return undefined
  }

/**
 * Fastify's `frameworkErrors`: answers what fails before routing, where no hook runs. `explainBase`: the base address in
 * the header with the explanation; undefined: without that header.
 */
export const createFrameworkErrorHandler =
  (onFault: OnFault, explainBase?: string) =>
  (error: Error, request: FastifyRequest, reply: FastifyReply): void => {
    const answered = toAnsweredError(error, onFault)
    const body = JSON.stringify(errorBody(request, answered))
    reply.code(answered.statusCode).header('content-type', JSON_TYPE)
    const { callback, isControl } = stateOf(request.raw)
    if (!isControl) reply.header('access-control-allow-origin', '*')
    const { code } = error as { code?: string }
    if (!isControl && explainBase !== undefined && code === 'FST_ERR_BAD_URL')
      reply.header(EXPLAIN_HEADER, codeExplanation(explainBase, code))
    reply.send(callback === undefined ? body : wrapInScript(callback, reply, body))
  }

/** Fastify's own errors that clients may see. */
const FRAMEWORK_ERRORS: Record<string, () => ApiError> = {
  ECONNRESET: incompleteBody,
  FST_ERR_BAD_URL: () => badRequest('http.path.malformed', 'The address is not a well-formed URL.'),
  FST_ERR_CTP_BODY_TOO_LARGE: () => bodyTooLarge(MAX_BODY_BYTES),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    badRequest('http.body.incomplete', 'The body is not as long as Content-Length says.'),
}

function toAnsweredError(error: Error, onFault: OnFault, request?: FastifyRequest): AnsweredError {
  if (error instanceof Unavailable) return unavailable()
  if (error instanceof NoSuchWorld) return new AnsweredError(404, error.message)
  if (error instanceof AnsweredError) return error
  // Thrown by `app.assert` or sent by `reply.notFound()` and its siblings.
  if (error instanceof httpErrors.HttpError) return new AnsweredError(error.statusCode, error.message)
  if ('validation' in error) {
    const { validation, validationContext } = error as FastifyError
    return validationError(validation![0]!, validationContext, request)
  }
  const createError = FRAMEWORK_ERRORS[(error as { code?: string }).code ?? '']
  if (createError) return createError()
  onFault(error)
  return isDiskFull(error) ? diskFull() : internalError()
}

import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest, FastifySchemaValidationError } from 'fastify'

/** A refusal with a name: what the client is told, and nothing else. */
export interface ApiError extends Error {
  statusCode: number
  error: string
  headers?: Record<string, string>
}

/** Makes a refusal; `throw` it. `error` is the machine-readable code, to the letter. */
export const apiError = (
  statusCode: number,
  error: string,
  message: string,
  headers?: Record<string, string>,
): ApiError => Object.assign(new Error(message), { statusCode, error, ...(headers && { headers }) })

export const badRequest = (message: string) => apiError(400, 'bad_request', message)
export const notFound = (message: string) => apiError(404, 'not_found', message)
export const missingToken = () => apiError(401, 'unauthorized', 'authorization value not present')
export const invalidToken = () => apiError(401, 'not_found', 'invalid_token')
export const forbidden = (message = 'access to the requested resource is forbidden') =>
  apiError(403, 'access_denied', message)
export const routeNotFound = () => apiError(404, 'resource not found', 'Resource not found.')
export const methodNotAllowed = (allow: string) =>
  apiError(405, 'method_not_allowed', `Method not allowed. Allowed: ${allow}`, { allow })
const internalError = () => apiError(500, 'internal_server_error', 'Internal server error')

/** The refusals whose words say more than their status. */
const STATUS_ERRORS: Record<number, () => ApiError> = {
  401: invalidToken,
  403: () => forbidden(),
  404: routeNotFound,
  500: internalError,
}

/** What the API says with a status from 400 to 599, whatever the reason; some of it with these headers. */
export function errorForStatus(status: number, headers: Record<string, string> = {}): ApiError {
  const { error, message } = STATUS_ERRORS[status]?.() ?? defaultError(status)
  return apiError(status, error, message, status === 429 ? { 'retry-after': '1', ...headers } : headers)
}

/** `Too Many Requests` → `too_many_requests`. */
function defaultError(status: number) {
  const message = STATUS_CODES[status] ?? `Status ${status}`
  return { message, error: message.toLowerCase().replace(/[^a-z0-9]+/g, '_') }
}

/** The body of every error answer (contract, Standard error object). */
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

/** Told of every fault that is not a refusal; the client learns nothing of it. */
export type OnFault = (error: Error) => void

/** An error handler; a domain that words its errors otherwise gives only the `body`. */
export const createErrorHandler =
  (onFault: OnFault, body: (refusal: ApiError) => object = standardError) =>
  (error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const failure = toApiError(error, onFault, request)
    if (failure.headers) reply.headers(failure.headers)
    return reply.code(failure.statusCode).type('application/json; charset=utf-8').send(body(failure))
  }

/** What of Fastify's own errors a client may see. */
const FRAMEWORK_ERRORS: Record<string, () => ApiError> = {
  // Nobody reads it: the client went away before its body was here.
  ECONNRESET: () => badRequest('The connection broke before the body was complete.'),
  FST_ERR_BAD_URL: () => badRequest('The address is not a well-formed URL.'),
  FST_ERR_CTP_BODY_TOO_LARGE: () => apiError(413, 'payload_too_large', 'The body must have at most 1048576 bytes.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => badRequest('The body is not as long as Content-Length says.'),
}

export function toApiError(error: Error, onFault: OnFault, request?: FastifyRequest): ApiError {
  if ('error' in error && 'statusCode' in error) return error as ApiError
  if ('validation' in error) return invalidParameter((error.validation as FastifySchemaValidationError[])[0]!, request)
  const create = FRAMEWORK_ERRORS[(error as { code?: string }).code ?? '']
  if (create) return create()
  onFault(error)
  return internalError()
}

/** What reached the socket and was no HTTP request, or too large for one: the same body, written by hand. */
export function handleClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const failure =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? apiError(431, 'request_header_fields_too_large', 'The address and headers must have at most 16384 bytes.')
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? apiError(408, 'request_timeout', 'The request took too long to arrive.')
        : badRequest('This is not an HTTP request.')
  const body = JSON.stringify(standardError(failure))
  socket.end(
    `HTTP/1.1 ${failure.statusCode} ${STATUS_CODES[failure.statusCode]}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\naccess-control-allow-origin: *\r\nconnection: close\r\n\r\n${body}`,
  )
}

/** The first complaint of the validator, in the words of the schema that it broke. */
function invalidParameter(failure: FastifySchemaValidationError, request?: FastifyRequest): ApiError {
  const { instancePath, keyword, params, message } = failure
  const schema = (failure as { parentSchema?: SchemaMessages }).parentSchema ?? {}
  if (keyword === 'additionalProperties')
    return badRequest(
      `${[...instancePath.split('/').slice(1), params.additionalProperty].join('.')}: is not known here`,
    )
  const missing = keyword === 'required' ? [String(params.missingProperty)] : []
  // Members of members are named with their way, elements of lists with their list.
  const field = [...instancePath.split('/').filter((part) => !/^\d*$/.test(part)), ...missing].join('.')
  const violated = schema.properties?.[missing[0] ?? ''] ?? schema
  if (violated['x-refusal']) return violated['x-refusal'](request && pathParameter(request, field))
  const rule = violated['x-message'] ?? message
  return badRequest(missing.length > 0 ? `${field}: is required, ${rule}` : `${field || 'body'}: ${rule}`)
}

/** A parameter of the path as it was sent: the validator has made a number of it, where it could. */
function pathParameter({ url, routeOptions }: FastifyRequest, name: string): string {
  const position = (routeOptions.url ?? '').split('/').indexOf(`:${name}`)
  return decodeURIComponent(url.split('?', 1)[0]!.split('/')[position] ?? '')
}

interface SchemaMessages {
  /** What is allowed, as told to who sent something else. */
  'x-message'?: string
  /** The refusal itself, where the domain has a name for it; gets what stood in the path. */
  'x-refusal'?: (value: unknown) => ApiError
  properties?: Record<string, SchemaMessages>
}

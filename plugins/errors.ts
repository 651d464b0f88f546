import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest, FastifySchemaValidationError } from 'fastify'

/** A refusal with a name: what the client is told, and nothing else. */
export interface Refusal extends Error {
  statusCode: number
  error: string
  headers?: Record<string, string>
}

/** Makes a refusal; `throw` it. `error` is the machine-readable code, to the letter. */
export const refusal = (
  statusCode: number,
  error: string,
  message: string,
  headers?: Record<string, string>,
): Refusal => Object.assign(new Error(message), { statusCode, error, ...(headers && { headers }) })

export const badRequest = (message: string) => refusal(400, 'bad_request', message)
export const notFound = (message: string) => refusal(404, 'not_found', message)
export const noToken = () => refusal(401, 'unauthorized', 'authorization value not present')
export const invalidToken = () => refusal(401, 'not_found', 'invalid_token')
export const foreignData = (message = 'access to the requested resource is forbidden') =>
  refusal(403, 'access_denied', message)
export const unknownRoute = () => refusal(404, 'resource not found', 'Resource not found.')
export const methodNotAllowed = (allow: string) =>
  refusal(405, 'method_not_allowed', `Method not allowed. Allowed: ${allow}`, { allow })
const internalError = () => refusal(500, 'internal_server_error', 'Internal server error')

/** The refusals whose words say more than their status. */
const WORDED: Record<number, () => Refusal> = {
  401: invalidToken,
  403: () => foreignData(),
  404: unknownRoute,
  500: internalError,
}

/** What the API says with a status from 400 to 599, whatever the reason; some of it with these headers. */
export function refusalOf(status: number, headers: Record<string, string> = {}): Refusal {
  const { error, message } = WORDED[status]?.() ?? named(status)
  return refusal(status, error, message, status === 429 ? { 'retry-after': '1', ...headers } : headers)
}

/** `Too Many Requests` → `too_many_requests`. */
function named(status: number) {
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

export const standardError = ({ message, error, statusCode }: Refusal): StandardError => ({
  message,
  error,
  status: statusCode,
  cause: [],
})

/** Told of every fault that is not a refusal; the client learns nothing of it. */
export type OnFault = (error: Error) => void

/** An error handler; a domain that words its errors otherwise gives only the `body`. */
export const answerErrors =
  (onFault: OnFault, body: (refusal: Refusal) => object = standardError) =>
  (error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const told = asRefusal(error, onFault, request)
    if (told.headers) reply.headers(told.headers)
    return reply.code(told.statusCode).type('application/json; charset=utf-8').send(body(told))
  }

/** What of Fastify's own errors a client may see. */
const FRAMEWORK: Record<string, () => Refusal> = {
  // Nobody reads it: the client went away before its body was here.
  ECONNRESET: () => badRequest('The connection broke before the body was complete.'),
  FST_ERR_BAD_URL: () => badRequest('The address is not a well-formed URL.'),
  FST_ERR_CTP_BODY_TOO_LARGE: () => refusal(413, 'payload_too_large', 'The body must have at most 1048576 bytes.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => badRequest('The body is not as long as Content-Length says.'),
}

export function asRefusal(error: Error, onFault: OnFault, request?: FastifyRequest): Refusal {
  if ('error' in error && 'statusCode' in error) return error as Refusal
  if ('validation' in error) return invalidParameter((error.validation as FastifySchemaValidationError[])[0]!, request)
  const known = FRAMEWORK[(error as { code?: string }).code ?? '']
  if (known) return known()
  onFault(error)
  return internalError()
}

/** What reached the socket and was no HTTP request, or too large for one: the same body, written by hand. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const told =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? refusal(431, 'request_header_fields_too_large', 'The address and headers must have at most 16384 bytes.')
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? refusal(408, 'request_timeout', 'The request took too long to arrive.')
        : badRequest('This is not an HTTP request.')
  const body = JSON.stringify(standardError(told))
  socket.end(
    `HTTP/1.1 ${told.statusCode} ${STATUS_CODES[told.statusCode]}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\naccess-control-allow-origin: *\r\nconnection: close\r\n\r\n${body}`,
  )
}

/** The first complaint of the validator, in the words of the schema that it broke. */
function invalidParameter(failure: FastifySchemaValidationError, request?: FastifyRequest): Refusal {
  const { instancePath, keyword, params, message } = failure
  const schema = (failure as { parentSchema?: Complaints }).parentSchema ?? {}
  if (keyword === 'additionalProperties')
    return badRequest(
      `${[...instancePath.split('/').slice(1), params.additionalProperty].join('.')}: is not known here`,
    )
  const missing = keyword === 'required' ? [String(params.missingProperty)] : []
  // Members of members are named with their way, elements of lists with their list.
  const field = [...instancePath.split('/').filter((part) => !/^\d*$/.test(part)), ...missing].join('.')
  const broken = schema.properties?.[missing[0] ?? ''] ?? schema
  if (broken['x-refusal']) return broken['x-refusal'](request && inPath(request, field))
  const complaint = broken['x-message'] ?? message
  return badRequest(missing.length > 0 ? `${field}: is required, ${complaint}` : `${field || 'body'}: ${complaint}`)
}

/** A parameter of the path as it was sent: the validator has made a number of it, where it could. */
function inPath({ url, routeOptions }: FastifyRequest, name: string): string {
  const position = (routeOptions.url ?? '').split('/').indexOf(`:${name}`)
  return decodeURIComponent(url.split('?', 1)[0]!.split('/')[position] ?? '')
}

interface Complaints {
  /** What is allowed, as told to who sent something else. */
  'x-message'?: string
  /** The refusal itself, where the domain has a name for it; gets what stood in the path. */
  'x-refusal'?: (value: unknown) => Refusal
  properties?: Record<string, Complaints>
}

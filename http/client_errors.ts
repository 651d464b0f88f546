import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type ApiError, apiError, badRequest, standardError } from './errors.ts'

const CLIENT_ERRORS: Record<string, () => ApiError> = {
  HPE_HEADER_OVERFLOW: () =>
    apiError(431, 'request_header_fields_too_large', 'The address and headers must have at most 16384 bytes.'),
  ERR_HTTP_REQUEST_TIMEOUT: () => apiError(408, 'request_timeout', 'The request took too long to arrive.'),
}

/**
 * Fastify's `clientErrorHandler`: answers on the socket what Node could not read as a request
 * [spec: http.errors.broken_request].
 */
export function handleClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const create = CLIENT_ERRORS[error.code ?? '']
  const apiError = create ? create() : badRequest('This is not an HTTP request.')
  const { statusCode } = apiError
  const body = JSON.stringify(standardError(apiError))
  const head = [
    `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'access-control-allow-origin: *',
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

/** Answers 408 and closes the connection of a request whose body does not arrive. */
export function timeOutRequest(socket: Socket): void {
  handleClientError(Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
  socket.destroySoon()
}

import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { clearTimeout, setTimeout } from '../../db/timers.ts'
import { standardError } from '../errors/answered_error.ts'
import { type ApiError, apiError, badRequest, methodNotAllowed } from '../errors/errors.ts'
import { codeExplanation, EXPLAIN_HEADER } from '../errors/explain_address.ts'
import { MAX_HEAD_BYTES, MAX_UNREAD_BYTES, MAX_UNREAD_MS } from './limits.ts'
import { currentResponse } from './pipelines.ts'

const CLIENT_ERRORS: Record<string, () => ApiError> = {
  HPE_HEADER_OVERFLOW: () =>
    apiError(
      'http.head_limit',
      431,
      'request_header_fields_too_large',
      `The address and headers must have at most ${MAX_HEAD_BYTES} bytes.`,
    ),
  ERR_HTTP_REQUEST_TIMEOUT: () =>
    apiError('http.errors.broken_request', 408, 'request_timeout', 'The request took too long to arrive.'),
}

/** Servers whose errors have the address of their explanation, with the base of that address. */
const explaining = new WeakMap<object, string>()

/** Adds the header with the address of the explanation to the errors of a server. */
export const explainClientErrors = (server: object, base: string): void => void explaining.set(server, base)

/** Connections that close as soon as the requests before the error have been answered. */
const closing = new WeakSet<Socket>()

/** The last request of a connection that was answered before its body had arrived. */
const answeredEarly = new WeakMap<Socket, IncomingMessage>()

/**
 * Fastify's `clientErrorHandler`: answers on the socket what Node could not read as a request, and closes the connection
 * [spec: http.errors.broken_request].
 */
export function handleClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET') return void socket.destroy()
  const createError =
    CLIENT_ERRORS[error.code ?? ''] ?? (() => badRequest('http.errors.broken_request', 'This is not an HTTP request.'))
  closeAfter(socket, withExplanation(socket, error.code ?? 'HPE_UNKNOWN', createError()))
}

/** Answers 408 and closes the connection of a request whose body does not arrive. */
export const timeOutRequest = (socket: Socket): void =>
  handleClientError(Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)

/** Node's `connect` event: no path has that method [spec: http.errors.connect]. */
export function rejectConnect(_request: IncomingMessage, socket: Socket): void {
  // Node no longer handles the errors of this socket.
  socket.on('error', () => {})
  const error = methodNotAllowed('DELETE, GET, HEAD, OPTIONS, POST, PUT', 'http.errors.connect')
  closeAfter(socket, withExplanation(socket, 'CONNECT', error))
}

function withExplanation(socket: Socket, code: string, error: ApiError): ApiError {
  // Set by Node for each connection.
  const base = explaining.get((socket as { server?: object }).server ?? {})
  if (base === undefined) return error
  return Object.assign(error, { headers: { ...error.headers, [EXPLAIN_HEADER]: codeExplanation(base, code) } })
}

/** A request whose body breaks from now on gets no second answer. */
export function noteEarlyAnswer(request: IncomingMessage): void {
  answeredEarly.set(request.socket, request)
}

/** Answers `error` when it is its turn, and closes. What the client sends meanwhile is read, so that it can read too. */
function closeAfter(socket: Socket, error: ApiError): void {
  if (closing.has(socket)) return
  closing.add(socket)
  let bytes = 0
  socket.removeAllListeners('data').on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > MAX_UNREAD_BYTES) socket.destroy()
  })
  answerInTurn(socket, error)
}

function answerInTurn(socket: Socket, error: ApiError): void {
  const response = currentResponse(socket)
  if (response?.req.complete) return void response.once('close', () => answerInTurn(socket, error))
  // It has sent its last answer.
  if (!socket.writable) return
  const isAnswered = response ? response.headersSent : answeredEarly.get(socket)?.complete === false
  socket.end(isAnswered ? '' : answerOf(error))
  const timer = setTimeout(() => socket.destroy(), MAX_UNREAD_MS).unref()
  socket.once('close', () => clearTimeout(timer))
}

function answerOf(error: ApiError): string {
  const { statusCode, headers } = error
  const body = JSON.stringify(standardError(error))
  const head = [
    `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}`,
    ...Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`),
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'access-control-allow-origin: *',
    'connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

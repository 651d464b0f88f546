import {
  type ClientRequest,
  type Agent as HttpAgent,
  type IncomingMessage,
  request as overHttp,
  type RequestOptions,
  type ServerResponse,
} from 'node:http'
import { type Agent as HttpsAgent, request as overHttps } from 'node:https'
import { urlToHttpOptions } from 'node:url'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { clearTimeout, setTimeout } from '../../db/timers.ts'
import { discardBody } from '../../http/bodies.ts'
import { endToEndHeaders, isLastOfConnection } from '../../http/connections/connection_headers.ts'
import { errorForStatus } from '../../http/errors/errors.ts'
import { stateOf } from '../../http/request_state.ts'
import { SENT_ON_HEADER, type SentLine } from './sent_on_header.ts'

const CONNECT_TIMEOUT_MS = 2000
/** Headers that are written anew: `Connection` cannot name those that decide where a body ends. */
const OWN_HEADERS = ['host', 'content-length', 'transfer-encoding', SENT_ON_HEADER]

/** A server, and how to reach it. */
interface Target {
  send: typeof overHttp
  options: Pick<RequestOptions, 'protocol' | 'hostname' | 'port' | 'agent'>
}

interface Destination {
  target: Target
  /** Names and values of headers that are added. */
  headers: string[]
  /** Has a function for each event stream, which ends it: such an answer does not end by itself. */
  streams: Set<() => void>
  /** Called if there is no answer, or one with 503. */
  onUnavailable: () => void
}

/** The server at an address whose scheme, host and port count. */
export function targetOf(address: string, agents: { 'http:': HttpAgent; 'https:': HttpsAgent }): Target {
  const url = new URL(address)
  const isSecure = url.protocol === 'https:'
  const { protocol, hostname, port } = urlToHttpOptions(url)
  const agent = isSecure ? agents['https:'] : agents['http:']
  return { send: isSecure ? overHttps : overHttp, options: { protocol, hostname, port, agent } }
}

/** The method and the target that the client has sent. A JSONP write has another method by now. */
export function sentLine(raw: IncomingMessage & { originalUrl?: string }): SentLine {
  const method = stateOf(raw).jsonpBody === undefined ? raw.method! : 'GET'
  return { method, target: raw.originalUrl ?? raw.url! }
}

/** Whether the body is still known: a route may have read it as a stream. */
export const hasWholeBody = (raw: IncomingMessage): boolean =>
  stateOf(raw).rawBody !== undefined || !raw.readableDidRead

/**
 * Sends a request on, and its answer to the client, both as they arrive. If no answer has begun, calls `onFailed`: with an
 * error if the request may have arrived; else its body is still unread. Nothing is sent twice.
 */
export function forward(
  { raw, host }: FastifyRequest,
  reply: FastifyReply,
  { target, headers, streams, onUnavailable }: Destination,
  onFailed: (error?: Error) => void,
): void {
  const { method, target: path } = sentLine(raw)
  const { rawBody } = stateOf(raw)
  const framing = framingOf(raw, rawBody)
  const hasUnreadBody = rawBody === undefined && framing.length > 0 && framing[1] !== '0'
  const upstream = target.send({
    ...target.options,
    method,
    path,
    // As an array, names and their order stay.
    headers: ['host', host, ...endToEndHeaders(raw, OWN_HEADERS), ...framing, ...headers] as never,
  })
  let isConnected = false
  onConnection(upstream, target.options.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
    isConnected = true
    if (hasUnreadBody) raw.pipe(upstream)
  })
  let hasAnswered = false
  upstream.once('response', (answer) => {
    hasAnswered = true
    if (answer.statusCode === 503) onUnavailable()
    reply.hijack()
    sendAnswer(answer, { upstream, raw, response: reply.raw, streams })
  })
  upstream.on('error', () => {
    if (isConnected) raw.unpipe(upstream).resume()
    if (hasAnswered) return
    onUnavailable()
    if (!reply.raw.destroyed) onFailed(isConnected ? brokeOff() : undefined)
  })
  // The client is gone, or has the whole answer: then this has no effect.
  reply.raw.once('close', () => upstream.destroy())
  if (rawBody !== undefined) upstream.end(Buffer.from(rawBody))
  else if (!hasUnreadBody) upstream.end()
}

/** The header that says where the body ends; none without a body. */
function framingOf({ method, headers }: IncomingMessage, rawBody: string | undefined): string[] {
  if (rawBody !== undefined) return ['content-length', String(Buffer.byteLength(rawBody))]
  for (const name of ['transfer-encoding', 'content-length']) if (headers[name]) return [name, String(headers[name])]
  // Node would announce a body.
  return method === 'GET' || method === 'HEAD' ? [] : ['content-length', '0']
}

/** Calls `onConnected` when bytes of the request may have been sent; ends it if the connection takes too long. */
function onConnection(upstream: ClientRequest, event: string, onConnected: () => void): void {
  upstream.once('socket', (socket) => {
    if (upstream.reusedSocket) return onConnected()
    const timer = setTimeout(() => upstream.destroy(), CONNECT_TIMEOUT_MS)
    upstream.once('close', () => clearTimeout(timer))
    socket.once(event, () => {
      clearTimeout(timer)
      onConnected()
    })
  })
}

interface Exchange {
  upstream: ClientRequest
  raw: IncomingMessage
  response: ServerResponse
  streams: Destination['streams']
}

function sendAnswer(answer: IncomingMessage, { upstream, raw, response, streams }: Exchange): void {
  response.sendDate = false
  response.shouldKeepAlive &&= !isLastOfConnection(answer)
  response.writeHead(answer.statusCode!, answer.statusMessage, endToEndHeaders(answer, ['transfer-encoding']))
  // The first part of a stream may come late. `flushHeaders`, and a text, would have the head written as UTF-8.
  if (answer.headers['transfer-encoding'] !== undefined) response.write(Buffer.alloc(0))
  if (answer.headers['content-type']?.startsWith('text/event-stream')) {
    const end = () => {
      answer.unpipe(response)
      response.end()
    }
    streams.add(end)
    response.once('close', () => streams.delete(end))
  }
  answer.on('error', () => response.destroy())
  answer.once('end', () => {
    if (upstream.writableFinished) return void response.end()
    // The owner has answered before the body has arrived.
    upstream.destroy()
    const discarded = discardBody(raw)
    raw.unpipe(upstream).resume()
    void discarded.then(() => response.end())
  })
  answer.pipe(response, { end: false })
}

/** The server that has the world may have carried out the call. */
const brokeOff = () => errorForStatus('http.errors.unavailable', 502)

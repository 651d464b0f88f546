import { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Violation } from './errors/answered_error.ts'
import { stateOf } from './request_state.ts'
import { isControlCall } from './rewrite_url.ts'

/** A request that the server makes to itself. */
export interface InternalRequest {
  method: string
  /** Path and query. */
  url: string
  /** Names in lower case. */
  headers: Record<string, string>
  body: string | undefined
  /** The number of the world. */
  world: number
  /** It is recorded, counted and logged like a call of a program; default: no trace of it remains. */
  isRecorded?: boolean
}

interface InternalAnswer {
  /** For a JSONP call that of its script. */
  status: number
  violation: Violation | undefined
  /** Its id in the journal; 0: it is not recorded. */
  journalId: number
}

/** Targets that name another world, or no call of the emulated API. */
const isElsewhere = (url: string): boolean => !/^\/(?!w\/)/.test(url) || isControlCall(url)

/** Sends a request to the emulated API without a connection. The text of its answer is discarded. */
export function sendInternally(
  { routing }: Pick<FastifyInstance, 'routing'>,
  { method, url, headers, body, world, isRecorded = false }: InternalRequest,
): Promise<InternalAnswer> {
  if (isElsewhere(url))
    return Promise.resolve({ status: 404, violation: { rule: 'http.errors.unknown_path' }, journalId: 0 })
  const socket = nullSocket()
  const request = new IncomingMessage(socket)
  const hasBody = body !== undefined && body !== ''
  const sent = { host: 'localhost', ...headers, ...(hasBody && { 'content-length': String(Buffer.byteLength(body)) }) }
  const rawHeaders = Object.entries(sent).flat()
  Object.assign(request, { method, url, httpVersion: '1.1', complete: true, headers: sent, rawHeaders })
  if (hasBody) request.push(body)
  request.push(null)
  const state = stateOf(request)
  state.worldNumber = world
  state.isInternal = !isRecorded
  state.isUncounted = !isRecorded
  const response = new ServerResponse(request)
  response.assignSocket(socket)
  return new Promise((resolve) => {
    const end = () => resolve({ status: response.statusCode, violation: state.violation, journalId: state.journalId })
    response.once('finish', end).once('close', end)
    routing(request, response)
  })
}

/** A socket that receives nothing, and discards what is written. */
const nullSocket = (): Socket =>
  new Duplex({
    read() {},
    write(_chunk, _encoding, done) {
      done()
    },
  }) as unknown as Socket

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** Requests of one connection that wait at most; the connection of a client that sends more is cut. */
const MAX_WAITING = 1000

/** The requests of a connection on which a second one arrived before the first was answered. */
interface Pipeline {
  running: number
  writes: number
  waiting: (readonly [IncomingMessage, ServerResponse])[]
  /** Those that are running, or wait. */
  known: WeakSet<ServerResponse>
}

/**
 * Node handles the requests of a connection as soon as they arrive, and sends their answers in order. Here only reads run
 * beside each other: a write waits for all earlier requests, and later ones wait for it [spec: http.pipelining].
 */
export function createPipelines(handle: Handler): Handler {
  const pipelines = new WeakMap<Socket, Pipeline>()

  function begin(pipeline: Pipeline, request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    const writes = isRead(request) ? 0 : 1
    pipeline.running++
    pipeline.writes += writes
    pipeline.known.add(response)
    response.once('close', () => {
      pipeline.running--
      pipeline.writes -= writes
      if (socket.destroyed) pipeline.waiting.length = 0
      advance(pipeline)
      if (pipeline.running === 0) pipelines.delete(socket)
    })
  }

  function advance(pipeline: Pipeline): void {
    for (let [next] = pipeline.waiting; next; [next] = pipeline.waiting) {
      if (pipeline.running > 0 && (pipeline.writes > 0 || !isRead(next[0]))) return
      pipeline.waiting.shift()
      begin(pipeline, ...next)
      handle(...next)
    }
  }

  return (request, response) => {
    // Almost every request is alone: Node gives a response its socket when the earlier ones have ended.
    if (response.socket) return handle(request, response)
    const { socket } = request
    const pipeline = pipelines.get(socket) ?? { running: 0, writes: 0, waiting: [], known: new WeakSet() }
    pipelines.set(socket, pipeline)
    const current = currentResponse(socket)
    if (current && !pipeline.known.has(current)) begin(pipeline, current.req, current)
    if (pipeline.waiting.length === MAX_WAITING) return void socket.destroy()
    pipeline.waiting.push([request, response])
    pipeline.known.add(response)
    advance(pipeline)
  }
}

/** The response that a socket sends now; Node's own handler reads the same member. */
export const currentResponse = (socket: Socket) => (socket as { _httpMessage?: ServerResponse | null })._httpMessage

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])
/** A GET whose query may have `_method`, also escaped, may write [spec: http.jsonp.writes]. */
const isRead = ({ method = '', url = '' }: IncomingMessage): boolean =>
  READS.has(method) && !url.includes('_method') && !url.includes('%')

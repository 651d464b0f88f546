import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { stateOf } from '../request_state.ts'
import { noteEarlyAnswer, timeOutRequest } from './client_errors.ts'
import { createRouteStats, type RouteStats } from './route_stats.ts'

export const REQUEST_ID = 'x-request-id'

export interface Limits {
  /** Requests in flight; further ones are rejected [spec: http.errors.overload]. */
  maxInFlight?: number
  /** Real ms that a body may take to arrive; for an upload, ms without a byte. */
  bodyTimeoutMs?: number
}

const MAX_IN_FLIGHT = 2000
const BODY_TIMEOUT_MS = 30_000

/** A request of any server; also one that is answered without its route. */
export type CountedRequest = Pick<
  FastifyRequest,
  'id' | 'method' | 'url' | 'raw' | 'world' | 'routeOptions' | 'params' | 'query'
>

/** Called for every request that has ended. `status` 0: the client was gone before the whole answer was sent. */
export type OnRequestEnd = (request: CountedRequest, status: number, ms: number) => void

/** The requests of a server, counted in memory: only reading the counts costs. */
export interface Traffic {
  /** Requests in flight; further ones are rejected. */
  maxInFlight: number
  inFlight(): number
  rejected(): number
  isOverloaded(): boolean
  routeStats(): RouteStats[]
  /** Marks a request that waits on purpose, or continues: while it waits it does not count as in flight. */
  park(request: FastifyRequest, isParked: boolean): void
}

/** Counters with the functions that only the plugin uses. */
export interface TrafficCounter extends Traffic {
  /** Counts a request until its response ends; false if there are too many. */
  begin(request: CountedRequest, response: ServerResponse): boolean
  /** Counts a request that is not logged, and whose whole answer has been passed to the system `ms` after it arrived. */
  countSent(route: string, method: string, status: number, ms: number): void
  /** Answers have the id by which the log line of their request is found. */
  hasIds: boolean
  /** Ends the requests whose bodies do not arrive. */
  abortSlowBodies(): void
  bodyTimeoutMs: number
}

interface BodyProgress {
  since: number
  bytes: number
  isUpload: boolean
}

export function createTraffic(limits: Limits, onRequestEnd?: OnRequestEnd): TrafficCounter {
  const { maxInFlight = MAX_IN_FLIGHT, bodyTimeoutMs = BODY_TIMEOUT_MS } = limits
  let inFlight = 0
  let rejected = 0
  const stats = createRouteStats()
  const incomingBodies = new Map<CountedRequest, BodyProgress>()

  /** Its connection may stay open after the answer: the rest of the body still has its time limit. */
  const isStillSent = (request: CountedRequest): boolean =>
    incomingBodies.has(request) && !request.raw.complete && request.raw.socket instanceof Socket

  function end(request: CountedRequest, route: string, status: number, startedAt: number): void {
    if (!stateOf(request.raw).isParked) inFlight--
    if (isStillSent(request)) noteEarlyAnswer(request.raw)
    else incomingBodies.delete(request)
    const ms = performance.now() - startedAt
    stats.add(route, request.method, status, ms / 1000)
    onRequestEnd?.(request, status, ms)
  }

  return {
    maxInFlight,
    bodyTimeoutMs,
    inFlight: () => inFlight,
    rejected: () => rejected,
    isOverloaded: () => inFlight >= maxInFlight,
    routeStats: stats.all,
    park({ raw }, isParked) {
      const state = stateOf(raw)
      if (state.isParked === isParked) return
      state.isParked = isParked
      inFlight += isParked ? -1 : 1
    },
    hasIds: onRequestEnd !== undefined,
    begin(request, response) {
      // Read once: Fastify builds `routeOptions` on every access.
      const { config, url: route = '' } = request.routeOptions
      if (config.health) stateOf(request.raw).isParked = true
      else inFlight++
      const isAccepted = inFlight <= maxInFlight || config.health === true
      if (!isAccepted) rejected++
      const startedAt = performance.now()
      onceEnded(response, (isComplete) => end(request, route, isComplete ? response.statusCode : 0, startedAt))
      const { headers } = request.raw
      if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined)
        incomingBodies.set(request, { since: startedAt, bytes: 0, isUpload: config.upload === true })
      return isAccepted
    },
    countSent: (route, method, status, ms) => stats.add(route, method, status, ms / 1000),
    abortSlowBodies() {
      const now = performance.now()
      for (const [request, progress] of incomingBodies) {
        const { complete, socket } = request.raw
        const bytes = socket?.bytesRead ?? 0
        if (complete || !socket || socket.destroyed) incomingBodies.delete(request)
        else if (progress.isUpload && bytes > progress.bytes) Object.assign(progress, { bytes, since: now })
        else if (now - progress.since > bodyTimeoutMs) timeOutRequest(socket)
      }
    },
  }
}

/**
 * Calls `onEnd` once, with whether the whole answer was sent. An injected request has no socket: its response closes
 * only if it breaks off.
 */
function onceEnded(response: ServerResponse, onEnd: (isComplete: boolean) => void): void {
  if (response.socket instanceof Socket) return void response.on('close', () => onEnd(response.writableFinished))
  const onFinish = () => end(true)
  const onClose = () => end(false)
  const end = (isComplete: boolean) => {
    response.off('finish', onFinish).off('close', onClose)
    onEnd(isComplete)
  }
  response.on('finish', onFinish).on('close', onClose)
}

import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { errorForStatus, handleClientError } from '../http/errors.ts'

declare module 'http' {
  interface IncomingMessage {
    /** It waits because somebody asked for that: it is not counted as under way. */
    isParked?: boolean
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Taken however many there are, and not counted among them: whoever asks how the server is must hear it. */
    health?: boolean
    /** Takes its body as it comes, of any size: it may take long to arrive, as long as it goes on arriving. */
    upload?: boolean
  }
}

/** Requests under way at a time; more are told to come again. */
const MAX_IN_FLIGHT = 2000
/** Seconds after which they are told to. */
const RETRY_AFTER_SECONDS = '1'
/** Real ms that a body may take to arrive, or an upload without a byte. */
const BODY_TIMEOUT_MS = 30_000

/** Upper bounds of the histogram's buckets, seconds. */
export const BUCKET_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** What one route has answered since the start. */
export interface RouteStats {
  method: string
  /** The route's pattern, never the address: there are as many as routes. Empty where no route takes it. */
  route: string
  /** How many, by status; 0 is for those that nobody waited for to the end. */
  statuses: Map<number, number>
  /** How many took so long, by bucket; the last one is beyond all bounds. */
  buckets: number[]
  /** Seconds, of all together. */
  seconds: number
}

/** What is asked of the server, counted. */
export interface Traffic {
  inFlight(): number
  /** How many were told to come again. */
  rejected(): number
  isOverloaded(): boolean
  routeStats(): RouteStats[]
  /** Somebody asked for a call to wait, or it goes on. */
  park(request: FastifyRequest, parked: boolean): void
}

/** Told of every request that is over. `status` 0: the client had gone. */
export type OnRequestEnd = (request: FastifyRequest, status: number, ms: number) => void

export interface Limits {
  /** Requests under way at a time. */
  maxInFlight?: number
  /** Real ms that a body may take to arrive, or an upload without a byte. */
  bodyTimeoutMs?: number
}

interface TrafficCounter extends Traffic {
  /** False when there are too many already. */
  begin(request: FastifyRequest, reply: FastifyReply): boolean
  /** Ends the requests whose bodies do not arrive. */
  abortSlowBodies(): void
  bodyTimeoutMs: number
}

/** Counts in plain memory: whoever reads the figures pays for them, not each request. */
export function openTraffic(limits: Limits, onRequestEnd?: OnRequestEnd): TrafficCounter {
  const { maxInFlight = MAX_IN_FLIGHT, bodyTimeoutMs = BODY_TIMEOUT_MS } = limits
  let inFlight = 0
  let rejected = 0
  const statsByRoute = new Map<string, Map<string, RouteStats>>()
  /** Bodies on their way. */
  const incomingBodies = new Map<FastifyRequest, { since: number; bytes: number; upload: boolean }>()

  function statsOf(route: string, method: string): RouteStats {
    let byMethod = statsByRoute.get(route)
    if (!byMethod) {
      byMethod = new Map()
      statsByRoute.set(route, byMethod)
    }
    let stats = byMethod.get(method)
    if (!stats) {
      stats = { method, route, statuses: new Map(), buckets: new Array(BUCKET_BOUNDS.length + 1).fill(0), seconds: 0 }
      byMethod.set(method, stats)
    }
    return stats
  }

  function finish(request: FastifyRequest, route: string, status: number, startedAt: number): void {
    if (!request.raw.isParked) inFlight--
    incomingBodies.delete(request)
    const ms = performance.now() - startedAt
    const stats = statsOf(route, request.method)
    stats.statuses.set(status, (stats.statuses.get(status) ?? 0) + 1)
    const seconds = ms / 1000
    stats.seconds += seconds
    let bucket = 0
    while (bucket < BUCKET_BOUNDS.length && seconds > BUCKET_BOUNDS[bucket]!) bucket++
    stats.buckets[bucket]!++
    onRequestEnd?.(request, status, ms)
  }

  return {
    inFlight: () => inFlight,
    rejected: () => rejected,
    isOverloaded: () => inFlight >= maxInFlight,
    routeStats: () => [...statsByRoute.values()].flatMap((ofRoute) => [...ofRoute.values()]),
    park(request, parked) {
      if (Boolean(request.raw.isParked) === parked) return
      request.raw.isParked = parked
      inFlight += parked ? -1 : 1
    },
    begin(request, reply) {
      const { raw: response } = reply
      // Made anew whenever it is read.
      const { config, url: route = '' } = request.routeOptions
      if (config.health) request.raw.isParked = true
      else inFlight++
      const isAccepted = inFlight <= maxInFlight || config.health === true
      if (!isAccepted) rejected++
      // The name by which its line in the log is found.
      if (onRequestEnd) reply.header('x-request-id', request.id)
      const startedAt = performance.now()
      onceEnded(response, (isComplete) => finish(request, route, isComplete ? response.statusCode : 0, startedAt))
      const { headers } = request.raw
      if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined)
        incomingBodies.set(request, { since: startedAt, bytes: 0, upload: config.upload === true })
      return isAccepted
    },
    abortSlowBodies() {
      const now = performance.now()
      for (const [request, progress] of incomingBodies) {
        const { raw } = request
        if (raw.complete) {
          incomingBodies.delete(request)
          continue
        }
        const bytes = raw.socket?.bytesRead ?? 0
        if (progress.upload && bytes > progress.bytes) {
          progress.bytes = bytes
          progress.since = now
        } else if (now - progress.since > bodyTimeoutMs) abort(raw.socket)
      }
    },
    bodyTimeoutMs,
  }
}

/**
 * Called once, however it ends: with whether all was sent. What is injected without a socket closes only where it
 * breaks off.
 */
function onceEnded(response: ServerResponse, onEnd: (whole: boolean) => void): void {
  if (response.socket instanceof Socket) return void response.on('close', () => onEnd(response.writableFinished))
  const onFinish = () => end(true)
  const onClose = () => end(false)
  const end = (isComplete: boolean) => {
    response.off('finish', onFinish).off('close', onClose)
    onEnd(isComplete)
  }
  response.on('finish', onFinish).on('close', onClose)
}

function abort(socket: Socket): void {
  handleClientError(Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
  socket.destroySoon()
}

/** Stands before everything else. */
export default fp(
  async (app, { traffic }: { traffic: TrafficCounter }) => {
    app.addHook('onRequest', (request, reply, done) => {
      if (traffic.begin(request, reply)) return done()
      if (!request.raw.isControl) reply.header('access-control-allow-origin', '*')
      done(errorForStatus(503, { 'retry-after': RETRY_AFTER_SECONDS }))
    })
    const sweep = setInterval(traffic.abortSlowBodies, traffic.bodyTimeoutMs / 6).unref()
    app.addHook('onClose', (_app, done) => {
      clearInterval(sweep)
      done()
    })
  },
  { name: 'traffic' },
)

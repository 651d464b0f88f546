import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { answerBrokenRequest, refusalOf } from './errors.ts'

declare module 'http' {
  interface IncomingMessage {
    /** It waits because somebody asked for that: it is not counted as under way. */
    parked?: boolean
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
const MOST_UNDER_WAY = 2000
/** Seconds after which they are told to. */
const LATER = '1'
/** Real ms that a body may take to arrive, or an upload without a byte. */
const BODY_PATIENCE = 30_000

/** Upper bounds of the histogram's buckets, seconds. */
export const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** What one route has answered since the start. */
export interface Tally {
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
  underWay(): number
  /** How many were told to come again. */
  refused(): number
  overloaded(): boolean
  tallies(): Tally[]
  /** Somebody asked for a call to wait, or it goes on. */
  park(request: FastifyRequest, parked: boolean): void
}

/** Told of every request that is over. `status` 0: the client had gone. */
export type OnOver = (request: FastifyRequest, status: number, ms: number) => void

export interface Limits {
  /** Requests under way at a time. */
  underWay?: number
  /** Real ms that a body may take to arrive, or an upload without a byte. */
  bodyPatience?: number
}

interface Counted extends Traffic {
  /** False when there are too many already. */
  begin(request: FastifyRequest, reply: FastifyReply): boolean
  /** Ends the requests whose bodies do not arrive. */
  cutSlow(): void
  bodyPatience: number
}

/** Counts in plain memory: whoever reads the figures pays for them, not each request. */
export function openTraffic(limits: Limits, onOver?: OnOver): Counted {
  const { underWay: most = MOST_UNDER_WAY, bodyPatience = BODY_PATIENCE } = limits
  let underWay = 0
  let refused = 0
  const tallies = new Map<string, Map<string, Tally>>()
  /** Bodies on their way. */
  const arriving = new Map<FastifyRequest, { since: number; bytes: number; upload: boolean }>()

  function tallyOf(route: string, method: string): Tally {
    let ofRoute = tallies.get(route)
    if (!ofRoute) {
      ofRoute = new Map()
      tallies.set(route, ofRoute)
    }
    let tally = ofRoute.get(method)
    if (!tally) {
      tally = { method, route, statuses: new Map(), buckets: new Array(BOUNDS.length + 1).fill(0), seconds: 0 }
      ofRoute.set(method, tally)
    }
    return tally
  }

  function over(request: FastifyRequest, route: string, status: number, began: number): void {
    if (!request.raw.parked) underWay--
    arriving.delete(request)
    const ms = performance.now() - began
    const tally = tallyOf(route, request.method)
    tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1)
    const seconds = ms / 1000
    tally.seconds += seconds
    let bucket = 0
    while (bucket < BOUNDS.length && seconds > BOUNDS[bucket]!) bucket++
    tally.buckets[bucket]!++
    onOver?.(request, status, ms)
  }

  return {
    underWay: () => underWay,
    refused: () => refused,
    overloaded: () => underWay >= most,
    tallies: () => [...tallies.values()].flatMap((ofRoute) => [...ofRoute.values()]),
    park(request, parked) {
      if (Boolean(request.raw.parked) === parked) return
      request.raw.parked = parked
      underWay += parked ? -1 : 1
    },
    begin(request, reply) {
      const { raw: response } = reply
      // Made anew whenever it is read.
      const { config, url: route = '' } = request.routeOptions
      if (config.health) request.raw.parked = true
      else underWay++
      const taken = underWay <= most || config.health === true
      if (!taken) refused++
      // The name by which its line in the log is found.
      if (onOver) reply.header('x-request-id', request.id)
      const began = performance.now()
      whenOver(response, (whole) => over(request, route, whole ? response.statusCode : 0, began))
      const { headers } = request.raw
      if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined)
        arriving.set(request, { since: began, bytes: 0, upload: config.upload === true })
      return taken
    },
    cutSlow() {
      const now = performance.now()
      for (const [request, seen] of arriving) {
        const { raw } = request
        if (raw.complete) {
          arriving.delete(request)
          continue
        }
        const bytes = raw.socket?.bytesRead ?? 0
        if (seen.upload && bytes > seen.bytes) {
          seen.bytes = bytes
          seen.since = now
        } else if (now - seen.since > bodyPatience) cut(raw.socket)
      }
    },
    bodyPatience,
  }
}

/**
 * Called once, however it ends: with whether all was sent. What is injected without a socket closes only where it
 * breaks off.
 */
function whenOver(response: ServerResponse, over: (whole: boolean) => void): void {
  if (response.socket instanceof Socket) return void response.on('close', () => over(response.writableFinished))
  const finished = () => end(true)
  const broken = () => end(false)
  const end = (whole: boolean) => {
    response.off('finish', finished).off('close', broken)
    over(whole)
  }
  response.on('finish', finished).on('close', broken)
}

function cut(socket: Socket): void {
  answerBrokenRequest(Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
  socket.destroySoon()
}

/** Stands before everything else. */
export default fp(
  async (app, { traffic }: { traffic: Counted }) => {
    app.addHook('onRequest', (request, reply, done) => {
      if (traffic.begin(request, reply)) return done()
      if (!request.raw.control) reply.header('access-control-allow-origin', '*')
      done(refusalOf(503, { 'retry-after': LATER }))
    })
    const sweep = setInterval(traffic.cutSlow, traffic.bodyPatience / 6).unref()
    app.addHook('onClose', (_app, done) => {
      clearInterval(sweep)
      done()
    })
  },
  { name: 'traffic' },
)

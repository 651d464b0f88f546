import type { IncomingMessage } from 'node:http'
import { type ClockReads, realNow } from '../db/clock.ts'
import type { World } from '../db/world.ts'
import type { Violation } from './errors/answered_error.ts'
import type { Role } from './fastify_types.ts'
import type { CallCause } from './journal/call_cause.ts'
import type { RuleId } from './rules.ts'

const STATE = Symbol('request state')
const NO_FAULTS: number[] = []

declare module 'http' {
  interface IncomingMessage {
    [STATE]?: RequestState
  }
}

/**
 * What the server knows of one request besides Fastify's own members. It belongs to the raw request, because
 * `rewriteUrl` and the error handlers run where Fastify has no request object yet.
 */
export class RequestState {
  /** Real time, ms, when the head was read. */
  readonly receivedAt = realNow()
  /** Fastify's id, which log lines have. */
  requestId = ''
  /** The path and query that have a route; undefined until `rewriteUrl` has read them. */
  routed: string | undefined
  /** A call of the control plane, not of the emulated API. */
  isControl = false
  /** A HEAD, which the router sees as a GET. */
  isHead = false
  /** Who makes a control call; set when it is accepted. */
  role: Role | undefined

  /** The number in `/w/{number}`; NaN if it cannot be a world, undefined without that prefix. */
  worldNumber: number | undefined
  /** The number of the world to use, in place of that of address or token. */
  chosenWorld: number | undefined
  /** The access token as sent. */
  token: string | undefined
  /** The token was sent in the query. */
  isQueryToken = false
  /** The query has several tokens, and the header none. */
  isTokenRepeated = false
  /** The handler has finished: the request no longer keeps its world open. */
  isWorldReleased = false

  /** The content type as sent; Fastify sees text/plain. */
  contentType: string | undefined
  /** The body as sent. */
  rawBody: string | undefined
  /** What the journal has in place of a body that is not kept. */
  bodySummary: string | undefined

  /** JSONP: the function to call; always a valid name. */
  callback: string | undefined
  /** JSONP: the rule that the function name violates. An empty one is allowed by default. */
  callbackViolation: RuleId | undefined
  /** JSONP: the body of a write that was sent as a GET. */
  jsonpBody: string | undefined
  /** JSONP: the status of the answer in the script, which itself is sent with 200. */
  scriptStatus: number | undefined

  /** Served by the same server but not part of the emulated API: not recorded in the journal. */
  isInternal = false
  /** The server made it itself: it is not counted, logged or limited. */
  isUncounted = false
  /** Its id in the journal; 0: it is not recorded, or not yet. */
  journalId = 0
  /** Fault rules that were applied, by id. */
  faultIds: number[] = NO_FAULTS
  /** Members that the answer lacks because of a fault rule. */
  missing: readonly string[] | undefined
  /** The stub that has answered it; null: none has. */
  stubId: number | null = null
  /** Why it was answered with an error; undefined: it was not. */
  violation: Violation | undefined
  /** Set for calls that may change the world. */
  cause: CallCause | undefined
  /** Waits on purpose (an injected delay, a health check): does not count as in flight. */
  isParked = false

  /** Its answer may be given again to the same request. */
  repeat: Repeat | undefined
}

/** The state of a request, created on first access. */
export const stateOf = (raw: IncomingMessage): RequestState => {
  raw[STATE] ??= new RequestState()
  return raw[STATE]
}

/** A request whose answer may be stored: it comes for the second time if there is a basis. */
interface Repeat {
  /** The path and query that have a route. */
  target: string
  /** What was known of it when it came. */
  known: Known | undefined
  basis: Basis | undefined
}

/** That a request came before: the state of its world then, and its answer if it is stored. */
export interface Known {
  /** The number of its world. */
  worldId: number
  /** A world that is reopened gets a new number, because its file may have changed. */
  serial: number
  version: number
  switches: World['switches']
  /** Undefined: it came once. */
  answer: unknown
}

/** What the answers of a world depend on besides the request, and what has been read of its clock before. */
export interface Basis {
  world: World
  version: number
  switches: World['switches']
  reads: ClockReads
}

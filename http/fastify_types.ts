import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Unavailable, World } from '../db/world.ts'
import type { AnsweredError } from './errors/answered_error.ts'
import type { CallChecks } from './errors/checks.ts'
import type { Paths } from './paths.ts'

/** Required authentication: `optional` accepts calls without a token, but shows more to an authenticated caller. */
export type Access = 'public' | 'optional' | 'token'

/** Who makes a control call. `local`: any program of this machine, on a server without an admin token. */
export type Role = 'local' | 'admin' | 'viewer'

/** A user and the application that calls on their behalf. */
export interface Caller {
  user_id: number
  application_id: number
  /** All calls of the application are refused. */
  isBlocked?: boolean
}

/** Finds the holder of a token; undefined if the token is unknown or expired. */
export type FindCaller = (world: World, token: string) => Caller | undefined | Promise<Caller | undefined>

/** Answers a request whose world cannot be used here in another way; `onFailed` answers it if that fails. */
export type AnswerUnavailable = (
  request: FastifyRequest,
  reply: FastifyReply,
  error: Unavailable,
  onFailed: (error: Error) => void,
) => void

/** What the routes of a path belong to: its description in OPTIONS answers, and the form of its errors. */
export interface Resource {
  name: string
  description: string
  /** The path parameter with its own id. */
  id?: string
  /** The name of the resource whose family it belongs to, if it is not its own. */
  family?: string
  /** The body of its errors, if it is not the standard one. */
  errorBody?: (error: AnsweredError) => object
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The registered paths of the emulated API. */
    paths: Paths
    /** Called when the server that listens begins to close: an inner one closes after its last requests. */
    closing: Set<() => void>
    /** The same for each server that has the request. */
    requestIdOf(raw: IncomingMessage): string
    /** The base address at which clients reach the server; undefined: as each request says. */
    publicUrl: string | undefined
    /** Undefined: the error is the answer. */
    answerUnavailable?: AnswerUnavailable
  }
  interface FastifyContextConfig {
    /** `control`: part of the control plane; plugins/control_access.ts decides. */
    access: Access | 'control'
    /** A control call that the viewer token may make. Its answer must mark its secrets (`SecretText`). */
    isViewable?: boolean
    /** Viewers get its answer as it is: a text or stream, which cannot be masked and has no secrets. */
    isUnmasked?: boolean
    /** It is no GET, but does not change the state of its world: no snapshot is taken before it. */
    keepsState?: boolean
    resource: Resource
    /** The checks of the handler; every route of the emulated API that can reject a call declares them. */
    checks?: CallChecks
    /** It is a GET, but changes the state of its world. */
    writes?: boolean
    /** How OPTIONS writes the path, if not as it is registered. */
    example?: string
    /** Not part of the emulated API, or changes nothing: never faulted, cached or recorded in the journal. */
    internal?: boolean
    /** The route applies `attributes` itself. */
    projects?: boolean
    /** Always accepted and not counted as in flight, so that an overloaded server can still report its health. */
    health?: boolean
    /** Its answer has no state: stubs of its path replace it [spec: fallback.stubs]. */
    typed?: boolean
    /** Streams its body, beyond the limit of others; it may take as long as bytes keep arriving. */
    upload?: boolean
  }

  interface FastifyRequest {
    world: World
    /** Set where the route's access is `token`, or where a token was sent. */
    caller: Caller
  }
}

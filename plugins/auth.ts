import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import type { World } from '../db/world.ts'
import { QUERY_TOKEN } from '../http/assumptions.ts'
import { invalidToken, missingToken } from '../http/errors.ts'
import './worlds.ts'

/** Who may call a route: anybody, anybody but with more to see for a known caller, or who has a token. */
export type Access = 'public' | 'optional' | 'token'

export interface Caller {
  user_id: number
  application_id: number
}

/** Finds who holds a token in a world; undefined when it is unknown or expired. */
export type FindCaller = (world: World, token: string) => Caller | undefined | Promise<Caller | undefined>

declare module 'fastify' {
  interface FastifyRequest {
    /** Set where the route's access is 'token', or a token was sent. */
    caller: Caller
  }
  interface FastifyContextConfig {
    /** 'control': not of the emulated API; the guard of the control plane decides. */
    access: Access | 'control'
  }
}

/** The token that was sent, where the world takes it from there. */
export const effectiveToken = ({ raw, world, headers }: FastifyRequest): string | undefined =>
  !headers.authorization && QUERY_TOKEN.of(world) === 'reject' ? undefined : raw.token

/**
 * Checks the token of a request as its route's `access` asks. One that is sent must be valid even where none is needed.
 */
export default fp(
  async (app, { callerOf: findCaller }: { callerOf: FindCaller }) => {
    app.decorateRequest('caller', null as unknown as Caller)

    const check =
      (isRequired: boolean): onRequestHookHandler =>
      (request, _reply, done) => {
        const token = effectiveToken(request)
        if (token === undefined) return done(isRequired ? missingToken() : undefined)
        const caller = findCaller(request.world, token)
        const onCaller = (caller: Caller | undefined) => {
          if (caller) request.caller = caller
          done(caller ? undefined : invalidToken())
        }
        if (caller instanceof Promise) caller.then(onCaller, done)
        else onCaller(caller)
      }
    const checks = { token: check(true), optional: check(false), public: check(false) }

    app.addHook('onRoute', (route) => {
      const access = route.config?.access
      if (!access || access === 'control') throw new Error(`${route.method} ${route.url} does not declare its access`)
      route.onRequest = [checks[access], ...[route.onRequest ?? []].flat()]
    })
  },
  { name: 'auth', dependencies: ['worlds'] },
)

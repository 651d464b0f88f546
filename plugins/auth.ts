import type { FastifyRequest, HookHandlerDoneFunction, onRequestHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import type { AnsweredError } from '../http/errors/answered_error.ts'
import { applicationBlocked, invalidToken, missingToken } from '../http/errors/errors.ts'
import type { Caller, FindCaller } from '../http/fastify_types.ts'
import { isWordForId } from '../http/paths.ts'
import { effectiveToken, repeatedToken } from '../http/tokens.ts'

/**
 * Checks the token of a request as the route's `access` demands. A token that is sent must be valid even where none is
 * needed [spec: http.token.sent].
 */
export default fp(
  async (app, { findCaller }: { findCaller: FindCaller }) => {
    app.decorateRequest('caller', null as unknown as Caller)

    const check =
      (isRequired: (request: FastifyRequest) => boolean): onRequestHookHandler =>
      (request, _reply, done) => {
        const error = repeatedToken(request)
        if (error) return reject(request, error, done)
        const token = effectiveToken(request)
        if (token === undefined) return isRequired(request) ? reject(request, missingToken(), done) : done()
        const caller = findCaller(request.world, token)
        const onCaller = (caller: Caller | undefined) => {
          if (!caller) return reject(request, invalidToken(), done)
          request.caller = caller
          if (caller.isBlocked) reject(request, applicationBlocked(), done)
          else done()
        }
        // Most callers are known without a query: they should not wait for a promise.
        if (caller instanceof Promise) caller.then(onCaller, done)
        else onCaller(caller)
      }
    const [required, optional] = [check(() => true), check(() => false)]
    const checks = { token: required, optional, public: optional }
    /** A stub of the world may answer it; if none does, the route asks for the token [spec: fallback.stubs]. */
    const typed = check(({ world }) => world.stubs.length === 0)

    app.addHook('onRoute', (route) => {
      const access = route.config?.access
      if (!access || access === 'control') throw new Error(`${route.method} ${route.url} does not declare its access`)
      const isTyped = route.config?.typed && access === 'token'
      route.onRequest = [isTyped ? typed : checks[access], ...[route.onRequest ?? []].flat()]
    })
  },
  { name: 'auth', dependencies: ['worlds'] },
)

/** A path that is unknown has its own answer, whatever the token [spec: http.path.word]. */
function reject({ routeOptions, url }: FastifyRequest, error: AnsweredError, done: HookHandlerDoneFunction): void {
  done(isWordForId(routeOptions, url) ? undefined : error)
}

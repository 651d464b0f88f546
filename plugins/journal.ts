import fp from 'fastify-plugin'
import { enterCause, isWriteRoute } from '../http/enter_cause.ts'
import type { Journals } from '../http/journals.ts'
import { stateOf } from '../http/request_state.ts'

/**
 * Records every call of the emulated API with its answer, and what it changes. A projected answer is recorded as it is
 * sent; a JSONP answer as it was before it became a script.
 */
export default fp(
  async (app, { journals }: { journals: Journals }) => {
    app.addHook('onRoute', (route) => {
      if (isWriteRoute(route)) route.preHandler = [...[route.preHandler ?? []].flat(), enterCause('request')]
      if (!route.config?.internal) return
      // After `onRequest`: an internal call without access is recorded.
      route.preParsing = [
        (request, _reply, _payload, done) => {
          stateOf(request.raw).isInternal = true
          done()
        },
        ...[route.preParsing ?? []].flat(),
      ]
    })

    app.addHook('onSend', (request, reply, payload, done) => {
      const isClosed = request.raw.socket.destroyed
      journals.record(request, isClosed ? null : reply.statusCode, isClosed ? null : payload)
      done(null, payload)
    })
  },
  { name: 'journal', dependencies: ['worlds', 'auth', 'projection'] },
)

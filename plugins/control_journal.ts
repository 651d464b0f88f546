import fp from 'fastify-plugin'
import { enterCause, isWriteRoute } from '../http/journal/enter_cause.ts'
import type { Journals } from '../http/journal/journals.ts'

/** Records the control calls that may change a world, and what they change. */
export default fp(
  async (app, { journals }: { journals: Journals }) => {
    app.addHook('onRoute', (route) => {
      if (!isWriteRoute(route) || route.config?.internal) return
      route.preHandler = [...[route.preHandler ?? []].flat(), enterCause('control')]
      route.onSend = [
        ...[route.onSend ?? []].flat(),
        (request, reply, payload, done) => {
          journals.recordControl(request, reply.statusCode)
          done(null, payload)
        },
      ]
    })
  },
  { name: 'control journal', dependencies: ['worlds'] },
)

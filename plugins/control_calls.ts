import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { stateOf } from '../http/request_state.ts'

interface ControlCallOptions {
  /** Resolves with the same server each time. */
  open(): Promise<FastifyInstance>
}

/**
 * Hands the calls below its prefix to the server of the control plane, which has the hooks, routes and errors for them.
 * The first call opens it: its modules and routes are a sixth of the time of a start.
 */
export default fp<ControlCallOptions>(
  async (app, { open }) => {
    app.addHook('onRequest', ({ raw, id }, reply, done) => {
      stateOf(raw).requestId = id
      open().then(({ routing }) => {
        reply.hijack()
        routing(raw, reply.raw)
      }, done)
    })
    // Of any method, which a route would name.
    app.setNotFoundHandler(() => {})
  },
  { name: 'control calls', dependencies: [], encapsulate: true },
)

import fp from 'fastify-plugin'
import { errorForStatus } from '../http/errors.ts'
import { stateOf } from '../http/request_state.ts'
import type { TrafficCounter } from '../http/traffic.ts'

const RETRY_AFTER_SECONDS = '1'

/** Counts every request, rejects those above the limit, and ends those whose bodies do not arrive. */
export default fp(
  async (app, { traffic }: { traffic: TrafficCounter }) => {
    app.addHook('onRequest', (request, reply, done) => {
      if (traffic.begin(request, reply)) return done()
      if (!stateOf(request.raw).isControl) reply.header('access-control-allow-origin', '*')
      done(errorForStatus(503, { 'retry-after': RETRY_AFTER_SECONDS }))
    })
    const sweep = setInterval(traffic.abortSlowBodies, traffic.bodyTimeoutMs / 6).unref()
    app.addHook('onClose', (_app, done) => {
      clearInterval(sweep)
      done()
    })
  },
  { name: 'traffic', dependencies: [] },
)

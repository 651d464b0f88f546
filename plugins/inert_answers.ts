import fp from 'fastify-plugin'
import { stateOf } from '../http/request_state.ts'

const POLICY = 'content-security-policy'

/**
 * The console is on the same origin: a page that a stub answers, or another text that a browser shows, must not run
 * scripts or send forms there, because these could make control calls [spec: http.inert].
 */
export default fp(
  async (app) => {
    app.addHook('onSend', (request, reply, payload, done) => {
      const isStub = stateOf(request.raw).stubId !== null
      const type = String(reply.getHeader('content-type') ?? '')
      // `routeOptions` comes last, because Fastify builds it on every access.
      if (!isStub && (!isRendered(type) || request.routeOptions.config?.internal)) return done(null, payload)
      const own = reply.getHeader(POLICY)
      // The page that picks a test user has a policy of its own, and a form.
      if (own !== undefined && !isStub) return done(null, payload)
      // Both policies of such a stub hold.
      reply.header(POLICY, own === undefined ? 'sandbox' : `${own}, sandbox`)
      reply.header('x-content-type-options', 'nosniff')
      done(null, payload)
    })
  },
  // JSONP turns any answer into a script, which no browser renders.
  { name: 'inert answers', dependencies: ['stubs', 'jsonp'] },
)

/** An answer without a type has no body. */
const isRendered = (type: string): boolean =>
  type !== '' && !type.startsWith('application/json') && !type.startsWith('text/javascript')

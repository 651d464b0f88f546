import fp from 'fastify-plugin'
import type { ResponseCache } from '../http/response_cache.ts'
import { sentAs } from '../http/utf8.ts'

/** Notes answers to GETs as they are sent: http/connections/repeated_requests.ts gives them again. */
export default fp(
  async (app, { cache }: { cache: ResponseCache }) => {
    app.addHook('onRoute', (route) => {
      if (route.method !== 'GET' || route.config?.internal || route.config?.writes) return
      // After the hooks of the plugins, which may change an answer.
      route.onSend = [
        ...[route.onSend ?? []].flat(),
        (request, reply, payload, done) => {
          cache.note(request, reply, payload)
          done(null, typeof payload === 'string' ? sentAs(payload) : payload)
        },
      ]
    })
  },
  { name: 'response cache', dependencies: ['worlds', 'auth'] },
)

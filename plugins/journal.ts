import fp from 'fastify-plugin'
import type { Journals } from '../http/journals.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Served beside the emulated API, not of it: nothing goes wrong with it, and nobody writes it down. */
    internal?: boolean
  }
}

/**
 * Writes every call of the emulated API down with its answer. A JSONP call has the answer that its script bears, with
 * that answer's status: it stands before the plugin that wraps.
 */
export default fp(
  async (app, { journals }: { journals: Journals }) => {
    app.addHook('onRoute', (route) => {
      if (!route.config?.internal) return
      route.onRequest = [
        (request, _reply, done) => {
          request.raw.isInternal = true
          done()
        },
        ...[route.onRequest ?? []].flat(),
      ]
    })

    app.addHook('onSend', (request, reply, payload, done) => {
      const isClosed = request.raw.socket.destroyed
      journals.record(request, isClosed ? null : reply.statusCode, isClosed ? null : payload)
      done(null, payload)
    })
  },
  { name: 'journal', dependencies: ['worlds'] },
)

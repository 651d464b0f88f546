import fp from 'fastify-plugin'
import { stateOf } from '../http/request_state.ts'
import type { ResponseCache } from '../http/response_cache.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * Answers a repeated GET from memory. An answer depends on the data, clock and switches of the world, the caller, the
 * address and the headers in the route's schema, and on nothing else. The lookup runs in `preParsing`: every `onRequest`
 * hook has run by then, so faults and authentication come first wherever this plugin is registered.
 */
export default fp(
  async (app, { cache }: { cache: ResponseCache }) => {
    app.addHook('onRoute', (route) => {
      if (route.method !== 'GET' || route.config?.internal) return
      const declared = route.schema?.headers as { properties?: object } | undefined
      const headerNames = Object.keys(declared?.properties ?? {})
      route.preParsing = [
        ...[route.preParsing ?? []].flat(),
        (request, reply, _payload, done) => {
          const hit = cache.find(request, headerNames)
          if (!hit) return done()
          stateOf(request.raw).hit = hit
          reply.header('content-type', JSON_TYPE).send(hit.text)
        },
      ]
      // A hook of the route runs after those of the plugins, which need the text.
      route.onSend = [
        ...[route.onSend ?? []].flat(),
        (request, _reply, payload, done) => {
          const { hit } = stateOf(request.raw)
          done(null, hit?.buffer && payload === hit.text ? hit.buffer : payload)
        },
      ]
    })

    app.addHook('onSend', (request, reply, payload, done) => {
      const isStorable = reply.statusCode === 200 && reply.getHeader('content-type') === JSON_TYPE
      if (stateOf(request.raw).pending && isStorable && typeof payload === 'string') cache.store(request, payload)
      done(null, payload)
    })
  },
  { name: 'response cache', dependencies: ['worlds', 'auth'] },
)

import fp from 'fastify-plugin'
import { pick, requestedAttributes } from '../http/projection.ts'

/**
 * `?attributes=a,b` on any GET leaves only those members of the object, or of each element [spec: http.attributes].
 * Errors stay whole. It works on the serialized text, so that calls without the parameter pay nothing.
 */
export default fp(
  async (app) => {
    app.addHook('onSend', (request, reply, payload, done) => {
      const { query, method } = request
      const names = requestedAttributes(query)
      if (!names || reply.statusCode >= 300 || typeof payload !== 'string') return done(null, payload)
      if (request.routeOptions.config.projects || (method !== 'GET' && method !== 'HEAD')) return done(null, payload)
      if (!String(reply.getHeader('content-type')).startsWith('application/json')) return done(null, payload)
      const value: unknown = JSON.parse(payload)
      const selected = Array.isArray(value) ? value.map((element) => pick(element, names)) : pick(value, names)
      reply.removeHeader('content-length')
      done(null, JSON.stringify(selected))
    })
  },
  // The response cache stores whole answers.
  { name: 'projection', dependencies: ['response cache', 'partial answers'] },
)

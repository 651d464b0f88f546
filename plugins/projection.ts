import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route applies `attributes` itself. */
    projects?: boolean
  }
}

/**
 * `?attributes=a,b` on any GET: only those members are answered, of the object or of each element. Errors stay whole.
 * It works on the finished text, so that a call that does not ask for it pays nothing.
 */
export default fp(
  async (app) => {
    app.addHook('onSend', (request, reply, payload, done) => {
      const { query, method } = request
      const names = (query as AttributesQuery).attributes === undefined ? undefined : requestedAttributes(query)
      if (!names || reply.statusCode >= 300 || typeof payload !== 'string') return done(null, payload)
      // `routeOptions` is made anew whenever it is read.
      if (request.routeOptions.config.projects || (method !== 'GET' && method !== 'HEAD')) return done(null, payload)
      if (!String(reply.getHeader('content-type')).startsWith('application/json')) return done(null, payload)
      const value: unknown = JSON.parse(payload)
      const selected = Array.isArray(value) ? value.map((element) => pick(element, names)) : pick(value, names)
      reply.removeHeader('content-length')
      done(null, JSON.stringify(selected))
    })
  },
  { name: 'projection' },
)

interface AttributesQuery {
  attributes?: string | string[]
}

/** The members that a query asks for; undefined when it asks for all. */
export function requestedAttributes(query: unknown): Set<string> | undefined {
  const sent = (query as AttributesQuery).attributes
  if (!sent || sent.length === 0) return undefined
  const names = String(sent)
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  return names.length > 0 ? new Set(names) : undefined
}

/** The members of `value` that have these names; what is no object stays as it is. */
export const pick = (value: unknown, names: Set<string>): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).filter(([name]) => names.has(name)))
    : value

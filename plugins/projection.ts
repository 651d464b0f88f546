import fp from 'fastify-plugin'

/** `?attributes=a,b` on any GET: only those members are answered, of the object or of each element. Errors stay whole. */
export default fp(
  async (app) => {
    app.addHook('onRoute', (route) => {
      if (route.method !== 'GET' && route.method !== 'HEAD') return
      if (route.config?.projects) return
      route.preSerialization = [
        (request, reply, payload, done) => {
          const names = projected(request.query)
          if (!names || reply.statusCode >= 300) return done(null, payload)
          done(null, Array.isArray(payload) ? payload.map((element) => pick(element, names)) : pick(payload, names))
        },
        ...[route.preSerialization ?? []].flat(),
      ]
    })
  },
  { name: 'projection' },
)

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route applies `attributes` itself. */
    projects?: boolean
  }
}

/** The members that a query asks for; undefined when it asks for all. */
export function projected(query: unknown): Set<string> | undefined {
  const sent = (query as { attributes?: string | string[] }).attributes
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

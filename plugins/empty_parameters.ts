import type { RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { EMPTY_PARAMETER } from '../http/assumptions.ts'
import { badParameter } from '../http/errors/errors.ts'

/** What this plugin reads of the schema of a query. */
interface QuerySchema {
  properties?: Record<string, { 'x-message'?: string }>
  required?: string[]
  'x-read'?: string
}

/**
 * Removes empty optional parameters from a query, or rejects them [spec: http.query.empty]. A route that reads its query
 * itself rejects them itself, in the order of its checks.
 */
export default fp(
  async (app) => {
    app.addHook('onRoute', (route) => {
      const schema = (route.schema?.querystring ?? {}) as QuerySchema
      const names = optionalParameters(route, schema)
      if (names.length === 0) return
      route.preValidation = [
        (request, _reply, done) => {
          const query = request.query as Record<string, unknown>
          for (const name of names) {
            if (query[name] !== '') continue
            if (EMPTY_PARAMETER.of(request.world) === 'absent') delete query[name]
            else if (schema['x-read'] !== 'route')
              return done(
                badParameter(name, schema.properties?.[name]?.['x-message'] ?? 'must not be empty', 'http.query.empty'),
              )
          }
          done()
        },
        ...[route.preValidation ?? []].flat(),
      ]
    })
  },
  { name: 'empty parameters', dependencies: ['worlds'] },
)

/** The names that a route declares and can do without. One with a default is required, because validation sets it. */
function optionalParameters(
  { method, config }: RouteOptions,
  { properties = {}, required = [] }: QuerySchema,
): string[] {
  const declared = Object.entries(properties)
    .filter(([name, schema]) => 'default' in schema || !required.includes(name))
    .map(([name]) => name)
  const isProjected = method === 'GET' && config?.internal !== true && !declared.includes('attributes')
  return isProjected ? [...declared, 'attributes'] : declared
}

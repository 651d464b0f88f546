import type {} from '@fastify/swagger'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { methodNotAllowed, routeNotFound } from '../http/errors.ts'
import { methodsOf, type Path, type Paths } from '../http/paths.ts'
import { preflightHeaders } from './cors.ts'

/** What a path is about, as OPTIONS tells it. */
export interface Resource {
  name: string
  description: string
}

declare module 'fastify' {
  interface FastifyContextConfig {
    resource: Resource
  }
}

interface Schema {
  description?: string
  examples?: unknown[]
  default?: unknown
  'x-path'?: string
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
}

/**
 * OPTIONS on any known path answers a description of it, made from the schemas of its routes; CORS headers beside it
 * satisfy a preflight with the same answer. What no route takes is 404, or 405 where another method would be.
 */
export default fp(
  async (app, { paths }: { paths: Paths }) => {
    app.addHook('onRoute', (route) => paths.add(route))

    app.setNotFoundHandler((request, reply) => {
      const path = paths.match(request.url)
      if (!path) throw routeNotFound()
      if (request.method === 'OPTIONS') return sendDescription(paths, path, request, reply)
      throw methodNotAllowed(methodsOf(path).join(', '))
    })
  },
  { name: 'describe' },
)

function sendDescription(paths: Paths, path: Path, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const methods = methodsOf(path)
  return reply
    .code(200)
    .headers({
      allow: methods.join(', '),
      ...preflightHeaders(methods, request.headers['access-control-request-headers'] as string | undefined),
    })
    .send(describePath(paths, path))
}

/** The contract's self-description of one path. */
export function describePath(paths: Paths, path: Path) {
  const routes = [...path.routes.values()]
  const { name, description } = routes[0]!.config!.resource
  const answer = fieldsOf(successSchema(path.routes.get('GET') ?? routes[0]!))
  return {
    name,
    description,
    attributes: Object.fromEntries(answer.map(([field, schema]) => [field, schema.description ?? ''])),
    methods: [...path.routes].map(([method, route]) => ({
      method,
      example: exampleCall(path.url, route),
      description: String(route.schema?.summary ?? ''),
    })),
    related_resources: paths
      .all()
      .filter(
        (other) => other !== path && [...other.routes.values()].some(({ config }) => config?.resource?.name === name),
      )
      .map(({ url }) => uriTemplate(url)),
    connections: Object.fromEntries(
      answer.flatMap(([field, schema]) => (schema['x-path'] ? [[field, schema['x-path']]] : [])),
    ),
  }
}

/** The schema of a route's answer when all is well. */
function successSchema(route: RouteOptions): Schema | undefined {
  const responses = (route.schema?.response ?? {}) as Record<string, Schema>
  return responses[200] ?? responses[201]
}

/** The members of an answer, or of the elements of a list. */
function fieldsOf(schema: Schema | undefined): [string, Schema][] {
  if (!schema) return []
  if (schema.items) return fieldsOf(schema.items)
  if (schema.anyOf) return fieldsOf(schema.anyOf[0])
  return Object.entries(schema.properties ?? {})
}

const uriTemplate = (url: string): string => url.replace(/:(\w+)/g, '{$1}')

/** A call with the schemas' own examples: the path, and the parameters that must be there. */
function exampleCall(url: string, route: RouteOptions): string {
  const params = route.schema?.params as Schema | undefined
  const query = route.schema?.querystring as Schema | undefined
  const filled = url.replace(/:(\w+)/g, (_, name) => String(params?.properties?.[name]?.examples?.[0] ?? `{${name}}`))
  const needed = (query?.required ?? [])
    .filter((name) => query?.properties?.[name]?.default === undefined)
    .map((name) => `${name}=${query?.properties?.[name]?.examples?.[0] ?? ''}`)
  return needed.length > 0 ? `${filled}?${needed.join('&')}` : filled
}

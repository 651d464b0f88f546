import type {} from '@fastify/swagger'
import type { RouteOptions } from 'fastify'
import type { Path, Paths } from './paths.ts'

/** The keywords of our schemas that descriptions use. */
interface Schema {
  description?: string
  examples?: unknown[]
  default?: unknown
  'x-path'?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
}

/** The self-description of one path [spec: http.options.members, http.options.generated]. */
export function describePath(paths: Paths, path: Path) {
  const routes = [...path.routes.values()]
  const { name, description } = routes[0]!.config!.resource
  const answer = membersOf(successSchema(path.routes.get('GET') ?? routes[0]!))
  return {
    name,
    description,
    attributes: Object.fromEntries(answer.map(([member, schema]) => [member, schema.description ?? ''])),
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
      answer.flatMap(([member, schema]) => (schema['x-path'] ? [[member, schema['x-path']]] : [])),
    ),
  }
}

function successSchema(route: RouteOptions): Schema | undefined {
  const responses = (route.schema?.response ?? {}) as Record<string, Schema>
  return responses[200] ?? responses[201]
}

/** The members of an answer, or of its elements if it is a list. */
function membersOf(schema: Schema | undefined): [string, Schema][] {
  if (!schema) return []
  if (schema.items) return membersOf(schema.items)
  if (schema.anyOf) return membersOf(schema.anyOf[0])
  return Object.entries(schema.properties ?? {})
}

const uriTemplate = (url: string): string => url.replace(/:(\w+)/g, '{$1}')

/** A call with the examples of the schemas: the path and the required parameters. */
function exampleCall(url: string, route: RouteOptions): string {
  const params = route.schema?.params as Schema | undefined
  const query = route.schema?.querystring as Schema | undefined
  const path = url.replace(/:(\w+)/g, (_, name) => String(params?.properties?.[name]?.examples?.[0] ?? `{${name}}`))
  const required = (query?.required ?? [])
    .filter((name) => query?.properties?.[name]?.default === undefined)
    .map((name) => `${name}=${query?.properties?.[name]?.examples?.[0] ?? ''}`)
  return required.length > 0 ? `${path}?${required.join('&')}` : path
}

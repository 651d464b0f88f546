import type {} from '@fastify/swagger'
import type { RouteOptions } from 'fastify'
import { isDescribed, type Path, type Paths, resourceOf } from './paths.ts'

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

/**
 * The self-description of one path: its own name and members, and the methods of its whole family
 * [spec: http.options.members, http.options.generated].
 */
export function describePath(paths: Paths, path: Path) {
  const { name, description } = resourceOf(path)!
  const family = paths.all().filter((other) => isDescribed(other) && familyOf(other) === familyOf(path))
  const itself = templateOf(path)
  const answer = membersOf(successSchema(describedRoute(path, family)))
  return {
    name,
    description,
    attributes: Object.fromEntries(answer.map(([member, schema]) => [member, schema.description ?? ''])),
    methods: family.flatMap((one) =>
      [...one.routes].map(([method, route]) => ({
        method,
        example: exampleCall(one, route),
        description: String(route.schema?.summary ?? ''),
      })),
    ),
    related_resources: relatedResources(family),
    connections: Object.fromEntries(
      answer.flatMap(([member, schema]) => {
        const target = schema['x-path'] ?? (member === 'id' && itself.endsWith('/:id') && itself)
        return target ? [[member, target]] : []
      }),
    ),
  }
}

/** The route whose answer is described: GET. A path that only creates elements is described by the GET of one. */
function describedRoute({ url, routes }: Path, family: Path[]): RouteOptions {
  const element = family.find(
    (other) => other.url.startsWith(`${url}/:`) && !other.url.slice(url.length + 1).includes('/'),
  )
  return routes.get('GET') ?? element?.routes.get('GET') ?? routes.values().next().value!
}

const familyOf = (path: Path): string => resourceOf(path)!.family ?? resourceOf(path)!.name

/** The other resources that the members of a family refer to, by the paths of their lists. */
function relatedResources(family: Path[]): string[] {
  const own = new Set(family.map(templateOf))
  const referred = family.flatMap(({ routes }) =>
    [...routes.values()].flatMap((route) => [
      ...referencesOf(successSchema(route)),
      ...referencesOf(route.schema?.body as Schema | undefined),
    ]),
  )
  return [...new Set(referred.filter((template) => !own.has(template)))]
    .map((template) => template.slice(0, template.lastIndexOf('/')))
    .sort()
}

/** The paths to which the members of a schema lead, at any depth. */
function referencesOf(schema: Schema | undefined): string[] {
  if (!schema) return []
  const { properties = {}, items, anyOf = [], 'x-path': path } = schema
  return [...(path ? [path] : []), ...[items, ...anyOf, ...Object.values(properties)].flatMap(referencesOf)]
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

/** The path with the id of its resource as `:id`; other parameters keep their names. */
function templateOf(path: Path): string {
  const { id } = resourceOf(path)!
  return path.url
    .split('/')
    .map((segment) => (segment === `:${id}` ? ':id' : segment))
    .join('/')
}

/** A call with the required parameters of the query, as the schema's examples have them. */
function exampleCall(path: Path, route: RouteOptions): string {
  const template = route.config?.example ?? templateOf(path)
  const query = route.schema?.querystring as Schema | undefined
  const required = (query?.required ?? [])
    .filter((name) => query?.properties?.[name]?.default === undefined)
    .map((name) => `${name}=${query?.properties?.[name]?.examples?.[0] ?? ''}`)
  return required.length > 0 ? `${template}?${required.join('&')}` : template
}

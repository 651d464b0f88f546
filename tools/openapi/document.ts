import { tmpdir } from 'node:os'
import swagger from '@fastify/swagger'
import { build } from '../../app.ts'
import { WorldFile } from '../../control/world_file/schemas.ts'
import { createTemporaryFolder } from '../../db/folders.ts'
import type { Access } from '../../http/fastify_types.ts'
import about from '../../package.json' with { type: 'json' }
import { SHIPPED_SEED } from '../../scenarios/names.ts'
import { addLinks } from './links.ts'
import type { Document } from './shapes.ts'
import { INFO, type Plane, STATUSES } from './texts.ts'

/** Generates the OpenAPI 3.1 document of the API or of the control plane from the schemas of the routes. */
export async function openapi(plane: Plane): Promise<Document> {
  const described = await describeRoutes(plane)
  described.paths = normaliseParameters(described.paths)
  const schemas: Record<string, unknown> = {}
  const document = extractSchemas(described, schemas) as Document
  document.components.schemas = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)))
  for (const [path, operations] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(operations)) {
      for (const [status, response] of Object.entries(operation.responses))
        response.description = STATUSES[status] ?? response.description
      if (plane === 'api' && method === 'get' && path !== '/openapi.json' && path !== '/authorization')
        operation.parameters = [
          ...(operation.parameters ?? []),
          { $ref: '#/components/parameters/attributes' },
          { $ref: '#/components/parameters/callback' },
        ]
    }
  return document
}

/** Builds a server with @fastify/swagger, which reads the schemas of its routes. */
async function describeRoutes(plane: Plane): Promise<Document> {
  const { server, openApi, openControlPlane } = await build({
    folder: createTemporaryFolder(tmpdir()),
    mode: 'temporary',
    scenario: 'empty',
    seed: SHIPPED_SEED,
    now: 0,
    secret: false,
    onFault: (error) => {
      throw error
    },
    beforePlugins: (app) => app.register(swagger, swaggerOptions(plane) as object),
  })
  const document = server.swagger() as object as Document
  // Those of the service itself are in the first one.
  const others = plane === 'control' ? [await openControlPlane()] : await openApi()
  for (const other of others) Object.assign(document.paths, other.swagger().paths)
  await server.close()
  // Before the keywords that they are made of are removed.
  if (plane === 'api') addLinks(document)
  return toJson(document) as Document
}

const TOKEN = [{ bearer: [] }, { access_token: [] }]
const SECURITY: Record<Access | 'control', object[]> = {
  token: TOKEN,
  optional: [{}, ...TOKEN],
  public: [],
  control: [{}, { admin: [] }],
}
const VIEWABLE = [...SECURITY.control, { viewer: [] }]

const swaggerOptions = (plane: Plane) => ({
  openapi: {
    openapi: '3.1.0',
    info: {
      title: INFO[plane].title,
      version: about.version,
      description: INFO[plane].description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: 'http://127.0.0.1:4400', description: 'A server started with the defaults' }],
    components: INFO[plane].components,
  },
  hideUntagged: false,
  transform: ({ schema, url: address, route }: DescribedRoute) => {
    const url = address.replace('*', ':path')
    const { resource, access, isViewable } = route.config
    if (schema.hide || (access === 'control') !== (plane === 'control'))
      return { schema: { ...schema, hide: true }, url }
    return {
      schema: {
        operationId: operationId(String(route.method), url),
        description: resource.description,
        ...schema,
        response: { ...commonResponses(schema, route.method, plane), ...schema.response },
        tags: [resource.name],
        security: isViewable ? VIEWABLE : SECURITY[access],
      },
      url,
    }
  },
})

interface DescribedRoute {
  schema: { hide?: boolean; body?: object; response: Record<string, object> }
  url: string
  route: {
    method: string
    config: { resource: { name: string; description: string }; access: Access | 'control'; isViewable?: boolean }
  }
}

/** Errors of the server itself, which any route may answer, in the format of the route's own errors. */
function commonResponses({ body, response }: DescribedRoute['schema'], method: string, plane: Plane) {
  const error = Object.entries(response).find(([status]) => Number(status) >= 400)![1]
  if (plane === 'control') return { 401: error, 403: error, ...(body ? { 413: error } : {}) }
  return method === 'GET' ? { 400: error, 401: error } : { 401: error, 413: error }
}

/** `GET /items/:item_id/contacts/phone_views` → `getItemsItemIdContactsPhoneViews`. */
const operationId = (method: string, url: string): string =>
  method.toLowerCase() +
  url
    .split(/[^a-zA-Z0-9]+/)
    .filter(Boolean)
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('')

/** Custom keywords, which only this program reads. */
const OWN_KEYWORDS = new Set(['x-read', 'x-path', 'x-message', 'x-rule', 'x-secret'])

/** A copy as plain JSON, without custom keywords and TypeBox's symbols. */
const toJson = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, member) => {
      if (OWN_KEYWORDS.has(name)) return undefined
      return name === 'requestBody' && isOptionalBody(member) ? { ...member, required: false } : member
    }),
  )

/** A body with a default may be empty. */
const isOptionalBody = ({ content = {} }: { content?: Record<string, { schema: { default?: unknown } }> }): boolean =>
  Object.values(content).some(({ schema }) => schema.default !== undefined)

/** Moves every schema with a title to `schemas` and refers to it, so that code generators use its name. */
function extractSchemas(value: unknown, schemas: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((element) => extractSchemas(element, schemas))
  if (typeof value !== 'object' || value === null) return value
  const { title, ...rest } = value as { title?: unknown; type?: unknown }
  const members = Object.fromEntries(
    Object.entries(rest).map(([name, member]) => [name, extractSchemas(member, schemas)]),
  )
  if (typeof title !== 'string' || !('type' in rest)) return 'title' in value ? { title, ...members } : members
  const known = schemas[title]
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(members))
    throw new Error(`two schemas are titled ${title}`)
  schemas[title] = members
  return { $ref: `#/components/schemas/${title}` }
}

interface Parameter {
  in?: string
  example?: unknown
  schema?: { type?: string; default?: unknown }
}

/** Lists in a query are separated by commas, and their examples become arrays; defaults make parameters optional. */
const normaliseParameters = (paths: Document['paths']): Document['paths'] =>
  JSON.parse(JSON.stringify(paths), (_, member: Parameter | null) =>
    member?.schema?.type === 'array' && typeof member.example === 'string'
      ? { ...member, example: member.example.split(','), style: 'form', explode: false }
      : member?.in && member.schema?.default !== undefined
        ? { ...member, required: false }
        : member,
  )

/** The JSON Schema of world files, draft 2020-12. */
export const worldSchema = (): object => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...(toJson(WorldFile) as object),
})

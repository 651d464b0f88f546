import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import swagger from '@fastify/swagger'
import { build } from '../app.ts'
import { WorldFile } from '../control/world_file/schemas.ts'
import { createTemporaryFolder } from '../db/folders.ts'
import type { Access } from '../plugins/auth.ts'
import { SHIPPED_SEED } from '../scenarios/names.ts'
import { TYPES, typesOf } from './types.ts'

interface Operation {
  summary: string
  requestBody?: object
  responses: Record<string, { description: string }>
  parameters?: object[]
  security?: object[]
}
export interface Document {
  paths: Record<string, Record<string, Operation>>
  components: Record<string, unknown>
}

/** Which of the two documents: of the emulated API, or of the control plane. */
export type Plane = 'api' | 'control'

/** Where each is committed. */
export const FILES: Record<Plane, string> = { api: 'openapi.json', control: 'openapi.sandbox.json' }

/** An OpenAPI 3.1 document, made from the routes' own schemas. */
export async function openapi(plane: Plane): Promise<Document> {
  const folder = createTemporaryFolder(tmpdir())
  const { server } = await build({
    folder,
    mode: 'temporary',
    scenario: 'empty',
    seed: SHIPPED_SEED,
    now: 0,
    secret: false,
    onFault: (error) => {
      throw error
    },
    beforePlugins: (app) => app.register(swagger, optionsOf(plane) as object),
  })
  const described = plain(server.swagger()) as Document
  await server.close()
  const schemas: Record<string, unknown> = {}
  const document = named({ ...described, paths: parametersTold(described.paths) }, schemas) as Document
  document.components.schemas = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)))
  for (const [path, operations] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(operations)) {
      for (const [status, response] of Object.entries(operation.responses))
        response.description = FAILURES[status] ?? response.description
      if (plane === 'api' && method === 'get' && path !== '/openapi.json' && path !== '/authorization')
        operation.parameters = [
          ...(operation.parameters ?? []),
          { $ref: '#/components/parameters/attributes' },
          { $ref: '#/components/parameters/callback' },
        ]
    }
  return document
}

const FAILURES: Record<string, string> = {
  400: 'The address, a parameter, the body or the state of the thing does not allow it; `error` says which',
  401: 'No token where one is needed, or one that is not valid',
  403: 'It belongs to somebody else',
  404: 'There is no such thing',
  410: 'It was there, and is over',
  413: 'The body has more than 1 MiB',
}

const TOKEN = [{ bearer: [] }, { access_token: [] }]
const SECURITY: Record<Access | 'control', object[]> = {
  token: TOKEN,
  optional: [{}, ...TOKEN],
  public: [],
  control: [{}, { admin: [] }],
}

const TOLD: Record<Plane, { title: string; description: string; components: object }> = {
  api: {
    title: 'mercadito',
    description:
      'A sandbox that speaks a seller marketplace’s API: contact statistics, questions and answers, Flex same-day delivery, pre-approved credits, and what they need. Compatible with Mercado Libre’s public seller API, not affiliated with it.\n\nEvery GET takes `attributes` (only those members are answered) and `callback` (JSONP: status 200 and a call of that function with status, headers and body). Every path answers OPTIONS with a description of itself. The addresses may stand behind `/w/{world}`.',
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The access token of a user' },
        access_token: {
          type: 'apiKey',
          in: 'query',
          name: 'access_token',
          description: 'The same token, in the address',
        },
      },
      parameters: {
        attributes: {
          name: 'attributes',
          in: 'query',
          description: 'Members to answer, separated by commas; of each element where the answer is a list',
          schema: { type: 'string' },
          examples: { id: { value: 'id' } },
        },
        callback: {
          name: 'callback',
          in: 'query',
          description: 'JSONP: the function to call. The answer then has status 200 and bears the real one inside',
          schema: { type: 'string', maxLength: 128 },
          examples: { show: { value: 'show' } },
        },
      },
    },
  },
  control: {
    title: 'mercadito: control plane',
    description:
      'What no marketplace lets its users do: make worlds, move their time, make anything happen in them, and see what was called. Every address may stand behind `/w/{world}`; without, it is about the default world. Bodies are JSON and have no other members than those named. Calls must come from this machine (Host is a name of it), or bear the admin token; never from a page of another site.',
    components: {
      securitySchemes: {
        admin: { type: 'http', scheme: 'bearer', description: 'What the server was started with as --admin-token' },
      },
    },
  },
}

const optionsOf = (plane: Plane) => ({
  openapi: {
    openapi: '3.1.0',
    info: {
      title: TOLD[plane].title,
      version: '0.1.0',
      description: TOLD[plane].description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: 'http://127.0.0.1:4400', description: 'A server started with the defaults' }],
    components: TOLD[plane].components,
  },
  hideUntagged: false,
  transform({
    schema,
    url,
    route,
  }: {
    schema: Record<string, unknown>
    url: string
    route: { method: string; config: RouteConfig }
  }) {
    const { resource, access } = route.config
    if (schema.hide || (access === 'control') !== (plane === 'control'))
      return { schema: { ...schema, hide: true }, url }
    const response = schema.response as Record<string, object>
    // What the server itself may answer on any route, in the words of the route's own errors.
    const failure = Object.entries(response).find(([status]) => Number(status) >= 400)![1]
    const anywhere =
      plane === 'control'
        ? { 401: failure, 403: failure, ...(schema.body ? { 413: failure } : {}) }
        : route.method === 'GET'
          ? { 400: failure, 401: failure }
          : { 401: failure, 413: failure }
    return {
      schema: {
        operationId: nameOf(String(route.method), url),
        description: resource.description,
        ...schema,
        response: { ...anywhere, ...response },
        tags: [resource.name],
        security: SECURITY[access],
      },
      url,
    }
  },
})
interface RouteConfig {
  resource: { name: string; description: string }
  access: Access | 'control'
}

/** `GET /items/:item_id/contacts/questions` → `getItemsItemIdContactsQuestions`. */
const nameOf = (method: string, url: string): string =>
  method.toLowerCase() +
  url
    .split(/[/:_]+/)
    .filter(Boolean)
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('')

const OURS = new Set(['x-read', 'x-path', 'x-message'])

/** As JSON has it, without what only this program reads in a schema. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (name, member) => (OURS.has(name) ? undefined : member)))

/** Moves every schema that has a title to the components, so that it is written once and programs know it by name. */
function named(value: unknown, schemas: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((element) => named(element, schemas))
  if (typeof value !== 'object' || value === null) return value
  const { title, ...rest } = value as { title?: unknown; type?: unknown }
  const members = Object.fromEntries(Object.entries(rest).map(([name, member]) => [name, named(member, schemas)]))
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

/** A list in a query is written with commas; its example is then an array. What has a default may be left out. */
const parametersTold = (paths: Document['paths']): Document['paths'] =>
  JSON.parse(JSON.stringify(paths), (_, member: Parameter | null) =>
    member?.schema?.type === 'array' && typeof member.example === 'string'
      ? { ...member, example: member.example.split(','), style: 'form', explode: false }
      : member?.in && member.schema?.default !== undefined
        ? { ...member, required: false }
        : member,
  )

export const asText = (document: object): string => `${JSON.stringify(document, null, 2)}\n`

/** The JSON Schema of world files, draft 2020-12. */
export const worldSchema = (): object => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...(plain(WorldFile) as object),
})
export const WORLD_SCHEMA = 'world.schema.json'

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const write = (file: string, text: string) =>
    writeFileSync(fileURLToPath(new URL(`../${file}`, import.meta.url)), text)
  const [api, control] = [await openapi('api'), await openapi('control')]
  write(FILES.api, asText(api))
  write(FILES.control, asText(control))
  write(TYPES, typesOf(control))
  write(WORLD_SCHEMA, asText(worldSchema()))
}

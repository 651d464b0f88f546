import { tmpdir } from 'node:os'
import { Type } from '@sinclair/typebox'
import type { RouteOptions } from 'fastify'
import t from 'tap'
import { build } from '../../app.ts'
import { createTemporaryFolder } from '../../db/folders.ts'
import { ResponseObject } from '../../domains/shared/schemas.ts'

interface Schema {
  type?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  additionalProperties?: unknown
  'x-message'?: string
  'x-read'?: string
  content?: Record<string, { schema: Schema }>
}

const routes: RouteOptions[] = []
const row = {
  id: 1,
  nickname: 'TEST',
  password: 'qatest1',
  address: { city: 'CABA', secret: 'x' },
  more: [{ a: 1, b: 2 }],
}
const config = { access: 'public', resource: { name: 'Test', description: 'Test' }, internal: true } as const

const { server, openApi, openControlPlane } = await build({
  folder: createTemporaryFolder(tmpdir()),
  mode: 'temporary',
  scenario: 'empty',
  seed: 1,
  now: 0,
  secret: false,
  onFault: (error) => t.fail(String(error)),
  beforePlugins(app) {
    app.addHook('onRoute', (route) => void routes.push(route))
    const response = {
      200: ResponseObject({
        id: Type.Integer(),
        nickname: Type.String(),
        address: ResponseObject({ city: Type.String() }),
        more: Type.Array(ResponseObject({ a: Type.Integer() })),
      }),
    }
    app.get('/leak', { config, schema: { response } }, async () => row)
    app.get('/assert', { config }, async () => app.assert(false, 404, 'No such thing.'))
    app.get('/reply', { config }, (_request, reply) => reply.tooManyRequests())
  },
})
t.teardown(() => server.close())
await openControlPlane()
await openApi()

t.test('members that a response schema does not name are not sent', async (t) => {
  const { payload } = await server.inject('/leak')
  t.equal(payload, '{"id":1,"nickname":"TEST","address":{"city":"CABA"},"more":[{"a":1}]}')
})

t.test('errors of @fastify/sensible are standard errors', async (t) => {
  const errorOf = async (url: string) => (await server.inject(url)).json()
  t.strictSame(await errorOf('/assert'), { message: 'No such thing.', error: 'not_found', status: 404, cause: [] })
  t.strictSame(await errorOf('/reply'), {
    message: 'Too Many Requests',
    error: 'too_many_requests',
    status: 429,
    cause: [],
  })
})

/** The objects of a schema that say nothing of further members. */
function openObjects(schema: Schema, place: string): string[] {
  const { properties, items, anyOf = [], content = {}, additionalProperties } = schema
  return [
    ...(properties && additionalProperties === undefined ? [place] : []),
    ...Object.entries(properties ?? {}).flatMap(([name, member]) => openObjects(member, `${place}.${name}`)),
    ...(items ? openObjects(items, `${place}[]`) : []),
    ...anyOf.flatMap((choice, n) => openObjects(choice, `${place}|${n}`)),
    ...Object.entries(content).flatMap(([type, { schema }]) => openObjects(schema, `${place} ${type}`)),
  ]
}

/** Sent as text: the result of a GraphQL query, which may have aliases, and a world file. */
const OPEN = [
  'POST /shipping/flex/sites/:site_id/configuration/v3 200',
  'GET /_sandbox/world 200.flex_subscriptions[].delivery_ranges',
]

t.test('every object of a response schema names all its members', async (t) => {
  t.ok(routes.length > 100)
  const open = routes.flatMap(({ method, url, schema }) =>
    Object.entries((schema?.response ?? {}) as Record<string, Schema>).flatMap(([status, response]) =>
      openObjects(response, `${method} ${url} ${status}`),
    ),
  )
  t.strictSame(open.sort(), OPEN.sort())
})

/** The members of a schema of a request that have a type, and say nothing of what is allowed. */
function silentMembers(schema: Schema, place: string): string[] {
  const { properties = {}, items, anyOf = [] } = schema
  return [
    ...Object.entries(properties).flatMap(([name, member]) => [
      ...(member.type && member['x-message'] === undefined ? [`${place}.${name}`] : []),
      ...silentMembers(member, `${place}.${name}`),
    ]),
    ...(items ? silentMembers(items, `${place}[]`) : []),
    ...anyOf.flatMap((choice) => silentMembers(choice, place)),
  ]
}

t.test('every member of a control call says what is allowed', async (t) => {
  const control = routes.filter(({ url }) => url.startsWith('/_sandbox/'))
  t.ok(control.length > 100)
  const silent = control.flatMap(({ method, url, schema }) =>
    [schema?.body, schema?.querystring]
      .filter((part): part is Schema => part !== undefined && (part as Schema)['x-read'] !== 'route')
      .flatMap((part) => silentMembers(part, `${method} ${url} `)),
  )
  t.strictSame(silent, [])
})

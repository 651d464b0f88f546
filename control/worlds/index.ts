import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { DEFAULT_WORLD, type Worlds } from '../../db/worlds.ts'
import { controlConfig, Page, PagingQuery, StrictBody } from '../../domains/shared/control_schemas.ts'
import {
  errorResponses,
  Instant,
  MAX_ID,
  Nullable,
  OneOf,
  parseInstantParameter,
  ResponseObject,
} from '../../domains/shared/schemas.ts'
import { badRequest, notFound } from '../../http/errors.ts'
import { SCENARIOS, SHIPPED_SEED } from '../../scenarios/names.ts'
import type { Templates } from '../../scenarios/templates.ts'
import { AssumptionValue, readSwitches } from './assumptions.ts'
import { createWorld, forkWorld, type WorldDefaults } from './create_world.ts'
import { createWorldInfo, readWorldInfo, type WorldInfo } from './world_info.ts'

const config = controlConfig('Worlds', 'Marketplaces of their own, side by side')

const WorldId = Type.Integer({ description: 'Number of the world', examples: [2] })
const Url = Type.String({ description: 'Base address of the world', examples: ['http://127.0.0.1:4400/w/2'] })
const Mode = OneOf(['temporary', 'kept'], { description: 'Whether it outlives the server', examples: ['temporary'] })

const Person = ResponseObject(
  {
    id: Type.Integer({ description: 'User identifier' }),
    site_id: Type.String({ description: 'Country site' }),
    nickname: Type.String({ description: 'Name' }),
    token: Type.String({ description: 'Access token that does not expire' }),
  },
  { title: 'Person', description: 'A test user' },
)
export const WorldInfoResponse = ResponseObject(
  {
    url: Url,
    world: ResponseObject(
      {
        id: WorldId,
        mode: Mode,
        data: Nullable(Type.String(), { description: 'The folder; null when nothing is kept' }),
      },
      { description: 'Which world it is' },
    ),
    application: ResponseObject(
      {
        id: Type.Integer({ description: 'client_id' }),
        secret: Type.String({ description: 'client_secret' }),
        redirect_uri: Type.String({ description: 'Where OAuth leads back to' }),
      },
      { description: 'Its first application' },
    ),
    sellers: Type.Array(Person, { description: 'Test users who sell' }),
    buyers: Type.Array(Person, { description: 'Test users who do not' }),
  },
  { title: 'ReadyWorld', description: 'All that a program needs to begin' },
)
const ListedWorld = ResponseObject({ id: WorldId, url: Url }, { title: 'ListedWorld', description: 'A world' })

const worldNotFound = (id: unknown) => notFound(`World ${id} not found`)
const params = Type.Object({
  id: Type.Integer({
    minimum: 1,
    maximum: MAX_ID,
    description: 'Number of the world',
    examples: [2],
    'x-refusal': worldNotFound,
  }),
})

/** A world’s base address, as the caller reaches this server. The default world has none of its own. */
const baseUrlOf = ({ protocol, host }: FastifyRequest, id: number): string =>
  id === DEFAULT_WORLD ? `${protocol}://${host}` : `${protocol}://${host}/w/${id}`

/** All that the caller needs to begin with a world. */
export async function worldInfoOf(worlds: Worlds, request: FastifyRequest, id: number): Promise<WorldInfo> {
  const world = await worlds.acquire(id)
  if (!world) throw worldNotFound(id)
  try {
    return await readWorldInfo(baseUrlOf(request, id), world, worlds)
  } finally {
    worlds.release(world)
  }
}

interface Options {
  worlds: Worlds
  templates: Templates
  defaults: WorldDefaults
}

const worldRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { worlds, templates, defaults }) => {
  const infoOf = (request: FastifyRequest, id: number) => worldInfoOf(worlds, request, id)

  app.post(
    '/worlds',
    {
      config,
      schema: {
        summary: 'Make a world',
        description:
          'Of a scenario, or as another stands now (`from`); with its own application and tokens. Call the emulated API under `url`, or with one of its tokens.',
        body: StrictBody(
          {
            scenario: Type.Optional(OneOf([...SCENARIOS], { description: 'What it holds', examples: ['demo'] })),
            from: Type.Optional(
              Type.Integer({
                minimum: 1,
                maximum: MAX_ID,
                description: 'Number of the world to begin as; instead of scenario',
                'x-message': 'must be the number of a world',
              }),
            ),
            seed: Type.Optional(
              Type.Integer({
                minimum: 0,
                maximum: MAX_ID,
                description: `Makes another world of the same kind; default ${SHIPPED_SEED}`,
                examples: [1],
                'x-message': 'must be an integer from 0',
              }),
            ),
            now: Type.Optional(Instant('Freeze its clock at this instant', '2026-03-02T12:00:00Z')),
            assume: Type.Optional(
              Type.Record(Type.String(), AssumptionValue, {
                description: 'Assumptions in which it shall behave otherwise, each with its value',
                examples: [{ 'contacts.current_bucket': 'exclude' }],
                'x-message': 'must be an object of names and values',
              }),
            ),
          },
          { examples: [{ scenario: 'demo', now: '2026-03-02T12:00:00Z' }] },
        ),
        response: { 201: WorldInfoResponse, ...errorResponses(400, 404) },
      },
    },
    async (request, reply) => {
      const { scenario, from, seed, now, assume = {} } = request.body
      if ((scenario === undefined) === (from === undefined))
        throw badRequest('scenario: is required, or from, and not both')
      if (from !== undefined && seed !== undefined) throw badRequest('seed: belongs to a scenario, not to from')
      const instant = now === undefined ? null : parseInstantParameter('now', now)
      const switches = readSwitches(assume)
      if (from !== undefined && !worlds.has(from)) throw worldNotFound(from)
      const { id, credentials } =
        from === undefined
          ? await createWorld(worlds, templates, {
              ...defaults,
              scenario: scenario!,
              seed: seed ?? SHIPPED_SEED,
              now: instant,
              switches: { ...defaults.switches, ...switches },
            })
          : await forkWorld(worlds, from, defaults, { now: instant, switches })
      return reply.code(201).send(createWorldInfo(baseUrlOf(request, id), id, credentials, worlds))
    },
  )

  app.get(
    '/worlds',
    {
      config,
      schema: {
        summary: 'All worlds of the server',
        querystring: Type.Object(PagingQuery),
        response: { 200: Page(ListedWorld, 'Worlds by number'), ...errorResponses(400, 404) },
      },
    },
    async (request) => {
      const { limit, offset } = request.query
      const ids = worlds.ids()
      return {
        paging: { total: ids.length, limit, offset },
        results: ids.slice(offset, offset + limit).map((id) => ({ id, url: baseUrlOf(request, id) })),
      }
    },
  )

  app.get(
    '/worlds/:id',
    {
      config,
      schema: {
        summary: 'All that a program needs to begin',
        params,
        response: { 200: WorldInfoResponse, ...errorResponses(404) },
      },
    },
    async (request) => infoOf(request, request.params.id),
  )

  app.delete(
    '/worlds/:id',
    {
      config,
      schema: {
        summary: 'End a world and all that is kept of it',
        description: 'Its number is never used again. The default world stays.',
        params,
        response: { 204: Type.Null({ description: 'It is gone' }), ...errorResponses(400, 404) },
      },
    },
    async ({ params: { id } }, reply) => {
      if (!worlds.has(id)) throw worldNotFound(id)
      if (id === DEFAULT_WORLD) throw badRequest('id: the default world cannot be deleted; reset it')
      await worlds.remove(id)
      return reply.code(204).send(null)
    },
  )
}
export default worldRoutes

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { yieldToEventLoop } from '../../db/engine.ts'
import { BrokenFile } from '../../db/migrate.ts'
import { DEFAULT_WORLD, NoSuchWorld, type WorldDescription, type Worlds } from '../../db/worlds.ts'
import {
  controlCall,
  controlConfig,
  keepsState,
  Page,
  PagingQuery,
  viewable,
} from '../../domains/shared/control_schemas.ts'
import { utcOrNull } from '../../domains/shared/instants.ts'
import { routesOf } from '../../domains/shared/routes.ts'
import { errorResponses, IdInPath, parseInstantParameter } from '../../domains/shared/schemas.ts'
import { toWellFormed } from '../../domains/shared/texts.ts'
import { badRequest, notFound } from '../../http/errors/control_errors.ts'
import { SHIPPED_SEED } from '../../scenarios/names.ts'
import type { Templates } from '../../scenarios/templates.ts'
import type { Runs } from '../runs/runs.ts'
import { readSwitches } from './assumptions.ts'
import { presentSetting } from './clock_schemas.ts'
import { type CreatedWorld, createWorld, forkWorld, type WorldDefaults } from './create_world.ts'
import { ListedWorld, NewWorld, WorldChange, WorldInfoResponse } from './schemas.ts'
import { createWorldInfo, readWorldInfo, type WorldInfo } from './world_info.ts'

const config = controlConfig('Worlds', 'Independent marketplaces of one server')

const worldNotFound = (id: unknown) => notFound(`World ${id} not found`)
const params = Type.Object({
  id: IdInPath('Number of the world', 2, worldNotFound, { minimum: 1 }),
})

/** The base address of a world, as the caller reaches this server. The default world has that of the server. */
function baseUrlOf({ server: { publicUrl }, protocol, host }: FastifyRequest, id: number): string {
  const server = publicUrl ?? `${protocol}://${host}`
  return id === DEFAULT_WORLD ? server : `${server}/w/${id}`
}

/** The address, application and tokens of a world; 404 if it does not exist. */
export async function worldInfoOf(worlds: Worlds, request: FastifyRequest, id: number): Promise<WorldInfo> {
  const world = await worlds.acquire(id)
  if (!world) throw worldNotFound(id)
  try {
    return await readWorldInfo(baseUrlOf(request, id), world, worlds)
  } finally {
    worlds.release(world)
  }
}

const present = async (
  worlds: Worlds,
  { id, createdAt, createdBy, expiresAt, usedAt, bytes, name }: WorldDescription,
  request: FastifyRequest,
): Promise<Static<typeof ListedWorld>> => ({
  id,
  url: baseUrlOf(request, id),
  created_at: utcOrNull(createdAt),
  created_by: createdBy,
  expires_at: utcOrNull(expiresAt),
  used_at: utcOrNull(usedAt),
  bytes,
  name,
  clock: await clockOf(worlds, id),
})

/** The clock of a world; null if its file is damaged. */
async function clockOf(worlds: Worlds, id: number) {
  try {
    return presentSetting(await worlds.clockOf(id))
  } catch (error) {
    if (error instanceof BrokenFile) return null
    throw error
  }
}

/** A page of the list of worlds. The first read of a closed world's clock takes some 0.3 ms. */
async function presentAll(worlds: Worlds, ids: number[], request: FastifyRequest) {
  const results = []
  for (const world of worlds.describe(ids)) {
    if (results.length % WORLDS_PER_YIELD === WORLDS_PER_YIELD - 1) await yieldToEventLoop()
    if (!worlds.has(world.id)) continue
    try {
      results.push(await present(worlds, world, request))
    } catch (error) {
      // Removed meanwhile.
      if (!(error instanceof NoSuchWorld)) throw error
    }
  }
  return results
}
const WORLDS_PER_YIELD = 50

interface Options {
  worlds: Worlds
  templates: Templates
  defaults: WorldDefaults
  runs: Runs
}

const toMs = (seconds: number | null | undefined) => (typeof seconds === 'number' ? seconds * 1000 : seconds)

/** Creates the world that a body describes; 400 if its members contradict each other, 404 if `from` does not exist. */
async function createRequestedWorld(
  { scenario, from, seed, now, assume = {}, expires_in, created_by, name }: NewWorld,
  { worlds, templates, defaults }: Options,
): Promise<CreatedWorld> {
  if ((scenario === undefined) === (from === undefined))
    throw badRequest('scenario: exactly one of scenario and from is required')
  if (from !== undefined && seed !== undefined) throw badRequest('seed: cannot be combined with from')
  const instant = now === undefined ? null : parseInstantParameter('now', now)
  const switches = readSwitches(assume)
  const origin = {
    createdBy: created_by ?? null,
    name: toWellFormed(name) ?? null,
    lifetimeMs: toMs(expires_in) ?? null,
  }
  if (from === undefined)
    return createWorld(
      worlds,
      templates,
      {
        ...defaults,
        scenario: scenario!,
        seed: seed ?? SHIPPED_SEED,
        now: instant,
        switches: { ...defaults.switches, ...switches },
      },
      origin,
    )
  if (!worlds.has(from)) throw worldNotFound(from)
  return forkWorld(worlds, from, defaults, { now: instant, switches, origin })
}

const reads: FastifyPluginAsyncTypebox<{ worlds: Worlds }> = async (app, { worlds }) => {
  app.get(
    '/worlds',
    controlCall(viewable(config), {
      summary: 'List the worlds of the server',
      querystring: Type.Object(PagingQuery),
      answer: Page(ListedWorld, 'Worlds by number'),
    }),
    async (request) => {
      const { limit, offset } = request.query
      const ids = worlds.ids()
      return {
        paging: { total: ids.length, limit, offset },
        results: await presentAll(worlds, ids.slice(offset, offset + limit), request),
      }
    },
  )

  app.get(
    '/worlds/:id',
    controlCall(viewable(config), {
      summary: 'Address, application and tokens of a world',
      params,
      answer: WorldInfoResponse,
    }),
    async (request) => worldInfoOf(worlds, request, request.params.id),
  )
}

const changes: FastifyPluginAsyncTypebox<Options> = async (app, options) => {
  const { worlds, runs } = options

  app.post(
    '/worlds',
    {
      config: keepsState(config),
      schema: {
        summary: 'Create a world',
        description:
          'From a scenario, or as a copy of another world (`from`); with its own application and tokens. Call the emulated API under `url`, or with one of its tokens.',
        body: NewWorld,
        response: { 201: WorldInfoResponse, ...errorResponses(400, 404) },
      },
    },
    async (request, reply) => {
      const { id, credentials } = await createRequestedWorld(request.body, options)
      runs.add(request.world.id, id)
      return reply.code(201).send(createWorldInfo(baseUrlOf(request, id), id, credentials, worlds))
    },
  )

  app.patch(
    '/worlds/:id',
    controlCall(keepsState(config), {
      summary: 'Name a world, or change when it expires',
      description: 'The default world cannot expire. The answer is the element of the list.',
      params,
      body: WorldChange,
      answer: ListedWorld,
    }),
    async (request) => {
      const { id } = request.params
      const { name, expires_in } = request.body
      if (!worlds.has(id)) throw worldNotFound(id)
      if (id === DEFAULT_WORLD && expires_in != null) throw badRequest('expires_in: the default world cannot expire')
      await worlds.change(id, { name: toWellFormed(name), lifetimeMs: toMs(expires_in) })
      return present(worlds, worlds.describe([id])[0]!, request)
    },
  )

  app.delete(
    '/worlds/:id',
    {
      config: keepsState(config),
      schema: {
        summary: 'Delete a world with its snapshots',
        description: 'Its number is never used again. The default world cannot be deleted.',
        params,
        response: { 204: Type.Null({ description: 'Deleted' }), ...errorResponses(400, 404) },
      },
    },
    async ({ params: { id } }, reply) => {
      if (!worlds.has(id)) throw worldNotFound(id)
      if (id === DEFAULT_WORLD) throw badRequest('id: the default world cannot be deleted; reset it')
      await runs.beforeRemoval(id)
      await worlds.remove(id)
      return reply.code(204).send(null)
    },
  )
}

export default routesOf(changes, reads)

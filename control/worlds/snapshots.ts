import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import type { World } from '../../db/world.ts'
import type { SnapshotDescription } from '../../db/worlds/snapshots.ts'
import type { Worlds } from '../../db/worlds.ts'
import {
  controlConfig,
  keepsState,
  NoContent,
  Page,
  PagingQuery,
  StrictBody,
  viewable,
} from '../../domains/shared/control_schemas.ts'
import { utcOrNull } from '../../domains/shared/instants.ts'
import { routesOf } from '../../domains/shared/routes.ts'
import { errorResponses, Nullable, OneOf, ResponseObject } from '../../domains/shared/schemas.ts'
import { toWellFormed } from '../../domains/shared/texts.ts'
import { notFound } from '../../http/errors/control_errors.ts'
import { enterNewState } from '../../http/request_world.ts'
import type { Templates } from '../../scenarios/templates.ts'
import type { Runs } from '../runs/runs.ts'
import type { LongCalls } from '../service/long_calls.ts'
import { populateAsCreated } from './create_world.ts'

const config = controlConfig('Reset and snapshots', 'Restore the start of the world, or a stored state')

const Name = Type.String({
  pattern: '^[a-z0-9][a-z0-9_-]{0,63}$',
  description: 'Name of a snapshot',
  examples: ['before-checkout'],
  'x-message': 'must be 1 to 64 lower case letters, digits, - and _, beginning with a letter or digit',
})
const Label = Type.String({
  maxLength: 100,
  pattern: '^[^\\u0000-\\u001f]+$',
  description: 'What it is, for people',
  examples: ['Before the checkout'],
  'x-message': 'must be a text of 1 to 100 characters',
})
export const Snapshot = ResponseObject(
  {
    name: Type.String({
      description: 'Name; those of automatic snapshots are `auto.` and a number, which is higher for later ones',
      examples: ['before-checkout'],
    }),
    automatic: Nullable(OneOf(['control', 'program']), {
      description:
        'Why the server took it: before a control call, or before a write of a program; null: it was stored by POST /snapshots',
      examples: [null],
    }),
    created_at: Nullable(Type.String(), { description: 'Real time when it was stored; null if not known' }),
    bytes: Type.Integer({ description: 'Size of its file' }),
    now: Nullable(Type.String(), { description: 'The world’s time when it was stored; null if not known' }),
    label: Nullable(Type.String(), {
      description:
        'What it is, null if not given; of automatic snapshots, the label of the control call, or the call of the program, such as `POST /answers`',
    }),
  },
  { title: 'Snapshot', description: 'A stored state of a world' },
)
const snapshotNotFound = (name: string) => notFound(`Snapshot ${name} not found`)

/** Throws 404. */
async function findSnapshot(worlds: Worlds, { id }: World, name: string): Promise<SnapshotDescription> {
  const snapshot = (await worlds.snapshots(id)).find((one) => one.name === name)
  if (!snapshot) throw snapshotNotFound(name)
  return snapshot
}

export const presentSnapshot = (snapshot: SnapshotDescription): Static<typeof Snapshot> => {
  const { name, automatic, createdAt, bytes, now, label } = snapshot
  return { name, automatic, created_at: utcOrNull(createdAt), bytes, now: utcOrNull(now), label }
}

const params = Type.Object({
  name: Type.String({ description: 'Name of a snapshot', examples: ['before-checkout'] }),
})

/** The body of calls that restore a state; it may be empty. */
const Restoration = StrictBody(
  {
    keep_requests: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'true: the recorded requests and control calls stay; ids continue, and `marks` of GET /requests has the change',
        examples: [false],
        'x-message': 'must be true or false',
      }),
    ),
  },
  { default: {} },
)

interface Options {
  worlds: Worlds
  templates: Templates
  longCalls: LongCalls
  runs: Runs
}

const stored: FastifyPluginAsyncTypebox<{ worlds: Worlds }> = async (app, { worlds }) => {
  app.get(
    '/snapshots',
    {
      config: viewable(config),
      schema: {
        summary: 'List the snapshots: automatic ones, the newest first, then the others by name',
        querystring: Type.Object(PagingQuery),
        response: { 200: Page(Snapshot, 'Snapshots'), ...errorResponses(400, 404) },
      },
    },
    async ({ world, query: { limit, offset } }) => {
      const all = await worlds.snapshots(world.id)
      return {
        paging: { total: all.length, limit, offset },
        results: all.slice(offset, offset + limit).map(presentSnapshot),
      }
    },
  )

  app.post(
    '/snapshots',
    {
      config: keepsState(config),
      schema: {
        summary: 'Store the state of the world under a name',
        description: 'Replaces a snapshot of this name. It has data, clock and tokens.',
        body: StrictBody({ name: Name, label: Type.Optional(Label) }),
        response: { 201: Snapshot, ...errorResponses(400, 404) },
      },
    },
    async ({ world, body: { name, label = null } }, reply) => {
      await worlds.snapshot(world.id, name, toWellFormed(label))
      return reply.code(201).send(presentSnapshot(await findSnapshot(worlds, world, name)))
    },
  )

  app.get(
    '/snapshots/:name',
    {
      config: viewable(config),
      schema: {
        summary: 'Read what is known about a snapshot',
        params,
        response: { 200: Snapshot, ...errorResponses(404) },
      },
    },
    async ({ world, params: { name } }) => presentSnapshot(await findSnapshot(worlds, world, name)),
  )

  app.delete(
    '/snapshots/:name',
    {
      config: keepsState(config),
      schema: { summary: 'Delete a snapshot', params, response: { 204: NoContent, ...errorResponses(404) } },
    },
    async ({ world, params: { name } }, reply) => {
      if (!(await worlds.deleteSnapshot(world.id, name))) throw snapshotNotFound(name)
      return reply.code(204).send(null)
    },
  )
}

const restoring: FastifyPluginAsyncTypebox<Options> = async (app, { worlds, templates, longCalls, runs }) => {
  app.post(
    '/reset',
    {
      config,
      schema: {
        summary: 'Restore the start of the world',
        description:
          'The scenario with its seed as it was when the world was created, or the state that was loaded or copied. The application and the first tokens stay the same; requests in flight finish on the previous state.',
        body: Restoration,
        response: { 204: NoContent, ...errorResponses(400, 404) },
      },
    },
    async (request, reply) => {
      const { world, body } = request
      const { keep_requests } = body
      if (!keep_requests) await runs.beforeEnd(world.id)
      await worlds.reset(world.id, populateAsCreated(world, templates), keep_requests)
      await enterNewState(worlds, request)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/snapshots/:name/restore',
    {
      config,
      schema: {
        summary: 'Restore a snapshot',
        description:
          'Restores data, clock and tokens; requests in flight finish on the previous state. A snapshot stays, also an automatic one: POST /undo takes back its calls.',
        params,
        body: Restoration,
        response: { 204: NoContent, ...errorResponses(400, 404) },
      },
    },
    async (request, reply) => {
      const { world, params, body } = request
      const { name } = params
      const { keep_requests } = body
      const { bytes } = await findSnapshot(worlds, world, name)
      const { id } = world
      if (!keep_requests) await runs.beforeEnd(id)
      const isRestored = await longCalls.track(
        {
          operation: 'restore',
          world: id,
          unit: 'bytes',
          total: bytes,
          done: () => worlds.restoredBytes(id),
        },
        () => worlds.restore(id, name, keep_requests),
      )
      if (!isRestored) throw snapshotNotFound(name)
      await enterNewState(worlds, request)
      return reply.code(204).send(null)
    },
  )
}

export default routesOf(restoring, stored)

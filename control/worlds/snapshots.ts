import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsync } from 'fastify'
import type { Worlds } from '../../db/worlds.ts'
import { controlConfig, Page, PagingQuery, StrictBody } from '../../domains/shared/control_schemas.ts'
import { errorResponses, ResponseObject } from '../../domains/shared/schemas.ts'
import { notFound } from '../../http/errors.ts'
import type { Templates } from '../../scenarios/templates.ts'
import { populateAsCreated } from './create_world.ts'

const config = controlConfig('Reset and snapshots', 'Back to the beginning, or to any kept state')

const Name = Type.String({
  pattern: '^[a-z0-9][a-z0-9_-]{0,63}$',
  description: 'Name of a snapshot',
  examples: ['before-checkout'],
  'x-message': 'must be 1 to 64 lower case letters, digits, - and _, beginning with a letter or digit',
})
const Snapshot = ResponseObject({ name: Name }, { title: 'Snapshot', description: 'A kept state of a world' })
const NoContent = Type.Null({ description: 'It is done' })
const snapshotNotFound = (name: string) => notFound(`Snapshot ${name} not found`)

const params = Type.Object({
  name: Type.String({ description: 'Name of a snapshot', examples: ['before-checkout'] }),
})

interface Options {
  worlds: Worlds
  templates: Templates
}

const stored: FastifyPluginAsyncTypebox<{ worlds: Worlds }> = async (app, { worlds }) => {
  app.get(
    '/snapshots',
    {
      config,
      schema: {
        summary: 'Snapshots of the world, by name',
        querystring: Type.Object(PagingQuery),
        response: { 200: Page(Snapshot, 'Snapshots'), ...errorResponses(400, 404) },
      },
    },
    async ({ world, query: { limit, offset } }) => {
      const names = await worlds.snapshots(world.id)
      return {
        paging: { total: names.length, limit, offset },
        results: names.slice(offset, offset + limit).map((name) => ({ name })),
      }
    },
  )

  app.post(
    '/snapshots',
    {
      config,
      schema: {
        summary: 'Keep the world’s present state under a name',
        description: 'One of the same name is replaced. Data, clock and tokens are in it.',
        body: StrictBody({ name: Name }),
        response: { 201: Snapshot, ...errorResponses(400, 404) },
      },
    },
    async ({ world, body: { name } }, reply) => {
      await worlds.snapshot(world.id, name)
      return reply.code(201).send({ name })
    },
  )

  app.get(
    '/snapshots/:name',
    {
      config,
      schema: { summary: 'Whether there is a snapshot', params, response: { 200: Snapshot, ...errorResponses(404) } },
    },
    async ({ world, params: { name } }) => {
      if (!(await worlds.snapshots(world.id)).includes(name)) throw snapshotNotFound(name)
      return { name }
    },
  )

  app.delete(
    '/snapshots/:name',
    {
      config,
      schema: { summary: 'Forget a snapshot', params, response: { 204: NoContent, ...errorResponses(404) } },
    },
    async ({ world, params: { name } }, reply) => {
      if (!(await worlds.snapshots(world.id)).includes(name)) throw snapshotNotFound(name)
      await worlds.deleteSnapshot(world.id, name)
      return reply.code(204).send(null)
    },
  )
}

const restoring: FastifyPluginAsyncTypebox<Options> = async (app, { worlds, templates }) => {
  app.post(
    '/reset',
    {
      config,
      schema: {
        summary: 'Back to the world’s starting point',
        description:
          'The scenario with its seed as it was when the world was made, or the state that was loaded or forked. Its application and first tokens stay the same; requests that run just now finish on the state before.',
        response: { 204: NoContent, ...errorResponses(404) },
      },
    },
    async ({ world }, reply) => {
      await worlds.reset(world.id, populateAsCreated(world, templates))
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/snapshots/:name/restore',
    {
      config,
      schema: {
        summary: 'Put a snapshot in the world’s place',
        description: 'Data, clock and tokens are as they were; requests that run just now finish on the state before.',
        params,
        response: { 204: NoContent, ...errorResponses(404) },
      },
    },
    async ({ world, params: { name } }, reply) => {
      // Only names of the list are used: a name from a URL never becomes a path.
      if (!(await worlds.snapshots(world.id)).includes(name)) throw snapshotNotFound(name)
      if (!(await worlds.restore(world.id, name))) throw snapshotNotFound(name)
      return reply.code(204).send(null)
    },
  )
}

const snapshots: FastifyPluginAsync<Options> = async (app, options) => {
  app.register(restoring, options)
  app.register(stored, options)
}
export default snapshots

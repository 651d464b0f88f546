import type { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { readAsset } from '../../db/assets.ts'
import type { Worlds } from '../../db/worlds.ts'
import type { NetworkPolicy } from '../../domains/notifications/outbound/network_policy.ts'
import { controlCall, controlConfig, viewableUnmasked } from '../../domains/shared/control_schemas.ts'
import { errorResponses } from '../../domains/shared/schemas.ts'
import { enterNewState } from '../../http/request_world.ts'
import { sendParts } from '../send_parts.ts'
import type { WorldDefaults } from '../worlds/create_world.ts'
import { worldInfoOf } from '../worlds/index.ts'
import { WorldInfoResponse } from '../worlds/schemas.ts'
import { exportWorld } from './export.ts'
import { populateFromFile } from './import.ts'
import { WorldFile } from './schemas.ts'
import { MAX_FILE_BYTES, openCopy, receiveUpload } from './temp_files.ts'

const config = controlConfig('World files', 'A whole world as JSON')

const worldFile: FastifyPluginAsyncTypebox<{
  worlds: Worlds
  defaults: WorldDefaults
  networkPolicy: NetworkPolicy
}> = async (app, { worlds, defaults, networkPolicy }) => {
  app.get(
    '/world',
    controlCall(config, {
      summary: 'The world as a file',
      description:
        'The whole world: clock, users, applications, listings, questions, contacts and the rest, one element per line, in a fixed order: equal worlds give equal bytes. It contains chosen tokens and secrets, not generated ones.',
      answer: WorldFile,
    }),
    async ({ world }, reply) => {
      const copy = await openCopy(world, worlds.tempFilePath())
      return sendParts(reply, 'application/json; charset=utf-8', exportWorld(copy.q), copy.discard)
    },
  )

  app.get(
    '/world.schema.json',
    {
      config: viewableUnmasked(config),
      schema: {
        summary: 'The JSON Schema of world files',
        response: {
          200: {
            description: 'JSON Schema, draft 2020-12',
            content: { 'application/schema+json': { schema: Type.Unknown() } },
          },
          ...errorResponses(404),
        },
      },
    },
    async (_request, reply) =>
      reply.type('application/schema+json; charset=utf-8').send(readAsset('world.schema.json')),
  )

  app.register(async (app) => {
    // Files are streamed to disk: the limit of bodies in memory does not apply.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, body, done) => done(null, body))

    app.put(
      '/world',
      controlCall(
        { ...config, upload: true },
        {
          summary: 'Load a file',
          description: `Replaces the world by the one in the file; a later reset restores this state. Requests in flight finish on the previous state. The response has the applications and tokens that the world generates where the file has none. At most ${MAX_FILE_BYTES} bytes. An error names its place, such as \`items[3].price\`, and leaves the world as it is.`,
          body: { ...WorldFile, 'x-read': 'route' } as typeof WorldFile,
          answer: WorldInfoResponse,
          errors: [413],
        },
      ),
      async (request) => {
        const { id } = request.world
        const file = await receiveUpload(request.body as unknown as Readable | undefined, worlds.tempFilePath())
        try {
          await worlds.replace(id, populateFromFile(file.path, file.members, { ...defaults, networkPolicy }), {
            start: true,
          })
        } finally {
          file.discard()
        }
        await enterNewState(worlds, request)
        return worldInfoOf(worlds, request, id)
      },
    )
  })
}
export default worldFile

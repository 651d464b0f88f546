import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { keepsState } from '../../shared/control_schemas.ts'
import { errorResponses } from '../../shared/schemas.ts'
import { whenMoved } from '../delivery/move_clock.ts'
import inbox from './inbox.ts'
import settings, { config, type NotificationControl } from './settings.ts'

const notifications: FastifyPluginAsyncTypebox<NotificationControl> = async (app, options) => {
  app.register(settings, options)
  app.register(inbox, options)

  app.post(
    '/settle',
    {
      config: keepsState({ ...config, internal: true }),
      schema: {
        summary: 'Wait until no notification is due or in flight',
        description:
          'Also waits until a move of the clock has ended. Retries follow the world’s clock: those that are not due yet are not waited for.',
        response: {
          204: Type.Null({ description: 'Everything due has been tried' }),
          ...errorResponses(404),
        },
      },
    },
    async ({ world }, reply) => {
      await whenMoved(world)
      await options.dispatcher.whenIdle(world.id)
      return reply.code(204).send(null)
    },
  )
}
export default notifications

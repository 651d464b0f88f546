import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { controlCall, keepsState } from '../../shared/control_schemas.ts'
import { whenMoved } from '../delivery/move_clock.ts'
import inbox from './inbox.ts'
import settings, { config, type NotificationControl } from './settings.ts'

const notifications: FastifyPluginAsyncTypebox<NotificationControl> = async (app, options) => {
  await settings(app, options)
  await inbox(app, options)

  app.post(
    '/settle',
    controlCall(keepsState({ ...config, internal: true }), {
      summary: 'Wait until no notification is due or in flight',
      description:
        'Also waits until a move of the clock has ended. Retries follow the world’s clock: those that are not due yet are not waited for.',
      answer: Type.Null({ description: 'Everything due has been tried' }),
    }),
    async ({ world }, reply) => {
      await whenMoved(world)
      await options.dispatcher.whenIdle(world.id)
      return reply.code(204).send(null)
    },
  )
}
export default notifications

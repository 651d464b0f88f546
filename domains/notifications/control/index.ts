import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { notFound } from '../../../http/errors.ts'
import { applicationById } from '../../oauth/queries.ts'
import { StrictBody } from '../../shared/control_schemas.ts'
import { applicationNotFound } from '../../shared/errors.ts'
import { errorResponses, MAX_ID } from '../../shared/schemas.ts'
import type { Dispatcher } from '../delivery/dispatcher.ts'
import { whenMoved } from '../delivery/move_clock.ts'
import type { NetworkPolicy } from '../outbound/network_policy.ts'
import { settingOf, switchedOffTopics } from '../queries.ts'
import { deleteSetting, setSetting } from '../settings/operations.ts'
import { config } from './config.ts'
import { presentSetting, readSetting, SETTING_FIELDS, Setting } from './setting_schemas.ts'

const settingNotFound = (id: unknown) => notFound(`Application with id ${id} is not notified`)

const notifications: FastifyPluginAsyncTypebox<{ dispatcher: Dispatcher; networkPolicy: NetworkPolicy }> = async (
  app,
  { dispatcher, networkPolicy },
) => {
  const params = Type.Object({
    id: Type.Integer({
      minimum: 0,
      maximum: MAX_ID,
      description: 'client_id',
      examples: [1055337457],
      'x-refusal': applicationNotFound,
    }),
  })

  app.put(
    '/applications/:id/notifications',
    {
      config,
      schema: {
        summary: 'Tell an application of changes',
        description:
          'Of every change from now on that concerns a user who has let it in. A server that listens on loopback only sends to loopback only. Topics that were switched off are on again.',
        params,
        body: StrictBody(SETTING_FIELDS),
        response: { 200: Setting, ...errorResponses(400, 404) },
      },
    },
    async ({ world, params: { id }, body }) => {
      if (!(await applicationById(world.read, id))) throw applicationNotFound(id)
      const row = readSetting(id, body, networkPolicy)
      await world.tx((q) => setSetting(q, row))
      dispatcher.wake(world.id)
      return presentSetting(row, [])
    },
  )

  app.get(
    '/applications/:id/notifications',
    {
      config,
      schema: { summary: 'How an application is told', params, response: { 200: Setting, ...errorResponses(404) } },
    },
    async ({ world, params: { id } }) => {
      const row = await settingOf(world.read, id)
      if (!row) throw (await applicationById(world.read, id)) ? settingNotFound(id) : applicationNotFound(id)
      return presentSetting(row, await switchedOffTopics(world.read, id))
    },
  )

  app.delete(
    '/applications/:id/notifications',
    {
      config,
      schema: {
        summary: 'Tell an application nothing more',
        description: 'What was not delivered is dropped.',
        params,
        response: { 204: Type.Null({ description: 'It is done' }), ...errorResponses(404) },
      },
    },
    async ({ world, params: { id } }, reply) => {
      if (!(await world.tx((q) => deleteSetting(q, id, world.clock.now()))))
        throw (await applicationById(world.read, id)) ? settingNotFound(id) : applicationNotFound(id)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/settle',
    {
      config,
      schema: {
        summary: 'Wait until nothing is due or on its way',
        description:
          'And until the clock is where it was sent. Retries wait for the world’s clock: those that are not due yet are not waited for.',
        response: {
          204: Type.Null({ description: 'All that could be delivered has been tried' }),
          ...errorResponses(404),
        },
      },
    },
    async ({ world }, reply) => {
      await whenMoved(world)
      await dispatcher.whenIdle(world.id)
      return reply.code(204).send(null)
    },
  )
}
export default notifications

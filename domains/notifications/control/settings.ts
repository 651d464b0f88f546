import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { notFound } from '../../../http/errors/control_errors.ts'
import { applicationById } from '../../oauth/queries.ts'
import { StrictBody, viewable } from '../../shared/control_schemas.ts'
import { applicationNotFound } from '../../shared/errors.ts'
import { errorResponses, IdInPath } from '../../shared/schemas.ts'
import { settingOf, switchedOffTopics } from '../queries.ts'
import { deleteSetting, setSetting } from '../settings/operations.ts'
import { config, type NotificationControl } from './config.ts'
import { presentSetting, readSetting, SETTING_FIELDS, Setting } from './setting_schemas.ts'

const settingNotFound = (id: unknown) => notFound(`Application with id ${id} has no notification setting`)

const params = Type.Object({
  id: IdInPath('client_id', 1055337457, applicationNotFound),
})

/** To which callback, and how, an application's notifications are sent. */
const settings: FastifyPluginAsyncTypebox<NotificationControl> = async (app, { dispatcher, networkPolicy }) => {
  app.put(
    '/applications/:id/notifications',
    {
      config,
      schema: {
        summary: 'Send notifications to an application',
        description:
          'From now on the application receives every change that concerns a user who has authorized it. A server that listens on loopback sends to loopback only. Switched-off topics are switched on again.',
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
      config: viewable(config),
      schema: {
        summary: 'Read how an application is notified',
        params,
        response: { 200: Setting, ...errorResponses(404) },
      },
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
        summary: 'Stop sending notifications to an application',
        description: 'Notifications that have not been delivered are dropped.',
        params,
        response: { 204: Type.Null({ description: 'Stopped' }), ...errorResponses(404) },
      },
    },
    async ({ world, params: { id } }, reply) => {
      if (!(await world.tx((q) => deleteSetting(q, id, world.clock.now()))))
        throw (await applicationById(world.read, id)) ? settingNotFound(id) : applicationNotFound(id)
      return reply.code(204).send(null)
    },
  )
}
export default settings

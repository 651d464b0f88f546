import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { forbidden } from '../../http/errors/errors.ts'
import { errorResponses } from '../shared/schemas.ts'
import { type UserRow, userById } from '../users/queries.ts'
import { LIST_SUBSCRIPTIONS } from './checks.ts'
import { userNotFound } from './errors.ts'
import { presentNewerSubscription, presentSubscription } from './present.ts'
import { subscriptionsOf } from './queries.ts'
import { NewerSubscription, Subscription, Subscriptions, UserParams } from './schemas.ts'

const config = { resource: Subscriptions, access: 'token', checks: LIST_SUBSCRIPTIONS } as const
const errorSchemas = errorResponses(400, 401, 403, 404)

const subscriptions: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/shipping/flex/sites/:site_id/users/:user_id/subscriptions/v1',
    {
      config,
      schema: {
        summary: 'List the Flex subscriptions of a seller',
        description:
          'FLEX alone, or FLEX and TURBO, from the seller’s own address; none for a user without Flex. Only one’s own.',
        params: UserParams,
        response: { 200: Type.Array(Subscription), ...errorSchemas },
      },
    },
    async (request) => {
      const { world, params } = request
      await requireOwnUser(request, params.user_id)
      const rows = await subscriptionsOf(world.read, params.site_id, params.user_id)
      return rows.filter(({ origin }) => origin === '').map(presentSubscription)
    },
  )

  app.get(
    '/flex/sites/:site_id/users/:user_id/subscriptions/v1',
    {
      config,
      schema: {
        summary: 'List the Flex subscriptions of a seller (newer)',
        description:
          'The same subscriptions, and those from other origins, in another shape and with two more statuses.',
        params: UserParams,
        response: { 200: Type.Array(NewerSubscription), ...errorSchemas },
      },
    },
    async (request) => {
      const { world, params } = request
      const user = await requireOwnUser(request, params.user_id)
      const rows = await subscriptionsOf(world.read, params.site_id, params.user_id)
      return rows.map((row) => presentNewerSubscription(row, user))
    },
  )
}
export default subscriptions

/** The user of a request. Throws 404 if there is no such user, 403 if it is not the caller [spec: flex.order]. */
export async function requireOwnUser({ world, caller }: FastifyRequest, user_id: number): Promise<UserRow> {
  const user = await userById(world.read, user_id)
  if (!user) throw userNotFound()
  if (user_id !== caller.user_id) throw forbidden('flex.rights')
  return user
}

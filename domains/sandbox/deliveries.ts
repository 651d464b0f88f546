import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { realNow } from '../../db/clock.ts'
import type { Q } from '../../db/engine.ts'
import { NOTIFICATION_STATUSES } from '../../db/schema/notifications.ts'
import { TOPICS } from '../../db/schema/outbox.ts'
import { badRequest, notFound, type ApiError } from '../../plugins/errors.ts'
import type { Dispatcher } from '../notifications/dispatcher.ts'
import { attemptsOf, findNotifications, type NotificationRow, notificationById } from '../notifications/queries.ts'
import { drop, hold, release, resend, type ManualChange } from '../notifications/steering_operations.ts'
import { errorResponses, MAX_ID, OneOf } from '../shared/atoms.ts'
import { Listed, present, presentTold, Told } from './deliveries_shapes.ts'
import { Page, Paged, Sandbox } from './shapes.ts'

const noDelivery = (id: unknown) => notFound(`Delivery with id ${id} not found`)
const params = Type.Object({
  id: Type.Integer({
    minimum: 0,
    maximum: MAX_ID,
    description: 'Number of the delivery',
    examples: [1],
    'x-refusal': noDelivery,
  }),
})
const number = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_ID, description, 'x-message': 'must be an integer from 1' }))

interface Action {
  does: (q: Q, steer: ManualChange) => Promise<NotificationRow | undefined>
  summary: string
  description: string
  /** Why it could not be done with this one. */
  refuse: (row: NotificationRow, real: number) => ApiError
}

const unless = (allowed: string) => (row: NotificationRow) => badRequest(`status: is ${row.status}; must be ${allowed}`)

const ACTIONS: Record<string, Action> = {
  resend: {
    does: resend,
    summary: 'Try once more, now',
    description:
      'Also what was delivered, missed or dropped; what fails is tried again as the profile says. A profile that keeps the order lets those of the same resource that are pending since before go first.',
    refuse: (row, real) => {
      if (row.status === 'held') return badRequest('status: is held; release it')
      if (row.leased_until !== null && row.leased_until >= real)
        return badRequest(`status: is ${row.status}, with an attempt under way; must be over`)
      return badRequest(`application_id: ${row.application_id} is not notified`)
    },
  },
  hold: {
    does: hold,
    summary: 'Keep back what is pending',
    description:
      'There is no attempt until it is released, and later ones of the same resource overtake it. An attempt under way goes on: what it delivers is delivered, what it fails with is held.',
    refuse: unless('pending'),
  },
  release: {
    does: release,
    summary: 'Let go what is held',
    description: 'Its next attempt is due now.',
    refuse: unless('held'),
  },
  drop: {
    does: drop,
    summary: 'Give up what is pending or held',
    description: 'It is no missed feed. An attempt under way is written down, and changes nothing else.',
    refuse: unless('pending or held'),
  },
}

const deliveries: FastifyPluginAsyncTypebox<{ dispatcher: Dispatcher }> = async (app, { dispatcher }) => {
  const config = Sandbox.notifications

  app.get(
    '/deliveries',
    {
      config,
      schema: {
        summary: 'Notifications of the world, the latest first',
        querystring: Type.Object({
          application_id: number('Only to this application'),
          user_id: number('Only for this user'),
          topic: Type.Optional(OneOf([...TOPICS], { description: 'Only about this' })),
          resource: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 1000,
              description: 'Only of this path',
              examples: ['/questions/13000000001'],
              'x-message': 'must be a path of 1 to 1000 characters',
            }),
          ),
          status: Type.Optional(OneOf([...NOTIFICATION_STATUSES], { description: 'Only those that stand so' })),
          ...Paged,
        }),
        response: { 200: Page(Listed, 'Notifications'), ...errorResponses(400, 404) },
      },
    },
    async ({ world, query }) => {
      const { limit, offset } = query
      const { total, rows } = await findNotifications(world.read, query)
      return { paging: { total, limit, offset }, results: rows.map((row) => present(world, row)) }
    },
  )

  app.get(
    '/deliveries/:id',
    {
      config,
      schema: { summary: 'A notification with every attempt', params, response: { 200: Told, ...errorResponses(404) } },
    },
    async ({ world, params: { id } }) => {
      const row = await notificationById(world.read, id)
      if (!row) throw noDelivery(id)
      return presentTold(world, row, await attemptsOf(world.read, id))
    },
  )

  for (const [name, { does, summary, description, refuse }] of Object.entries(ACTIONS))
    app.post(
      `/deliveries/:id/${name}`,
      { config, schema: { summary, description, params, response: { 200: Told, ...errorResponses(400, 404) } } },
      async ({ world, params: { id } }) => {
        const real = realNow()
        const told = await world.tx(async (q) => {
          const row = await does(q, { id, now: world.clock.now(), real })
          if (row) return presentTold(world, row, await attemptsOf(q, id))
          const stands = await notificationById(q, id)
          throw stands ? refuse(stands, real) : noDelivery(id)
        })
        dispatcher.wake(world.id)
        return told
      },
    )
}
export default deliveries

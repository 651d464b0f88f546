import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { realNow } from '../../db/clock.ts'
import type { Q } from '../../db/engine.ts'
import { config } from '../../domains/notifications/control/settings.ts'
import type { Dispatcher } from '../../domains/notifications/delivery/dispatcher.ts'
import {
  drop,
  hold,
  type ManualChange,
  release,
  resend,
} from '../../domains/notifications/delivery/manual_operations.ts'
import { listNotifications, type NotificationRow, notificationById } from '../../domains/notifications/queries.ts'
import { NOTIFICATION_STATUSES } from '../../domains/notifications/tables.ts'
import {
  BeforeId,
  CursorPage,
  controlCall,
  PagingQuery,
  SearchText,
  viewable,
} from '../../domains/shared/control_schemas.ts'
import { IdInPath, MAX_ID, OneOf } from '../../domains/shared/schemas.ts'
import type { AnsweredError } from '../../http/errors/answered_error.ts'
import { badRequest, notFound } from '../../http/errors/control_errors.ts'
import { ChangeFilter, Delivery, ListedDelivery, present, presentWithAttempts } from './schemas.ts'

const deliveryNotFound = (id: unknown) => notFound(`Delivery with id ${id} not found`)
const params = Type.Object({
  id: IdInPath('Number of the delivery', 1, deliveryNotFound),
})
const idFilter = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_ID, description, 'x-message': 'must be an integer from 1' }))

interface Action {
  run: (q: Q, change: ManualChange) => Promise<NotificationRow | undefined>
  summary: string
  description: string
  /** The error if a delivery does not allow a change. */
  toError: (row: NotificationRow, real: number) => AnsweredError
}

const statusMustBe = (allowed: string) => (row: NotificationRow) =>
  badRequest(`status: is ${row.status}; must be ${allowed}`)

const ACTIONS: Record<string, Action> = {
  resend: {
    run: resend,
    summary: 'Resend a notification now',
    description:
      'Possible in any status except held: a delivered, missed or dropped notification is sent again. A failed attempt is retried as the profile says. If the profile delivers in order, earlier pending notifications of the same resource are sent first.',
    toError: (row, real) => {
      if (row.status === 'held') return badRequest('status: is held; release it')
      if (row.leased_until !== null && row.leased_until >= real)
        return badRequest(`status: is ${row.status}, with an attempt in flight; resend it after the attempt`)
      return badRequest(`application_id: ${row.application_id} has no notification setting`)
    },
  },
  hold: {
    run: hold,
    summary: 'Hold a pending notification',
    description:
      'It has no attempts until it is released, and later notifications of the same resource overtake it. An attempt in flight continues: if it succeeds, the notification is delivered, otherwise held.',
    toError: statusMustBe('pending'),
  },
  release: {
    run: release,
    summary: 'Release a held notification',
    description: 'Its next attempt is due now.',
    toError: statusMustBe('held'),
  },
  drop: {
    run: drop,
    summary: 'Drop a pending or held notification',
    description: 'It does not become a missed feed. An attempt in flight is recorded, but does not change the status.',
    toError: statusMustBe('pending or held'),
  },
}

const deliveries: FastifyPluginAsyncTypebox<{ dispatcher: Dispatcher }> = async (app, { dispatcher }) => {
  app.get(
    '/deliveries',
    controlCall(viewable(config), {
      summary: 'List notifications, latest first',
      querystring: Type.Object({
        application_id: idFilter('Only to this application'),
        user_id: idFilter('Only for this user'),
        ...ChangeFilter,
        status: Type.Optional(OneOf([...NOTIFICATION_STATUSES], { description: 'Only with this status' })),
        q: SearchText('resource, or in addresses (without their queries), answers and errors of the attempts'),
        before: BeforeId,
        ...PagingQuery,
      }),
      answer: CursorPage(ListedDelivery, 'Notifications'),
    }),
    async ({ world, query: { q: text, before: cursor, limit, offset, ...filter } }) => {
      const { total, rows, next } = await listNotifications(world.read, filter, { text, cursor, limit, offset })
      return { paging: { total, limit, offset, next_before: next }, results: rows.map((row) => present(world, row)) }
    },
  )

  app.get(
    '/deliveries/:id',
    controlCall(viewable(config), { summary: 'Read a notification with its attempts', params, answer: Delivery }),
    async ({ world, params: { id } }) => {
      const row = await notificationById(world.read, id)
      if (!row) throw deliveryNotFound(id)
      return presentWithAttempts(world, world.read, row)
    },
  )

  for (const [name, { run, summary, description, toError }] of Object.entries(ACTIONS))
    app.post(
      `/deliveries/:id/${name}`,
      controlCall(config, { summary, description, params, answer: Delivery, errors: [400] }),
      async ({ world, params: { id } }) => {
        const real = realNow()
        const delivery = await world.tx(async (q) => {
          const row = await run(q, { id, now: world.clock.now(), real })
          if (row) return await presentWithAttempts(world, q, row)
          const existing = await notificationById(q, id)
          throw existing ? toError(existing, real) : deliveryNotFound(id)
        })
        dispatcher.wake(world.id)
        return delivery
      },
    )
}
export default deliveries

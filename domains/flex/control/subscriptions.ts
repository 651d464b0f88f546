import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import type { Q } from '../../../db/engine.ts'
import { badRequest } from '../../../http/errors/control_errors.ts'
import { controlCall, OptionalId, Page, PagingQuery, StrictBody, viewable } from '../../shared/control_schemas.ts'
import {
  addressMembers,
  Bool,
  Id,
  IdInPath,
  Integer,
  Nullable,
  OneOf,
  ResponseObject,
  UserId,
} from '../../shared/schemas.ts'
import { type Address, EMPTY_ADDRESS } from '../../users/queries.ts'
import { subscriptionNotFound } from '../errors.ts'
import { presentSubscription } from '../present.ts'
import { listSubscriptions, type SubscriptionRow, subscriptionById } from '../queries.ts'
import { config, Origin, Subscription } from '../schemas.ts'
import { moderateSubscription, moveSubscription, subscribe } from '../subscription_operations.ts'
import { FLEX_MODES, FLEX_STATUSES, type FlexStatus, NEXT_STATUSES, STATUS_CHANGES } from '../tables.ts'

export const AnySubscription = ResponseObject(
  {
    ...Subscription.properties,
    status: ResponseObject(
      { id: OneOf([...FLEX_STATUSES], { description: 'As the newer paths show it', examples: ['in'] }) },
      { description: 'Status of the subscription' },
    ),
    origin: Nullable(ResponseObject(addressMembers((description) => Type.String({ description }))), {
      description: 'Where parcels start from; null: the address of the seller',
    }),
    training_days: Nullable(Type.Integer(), { description: 'Days of practice before the first orders; null for none' }),
    is_moderated: Type.Boolean({ description: 'As in the configuration query' }),
  },
  { title: 'AnySubscription', description: 'A Flex subscription of any seller' },
)
export const present = (row: SubscriptionRow): Static<typeof AnySubscription> => ({
  ...presentSubscription(row),
  status: { id: row.status },
  origin: row.origin === '' ? null : (JSON.parse(row.origin) as Address),
  training_days: row.training_days,
  is_moderated: row.is_moderated === 1,
})

const status = (description: string) => Type.Optional(OneOf([...FLEX_STATUSES], { description, examples: ['in'] }))

export const NewSubscription = StrictBody(
  {
    user_id: UserId,
    mode: Type.Optional(OneOf([...FLEX_MODES], { description: 'TURBO needs FLEX. Default: FLEX' })),
    origin: Type.Optional(Origin),
    status: status('State. Default: pending'),
    training_days: Type.Optional(
      Integer(1, 365, 'Days of practice before the first orders; default: none', { examples: [7] }),
    ),
    service_id: OptionalId('service'),
    id: OptionalId('subscription'),
  },
  { examples: [{ user_id: 2500000101, mode: 'TURBO', status: 'in' }] },
)

const SubscriptionChange = StrictBody(
  {
    status: status(`Possible changes: ${STATUS_CHANGES}`),
    is_moderated: Type.Optional(Bool('Whether it is moderated')),
  },
  {
    minProperties: 1,
    'x-message': 'must be a JSON object with status, is_moderated or both',
    examples: [{ status: 'in' }],
  },
)

export const SubscriptionParams = Type.Object({
  id: IdInPath('Subscription identifier', 111181, subscriptionNotFound),
})

const SubscriptionList = Type.Object({
  user_id: Type.Optional(Id('Those of this seller', 2500000101)),
  ...PagingQuery,
})

/** Throws 404. */
export async function requireSubscription(q: Q, id: number): Promise<SubscriptionRow> {
  const row = await subscriptionById(q, id)
  if (!row) throw subscriptionNotFound(id)
  return row
}

async function changeStatus(q: Q, row: SubscriptionRow, to: FlexStatus): Promise<SubscriptionRow> {
  const moved = await moveSubscription(q, row.id, to)
  if (!moved) throw badRequest(`status: is ${row.status}; only ${NEXT_STATUSES[row.status].join(' or ')} may follow`)
  return moved
}

const subscriptions: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/flex/subscriptions',
    controlCall(config, {
      summary: 'Subscribe a seller to Flex, or to Turbo',
      description:
        '400 names the first unmet condition, in this order: an active listing shipped by ME2, a green or yellow reputation, an address in a coverage area; for Turbo and for another origin, a Flex subscription from the seller’s own address.',
      body: NewSubscription,
      created: AnySubscription,
    }),
    async ({ world, body: { origin, ...fields } }, reply) => {
      const from = origin && { ...EMPTY_ADDRESS, ...origin }
      const created = await world.tx((q) => subscribe(q, world, { ...fields, origin: from }))
      return reply.code(201).send(present(created))
    },
  )

  app.get(
    '/flex/subscriptions',
    controlCall(viewable(config), {
      summary: 'List the subscriptions of all sellers',
      querystring: SubscriptionList,
      answer: Page(AnySubscription, 'By id'),
    }),
    async ({ world, query: { user_id, limit, offset } }) => {
      const { total, rows } = await listSubscriptions(world.read, { user_id }, { limit, offset })
      return { paging: { total, limit, offset }, results: rows.map(present) }
    },
  )

  app.get(
    '/flex/subscriptions/:id',
    controlCall(viewable(config), {
      summary: 'Read a subscription',
      params: SubscriptionParams,
      answer: AnySubscription,
    }),
    async ({ world, params: { id } }) => present(await requireSubscription(world.read, id)),
  )

  app.patch(
    '/flex/subscriptions/:id',
    controlCall(config, {
      summary: 'Change the status of a subscription, or moderate it',
      params: SubscriptionParams,
      body: SubscriptionChange,
      answer: AnySubscription,
    }),
    async ({ world, params: { id }, body: { status, is_moderated } }) =>
      world.tx(async (q) => {
        let row = await requireSubscription(q, id)
        if (status !== undefined) row = await changeStatus(q, row, status)
        if (is_moderated !== undefined) row = (await moderateSubscription(q, id, is_moderated))!
        return present(row)
      }),
  )
}
export default subscriptions

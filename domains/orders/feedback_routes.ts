import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import type { Q } from '../../db/engine.ts'
import { atMinusFour } from '../shared/instants.ts'
import { routesOf } from '../shared/routes.ts'
import { Bool, errorResponses, Id, IdInPath, membersOf, OneOf } from '../shared/schemas.ts'
import { decimal, orNull, shape } from '../shared/shape.ts'
import { userById } from '../users/queries.ts'
import { changeFeedback, feedbackFor, giveFeedback, opinionOf, reply, roleOf } from './after_sale_operations.ts'
import { CHANGE_FEEDBACK, GIVE_FEEDBACK, READ_FEEDBACK, READ_ORDER, REPLY_TO_FEEDBACK } from './checks.ts'
import { feedbackNotFound, invalidFulfilled, invalidMessage, MAX_MESSAGE_LENGTH } from './errors.ts'
import { ownOrder } from './queries.ts'
import { OrderId, OrderParams, Orders } from './schemas.ts'
import { type FeedbackRow, FIRST_FEEDBACK_ID, type OrderRow } from './tables.ts'

const RATINGS = ['positive', 'neutral', 'negative'] as const

const Message = Type.String({
  maxLength: MAX_MESSAGE_LENGTH,
  pattern: '^[^\\u0000]*$',
  description: 'What others can read',
  examples: ['Todo perfecto, gracias.'],
  'x-error': invalidMessage,
})
const fulfilled = Type.Boolean({
  description: 'Whether the sale took place; false of the seller cancels it',
  examples: [true],
  'x-error': () => invalidFulfilled('body'),
})
const Opinion = {
  fulfilled,
  rating: Type.Optional(OneOf([...RATINGS], { description: 'How it went', examples: ['positive'] })),
  message: Type.Optional(Message),
  reason: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 60,
      pattern: '^[^\\u0000]*$',
      description: 'Why it did not take place; required then',
      examples: ['SELLER_OUT_OF_STOCK'],
      'x-message': 'must be a string of 1 to 60 characters',
    }),
  ),
  restock_item: Type.Optional(Bool('Whether the units are for sale again')),
}
const BODY = { examples: [{ fulfilled: true, rating: 'positive', message: 'Todo perfecto, gracias.' }] }
const NewFeedback = Type.Object(Opinion, { 'x-message': 'must be a JSON object with fulfilled', ...BODY })
const FeedbackChange = Type.Object(
  { ...Opinion, fulfilled: Type.Optional(fulfilled) },
  { 'x-message': 'must be a JSON object', ...BODY },
)
const Reply = Type.Object(
  { reply: { ...Message, minLength: 1, description: 'The reply' } },
  { 'x-message': 'must be a JSON object with reply', examples: [{ reply: 'Gracias por tu compra.' }] },
)
const FeedbackParams = Type.Object({
  feedback_id: IdInPath('Feedback identifier', FIRST_FEEDBACK_ID, () => feedbackNotFound()),
})

const DATE = '2026-01-31T15:04:05.000-04:00'
const party = {
  id: Id('Seller or buyer', 2500000101, { 'x-path': '/users/:id' }),
  ...{ nickname: 'TIENDA', status: 'active', points: 12 },
}

const Feedback = shape(
  {
    id: Id('Feedback identifier', FIRST_FEEDBACK_ID, { 'x-path': '/feedback/:id' }),
    ...{ order_id: OrderId, site_id: 'MLA', role: OneOf(['seller', 'buyer']), from: party, to: party },
    item: {
      id: Type.String({ examples: ['MLA1400000001'], 'x-path': '/items/:id' }),
      ...{ title: 'Mate de calabaza', price: decimal(12999) },
      currency_id: Type.String({ examples: ['ARS'], 'x-path': '/currencies/:id' }),
    },
    ...{ fulfilled: true, rating: orNull('positive'), reason: orNull('SELLER_OUT_OF_STOCK') },
    ...{ message: orNull('Todo perfecto, gracias.'), restock_item: false, reply: orNull('Gracias por tu compra.') },
    ...{ status: 'active', date_created: DATE, visibility_date: DATE, modified: DATE },
    ...{ extended_feedback: [], has_seller_refunded_money: false, app_id: orNull('') },
  },
  {
    title: 'Feedback',
    description: 'What the seller says of a sale, or the buyer of a purchase',
    notes: {
      role: 'Who gave it',
      to: 'Whom it is about',
      points: 'Completed sales',
      fulfilled: 'Whether the sale took place',
      rating: 'positive, neutral or negative',
      reason: 'Why it did not take place',
      restock_item: 'Whether the units were for sale again',
      visibility_date: 'Since when others see it',
      app_id: 'Always null',
    },
  },
)
const FeedbackOfOrder = shape(
  { sale: orNull(Feedback), purchase: orNull(Feedback) },
  {
    title: 'FeedbackOfOrder',
    description: 'What both sides say; null while they have not',
    notes: { sale: 'Of the seller', purchase: 'Of the buyer' },
  },
)

const FeedbackGroup = {
  name: 'Feedback',
  description: 'What sellers and buyers say of a sale',
  id: 'feedback_id',
  family: Orders.name,
}

const ofOrder: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/orders/:order_id/feedback',
    {
      config: { resource: FeedbackGroup, access: 'token', checks: READ_ORDER },
      schema: {
        summary: 'Read what both sides of a sale say of it',
        params: OrderParams,
        response: { 200: FeedbackOfOrder, ...errorResponses(400, 401, 403, 404) },
      },
    },
    async ({ world, caller, params: { order_id } }) => {
      const order = await ownOrder(world.read, world, caller.user_id, order_id)
      const of = async (role: FeedbackRow['role']) => {
        const row = await opinionOf(world.read, order_id, role)
        return row ? present(world.read, row, order) : null
      }
      return { sale: await of('seller'), purchase: await of('buyer') }
    },
  )

  app.post(
    '/orders/:order_id/feedback',
    {
      config: { resource: FeedbackGroup, access: 'token', checks: GIVE_FEEDBACK },
      schema: {
        summary: 'Say how a sale or a purchase went',
        description: 'Once for each side. `fulfilled: false` of the seller cancels the sale and refunds the buyer.',
        params: OrderParams,
        body: NewFeedback,
        response: { 201: Feedback, ...errorResponses(400, 401, 403, 404, 413) },
      },
    },
    async ({ world, caller, params: { order_id }, body }, reply) => {
      reply.status(201)
      return world.tx(async (q) => {
        const order = await ownOrder(q, world, caller.user_id, order_id)
        const row = await giveFeedback(q, world, { order, role: roleOf(order, caller.user_id) }, body)
        return present(q, row, await ownOrder(q, world, caller.user_id, order_id))
      })
    },
  )
}

const one: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/feedback/:feedback_id',
    {
      config: { resource: FeedbackGroup, access: 'token', checks: READ_FEEDBACK },
      schema: {
        summary: 'Read one feedback',
        params: FeedbackParams,
        response: { 200: Feedback, ...errorResponses(401, 403, 404) },
      },
    },
    async ({ world, caller, params: { feedback_id } }) => {
      const { row, order } = await feedbackFor(world.read, world, feedback_id, caller.user_id)
      return present(world.read, row, order)
    },
  )

  app.put(
    '/feedback/:feedback_id',
    {
      config: { resource: FeedbackGroup, access: 'token', checks: CHANGE_FEEDBACK },
      schema: {
        summary: 'Change one’s feedback',
        params: FeedbackParams,
        body: FeedbackChange,
        response: { 200: Feedback, ...errorResponses(400, 401, 403, 404, 413) },
      },
    },
    async ({ world, caller, params: { feedback_id }, body }) =>
      world.tx(async (q) => {
        const row = await changeFeedback(q, world, await feedbackFor(q, world, feedback_id, caller.user_id), body)
        return present(q, row, await ownOrder(q, world, caller.user_id, row.order_id))
      }),
  )

  app.post(
    '/feedback/:feedback_id/reply',
    {
      config: { resource: FeedbackGroup, access: 'token', checks: REPLY_TO_FEEDBACK },
      schema: {
        summary: 'Reply to the feedback of the other side, once',
        params: FeedbackParams,
        body: Reply,
        response: { 200: Feedback, ...errorResponses(400, 401, 403, 404, 413) },
      },
    },
    async ({ world, caller, params: { feedback_id }, body }) =>
      world.tx(async (q) => {
        const row = await reply(q, world, await feedbackFor(q, world, feedback_id, caller.user_id), body.reply)
        return present(q, row, await ownOrder(q, world, caller.user_id, row.order_id))
      }),
  )
}

export default routesOf(ofOrder, one)

const feedbackOf = membersOf(Feedback)
async function present(q: Q, row: FeedbackRow, order: OrderRow): Promise<Static<typeof Feedback>> {
  const party = async (id: number) => {
    const { nickname, status, sales_completed } = (await userById(q, id))!
    return { id, nickname, status, points: sales_completed }
  }
  const seller = await party(order.seller_id)
  const buyer = await party(order.buyer_id)
  const { title } = JSON.parse(order.item) as { title: string }
  return feedbackOf({
    ...row,
    site_id: order.site_id,
    ...(row.role === 'seller' ? { from: seller, to: buyer } : { from: buyer, to: seller }),
    item: { id: order.item_id, title, price: order.unit_price, currency_id: order.currency_id },
    fulfilled: row.fulfilled === 1,
    restock_item: row.restock_item === 1,
    status: 'active',
    date_created: atMinusFour(row.date_created),
    visibility_date: atMinusFour(row.date_created),
    modified: atMinusFour(row.modified),
    has_seller_refunded_money: order.status === 'cancelled' && order.date_closed !== null,
    app_id: null,
  })
}

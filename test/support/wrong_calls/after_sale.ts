import { eq } from 'drizzle-orm'
import { billingInfoId } from '../../../domains/orders/billing.ts'
import { order_feedback } from '../../../domains/orders/tables.ts'
import { NOW, type Person, type TestApp } from '../app.ts'
import { questionFixtures } from '../questions.ts'
import type { Draft, WrongCalls } from './draft.ts'

const DAY = 24 * 3_600_000
const NO_ORDER = 2_000_019_999_999_999
const NO_FEEDBACK = 9_049_999_999_999
const NO_NOTE = '0'.repeat(24)
const NO_USER = 999

/** The routes of billing data, feedback, notes and the block list of orders. */
export async function afterSaleCalls(app: TestApp): Promise<WrongCalls[]> {
  const { world, control } = app
  const { createParties, createUser } = questionFixtures(app)
  const { seller, buyer, item } = await createParties()
  const stranger = await createUser()
  await control(`PATCH /items/${item}`, { available_quantity: 100_000 })
  const buy = async (days = 0): Promise<number> => {
    const date_created = new Date(NOW - days * DAY).toISOString()
    return (await control('POST /orders', { item_id: item, buyer: buyer.id, date_created })).body.order.id
  }
  const giveFeedback = async (id: number, who: Person): Promise<number> =>
    (await who.post(`/orders/${id}/feedback`, { fulfilled: true })).body.id
  const writeNote = async (id: number): Promise<string> =>
    (await seller.post(`/orders/${id}/notes`, { note: 'x' })).body.note.id

  const exclusive = {
    'param order_id': 'an id that is none names no order',
    'param feedback_id': 'an id that is none names no feedback',
    'param note_id': 'an id that is none names no note',
    'param billing_info_id': 'an id that is none names no billing data',
    'member user_id': 'a user who does not exist has no id of a wrong form',
    token: 'a call without a valid token has no caller who could be another one',
  }
  const as = (who: Person) => (call: Draft) => call.setCaller(who)
  const order_exists = (call: Draft) => call.setParam('order_id', NO_ORDER)
  const feedback_exists = (call: Draft) => call.setParam('feedback_id', NO_FEEDBACK)
  const own_order = as(stranger)
  const order_id = await buy()
  const of = (route: string, own: string, who: Person, more: Partial<WrongCalls> = {}): WrongCalls => ({
    ...{ route, caller: seller, params: { order_id }, exclusive },
    ...more,
    breaks: { order_exists, [own]: as(who), ...more.breaks },
  })
  /** Says that a sale did not take place, where one of these checks fails. */
  const fillOpinion = (call: Draft) => {
    if (!call.state.reason && !call.state.age) return
    call.fill('member', 'fulfilled', false)
    if (!call.state.reason) call.fill('member', 'reason', 'OTHER')
  }
  const opinionBreaks = {
    has_reason: (call: Draft) => call.setState('reason', 'none'),
    in_time: (call: Draft) => call.setState('age', 'old'),
  }
  const own = { feedback: await giveFeedback(await buy(), buyer), old: await giveFeedback(await buy(22), buyer) }
  const createReplied = async (replied: boolean, isOld: boolean): Promise<number> => {
    const id = await giveFeedback(await buy(), buyer)
    if (replied) await seller.post(`/feedback/${id}/reply`, { reply: 'x' })
    const date_created = NOW - 15 * DAY
    if (isOld)
      await world.tx(async (q) =>
        q.db.update(order_feedback).set({ date_created }).where(eq(order_feedback.id, id)).run(),
      )
    return id
  }
  const listRoutes = ['GET', 'POST', 'DELETE'].map(
    (method): WrongCalls => ({
      route: `${method} /users/:seller_id/order_blacklist${method === 'DELETE' ? '/:buyer_id' : ''}`,
      caller: seller,
      params: { seller_id: seller.id, buyer_id: buyer.id },
      ...(method === 'POST' && { body: { user_id: stranger.id } }),
      breaks: {
        users_exist: (call) =>
          method === 'POST'
            ? call.setMember('user_id', NO_USER)
            : call.setParam(method === 'GET' ? 'seller_id' : 'buyer_id', NO_USER),
        own_list: (call) => {
          call.uses('param seller_id')
          call.setCaller(buyer)
        },
      },
      exclusive: {
        ...exclusive,
        'param seller_id': 'an id that is none names no user',
        'param buyer_id': 'an id that is none names no user',
      },
    }),
  )
  await seller.delete(`/users/${seller.id}/order_blacklist/${stranger.id}`)
  return [
    ...['billing_info', 'feedback', 'product', 'discounts'].map((name) =>
      of(`GET /orders/:order_id/${name}`, 'own_order', stranger),
    ),
    {
      route: 'GET /orders/billing-info/:site_id/:billing_info_id',
      caller: seller,
      params: { site_id: 'MLA', billing_info_id: billingInfoId(order_id) },
      breaks: {
        billing_info_exists: (call) => call.setParam('billing_info_id', '0'.repeat(18)),
        order_exists: (call) => call.setParam('billing_info_id', billingInfoId(NO_ORDER)),
        own_order,
      },
      exclusive,
    },
    of('POST /orders/:order_id/feedback', 'own_order', stranger, {
      body: { fulfilled: true },
      breaks: { first_feedback: (call) => call.setState('given', true), ...opinionBreaks },
      async prepare(call) {
        const id = await buy(call.state.age ? 22 : 0)
        if (call.state.given) await giveFeedback(id, seller)
        call.fill('param', 'order_id', id)
        fillOpinion(call)
      },
    }),
    {
      ...{ route: 'GET /feedback/:feedback_id', caller: seller, params: { feedback_id: own.feedback }, exclusive },
      breaks: { feedback_exists, party: own_order },
    },
    {
      ...{ route: 'PUT /feedback/:feedback_id', caller: buyer, body: { fulfilled: true }, exclusive },
      breaks: { feedback_exists, own_feedback: as(seller), ...opinionBreaks },
      async prepare(call) {
        call.fill('param', 'feedback_id', call.state.age ? own.old : own.feedback)
        fillOpinion(call)
      },
    },
    {
      ...{ route: 'POST /feedback/:feedback_id/reply', caller: seller, body: { reply: 'x' }, exclusive },
      breaks: {
        feedback_exists,
        feedback_of_other: as(buyer),
        first_reply: (call) => call.setState('replied', true),
        reply_in_time: (call) => call.setState('old', true),
      },
      prepare: async (call) =>
        call.fill('param', 'feedback_id', await createReplied(call.state.replied === true, call.state.old === true)),
    },
    of('GET /orders/:order_id/notes', 'own_sale', buyer),
    of('POST /orders/:order_id/notes', 'own_sale', buyer, { body: { note: 'x' } }),
    ...['PUT', 'DELETE'].map((method) =>
      of(`${method} /orders/:order_id/notes/:note_id`, 'own_sale', buyer, {
        ...(method === 'PUT' && { body: { note: 'x' } }),
        breaks: { note_exists: (call) => call.setParam('note_id', NO_NOTE) },
        prepare: async (call) => call.fill('param', 'note_id', await writeNote(order_id)),
      }),
    ),
    ...listRoutes,
  ]
}

import t from 'tap'
import { DAY, NOW, start } from '../support/app.ts'
import { errorBody, expectAnswer, FOREIGN, NO_TOKEN, notFound, questionFixtures } from '../support/questions.ts'

const app = await start(t)
const { call, control } = app
const { createParties, createUser, setClock } = questionFixtures(app)
t.beforeEach(() => setClock(NOW))

async function buy(more: object = {}) {
  const parties = await createParties()
  const { item, buyer } = parties
  const { body } = await control('POST /orders', { item_id: item, buyer: buyer.id, ...more })
  return { ...parties, order: body.order, id: body.payments[0].id as number }
}

t.test('a payment in its older and its newer form', async (t) => {
  const { seller, buyer, order, id } = await buy({ payment_method: 'rapipago', price: 20000 })
  setClock(NOW + DAY)
  await control(`POST /orders/${order.id}/refund`, { amount: 0.5 })
  const { first_name, last_name, email } = (await buyer.get('/users/me')).body
  const at = '2026-03-07T11:00:00.000-04:00'
  const later = '2026-03-08T11:00:00.000-04:00'
  const released = '2026-03-21T11:00:00.000-04:00'
  const collection = {
    id,
    site_id: 'MLA',
    date_created: at,
    date_approved: at,
    last_modified: later,
    money_release_date: released,
    payer: { id: buyer.id, nickname: buyer.nickname, first_name, last_name },
    collector: { id: seller.id, nickname: seller.nickname },
    order_id: order.id,
    external_reference: String(order.id),
    reason: 'Silla',
    transaction_amount: 20000,
    currency_id: 'ARS',
    shipping_cost: 0,
    total_paid_amount: 20000,
    net_received_amount: 17400,
    marketplace_fee: 2600,
    mercadopago_fee: 0,
    coupon_amount: 0,
    status: 'approved',
    status_detail: 'partially_refunded',
    payment_type: 'ticket',
    payment_method_id: 'rapipago',
    installments: 1,
    operation_type: 'regular_payment',
    refunds: [{ id, amount: 0.5, date_created: later }],
  }
  expectAnswer(t, await seller.get(`/collections/${id}`), 200, collection)
  expectAnswer(t, await buyer.get(`/collections/notifications/${id}`), 200, { collection })
  const newer = {
    id,
    date_created: at,
    date_approved: at,
    money_release_date: released,
    status: 'approved',
    status_detail: 'partially_refunded',
    currency_id: 'ARS',
    transaction_amount: 20000,
    transaction_amount_refunded: 0.5,
    taxes_amount: 0,
    shipping_amount: 0,
    fee_details: [{ type: 'mercadopago_fee', amount: 2600, fee_payer: 'collector' }],
    transaction_details: { net_received_amount: 17400, total_paid_amount: 20000 },
    payer: { id: buyer.id, email },
    external_reference: String(order.id),
    order: { id: order.id, type: 'mercadolibre' },
    payment_method_id: 'rapipago',
    payment_type_id: 'ticket',
    installments: 1,
    charges_details: [],
  }
  expectAnswer(t, await seller.get(`/v1/payments/${id}`), 200, newer)
  const paging = { total: 1, limit: 50, offset: 0 }
  for (const name of ['order_id', 'external_reference'])
    expectAnswer(t, await buyer.get(`/collections/search?${name}=${order.id}`), 200, {
      paging,
      results: [{ collection }],
    })
  for (const name of ['order.id', 'external_reference'])
    expectAnswer(t, await seller.get(`/v1/payments/search?${name}=${order.id}`), 200, { paging, results: [newer] })
})

t.test('who may read a payment', async (t) => {
  const { seller, order, id } = await buy()
  const stranger = await createUser()
  for (const path of ['/collections', '/collections/notifications', '/v1/payments']) {
    expectAnswer(t, await call(`${path}/${id}`), 401, NO_TOKEN)
    expectAnswer(t, await seller.get(`${path}/1`), 404, notFound('Payment 1 not found'))
    expectAnswer(t, await seller.get(`${path}/x9`), 404, notFound('Payment x9 not found'))
    expectAnswer(t, await stranger.get(`${path}/${id}`), 403, FOREIGN)
  }
  t.equal((await stranger.get(`/collections/search?order_id=${order.id}`)).body.paging.total, 0)
  const changed = await call({ method: 'PUT', url: `/v1/payments/${id}` })
  expectAnswer(t, changed, 405, errorBody(405, 'method_not_allowed', changed.body.message))
})

t.test('a payment that nobody makes is cancelled with its order', async (t) => {
  const { seller, id } = await buy({ status: 'payment_required' })
  const read = async () => {
    const { status, status_detail, date_approved, money_release_date } = (await seller.get(`/collections/${id}`)).body
    return [status, status_detail, date_approved, money_release_date]
  }
  t.strictSame(await read(), ['pending', 'pending_waiting_payment', null, null])
  setClock(NOW + 3 * DAY)
  t.strictSame(await read(), ['cancelled', 'expired', null, null])
})

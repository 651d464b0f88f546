import type { TestApp } from '../app.ts'
import { questionFixtures } from '../questions.ts'
import type { Draft, WrongCalls } from './draft.ts'

/** The routes of orders, packs and payments. */
export async function orderCalls(app: TestApp): Promise<WrongCalls[]> {
  const { createParties, createUser } = questionFixtures(app)
  const { seller, buyer, item } = await createParties()
  const stranger = await createUser()
  const { body } = await app.control('POST /orders', { item_id: item, buyer: buyer.id })
  const { order, pack, payments } = body
  const exclusive = {
    'param order_id': 'an id that is none, or of no order, belongs to no user',
    'param pack_id': 'an id that is none, or of no pack, belongs to no user',
    'param payment_id': 'an id that is none, or of no payment, belongs to no user',
    'query order.date_created.from': 'a date is a filter',
    'query seller': 'a search of another user names a seller',
    token: 'a call without a valid token has no caller who could be another one',
  }
  const param = (name: string, value: unknown) => (call: Draft) => call.setParam(name, value)
  const by = (name: string, caller: typeof stranger) => (call: Draft) => {
    call.uses(`param ${name}`)
    call.setCaller(caller)
  }
  const payment = (path: string): WrongCalls => ({
    route: `GET ${path}/:payment_id`,
    caller: seller,
    params: { payment_id: payments[0].id },
    breaks: { payment_exists: param('payment_id', 1), own_payment: by('payment_id', stranger) },
    exclusive,
  })
  const search = (path: string): WrongCalls => ({
    route: `GET /orders/search${path}`,
    caller: seller,
    query: { seller: String(seller.id), q: 'x' },
    breaks: {
      query: (call) => call.setQuery('limit', 'x!'),
      own_orders: (call) => call.setQuery('seller', '1'),
      has_filter: (call) => {
        call.uses('query order.date_created.from')
        call.setQuery('seller', undefined)
        call.setQuery('q', undefined)
      },
      dates: (call) => call.setQuery('order.date_created.from', 'x'),
    },
    // These need no filter.
    ...(path !== '' && { unreachable: ['has_filter'] }),
    exclusive,
  })
  return [
    ...['', '/recent', '/archived', '/pending'].map(search),
    {
      route: 'GET /orders/:order_id',
      caller: seller,
      params: { order_id: order.id },
      breaks: { order_exists: param('order_id', 1), own_order: by('order_id', stranger) },
      exclusive,
    },
    {
      route: 'PUT /orders/:order_id',
      caller: seller,
      params: { order_id: order.id },
      body: { tags: ['delivered'] },
      breaks: { order_exists: param('order_id', 1), own_sale: by('order_id', buyer) },
      exclusive,
    },
    {
      route: 'GET /packs/:pack_id',
      caller: seller,
      params: { pack_id: pack.id },
      breaks: { pack_exists: param('pack_id', 1), own_pack: by('pack_id', stranger) },
      exclusive,
    },
    ...['/collections', '/collections/notifications', '/v1/payments'].map(payment),
    ...['/collections', '/v1/payments'].map(
      (path): WrongCalls => ({ route: `GET ${path}/search`, caller: seller, breaks: {} }),
    ),
  ]
}

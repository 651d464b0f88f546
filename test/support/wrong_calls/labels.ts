import { eq } from 'drizzle-orm'
import { shipment, shipment_step } from '../../../domains/shipments/tables.ts'
import type { TestApp } from '../app.ts'
import { questionFixtures } from '../questions.ts'
import type { Draft, WrongCalls } from './draft.ts'

/** The routes of labels and shipping options. */
export async function labelCalls(app: TestApp): Promise<WrongCalls[]> {
  const { control, world } = app
  const { createParties, createUser } = questionFixtures(app)
  const { seller, buyer, item } = await createParties()
  const stranger = await createUser()
  const { body } = await control('POST /orders', { item_id: item, buyer: buyer.id })
  const { id } = (await seller.get(`/orders/${body.order.id}`)).body.shipping
  const state = (name: string) => (call: Draft) => {
    call.uses('query shipment_ids')
    call.setState(name, true)
  }
  const query = (name: string, value: unknown) => (call: Draft) => call.setQuery(name, value)
  const exclusive = {
    'query shipment_ids': 'ids that are too many are not looked up',
    'query zip_code': 'a code is none, or one',
    token: 'a call without a valid token has no caller who could be another one',
  }
  return [
    {
      route: 'GET /shipment_labels',
      caller: seller,
      query: { shipment_ids: id },
      breaks: {
        query: query('response_type', 'x'),
        ids: query('shipment_ids', Array.from({ length: 51 }, (_, n) => n).join()),
        own_parcels: (call) => call.setCaller(stranger),
        mode: state('me1'),
        in_hand: state('stored'),
        ready: state('shipped'),
      },
      prepare: ({ state: { me1, stored, shipped } }) =>
        world.tx(async (q) => {
          const changed = { mode: me1 ? 'me1' : 'me2', logistic_type: stored ? 'fulfillment' : 'drop_off' } as const
          q.db.update(shipment).set(changed).where(eq(shipment.id, id)).run()
          const now = shipped
            ? { status: 'shipped', substatus: null }
            : { status: 'ready_to_ship', substatus: 'printed' }
          q.db.update(shipment_step).set(now).where(eq(shipment_step.shipment_id, id)).run()
        }),
      exclusive,
    },
    {
      route: 'GET /items/:item_id/shipping_options',
      caller: seller,
      params: { item_id: item },
      query: { zip_code: '1675' },
      breaks: {
        query: query('city_to', 'x'.repeat(101)),
        place: query('zip_code', 'x'),
        item: (call) => call.setParam('item_id', 'MLA9999999999'),
      },
      exclusive: { 'param item_id': 'an id that is none, or of no listing, belongs to no user', ...exclusive },
    },
    {
      route: 'GET /users/:user_id/shipping_options/free',
      caller: seller,
      params: { user_id: seller.id },
      query: { item_id: item },
      breaks: {
        query: query('free_shipping', 'x'.repeat(101)),
        parcel: query('dimensions', 'x'),
        seller: (call) => call.setParam('user_id', 999),
        listing_exists: query('item_id', 'MLA9999999999'),
      },
      exclusive: { 'param user_id': 'an id that is none, or of nobody, has no user', ...exclusive },
    },
  ]
}

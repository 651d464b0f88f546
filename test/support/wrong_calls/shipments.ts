import { eq } from 'drizzle-orm'
import { shipment, shipment_step } from '../../../domains/shipments/tables.ts'
import { NOW, type TestApp } from '../app.ts'
import { questionFixtures } from '../questions.ts'
import type { Draft, WrongCalls } from './draft.ts'

const NO_ID = 1
const DAY = 24 * 3_600_000

/** The routes of shipments, without labels. */
export async function shipmentCalls(app: TestApp): Promise<WrongCalls[]> {
  const { world, control } = app
  const { createParties, createUser } = questionFixtures(app)
  const { seller, buyer, item } = await createParties()
  const stranger = await createUser()
  await control(`PATCH /items/${item}`, { available_quantity: 1000 })
  const buy = async (more: object = {}) =>
    (await control('POST /orders', { item_id: item, buyer: buyer.id, ...more })).body as {
      order: { id: number }
      shipment: { id: number }
    }
  const change = (id: number, { status, ...row }: Partial<typeof shipment.$inferInsert> & { status?: string }) =>
    world.tx(async (q) => {
      q.db
        .update(shipment)
        .set({ id, ...row })
        .where(eq(shipment.id, id))
        .run()
      if (status !== undefined)
        q.db.update(shipment_step).set({ status, substatus: null }).where(eq(shipment_step.shipment_id, id)).run()
    })
  const sold = await buy()
  const [cancelled, late, moved] = [await buy(), await buy(), await buy()].map(({ shipment }) => shipment.id) as [
    ...[number, number, number],
  ]
  await change(cancelled, { status: 'cancelled' })
  await change(late, { date_created: NOW - 10 * DAY })
  const withoutShipment = (await buy({ shipping: 'none' })).order.id
  await control('PATCH /assumptions/orders.pack_of_single', { value: 'never' })
  const withoutPack = (await buy()).shipment.id
  await control('PATCH /assumptions/orders.pack_of_single', { value: 'always' })

  const exclusive = {
    'param shipment_id': 'an id that is none, or of no shipment, belongs to no user',
    'param order_id': 'an id that is none, or of no order, belongs to no user',
    token: 'a call without a valid token has no caller who could be another one',
  }
  const caller = seller
  const by = (name: string, who: typeof stranger) => (call: Draft) => {
    call.uses(`param ${name}`)
    call.setCaller(who)
  }
  const state = (name: string) => (call: Draft) => {
    call.uses('param shipment_id', 'param order_id')
    call.setState(name, true)
  }
  const reads = {
    shipment_exists: (call: Draft) => call.setParam('shipment_id', NO_ID),
    own_shipment: by('shipment_id', stranger),
  }
  const params = { shipment_id: sold.shipment.id }
  const part = (path: string, more: Partial<WrongCalls> = {}): WrongCalls => ({
    ...{ route: `GET /shipments/:shipment_id${path}`, caller, params, exclusive },
    ...more,
    breaks: { ...reads, ...more.breaks },
  })
  const { shipment_exists: known, own_shipment } = reads
  const writes = { shipment_exists: known, sender: by('shipment_id', buyer) }
  const notify = (route: string): WrongCalls => ({
    ...{ route, caller, params: { shipment_id: moved }, body: { status: 'shipped' }, exclusive },
    breaks: {
      ...writes,
      own_carrier: state('me2'),
      not_final: state('final'),
      has_substatus: (call) => call.setMember('substatus', 'x'),
    },
    prepare: ({ state }) =>
      change(moved, { mode: state.me2 ? 'me2' : 'me1', status: state.final ? 'delivered' : 'ready_to_ship' }),
  })
  return [
    ...['', '/items', '/costs', '/lead_time', '/history', '/carrier'].map((path) => part(path)),
    part('/payments', {
      breaks: { has_pack: state('alone') },
      prepare: async (call) => call.fill('param', 'shipment_id', call.state.alone ? withoutPack : sold.shipment.id),
    }),
    {
      ...part('/sla'),
      breaks: { known, own_shipment, has_sla: state('cancelled') },
      prepare: async (call) => call.fill('param', 'shipment_id', call.state.cancelled ? cancelled : sold.shipment.id),
    },
    part('/delays', {
      breaks: { is_late: state('early') },
      prepare: async (call) => call.fill('param', 'shipment_id', call.state.early ? sold.shipment.id : late),
    }),
    {
      ...{ route: 'GET /orders/:order_id/shipments', caller, params: { order_id: sold.order.id }, exclusive },
      breaks: {
        order_exists: (call) => call.setParam('order_id', NO_ID),
        own_order: by('order_id', stranger),
        has_shipment: state('none'),
      },
      prepare: async (call) => call.fill('param', 'order_id', call.state.none ? withoutShipment : sold.order.id),
    },
    { route: 'GET /shipment_statuses', caller, breaks: {} },
    {
      ...{ route: 'POST /shipments/:shipment_id/process/ready_to_ship', caller, exclusive },
      params: { shipment_id: moved },
      breaks: { ...writes, in_handling: state('ready') },
      prepare: ({ state }) => change(moved, { status: state.ready ? 'ready_to_ship' : 'handling' }),
    },
    notify('POST /shipments/:shipment_id/seller_notifications'),
    notify('PUT /shipments/:shipment_id'),
  ]
}

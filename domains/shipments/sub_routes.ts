import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { TSchema } from '@sinclair/typebox'
import type { Q } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import { paymentsOf } from '../orders/queries.ts'
import { paymentAt } from '../orders/states.ts'
import { utcMillis, utcSeconds } from '../shared/instants.ts'
import { errorResponses } from '../shared/schemas.ts'
import { READ_DELAYS, READ_PAYMENTS, READ_SHIPMENT, READ_SLA } from './checks.ts'
import { shareOf } from './costs.ts'
import { noDelays, noPayments, noShipment, noSla, unknownSla } from './errors.ts'
import { slaDate, slaOf } from './lead_time.ts'
import { METHODS, presentLeadTime } from './present.ts'
import { LeadTime, ShipmentParams, Shipments } from './schemas.ts'
import { Carrier, Costs, Delays, History, Items, ShipmentPayments, Sla, SlaParams } from './sub_schemas.ts'
import { ownShipment, type View, viewOf } from './view.ts'

interface Part {
  path: `/shipments/:shipment_id/${string}`
  summary: string
  answer: TSchema
  /** Default: those of the shipment. */
  checks?: typeof READ_SHIPMENT
  present(view: View, world: World, q: Q): object | Promise<object>
}

const itemsOf = ({ units, sender }: View) =>
  units.map(({ order, title, dimensions }) => ({
    ...{ item_id: order.item_id, description: title, quantity: order.quantity, variation_id: order.variation_id },
    ...{ dimensions, order_id: order.id, sender_id: sender.id },
  }))

/** The receiver pays its cost, the sender the rest [spec: shipments.costs]. */
function costsOf({ sender, receiver, currency_id, cost, list_cost }: View) {
  const charge = (user_id: number | null, ownCost: number) => {
    const { rate, rest } = shareOf(currency_id, ownCost, list_cost)
    const discounts = rest > 0 ? [{ rate, type: 'mandatory', promoted_amount: rest }] : []
    return { user_id, cost: ownCost, compensation: 0, save: 0, discounts }
  }
  const { rest } = shareOf(currency_id, cost, list_cost)
  return { gross_amount: list_cost, receiver: charge(receiver.id, cost), senders: [charge(sender.id, rest)] }
}

/** Throws 404 for a sale without a pack [spec: shipments.payments.none]. */
async function shippingPaymentsOf({ row, units }: View, q: Q) {
  const orders = units.map(({ order }) => order)
  if (!orders.some(({ pack_id }) => pack_id !== null)) throw noPayments(row.id)
  return (await paymentsOf(q, orders)).map((stored) => {
    const order = orders.find(({ id }) => id === stored.order_id)!
    const { id: payment_id, shipping_cost: amount, status } = paymentAt(stored, order)
    return { payment_id, user_id: order.buyer_id, amount, status }
  })
}

const slaIn = ({ row, past, step }: View, world: World) =>
  row.logistic_type === 'fulfillment' || step.status === 'cancelled' ? undefined : slaOf(row, past, world.clock.now())

const PARTS: Part[] = [
  {
    ...{ path: '/shipments/:shipment_id/items', summary: 'Read what is in a shipment', answer: Items },
    present: itemsOf,
  },
  {
    ...{ path: '/shipments/:shipment_id/costs', summary: 'Read who pays what for a shipment', answer: Costs },
    present: costsOf,
  },
  {
    ...{ path: '/shipments/:shipment_id/payments', summary: 'Read the payments of a shipment' },
    ...{ answer: ShipmentPayments, checks: READ_PAYMENTS },
    present: (view, _world, q) => shippingPaymentsOf(view, q),
  },
  {
    ...{ path: '/shipments/:shipment_id/lead_time', summary: 'Read when a shipment is to arrive', answer: LeadTime },
    present: presentLeadTime,
  },
  {
    ...{ path: '/shipments/:shipment_id/sla', summary: 'Read until when a shipment is to be handed over' },
    ...{ answer: Sla, checks: READ_SLA },
    present(view, world) {
      const sla = slaIn(view, world)
      if (!sla) throw noSla()
      const { status, expected } = sla
      return { status, service: null, expected_date: slaDate(expected), last_updated: utcSeconds(view.step.at) }
    },
  },
  {
    ...{ path: '/shipments/:shipment_id/delays', summary: 'Read in what a shipment is late' },
    ...{ answer: Delays, checks: READ_DELAYS },
    present(view, world) {
      const sla = slaIn(view, world)
      if (sla?.status !== 'delayed') throw noDelays()
      const date = utcSeconds(sla.expected)
      return { shipment_id: view.row.id, delays: [{ type: 'sla_delayed', date, source: 'shipping-delays' }] }
    },
  },
  {
    ...{ path: '/shipments/:shipment_id/history', summary: 'Read the states of a shipment', answer: History },
    present: ({ past }) =>
      past.toReversed().map(({ status, substatus, at }) => ({ status, substatus, date: utcMillis(at) })),
  },
  {
    ...{ path: '/shipments/:shipment_id/carrier', summary: 'Read who brings a shipment', answer: Carrier },
    present: ({ row: { mode, tracking_number }, details: { tracking_url } }) => ({
      name: METHODS[mode],
      url: tracking_url ?? (mode === 'me2' ? `https://tracking.example.com/${tracking_number}` : null),
    }),
  },
]

const parts: FastifyPluginAsyncTypebox = async (app) => {
  for (const { path, summary, answer, checks = READ_SHIPMENT, present } of PARTS) {
    const isSla = checks === READ_SLA
    app.get(
      path,
      {
        config: { resource: Shipments, access: 'token', checks },
        schema: {
          summary,
          params: isSla ? SlaParams : ShipmentParams,
          response: { 200: answer, ...errorResponses(401, 403, 404) },
        },
      },
      async ({ world, caller, params: { shipment_id } }) => {
        const row = await ownShipment(world.read, caller.user_id, shipment_id, isSla ? unknownSla : noShipment)
        return present(await viewOf(world.read, world, row), world, world.read)
      },
    )
  }
}
export default parts

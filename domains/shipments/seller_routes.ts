import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from '@sinclair/typebox'
import type { Q } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import { errorResponses } from '../shared/schemas.ts'
import { MAKE_READY, NOTIFY_SHIPMENT } from './checks.ts'
import { foreignShipment, notSentBySeller, unknownState, wrongStatus } from './errors.ts'
import { advance, setState } from './operations.ts'
import { presentShipment } from './present.ts'
import { stepsOf } from './queries.ts'
import { Shipment, ShipmentParams, Shipments } from './schemas.ts'
import { stateAt } from './states.ts'
import { Notification, Ready, ShipmentChange } from './sub_schemas.ts'
import type { ShipmentRow } from './tables.ts'
import { ownShipment, viewOf } from './view.ts'

/** What sellers may say of shipments that they send themselves. */
const SUBSTATUSES: Readonly<Record<string, readonly (string | null)[]>> = {
  shipped: [null, 'out_for_delivery', 'receiver_absent', 'dangerous_area', 'bad_address', 'unauthorized_receiver'],
  delivered: [null],
  not_delivered: ['returning_to_sender'],
}
const FINAL = ['delivered', 'not_delivered', 'cancelled']

/** A shipment of which the caller is the sender. Throws, in this order: 404, 403. */
async function ownSale(q: Q, caller: number, id: number): Promise<ShipmentRow> {
  const row = await ownShipment(q, caller, id)
  if (row.seller_id !== caller) throw foreignShipment()
  return row
}
const stateOf = async (q: Q, world: World, row: ShipmentRow) =>
  stateAt((await stepsOf(q, [row])).get(row.id)!, world.clock.now())

/** Throws, in this order: 404, 403, 400 for the mode, a final state, an unknown state [spec: shipments.seller.order]. */
async function notify(
  q: Q,
  world: World,
  { caller, id }: { caller: number; id: number },
  body: Static<typeof ShipmentChange>,
) {
  const row = await ownSale(q, caller, id)
  if (row.mode === 'me2') throw notSentBySeller(id)
  const before = await stateOf(q, world, row)
  if (FINAL.includes(before.status)) throw wrongStatus('shipments.seller.final', id, before.status)
  const { status, tracking_number, tracking_url, service_id } = body
  // Programs that say only that it was not delivered mean this; some write null as a text.
  const usual = status === 'not_delivered' ? 'returning_to_sender' : null
  const substatus = body.substatus && body.substatus !== 'null' ? body.substatus : usual
  if (status !== undefined && !SUBSTATUSES[status]!.includes(substatus)) throw unknownState(status, substatus)
  const details = {
    ...(service_id !== undefined && { service_id }),
    ...(tracking_url !== undefined && { tracking_url: tracking_url.toWellFormed() }),
  }
  const state = status === undefined ? {} : { status, substatus }
  const changed = await setState(q, world, row, { ...state, tracking_number: tracking_number?.toWellFormed(), details })
  return presentShipment(await viewOf(q, world, changed))
}

const seller: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/shipments/:shipment_id/process/ready_to_ship',
    {
      config: { resource: Shipments, access: 'token', checks: MAKE_READY },
      schema: {
        summary: 'Say that a shipment is ready',
        description: 'From the status `handling`. The seller only.',
        params: ShipmentParams,
        response: { 200: Ready, ...errorResponses(400, 401, 403, 404, 413) },
      },
    },
    async ({ world, caller, params: { shipment_id } }) =>
      world.tx(async (q) => {
        const row = await ownSale(q, caller.user_id, shipment_id)
        const { status } = await stateOf(q, world, row)
        if (status !== 'handling') throw wrongStatus('shipments.ready.status', shipment_id, status)
        await advance(q, world, row)
        return { status: 200 }
      }),
  )

  app.post(
    '/shipments/:shipment_id/seller_notifications',
    {
      config: { resource: Shipments, access: 'token', checks: NOTIFY_SHIPMENT },
      schema: {
        summary: 'Say where a shipment is that the seller sends',
        description: 'For the modes me1 and custom. The seller only. Answers the shipment in the older form.',
        params: ShipmentParams,
        body: Notification,
        response: { 200: Shipment, ...errorResponses(400, 401, 403, 404, 413) },
      },
    },
    async ({ world, caller, params: { shipment_id: id }, body: { payload = {}, ...sent } }) =>
      world.tx((q) => notify(q, world, { caller: caller.user_id, id }, { ...payload, ...sent })),
  )

  app.put(
    '/shipments/:shipment_id',
    {
      config: { resource: Shipments, access: 'token', checks: NOTIFY_SHIPMENT },
      schema: {
        summary: 'Change the state or the tracking number of a shipment that the seller sends',
        description: 'As `seller_notifications`.',
        params: ShipmentParams,
        body: ShipmentChange,
        response: { 200: Shipment, ...errorResponses(400, 401, 403, 404, 413) },
      },
    },
    async ({ world, caller, params: { shipment_id: id }, body }) =>
      world.tx((q) => notify(q, world, { caller: caller.user_id, id }, body)),
  )
}
export default seller

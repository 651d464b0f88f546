import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { insertInto } from '../../db/rows.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import { setShipment } from '../orders/link_operations.ts'
import { StrictBody } from '../shared/control_schemas.ts'
import { utcMillis } from '../shared/instants.ts'
import { Instant, OneOf } from '../shared/schemas.ts'
import {
  Amount,
  asJson,
  Flag,
  Int,
  IntOrNull,
  ListOf,
  OptionalInstant,
  OrNull,
  Text,
  TextOrNull,
  UserRef,
} from '../shared/world_file/fields.ts'
import { tableList } from '../shared/world_file/table_list.ts'
import { Site } from '../users/sites.ts'
import type { ImportContext, WorldFileSection } from '../world_file.ts'
import { isSent } from './operations.ts'
import { ordersOfShipment, storedSteps } from './queries.ts'
import { type Details, isState, STATUS_IDS } from './states.ts'
import { service_id, tracking } from './sub_schemas.ts'
import { FIRST_SHIPMENT_ID, LOGISTIC_TYPES, MODES, type ShipmentRow, shipment, shipment_step } from './tables.ts'

const FileStep = StrictBody(
  {
    status: OneOf([...STATUS_IDS], { description: 'Status' }),
    substatus: TextOrNull('Substatus', 100),
    at: Instant('When; the clock brings those to come', '2026-03-02T12:00:00.000Z'),
  },
  { 'x-message': 'must be an object with status and at' },
)

const FileDetails = StrictBody(
  {
    cost: Type.Optional(Amount('What the receiver pays; default: nothing')),
    list_cost: Type.Optional(Amount('The whole price')),
    service_id,
    tracking_url: tracking.tracking_url,
    comments: Type.Optional(Text('For the carrier', 2000, { mayBeBlank: true })),
  } satisfies Record<keyof Details, TSchema>,
  { description: 'What else is known of it', default: {}, 'x-message': 'must be an object' },
)

const FileShipment = StrictBody(
  {
    id: Type.Optional(Int('Identifier; default: a new one', 1)),
    site_id: Type.Optional(Site),
    seller_id: UserRef('Seller'),
    order_id: IntOrNull('The first order in it; null where no sale is known'),
    type: Type.Optional(OneOf(['forward', 'return'], { description: 'To the buyer, or back', default: 'forward' })),
    mode: Type.Optional(OneOf([...MODES], { description: 'Mode', default: 'me2' })),
    logistic_type: Type.Optional(
      OneOf([...LOGISTIC_TYPES], { description: 'How it is sent', default: 'self_service' }),
    ),
    tracking_number: OrNull(tracking.tracking_number, {
      ...{ description: 'Tracking number', 'x-message': 'must be a string, or null' },
    }),
    details: Type.Optional(asJson(FileDetails)),
    steps: Type.Optional(
      ListOf(FileStep, 'states', 100, {
        ...{ description: 'Its states, in their order; none: ready_to_ship, printed', default: [] },
      }),
    ),
    driver_id: IntOrNull('Driver; null if there is none yet'),
    route_open: Flag('Whether the driver is on the way'),
    date_created: OptionalInstant('Time of creation; default: world time'),
  },
  { title: 'FileShipment', description: 'A parcel with its states' },
)

const insertStep = insertInto(shipment_step)

/** Writes the states of a shipment. */
async function writeSteps(
  context: ImportContext,
  { id }: ShipmentRow,
  steps: Static<typeof FileStep>[],
  place: string,
) {
  let last = Number.NEGATIVE_INFINITY
  for (const [n, { status, substatus = null, ...step }] of steps.entries()) {
    const at = context.instantOf(`${place}[${n}].at`, step.at)
    if (!isState({ status, substatus })) throw badRequest(`${place}[${n}].substatus: is none of ${status}`)
    if (at < last) throw badRequest(`${place}[${n}].at: must not be before that of the step before`)
    last = at
    const is_published = at <= context.now ? 1 : 0
    await insertStep(context.q, { shipment_id: id, n, status, substatus, at, is_published })
  }
  await context.rowsWritten(1 + steps.length)
}

const shipments = tableList(shipment, {
  description: 'Parcels',
  element: FileShipment,
  maxElements: 1_000_000,
  ids: FIRST_SHIPMENT_ID,
  async complete({ q, users, now }, element, place, id) {
    const seller_id = users.resolve(`${place}.seller_id`, element.seller_id)
    const { order_id = null, type } = element
    const orders = await ordersOfShipment(q, { switches: {}, clock: { now: () => now } }, { order_id })
    if (order_id !== null && orders[0]?.seller_id !== seller_id)
      throw badRequest(`${place}.order_id: must be the id of an order of the seller`)
    const lacking = orders.filter((order) => isSent(order) && order.shipment_id === null)
    if (type !== 'return' && lacking.length > 0) await setShipment(q, lacking, id as number)
    return { seller_id, site_id: element.site_id ?? users.siteOf(seller_id), buyer_id: orders[0]?.buyer_id ?? null }
  },
  added: (context, row, { steps = [] }, place) => writeSteps(context, row, steps, `${place}.steps`),
  related: async (q, rows) =>
    new Map(
      [...(await storedSteps(q, rows))].map(([id, steps]) => [
        id,
        { steps: steps.map(({ status, substatus, at }) => ({ status, substatus, at: utcMillis(at) })) },
      ]),
    ),
})

export const worldFile: WorldFileSection = {
  after: ['users', 'orders', 'flex'],
  lists: { shipments },
  tables: { shipment: 'exported', shipment_step: 'exported' },
}

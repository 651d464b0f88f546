import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from '@sinclair/typebox'
import type { Q } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import { controlConfig, Page, readPeriod, viewable } from '../shared/control_schemas.ts'
import { userNotFound } from '../shared/errors.ts'
import { utcMillis, utcSeconds } from '../shared/instants.ts'
import { readPastInstant } from '../shared/past_instants.ts'
import { routesOf } from '../shared/routes.ts'
import { errorResponses, membersOf, splitCommaLists } from '../shared/schemas.ts'
import { toWellFormed } from '../shared/texts.ts'
import { userById } from '../users/queries.ts'
import {
  Advance,
  NewShipment,
  Shipment,
  ShipmentChange,
  ShipmentList,
  ShipmentParams,
  ShipmentWithSteps,
} from './control_schemas.ts'
import { assignDriver, closeRoute, createParcel, unassignDriver } from './driver_operations.ts'
import { shipmentNotFound } from './errors.ts'
import { advanceTo, setState } from './operations.ts'
import { listShipments, shipmentById, stepsOf } from './queries.ts'
import { isState, type ShipmentStatus, type State, stateAt } from './states.ts'
import type { ShipmentRow, StepRow } from './tables.ts'

const config = controlConfig('Shipments', 'Parcels of sales, and their drivers')

// Control calls set known states only; those of a world file are checked.
const presentState = ({ status, substatus }: State) => ({ status: status as ShipmentStatus, substatus })
const members = membersOf(Shipment)
const present = (row: ShipmentRow, state: State) =>
  members({
    ...{ ...row, ...presentState(state), route_open: row.route_open === 1 },
    date_created: utcSeconds(row.date_created),
  })
const presentStep = (step: StepRow) => ({
  ...{ ...presentState(step), at: utcMillis(step.at), is_published: step.is_published === 1 },
})

/** Changes driver and route of a shipment. Publishes no event if nothing changes. */
async function updateDriver(
  q: Q,
  world: World,
  before: ShipmentRow,
  sent: Pick<ShipmentChange, 'driver_id' | 'route_open'>,
): Promise<ShipmentRow> {
  const { id } = before
  const { driver_id = before.driver_id } = sent
  const isNew = driver_id !== before.driver_id
  const { route_open = isNew ? driver_id !== null : before.route_open === 1 } = sent
  if (driver_id === null) {
    if (route_open) throw badRequest('route_open: must be false without a driver')
    await unassignDriver(q, id)
  } else {
    if (isNew || route_open) await assignDriver(q, world, id, driver_id)
    if (!route_open) await closeRoute(q, id)
  }
  return (await shipmentById(q, id))!
}

/** Creates a shipment. Throws, in this order: 404 user, 409, 400 contradictions. */
async function createWithDriver(q: Q, world: World, { seller_id, id, ...driverChange }: Static<typeof NewShipment>) {
  const seller = await userById(q, seller_id)
  if (!seller) throw userNotFound(seller_id)
  const { site_id } = seller
  return updateDriver(q, world, await createParcel(q, world, { site_id, seller_id, id }), driverChange)
}

/** Changes what a control call names. Throws 400 for a state that does not exist, or an instant before the present one. */
async function changeShipment(q: Q, world: World, before: ShipmentRow, sent: ShipmentChange): Promise<ShipmentRow> {
  const { status, substatus, at: time, tracking_number, ...driver } = sent
  const now = world.clock.now()
  const at = readPastInstant('at', time, now)
  if (at !== undefined && status === undefined && substatus === undefined)
    throw badRequest('at: needs status or substatus')
  const step = stateAt((await stepsOf(q, [before])).get(before.id)!, now)
  const state = { status: status ?? step.status, substatus: substatus ?? null }
  if (!isState(state)) throw badRequest(`substatus: is none of the status ${state.status}`)
  if (at !== undefined && at < step.at)
    throw badRequest(`at: must not be before ${utcMillis(step.at)}, the present state`)
  const row = await setState(q, world, before, { status, substatus, at, tracking_number })
  return Object.keys(driver).length === 0 ? row : updateDriver(q, world, row, driver)
}

/** A shipment of a control call. Throws 404. */
async function requireShipment(q: Q, id: number): Promise<ShipmentRow> {
  const row = await shipmentById(q, id)
  if (!row) throw shipmentNotFound(id)
  return row
}

const presentOne = async (q: Q, world: World, row: ShipmentRow) => {
  const steps = (await stepsOf(q, [row])).get(row.id)!
  return { ...present(row, stateAt(steps, world.clock.now())), steps: steps.map(presentStep) }
}

const reads: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/shipments',
    {
      config: viewable(config),
      schema: {
        summary: 'List the shipments of all sellers',
        querystring: ShipmentList,
        response: { 200: Page(Shipment, 'By id'), ...errorResponses(400, 404) },
      },
    },
    async ({ world, query: { ids, limit, offset, since, until, ...filter } }) => {
      const { read, clock } = world
      const now = filter.status === undefined && filter.substatus === undefined ? undefined : clock.now()
      const filters = { ...filter, ids: ids && JSON.stringify(splitCommaLists(ids)), now, ...readPeriod(since, until) }
      const { total, rows } = await listShipments(read, filters, { limit, offset })
      const steps = await stepsOf(read, rows)
      const results = rows.map((row) => present(row, stateAt(steps.get(row.id)!, clock.now())))
      return { paging: { total, limit, offset }, results }
    },
  )

  app.get(
    '/shipments/:id',
    {
      config: viewable(config),
      schema: {
        summary: 'Read a shipment with its states',
        params: ShipmentParams,
        response: { 200: ShipmentWithSteps, ...errorResponses(404) },
      },
    },
    async ({ world, params: { id } }) => presentOne(world.read, world, await requireShipment(world.read, id)),
  )
}

const writes: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/shipments',
    {
      config,
      schema: {
        summary: 'Create a parcel of a seller that no sale is known of',
        description: 'A paid order has its shipment by itself.',
        body: NewShipment,
        response: { 201: ShipmentWithSteps, ...errorResponses(400, 404, 409, 413) },
      },
    },
    async ({ world, body }, reply) =>
      reply.code(201).send(await world.tx(async (q) => presentOne(q, world, await createWithDriver(q, world, body)))),
  )

  app.patch(
    '/shipments/:id',
    {
      config,
      schema: {
        summary: 'Set the state, the tracking number or the driver of a shipment',
        description:
          'Any state of GET /shipment_statuses, in any order; the clock then moves the shipment no further. Publishes `shipments`; a driver who starts the route publishes `flex-handshakes`.',
        params: ShipmentParams,
        body: ShipmentChange,
        response: { 200: ShipmentWithSteps, ...errorResponses(400, 404, 413) },
      },
    },
    async ({ world, params: { id }, body }) =>
      world.tx(async (q) =>
        presentOne(q, world, await changeShipment(q, world, await requireShipment(q, id), toWellFormed(body))),
      ),
  )

  app.post(
    '/shipments/:id/advance',
    {
      config,
      schema: {
        summary: 'Move a shipment to its next state, or on to another one',
        description:
          'By the way of its kind, as the clock would; the clock continues from there. With `to` it passes the states between; 409 where that state does not follow.',
        params: ShipmentParams,
        body: Advance,
        response: { 200: ShipmentWithSteps, ...errorResponses(400, 404, 409, 413) },
      },
    },
    async ({ world, params: { id }, body: { to } }) =>
      world.tx(async (q) => {
        const row = await requireShipment(q, id)
        await advanceTo(q, world, row, to)
        return presentOne(q, world, row)
      }),
  )
}

export default routesOf(reads, writes)

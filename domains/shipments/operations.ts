import { and, eq, gte, lte, sql } from 'drizzle-orm'
import { $, type EventSubscriber, type Q } from '../../db/engine.ts'
import { nextFreeId } from '../../db/ids.ts'
import { publish } from '../../db/outbox.ts'
import { deleteRows, insertInto, updateReturning, updateRows } from '../../db/rows.ts'
import { type Moment, readWorldRow } from '../../db/world.ts'
import { detailsOf as detailsOfItem } from '../items/details.ts'
import { type ItemRow, itemById } from '../items/queries.ts'
import { setShipment } from '../orders/link_operations.ts'
import { setFulfilled } from '../orders/operations.ts'
import { orderOfPayment, paymentById } from '../orders/queries.ts'
import { isPaid } from '../orders/states.ts'
import type { OrderRow } from '../orders/tables.ts'
import { INVOICE_NEEDED, LABEL_DELAY, PROGRESS } from './assumptions.ts'
import { cannotAdvance } from './errors.ts'
import { ordersOfShipment, shipmentById, stepsOf } from './queries.ts'
import {
  type AdvanceTo,
  type Details,
  detailsOf,
  isCalled,
  STAGES,
  type State,
  stageOf,
  stateAt,
  stepsAfter,
} from './states.ts'
import { MODES, type ShipmentRow, type StepRow, shipment, shipment_step } from './tables.ts'

// Call these inside `world.tx`: they publish the events in the same transaction.

type PlannedState = State & { at: number }

const HOUR = 3_600_000

const publishShipment = (q: Q, { id, seller_id, buyer_id }: ShipmentRow, at: number) =>
  publish(q, {
    ...{ topic: 'shipments', resource: `/shipments/${id}`, at },
    users: [seller_id, ...(buyer_id === null ? [] : [buyer_id])],
  })

/** How a listing is sent [spec: shipments.logistic_type]. */
function logisticTypeOf(item: Pick<ItemRow, 'shipping_mode' | 'in_flex' | 'details'>) {
  if (item.shipping_mode === 'me1') return 'default'
  if (item.shipping_mode !== 'me2') return 'custom'
  return detailsOfItem(item).shipping?.logistic_type ?? (item.in_flex ? 'self_service' : 'drop_off')
}

/** Whether an order is to be sent. */
export const isSent = (order: Pick<OrderRow, 'status' | 'tags'>): boolean =>
  isPaid(order) && !order.tags.includes('"no_shipping"')

/**
 * Creates the shipment of a paid order: one for all of its pack and seller, which get its id. `return`: from the buyer
 * to the seller; the orders keep their shipment.
 */
export async function createShipment(
  q: Q,
  world: Moment,
  order: OrderRow,
  type: ShipmentRow['type'] = 'forward',
): Promise<ShipmentRow> {
  const item = (await itemById(q, order.item_id))!
  const now = world.clock.now()
  const created = shipmentOf(order, item, { id: await nextFreeId(q, shipment), type, date_created: now })
  await insertShipment(q, created)
  await writeSteps(q, created, [], firstSteps(world, created, now))
  if (type === 'forward') await setShipment(q, (await ordersOfShipment(q, world, created)).filter(isSent), created.id)
  await publishShipment(q, created, now)
  return created
}
const insertShipment = insertInto(shipment)

/** The shipment of an order, by how its listing is sent. */
export function shipmentOf(
  order: Pick<OrderRow, 'id' | 'site_id' | 'seller_id' | 'buyer_id' | 'shipping_cost'>,
  item: Parameters<typeof logisticTypeOf>[0],
  { id, type = 'forward', date_created }: Pick<ShipmentRow, 'id' | 'date_created'> & { type?: ShipmentRow['type'] },
): ShipmentRow {
  const mode = MODES.find((one) => one === item.shipping_mode) ?? 'custom'
  return {
    ...{ id, site_id: order.site_id, seller_id: order.seller_id, buyer_id: order.buyer_id, order_id: order.id },
    ...{ type, mode, logistic_type: type === 'return' ? 'drop_off' : logisticTypeOf(item) },
    ...{ tracking_number: mode === 'me2' ? `MEL${id}FMXDF01` : null, driver_id: null, route_open: 0, date_created },
    details: JSON.stringify({ cost: order.shipping_cost ?? 0 } satisfies Details),
  }
}

/** The states of a new shipment [spec: shipments.label_delay, shipments.invoice_needed]. */
function firstSteps(world: Moment, row: ShipmentRow, now: number): PlannedState[] {
  const [first] = STAGES[row.logistic_type]
  const isPrinted = first!.substatus === 'ready_to_print'
  const handling = { status: 'handling', at: now }
  if (isPrinted && row.type === 'forward') {
    if (row.site_id === 'MLB' && INVOICE_NEEDED.of(world) === 'on')
      return [{ ...handling, substatus: 'invoice_pending' }]
    const readyAt = now + Number(LABEL_DELAY.of(world)) * HOUR
    const waiting = { ...handling, substatus: 'waiting_for_label_generation' }
    if (readyAt > now) return [waiting, ...(isByClock(world) ? [{ ...first!, at: readyAt }] : [])]
  }
  const ahead = row.type === 'return' ? stepsAfter(row, 1, now + HANDED_OVER_MS) : stepsAfter(row, 0, now)
  return [{ ...first!, at: now }, ...(isByClock(world) ? ahead : [])]
}
/** Buyers print the labels of their returns themselves, after this time [spec: shipments.returns]. */
const HANDED_OVER_MS = 8 * HOUR
const isByClock = (world: Moment) => PROGRESS.of(world) === 'clock'

/** Replaces what follows the steps that a shipment keeps; the first of the states has come, so it is published already. */
async function writeSteps(
  q: Q,
  { id }: Pick<ShipmentRow, 'id'>,
  kept: readonly StepRow[],
  states: readonly PlannedState[],
): Promise<void> {
  await deleteSteps(q).run({ id, n: kept.length })
  // Those that a shipment without steps is thought to have had are not stored.
  for (const step of kept) await insertStep(q, step)
  for (const [i, { status, substatus, at }] of states.entries())
    await insertStep(q, { shipment_id: id, n: kept.length + i, status, substatus, at, is_published: i === 0 ? 1 : 0 })
}
const deleteSteps = deleteRows(shipment_step, {}, () =>
  and(eq(shipment_step.shipment_id, $('id')), gte(shipment_step.n, $('n'))),
)
const insertStep = insertInto(shipment_step)

/** The step that a shipment is in, and those that it has been in. */
async function historyOf(q: Q, world: Moment, row: ShipmentRow): Promise<{ step: StepRow; past: StepRow[] }> {
  const steps = (await stepsOf(q, [row])).get(row.id)!
  const step = stateAt(steps, world.clock.now())
  return { step, past: steps.slice(0, step.n + 1) }
}

/** Publishes that a shipment has come into a state, with what this means for its orders. */
async function follow(q: Q, world: Moment, row: ShipmentRow, { status }: State): Promise<void> {
  await publishShipment(q, row, world.clock.now())
  if (status !== 'delivered' || row.type === 'return') return
  for (const order of (await ordersOfShipment(q, world, row)).filter(isPaid))
    await setFulfilled(q, world, order, { fulfilled: 1, isPublished: true })
}

/** What is said of a shipment; members that are missing stay as they are. */
export interface Change {
  status?: string | undefined
  /** Default: none with a status, else the present one. */
  substatus?: string | null | undefined
  /** When, ms, from the present state on; default: now. */
  at?: number | undefined
  tracking_number?: string | null | undefined
  details?: Details | undefined
}

/**
 * Sets any state, after which the clock moves the shipment no further, and what is known of the parcel. Publishes one
 * event; none if nothing changes.
 */
export async function setState(q: Q, world: Moment, row: ShipmentRow, change: Change): Promise<ShipmentRow> {
  const { step, past } = await historyOf(q, world, row)
  const { status = step.status, at = world.clock.now() } = change
  const { substatus = change.status === undefined ? step.substatus : null, tracking_number = row.tracking_number } =
    change
  const changed = {
    ...{ ...row, tracking_number },
    details: change.details ? JSON.stringify({ ...detailsOf(row), ...change.details }) : row.details,
  }
  const isChanged = tracking_number !== row.tracking_number || changed.details !== row.details
  if (isChanged) await updateShipment(q).run(changed)
  if (status !== step.status || substatus !== step.substatus) {
    const next = { status, substatus, at: Math.max(at, step.at) }
    await writeSteps(q, row, past, [next])
    await follow(q, world, changed, next)
  } else if (isChanged) await publishShipment(q, row, world.clock.now())
  return changed
}
const updateShipment = updateRows(shipment, { tracking_number: $, details: $ }, { id: $ })

/** Prints the labels of shipments that are ready for it; from then on the clock moves them. */
export async function printLabels(q: Q, world: Moment, rows: readonly ShipmentRow[]): Promise<void> {
  for (const row of rows) {
    const { step } = await historyOf(q, world, row)
    if (step.status === 'ready_to_ship' && step.substatus === 'ready_to_print') await advance(q, world, row)
  }
}

/** Enters the next state of the way of a shipment, after which the clock moves it. Throws 409 where its way has ended. */
export async function advance(q: Q, world: Moment, row: ShipmentRow): Promise<void> {
  const { step, past } = await historyOf(q, world, row)
  const stage = stageOf(row, step)
  if (stage === undefined) throw cannotAdvance(row.id, step)
  // A clock may have gone back before the first state.
  const at = Math.max(world.clock.now(), step.at)
  const next = { ...STAGES[row.logistic_type][stage + 1]!, at }
  await writeSteps(q, row, past, [next, ...(isByClock(world) ? stepsAfter(row, stage + 1, at) : [])])
  await follow(q, world, row, next)
}

/**
 * Moves a shipment until it is in a state, through those before; without one to the next. It can be not delivered at any
 * time before it is delivered. Throws 409 where that state does not follow.
 */
export async function advanceTo(q: Q, world: Moment, row: ShipmentRow, to: AdvanceTo | undefined): Promise<void> {
  const { step } = await historyOf(q, world, row)
  const stage = stageOf(row, step)
  if (stage === undefined) throw cannotAdvance(row.id, step)
  if (to === 'not_delivered')
    return void (await setState(q, world, row, { status: to, substatus: 'returning_to_sender' }))
  const ahead = STAGES[row.logistic_type].slice(stage + 1)
  const steps = to === undefined ? 1 : ahead.findIndex((one) => isCalled(one, to)) + 1
  if (steps === 0) throw cannotAdvance(row.id, step, to)
  for (let n = 0; n < steps; n++) await advance(q, world, row)
}

/** Cancels a shipment whose orders were cancelled, unless the parcel is on its way. */
async function cancelShipment(q: Q, world: Moment, row: ShipmentRow): Promise<void> {
  const { step } = await historyOf(q, world, row)
  if (['pending', 'handling', 'ready_to_ship'].includes(step.status))
    await setState(q, world, row, { status: 'cancelled', substatus: null })
}

/** Publishes the states that time has brought until an instant, ms, each at its own. */
export async function runSteps(q: Q, { switches }: Moment, until: number): Promise<void> {
  for (const step of await takeSteps(q).all({ until })) {
    const row = await shipmentById(q, step.shipment_id)
    if (row) await follow(q, { switches, clock: { now: () => step.at } }, row, step)
  }
}
const takeSteps = updateReturning(shipment_step, { is_published: 1 }, {}, () =>
  and(sql`${shipment_step.is_published} = 0`, lte(shipment_step.at, $('until'))),
)

/**
 * A paid order gets its shipment, and a cancelled one loses it, in the unit of its payment's event: an order that is only
 * said to be paid or cancelled has no such event [spec: shipments.created].
 */
export const followPayments: EventSubscriber = async (q, { events, now }) => {
  for (const { topic, resource } of events) {
    if (topic !== 'payments') continue
    const payment = await paymentById(q, Number(resource.split('/').at(-1)))
    if (!payment) continue
    const { id } = await orderOfPayment(q, payment)
    const world: Moment = { switches: JSON.parse((await readWorldRow(q)).switches), clock: { now: () => now } }
    const purchase = await ordersOfShipment(q, world, { order_id: id })
    const order = purchase.find((one) => one.id === id)!
    const known = purchase.find(({ shipment_id }) => shipment_id !== null)?.shipment_id
    const shipment = known && (await shipmentById(q, known))
    if (isSent(order) && order.shipment_id === null) {
      if (shipment) await setShipment(q, [order], shipment.id)
      else await createShipment(q, world, order)
    } else if (shipment && !purchase.some(isPaid)) await cancelShipment(q, world, shipment)
  }
}

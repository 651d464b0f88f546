import { $, type EventSubscriber, prepared, type Q } from '../../db/engine.ts'
import { nextFreeId } from '../../db/ids.ts'
import { publish } from '../../db/outbox.ts'
import { columnValues, insertInto, updateById, updateRows } from '../../db/rows.ts'
import { type Moment, readWorldRow, type World } from '../../db/world.ts'
import { money } from '../currencies/currencies.ts'
import { setMediation } from '../orders/link_operations.ts'
import { refund } from '../orders/operations.ts'
import { paymentsOf } from '../orders/queries.ts'
import { isPaid } from '../orders/states.ts'
import type { OrderRow } from '../orders/tables.ts'
import { conflict } from '../shared/errors.ts'
import { createShipment } from '../shipments/operations.ts'
import { shipmentById, stepsOf } from '../shipments/queries.ts'
import { stateAt } from '../shipments/states.ts'
import { unavailable } from './errors.ts'
import { casesOf, findClaims } from './queries.ts'
import { isDelivered } from './reasons.ts'
import {
  acceptedAfter,
  actionsOf,
  type Case,
  type Expectation,
  expectationsOf,
  historyOf,
  type ResolutionReason,
  type Role,
} from './states.ts'
import { type ClaimRow, claim, claim_message } from './tables.ts'

// Call these inside `world.tx`: they publish the events in the same transaction.

/** Under two topics: programs still subscribe to the old name [spec: claims.topics]. */
async function publishClaim(
  q: Q,
  { id, seller_id, buyer_id }: ClaimRow,
  action: 'claims' | 'claims_actions',
  at: number,
) {
  const event = { resource: `/post-purchase/v1/claims/${id}`, actions: [action], users: [seller_id, buyer_id], at }
  await publish(q, { topic: 'post_purchase', ...event })
  await publish(q, { topic: 'claims', ...event })
}

interface NewClaim {
  type?: ClaimRow['type'] | undefined
  reason_id: string
  message?: string | undefined
}

/** The row of a claim on an order, as the buyer opens it. */
export function newClaim(
  { id: order_id, site_id, seller_id, buyer_id }: OrderRow,
  { type, reason_id }: Pick<ClaimRow, 'type' | 'reason_id'>,
  now: number,
): Omit<ClaimRow, 'id'> {
  const resolution = isDelivered(reason_id) ? 'return_product' : 'product'
  const wanted: Expectation = { role: 'complainant', resolution, status: 'pending', after: 0 }
  return {
    ...{ site_id, order_id, seller_id, buyer_id, type, stage: 'claim', status: 'opened', reason_id },
    ...{ resolution: null, expected_resolutions: JSON.stringify([wanted]), return_shipment_id: null },
    history: JSON.stringify([{ stage: 'claim', status: 'opened', by: 'complainant', after: 0 }]),
    ...{ date_created: now, last_updated: now },
  }
}

/** A buyer complains about an order. Throws 409 while an earlier claim on it is open. */
export async function openClaim(
  q: Q,
  world: World,
  order: OrderRow,
  { type = 'mediations', reason_id, message }: NewClaim,
): Promise<Case> {
  const { rows } = await findClaims(q, { order_id: order.id, status: 'opened' }, { limit: 1, offset: 0 })
  if (rows[0]) throw conflict(`claim ${rows[0].id} on the order is open`)
  const now = world.clock.now()
  const opened = { ...newClaim(order, { type, reason_id }, now), id: await nextFreeId(q, claim) }
  await insertClaim(q, opened)
  if (message) await recordMessage(q, opened, { sender: 'complainant', receiver: 'respondent', text: message }, now)
  await publishClaim(q, opened, 'claims', now)
  return { claim: opened, order }
}
const insertClaim = insertInto(claim)

export interface NewMessage {
  sender: Role
  receiver: Role
  text: string
}

/** Stores a message; its sender has read those that it answers. */
async function recordMessage(q: Q, { id, stage }: ClaimRow, { sender, receiver, text }: NewMessage, now: number) {
  await markRead(q).run({ claim_id: id, receiver: sender, now })
  const row = { claim_id: id, sender_role: sender, receiver_role: receiver, stage, text, date_created: now }
  await insertMessage(q).run(row)
}
const { id: _, date_read: __, ...messageColumns } = columnValues(claim_message)
const insertMessage = prepared(({ db }) => db.insert(claim_message).values(messageColumns))
const markRead = updateRows(
  claim_message,
  { date_read: $('now') },
  { claim_id: $, receiver_role: () => $('receiver'), date_read: null },
)

/** A player writes to another one. */
export async function sendMessage(q: Q, world: World, { claim, order }: Case, message: NewMessage): Promise<Case> {
  await recordMessage(q, claim, message, world.clock.now())
  return { claim: await store(q, world, claim, 'claims_actions'), order }
}

/** Stores the changed row of a claim and publishes it. */
async function store(q: Q, world: Moment, row: ClaimRow, action: 'claims' | 'claims_actions'): Promise<ClaimRow> {
  const changed = { ...row, last_updated: world.clock.now() }
  await updateClaim(q, changed)
  await publishClaim(q, changed, action, changed.last_updated)
  return changed
}
const updateClaim = updateById(claim, [
  ...(['stage', 'status', 'resolution', 'expected_resolutions', 'history', 'return_shipment_id'] as const),
  'last_updated',
])

interface Decision {
  stage?: ClaimRow['stage'] | undefined
  status?: ClaimRow['status'] | undefined
  /** Why it ends; default: by whether there is a refund. */
  reason?: ResolutionReason | undefined
  /** Per cent of what was paid. */
  refund?: number | undefined
  by: Role
}

/** Changes the stage or the state of a claim, with what follows for its order. Throws 409 for a refund of what is not paid. */
export async function decide(
  q: Q,
  world: Moment,
  { claim: before, order }: Case,
  { stage = before.stage, refund: percentage, by, ...given }: Decision,
): Promise<Case> {
  const { status = percentage === undefined ? before.status : 'closed' } = given
  const {
    reason = percentage === undefined
      ? 'worked_out_with_seller'
      : percentage < 100
        ? 'partial_refunded'
        : 'payment_refunded',
  } = given
  const after = world.clock.now() - before.date_created
  const isClosing =
    status === 'closed' && (before.status === 'opened' || given.reason !== undefined || percentage !== undefined)
  const isMoved = stage !== before.stage || status !== before.status
  const changed = {
    ...before,
    stage,
    status,
    ...(isMoved && { history: JSON.stringify([...historyOf(before), { stage, status, by, after }]) }),
    ...(status === 'opened' && { resolution: null }),
    ...(isClosing && { resolution: JSON.stringify({ reason, by, after }) }),
  }
  const claim = await store(q, world, changed, 'claims')
  if (isMoved && (stage === 'dispute' || before.stage === 'dispute')) {
    const mediation = { id: before.id, status: stage === 'dispute' ? status : null }
    await setMediation(q, world, order.id, { ...mediation, isPublished: percentage === undefined })
  }
  return { claim, order: percentage === undefined ? order : await giveBack(q, world, order, percentage) }
}

/** Refunds per cent of what is left of an order's payments; all of it cancels the order. */
async function giveBack(q: Q, world: Moment, order: OrderRow, percentage: number): Promise<OrderRow> {
  if (percentage === 100) return refund(q, world, order.id)
  const { minor, amount } = money(order.currency_id)
  const left = (await paymentsOf(q, [order]))
    .filter(({ status }) => status === 'approved')
    .reduce((sum, one) => sum + minor(one.transaction_amount - one.transaction_amount_refunded), 0)
  return refund(q, world, order.id, amount(Math.max(1, Math.round((left * percentage) / 100))))
}

/** Has the buyer send the units back; the money follows when they arrive. */
export async function makeReturn(q: Q, world: World, { claim, order }: Case): Promise<Case> {
  if (claim.return_shipment_id !== null) throw conflict(`claim ${claim.id} has a return`)
  const { id: return_shipment_id } = await createShipment(q, world, order, 'return')
  return { claim: await store(q, world, { ...claim, return_shipment_id }, 'claims_actions'), order }
}

/**
 * The seller accepts to give money back, which ends the claim, or to take the units back: then it ends when they arrive
 * [spec: claims.resolutions].
 */
export async function resolve(
  q: Q,
  world: World,
  { claim, order }: Case,
  { resolution, percentage = 100 }: { resolution: Exclude<Expectation['resolution'], 'product'>; percentage?: number },
): Promise<Case> {
  const offer: Expectation = {
    ...{ role: 'respondent', resolution, status: 'accepted', after: world.clock.now() - claim.date_created },
    ...(resolution === 'partial_refund' && { percentage }),
  }
  const others = expectationsOf(claim).map((wish) => ({
    ...wish,
    status: wish.status === 'pending' ? (wish.resolution === resolution ? 'accepted' : 'rejected') : wish.status,
  }))
  const one = { claim: { ...claim, expected_resolutions: JSON.stringify([...others, offer]) }, order }
  if (resolution === 'return_product') return makeReturn(q, world, one)
  return decide(q, world, one, { refund: percentage, by: 'respondent' })
}

/** The units that a buyer has sent back have arrived: all is refunded, and the open claim ends [spec: claims.returns]. */
async function endReturn(q: Q, world: Moment, one: Case): Promise<void> {
  const by = acceptedAfter(one.claim) === undefined ? 'mediator' : 'respondent'
  const rest = isPaid(one.order) ? { refund: 100 } : { status: 'closed' as const }
  await decide(q, world, one, { ...rest, reason: 'payment_refunded', by })
}

/** Throws 400 unless the player can do this now [spec: claims.unavailable]. */
export function requireAction(one: Case, role: Role, action: string): void {
  if (!actionsOf(one, role).includes(action)) throw unavailable(action)
}

/** A return that is delivered ends its claim in the unit of the event of its shipment [spec: claims.returns]. */
export const followReturns: EventSubscriber = async (q, { events, now }) => {
  for (const { topic, resource } of events) {
    if (topic !== 'shipments') continue
    const parcel = await shipmentById(q, Number(resource.split('/').at(-1)))
    if (parcel?.type !== 'return' || parcel.order_id === null) continue
    if (stateAt((await stepsOf(q, [parcel])).get(parcel.id)!, now).status !== 'delivered') continue
    const open = { order_id: parcel.order_id, status: 'opened' } as const
    const { rows } = await findClaims(q, open, { limit: 10, offset: 0 })
    const world: Moment = { switches: JSON.parse((await readWorldRow(q)).switches), clock: { now: () => now } }
    for (const one of await casesOf(q, world, rows))
      if (one.claim.return_shipment_id === parcel.id) await endReturn(q, world, one)
  }
}

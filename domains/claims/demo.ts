import type { DemoGenerator, ItemRow, Shop } from '../demo.ts'
import { detailsOf } from '../items/details.ts'
import { cancelledBy, refunded } from '../orders/operations.ts'
import type { OrderRow, PaymentRow } from '../orders/tables.ts'
import { DAY, HOUR, LAST_DAY, MINUTE } from '../shared/demo/wording.ts'
import { shipmentOf } from '../shipments/operations.ts'
import type { ShipmentRow, StepRow } from '../shipments/tables.ts'
import { languageOf } from '../users/sites.ts'
import { newClaim } from './operations.ts'
import { isDelivered, REASON_IDS } from './reasons.ts'
import type { Change, Resolution } from './states.ts'
import { type ClaimRow, type claim_message, FIRST_CLAIM_ID } from './tables.ts'

/** What becomes of a claim: its stages after the first one, and how it ends. */
interface Course {
  isDisputed?: true
  reason?: Resolution['reason']
  isReturned?: true
  /** Whether the seller has written in a claim that is open. */
  isAnswered?: true
}
/** Each occurs with the seller that every page names. Those that are open are on late sales. */
const COURSES: readonly Course[] = [
  {},
  { isDisputed: true },
  { isReturned: true },
  { reason: 'payment_refunded' },
  { reason: 'partial_refunded' },
  { reason: 'payment_refunded', isReturned: true },
  { isDisputed: true, reason: 'product_delivered' },
  { isDisputed: true, reason: 'payment_refunded' },
]
const SHARE = 0.03
/** Later, nothing changes orders, payments or stock: a world's present is any instant of the week after the origin. */
const LAST_CHANGE_AT = -DAY
/** Of the claims about that time. They are open, so that their orders stay as they were. */
const LATE_COURSES: readonly Course[] = [{}, { isReturned: true }, { isAnswered: true }]
/** One in so many late deliveries has a claim; more with the seller that every page names. */
const EVERY = { first: 3, others: 9 }

/** What the buyer writes, the seller, and the buyer. */
export const CLAIM_TEXTS = {
  es: ['Hola, el producto no es lo que esperaba.', 'Hola, ¿nos puedes enviar una foto?', 'Ya la envié, gracias.'],
  pt: ['Olá, o produto não é o que eu esperava.', 'Olá, você pode enviar uma foto?', 'Já enviei, obrigado.'],
} as const

interface Case {
  order: OrderRow
  course: Course
  at: number
  claim: Omit<ClaimRow, 'id' | 'return_shipment_id'>
}

export const generateRows: DemoGenerator = (shops, earlier) => {
  const { shipment, shipment_step, sale_order, payment, item } = earlier as unknown as Tables
  const parcels = new Map(shipment.map((row) => [row.id, row]))
  const deliveries = new Map(
    shipment_step.flatMap(({ shipment_id, status, at }) =>
      status === 'delivered' && parcels.get(shipment_id)!.order_id !== null ? [[shipment_id, at] as const] : [],
    ),
  )
  const cases = shops.flatMap((shop, n) => casesOf(shop, sale_order, deliveries, n === 0)).sort((a, b) => a.at - b.at)
  let nextShipment = Math.max(...parcels.keys()) + 1
  const numbered = cases.map(({ claim, ...one }, n) => {
    const return_shipment_id = one.course.isReturned ? nextShipment++ : null
    return { ...one, claim: { ...claim, id: FIRST_CLAIM_ID + n, return_shipment_id } }
  })
  const caseOf = new Map(numbered.map((one) => [one.order.id, one]))
  const returns = numbered.filter(({ course }) => course.isReturned)
  return {
    claim: numbered.map(({ claim }) => claim),
    claim_message: numbered.flatMap(messagesOf),
    sale_order: sale_order.map((order) => orderWith(order, caseOf.get(order.id))),
    payment: payment.map((row) => paymentWith(row, caseOf.get(row.order_id))),
    item: item.map((row) => itemWith(row, numbered)),
    shipment: shipment.concat(
      returns.map(({ order, at, claim }) => {
        const { details = '{}', ...listing } = item.find(({ id }) => id === order.item_id)!
        const parcel = { id: claim.return_shipment_id!, type: 'return' as const, date_created: at + RETURN_AFTER }
        return shipmentOf(order, { ...listing, details }, parcel)
      }),
    ),
    shipment_step: shipment_step.concat(returns.flatMap(({ claim }) => stepsOf(claim))),
  }
}
interface Tables {
  shipment: ShipmentRow[]
  shipment_step: StepRow[]
  sale_order: OrderRow[]
  payment: PaymentRow[]
  item: ItemRow[]
}

const RETURN_AFTER = 10 * HOUR
const MESSAGE_EVERY = 3 * HOUR

/** Claims on one seller's sales, after their delivery. */
function casesOf(
  { cast, random }: Shop,
  orders: readonly OrderRow[],
  deliveries: ReadonlyMap<number, number>,
  hasAllStates: boolean,
): Case[] {
  const r = random.fork('claims')
  const deliveredAt = ({ shipment_id }: OrderRow) => deliveries.get(shipment_id ?? 0)!
  const delivered = orders
    .filter(({ seller_id, status }) => seller_id === cast.seller.row.id && status === 'paid')
    .filter(({ shipment_id }) => deliveries.has(shipment_id ?? 0))
    .sort((a, b) => deliveredAt(a) - deliveredAt(b))
  const sold = delivered.filter((order) => deliveredAt(order) < LAST_CHANGE_AT - 4 * DAY)
  const courses = hasAllStates
    ? COURSES
    : Array.from({ length: Math.max(1, Math.round(sold.length * SHARE)) }, () => r.pick(COURSES))
  const late = sold.splice(-COURSES.length)
  const early = r.shuffle(sold)
  const chosen = courses.map((course) => ({ course, order: (course.reason === undefined ? late : early).pop()! }))
  const lateRandom = r.fork('late')
  const every = hasAllStates ? EVERY.first : EVERY.others
  const recent = delivered
    .filter((order) => deliveredAt(order) > LAST_CHANGE_AT - 2 * DAY && deliveredAt(order) < (LAST_DAY - 2) * DAY)
    .filter((_, n) => n % every === every - 1)
    .map((order, n) => {
      const course = hasAllStates ? LATE_COURSES[n % LATE_COURSES.length]! : lateRandom.pick(LATE_COURSES)
      return { course, order }
    })
  return [...chosen, ...recent].map(({ course, order }) => {
    const at = deliveredAt(order) + r.int(120, 1800) * MINUTE
    return { order, course, at, claim: claimOf(order, course, at, r.pick(REASONS)) }
  })
}
const REASONS = REASON_IDS.filter(isDelivered)

function claimOf(
  order: OrderRow,
  { isDisputed, isReturned, isAnswered, reason }: Course,
  at: number,
  reason_id: string,
): Case['claim'] {
  const endAfter = (isReturned ? 58 : isDisputed ? 44 : 20) * HOUR
  const stage = isDisputed ? 'dispute' : 'claim'
  const by = isDisputed ? 'mediator' : 'respondent'
  const history: Change[] = [{ stage: 'claim', status: 'opened', by: 'complainant', after: 0 }]
  if (isDisputed) history.push({ stage, status: 'opened', by: 'complainant', after: 24 * HOUR })
  if (reason) history.push({ stage, status: 'closed', by, after: endAfter })
  return {
    ...newClaim(order, { type: isReturned ? 'return' : 'mediations', reason_id }, at),
    ...{ stage, status: reason ? 'closed' : 'opened', history: JSON.stringify(history) },
    resolution: reason ? JSON.stringify({ reason, by, after: endAfter } satisfies Resolution) : null,
    last_updated:
      at + Math.max(history.at(-1)!.after, isReturned ? RETURN_AFTER : 0, isAnswered ? 2 * MESSAGE_EVERY : 0),
  }
}

type Numbered = Omit<Case, 'claim'> & { claim: ClaimRow }

function messagesOf({
  claim: { id, site_id, date_created, resolution },
  course: { isAnswered },
}: Numbered): (typeof claim_message.$inferInsert)[] {
  const texts = CLAIM_TEXTS[languageOf(site_id)].slice(0, resolution === null && !isAnswered ? 1 : 3)
  const at = (n: number) => date_created + n * MESSAGE_EVERY
  return texts.map((text, n) => ({
    ...{ claim_id: id, stage: 'claim', text, date_created: at(n), date_read: n < texts.length - 1 ? at(n + 1) : null },
    sender_role: n === 1 ? 'respondent' : 'complainant',
    receiver_role: n === 1 ? 'complainant' : 'respondent',
  }))
}

/** What a claim has changed of its order. */
function orderWith(order: OrderRow, one: Numbered | undefined): OrderRow {
  const { course, claim } = one ?? {}
  if (!claim || (!course!.isDisputed && !isRefund(course))) return order
  const { id, status, last_updated } = claim
  const mediations = JSON.stringify(course!.isDisputed ? [{ id, status }] : [])
  const changed = { ...order, mediations, last_updated }
  if (course!.reason === 'partial_refunded') return { ...changed, status: 'partially_refunded' }
  if (course!.reason !== 'payment_refunded') return changed
  return { ...changed, ...cancelledBy('mediations', 'mediations_cancelled', 'refunded', last_updated) }
}
const isRefund = (course: Course | undefined) => course?.reason?.endsWith('_refunded') === true

function paymentWith(row: PaymentRow, one: Numbered | undefined): PaymentRow {
  if (!isRefund(one?.course) || row.status !== 'approved') return row
  const at = one!.claim.last_updated
  if (one!.course.reason !== 'partial_refunded') return refunded(row, at)
  const transaction_amount_refunded = Math.ceil(row.transaction_amount / 2)
  return { ...row, status_detail: 'partially_refunded', transaction_amount_refunded, date_last_modified: at }
}

/** A listing of which orders were cancelled: their units are neither sold nor there. */
function itemWith(row: ItemRow, cases: readonly Numbered[]): ItemRow {
  const back = cases.filter(({ order, course }) => order.item_id === row.id && course.reason === 'payment_refunded')
  if (back.length === 0) return row
  const details = detailsOf({ details: row.details ?? '{}' })
  const sum = (some: typeof back) => some.reduce((units, { order }) => units + order.quantity, 0)
  details.initial_quantity! -= sum(back)
  for (const one of details.variations ?? [])
    one.sold_quantity -= sum(back.filter(({ order }) => order.variation_id === one.id))
  return { ...row, sold_quantity: row.sold_quantity! - sum(back), details: JSON.stringify(details) }
}

/** The way of what comes back, which has arrived where the claim has ended. */
function stepsOf({ return_shipment_id, date_created, status }: ClaimRow): StepRow[] {
  const way = [
    { status: 'ready_to_ship', substatus: 'ready_to_print', hours: 0 },
    { status: 'shipped', substatus: null, hours: 20 },
    { status: 'delivered', substatus: null, hours: 48 },
  ]
  return way.slice(0, status === 'closed' ? 3 : 1).map(({ hours, ...state }, n) => {
    const at = date_created + RETURN_AFTER + hours * HOUR
    return { shipment_id: return_shipment_id!, n, ...state, at, is_published: at <= 0 ? 1 : 0 }
  })
}

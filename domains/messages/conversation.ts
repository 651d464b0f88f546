import type { Q } from '../../db/engine.ts'
import type { Moment } from '../../db/world.ts'
import { openDisputesOf } from '../claims/queries.ts'
import { paymentsOf } from '../orders/queries.ts'
import { isPaid } from '../orders/states.ts'
import type { OrderRow, PaymentRow } from '../orders/tables.ts'
import { addMonths } from '../shared/instants.ts'
import { shipmentById, stepsOf } from '../shipments/queries.ts'
import { stateAt } from '../shipments/states.ts'
import type { ShipmentRow } from '../shipments/tables.ts'
import { SELLER_MAY_START } from './assumptions.ts'
import { blockOf, type Conversation, type Facts } from './queries.ts'
import type { Substatus } from './tables.ts'

const DAY = 24 * 3_600_000
/** After the last message the seller may not write any more [spec: messages.blocks]. */
const ANSWER_MS = 30 * DAY
const MAX_AGE_MONTHS = 18

/** Whether the seller may write, why not, and since when, ms. */
export interface ConversationState {
  substatus: Substatus | null
  since: number
  claims: number[]
  shipment: ShipmentRow | undefined
}

/** What the blocks are computed from. */
interface Situation {
  now: number
  orders: readonly OrderRow[]
  /** Those that are not cancelled. */
  live: readonly OrderRow[]
  claims: readonly { last_updated: number }[]
  block: { substatus: Substatus; at: number } | undefined
  shipment: ShipmentRow | undefined
  isDelivered: boolean
  payments: readonly PaymentRow[]
  facts: Facts
  mayStart: boolean
}

const latest = (times: readonly number[]): number | undefined => (times.length > 0 ? Math.max(...times) : undefined)
const boughtAt = ({ orders }: Situation): number => orders[0]!.date_created
/** Sent with Mercado Envíos; an order without a shipment says it by its tag. */
const isMe2 = ({ shipment, orders }: Situation): boolean =>
  shipment ? shipment.mode === 'me2' : !orders.some(({ tags }) => tags.includes('"no_shipping"'))

/** Since when each block holds, ms; undefined: it does not. The first that holds counts [spec: messages.blocks]. */
const BLOCKS: readonly [Substatus, (situation: Situation) => number | undefined | false][] = [
  [
    'blocked_by_cancelled_order',
    ({ orders, live }) => live.length === 0 && latest(orders.map((one) => one.cancelled_at ?? one.last_updated)),
  ],
  ['blocked_by_payment', (one) => !one.live.some(isPaid) && boughtAt(one)],
  ['blocked_by_mediation', ({ claims }) => claims[0]?.last_updated],
  ['blocked_by_buyer', ({ block }) => block?.at],
  [
    'blocked_by_fulfillment',
    (one) => one.shipment?.logistic_type === 'fulfillment' && !one.isDelivered && boughtAt(one),
  ],
  [
    'blocked_by_conversation_expired',
    (one) => addMonths(boughtAt(one), MAX_AGE_MONTHS) <= one.now && addMonths(boughtAt(one), MAX_AGE_MONTHS),
  ],
  [
    'blocked_by_time',
    ({ facts: { last_at }, now }) => last_at !== null && last_at + ANSWER_MS <= now && last_at + ANSWER_MS,
  ],
  [
    'blocked_by_refund',
    ({ payments, facts: { buyer_at } }) => {
      const refunded = payments.filter((one) => one.transaction_amount_refunded > 0)
      const at = latest(refunded.map((one) => one.date_last_modified))
      return at !== undefined && (buyer_at ?? 0) < at && at
    },
  ],
  [
    'blocked_by_conversation_initiated_by_seller_limited',
    (one) => isMe2(one) && one.facts.buyer_at === null && one.facts.options === '[]' && !one.mayStart && boughtAt(one),
  ],
]

/** The state of a conversation now. */
export async function stateOf(
  q: Q,
  world: Moment,
  { pack_id, orders }: Conversation,
  facts: Facts,
): Promise<ConversationState> {
  const now = world.clock.now()
  const claims = await openDisputesOf(
    q,
    orders.map(({ id }) => id),
  )
  const shipment_id = orders.find((one) => one.shipment_id !== null)?.shipment_id
  const shipment = shipment_id ? await shipmentById(q, shipment_id) : undefined
  const steps = shipment ? (await stepsOf(q, [shipment])).get(shipment.id)! : []
  const block = await blockOf(q, pack_id)
  const situation: Situation = {
    ...{ now, orders, claims, block, shipment, facts },
    live: orders.filter(({ status }) => status !== 'cancelled'),
    isDelivered: shipment !== undefined && stateAt(steps, now).status === 'delivered',
    payments: await paymentsOf(q, orders),
    mayStart: SELLER_MAY_START.of(world) === 'yes',
  }
  const known = { claims: claims.map(({ id }) => id), shipment }
  for (const [name, holdsSince] of BLOCKS) {
    const since = holdsSince(situation)
    if (typeof since === 'number')
      return { ...known, substatus: name === 'blocked_by_buyer' ? block!.substatus : name, since }
  }
  return { ...known, substatus: null, since: facts.last_at ?? boughtAt(situation) }
}

import { utcMillis } from '../domains/shared/instants.ts'
import { withoutUndefined } from '../domains/shared/texts.ts'
import type { Members } from './calls.ts'
import type { Kind } from './facts.ts'
import { after } from './read_sales.ts'

type At = (kind: Kind) => Map<string, Members>

/** What no answer has shown of a claim or a listing. */
const UNKNOWN = { return_shipment_id: 1, reason_id: 'PDD9944' }
const ITEM = {
  ...{ category_id: null, seller_custom_field: null, variation_attributes: [], warranty: null, condition: 'new' },
  ...{ seller_sku: null, listing_type_id: 'gold_special' },
}

/** The sales of a world file, as they were at a call. */
export function salesAt(at: At, now: number) {
  const orders = at('orders')
  const packs = new Set([...orders.values()].map(({ pack_id }) => String(pack_id)))
  // An order without a pack has a conversation, too: what its status says is all that is known of an order that no answer shows.
  const lone = [...at('conversations')].filter(([id]) => !packs.has(id) && !orders.has(id))
  for (const [id, { block: _, claim_ids: __, ...order }] of lone) orders.set(id, order)
  const claims = [...at('claims').values()]
  for (const [id, { claim_ids }] of lone)
    for (const claim of Array.isArray(claim_ids) ? claim_ids : [])
      claims.push({ id: claim, order_id: Number(id), stage: 'dispute' })
  return {
    orders: ordersOf(orders, at, now),
    shipments: shipmentsOf(orders, at('shipments')),
    claims: [...new Map(claims.toReversed().map((one) => [one.id, claimOf(one)])).values()],
    messages: [...at('messages').values()].sort((a, b) => (a.date_created < b.date_created ? -1 : 1)),
    conversation_blocks: lone.flatMap(([, { block }]) => block ?? []),
  }
}

function ordersOf(orders: Map<string, Members>, at: At, now: number): Members[] {
  const parts = (kind: Kind) => Map.groupBy(at(kind).values(), ({ order_id }) => order_id)
  const [payments, feedback, notes] = [parts('payments'), parts('feedback'), parts('notes')]
  return [...orders].map(([key, { fee, reason, amount, ...order }]) => {
    const id = Number(key)
    const paid = withoutUndefined({
      sale_fee: fee,
      unit_price: amount && amount / (order.quantity ?? 1),
      item: reason && { ...ITEM, title: reason },
    })
    return {
      ...{ date_created: utcMillis(now), ...paid, ...order, id },
      ...{ payments: payments.get(id), feedback: feedback.get(id), notes: notes.get(id) },
    }
  })
}

function shipmentsOf(orders: Map<string, Members>, shipments: Map<string, Members>): Members[] {
  const first = new Map<string, number>()
  for (const [id, { shipment_id: key }] of [...orders].sort(([a], [b]) => Number(a) - Number(b)))
    if (key && !first.has(String(key))) first.set(String(key), Number(id))
  for (const id of first.keys()) if (!shipments.has(id)) shipments.set(id, {})
  return [...shipments].map(([key, { state, steps = [], ...one }]) => {
    const order_id = one.order_id ?? first.get(key)
    const last = steps.at(-1)
    // Some answers show only the present state.
    const isNew = state && (last?.status !== state.status || last?.substatus !== state.substatus)
    return {
      ...{ ...one, id: Number(key), order_id, seller_id: one.seller_id ?? orders.get(String(order_id))?.seller_id },
      steps: isNew && !(Date.parse(state.at) < Date.parse(last?.at)) ? [...steps, state] : steps,
    }
  })
}

function claimOf({ expected = [], changes = [], has_return, ...claim }: Members): Members {
  const since = ({ at, ...one }: Members) => ({ ...one, after: after(claim, at) })
  return {
    ...{ ...(has_return !== undefined && UNKNOWN), reason_id: UNKNOWN.reason_id, ...claim },
    ...(has_return === false && { return_shipment_id: null }),
    ...{ expected_resolutions: expected.map(since), history: changes.map(since) },
  }
}

import { parseInstant } from '../domains/shared/instants.ts'
import { membersOf, type RecordedCall } from './calls.ts'
import type { Facts } from './facts.ts'
import { learnThing } from './learn_things.ts'
import { SALES } from './read_sales.ts'

/** Whether everything is known of the sale that a call is about. */
export function isShown(facts: Facts, { params, template, answer: { status }, line: { n } }: RecordedCall): boolean {
  const { order_id, shipment_id, claim_id } = params
  if (status >= 300 && (status !== 404 || template.endsWith('}'))) return true
  if (order_id !== undefined) return facts.has('orders', order_id, 'item_id')
  if (claim_id !== undefined) return facts.has('claims', claim_id, 'date_created')
  if (shipment_id === undefined || !template.startsWith('/shipments')) return true
  const { units = 1, order_id: first } = facts.at('shipments', n).get(shipment_id) ?? {}
  const orders = [...facts.at('orders', n)].filter(
    ([id, one]) => id === String(first) || String(one.shipment_id) === shipment_id,
  )
  return orders.filter(([id]) => facts.has('orders', id, 'item_id')).length >= units
}

/** Learns what a successful call shows of sales; `callAt`: the number of the first call at or after a time. */
export function learnSales(
  facts: Facts,
  call: RecordedCall,
  { caller, callAt }: { caller: number | undefined; callAt: (ms: number) => number },
): void {
  const { template, answer, line, method } = call
  const json = Array.isArray(answer.json) ? answer.json : membersOf(answer.json)
  const seen = SALES.find(([templates]) => templates.test(template))?.[1](json, call) ?? []
  for (const [kind, thing, more] of seen) {
    const { id, date_created, date_read } = thing
    if (!/^\w+$/.test(String(id ?? ''))) continue
    // The dates of a pack are the first and the last of its orders.
    if (template.startsWith('/packs') && facts.has(kind, id, 'item_id'))
      thing.date_created = thing.last_updated = undefined
    // What a call has made was not there before it; others since they were made.
    const isMade = method === 'POST' && ['feedback', 'notes', 'messages'].includes(kind)
    const since = isMade ? line.n : callAt(parseInstant(String(date_created)) ?? 0) - 0.5
    if (since > 1 && !facts.has(kind, id, 'exists')) {
      facts.set(kind, id, { exists: false }, 0)
      facts.set(kind, id, {}, Math.min(since, line.n))
    }
    if (date_read && !facts.has(kind, id, 'date_read')) facts.set(kind, id, { date_read: null }, 0)
    if (method === 'POST' && more?.expected)
      facts.change(kind, id, { before: { expected: more.expected.slice(0, -1) } }, line.n)
    if (kind === 'conversations') facts.set(kind, id, thing, line.n)
    else learnThing({ facts, n: line.n }, kind, thing, { ...more, ...(kind === 'orders' && { caller }) })
  }
}

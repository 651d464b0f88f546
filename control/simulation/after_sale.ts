import type { Q } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import { CLAIM_TEXTS } from '../../domains/claims/demo.ts'
import { openClaim } from '../../domains/claims/operations.ts'
import { isDelivered, REASON_IDS } from '../../domains/claims/reasons.ts'
import { stateOf } from '../../domains/messages/conversation.ts'
import { MESSAGE_TEXTS } from '../../domains/messages/demo_texts.ts'
import { markAsRead, send } from '../../domains/messages/operations.ts'
import { conversationsOf, factsOf } from '../../domains/messages/queries.ts'
import type { OrderRow } from '../../domains/orders/tables.ts'
import type { Random } from '../../domains/shared/demo/random.ts'
import { fill } from '../../domains/shared/demo/wording.ts'
import { setState } from '../../domains/shipments/operations.ts'
import { shipmentById } from '../../domains/shipments/queries.ts'
import { userById } from '../../domains/users/queries.ts'
import { languageOf } from '../../domains/users/sites.ts'

// Loaded by the first simulation of sales, with its texts.

const MINUTE = 60_000
/** The share of answered buyers who write once more. */
const THANKS = 1 / 3

/**
 * The buyer of an order writes within a day, the seller answers within two unless the conversation is blocked, and some
 * buyers write again; what is later than the world's now is not written. Returns the numbers of messages and answers.
 */
export async function converse(q: Q, world: World, order: OrderRow, r: Random) {
  const { exchanges, thanks } = MESSAGE_TEXTS[languageOf(order.site_id)]
  const { seller_id, buyer_id } = order
  const [conversation] = await conversationsOf(q, world, order.pack_id ?? order.id)
  const name = (await userById(q, buyer_id))?.first_name ?? ''
  const now = world.clock.now()
  const { pack_id } = conversation!
  // Who answers has read what there is.
  const write = async (from_id: number, text: string, at: number): Promise<void> => {
    await markAsRead(q, world, { pack_id, seller_id, user_id: from_id })
    const message = { from_id, text: fill(text, { name }), attachments: [], client_id: null, at }
    await send(q, world, conversation!, message)
  }
  const { ask, answer } = r.pick(exchanges)
  const askedAt = Math.min(now, order.date_created + r.int(5, 24 * 60) * MINUTE)
  await write(buyer_id, r.pick(ask), askedAt)
  const answeredAt = askedAt + r.int(10, 48 * 60) * MINUTE
  const facts = await factsOf(q, { pack_id, seller_id, user_id: seller_id })
  const { substatus } = await stateOf(q, world, conversation!, facts)
  if (answeredAt > now || substatus !== null) return { messages: 1, answered: 0 }
  await write(seller_id, r.pick(answer), answeredAt)
  const thankedAt = answeredAt + r.int(1, 24 * 60) * MINUTE
  if (!r.chance(THANKS) || thankedAt > now) return { messages: 1, answered: 1 }
  await write(buyer_id, r.pick(thanks), thankedAt)
  return { messages: 2, answered: 1 }
}

const REASONS = REASON_IDS.filter(isDelivered)

/** The parcel of an order arrives, and its buyer complains. */
export async function complain(q: Q, world: World, order: OrderRow, r: Random): Promise<void> {
  const parcel = order.shipment_id === null ? undefined : await shipmentById(q, order.shipment_id)
  if (parcel) await setState(q, world, parcel, { status: 'delivered' })
  const [message] = CLAIM_TEXTS[languageOf(order.site_id)]
  await openClaim(q, world, order, { reason_id: r.pick(REASONS), message })
}

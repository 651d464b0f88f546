import { $, type Q } from '../../db/engine.ts'
import { derived, nextFreeId, nextNumber } from '../../db/ids.ts'
import { publish } from '../../db/outbox.ts'
import { deleteReturning, insertInto, rowById, selectRows, updateById, updateReturning } from '../../db/rows.ts'
import type { World } from '../../db/world.ts'
import {
  feedbackExists,
  feedbackNotFound,
  invalidFulfilled,
  noteNotFound,
  notFulfilledAfterExpiry,
  notOwnedFeedback,
  replyExists,
  replyTimeExpired,
} from './errors.ts'
import { cancel, setFulfilled } from './operations.ts'
import { orderById } from './queries.ts'
import { isPaid, isUnpaid, ORDER_LIFE_MS } from './states.ts'
import { type FeedbackRow, type NoteRow, type OrderRow, order_feedback, order_note } from './tables.ts'

// Call these inside `world.tx`: they publish the event in the same transaction.

const DAY = 24 * 3_600_000
/** The other side can reply for this long [spec: orders.feedback.reply.time]. */
const REPLY_MS = 14 * DAY

export interface Opinion {
  fulfilled: boolean
  rating?: NonNullable<FeedbackRow['rating']> | undefined
  message?: string | undefined
  reason?: string | undefined
  restock_item?: boolean | undefined
}

export const feedbackById = rowById(order_feedback)

/** The feedback on an order of its seller, or of its buyer. */
export const opinionOf = (q: Q, order_id: number, role: FeedbackRow['role']): Promise<FeedbackRow | undefined> =>
  selectFeedback(q).one({ order_id, role })
const selectFeedback = selectRows(order_feedback, { order_id: $, role: $ })

export const roleOf = (order: OrderRow, user_id: number): FeedbackRow['role'] =>
  order.seller_id === user_id ? 'seller' : 'buyer'

const columnsOf = ({ fulfilled, rating, message, reason, restock_item }: Opinion) => ({
  fulfilled: fulfilled ? 1 : 0,
  rating: rating ?? null,
  message: message ?? null,
  reason: reason ?? null,
  restock_item: restock_item ? 1 : 0,
})

/** Throws, in this order: no reason, expired [spec: orders.feedback.order]. */
function checkOpinion(world: World, order: OrderRow, { fulfilled, reason }: Opinion): void {
  if (fulfilled) return
  if (!reason) throw invalidFulfilled('has_reason')
  if (world.clock.now() > order.date_created + ORDER_LIFE_MS) throw notFulfilledAfterExpiry()
}

/** The seller or the buyer says how it went. Throws, in this order: given already, no reason, expired. */
export async function giveFeedback(
  q: Q,
  world: World,
  { order, role }: Omit<FeedbackOfCall, 'row'>,
  opinion: Opinion,
): Promise<FeedbackRow> {
  if (await opinionOf(q, order.id, role)) throw feedbackExists()
  checkOpinion(world, order, opinion)
  const now = world.clock.now()
  const id = await nextFreeId(q, order_feedback)
  const row = { ...columnsOf(opinion), id, order_id: order.id, role, reply: null, date_created: now, modified: now }
  await insert(q, row)
  await follow(q, world, order, row)
  return row
}
const insert = insertInto(order_feedback)

/** Changes one's feedback; members that are missing stay. Throws, in this order: foreign, as giving it. */
export async function changeFeedback(
  q: Q,
  world: World,
  { row, order, role }: FeedbackOfCall,
  changes: Partial<Opinion>,
): Promise<FeedbackRow> {
  if (role !== row.role) throw notOwnedFeedback()
  const before = {
    fulfilled: row.fulfilled === 1,
    rating: row.rating ?? undefined,
    message: row.message ?? undefined,
    reason: row.reason ?? undefined,
    restock_item: row.restock_item === 1,
  }
  const opinion = { ...before, ...changes }
  checkOpinion(world, order, opinion)
  const changed = (await update(q, { id: row.id, ...columnsOf(opinion), modified: world.clock.now() }))!
  await follow(q, world, order, changed)
  return changed
}
const OPINION = ['fulfilled', 'rating', 'message', 'reason', 'restock_item', 'modified'] as const
const update = updateById(order_feedback, OPINION)

/** The other side replies, once. Throws, in this order: one's own, replied already, too late. */
export async function reply(
  q: Q,
  world: World,
  { row, order, role }: FeedbackOfCall,
  text: string,
): Promise<FeedbackRow> {
  if (role === row.role) throw notOwnedFeedback()
  if (row.reply !== null) throw replyExists()
  const now = world.clock.now()
  if (now > row.date_created + REPLY_MS) throw replyTimeExpired()
  const replied = (await updateReply(q, { id: row.id, reply: text, modified: now }))!
  await publishFeedback(q, order, now)
  return replied
}
const updateReply = updateById(order_feedback, ['reply', 'modified'])

interface FeedbackOfCall {
  row: FeedbackRow
  order: OrderRow
  /** The caller's side of the order; `row.role` is that of the author. */
  role: FeedbackRow['role']
}

/** A feedback that the user may read, and its order. Throws, in this order: unknown, foreign. */
export async function feedbackFor(q: Q, world: World, id: number, user_id: number): Promise<FeedbackOfCall> {
  const row = await feedbackById(q, id)
  const order = row && (await orderById(q, world, row.order_id))
  if (!order) throw feedbackNotFound()
  if (order.seller_id !== user_id && order.buyer_id !== user_id) throw notOwnedFeedback()
  return { row, order, role: roleOf(order, user_id) }
}

/** What follows from a feedback: its event, whether the order is fulfilled, and that a sale is off. */
async function follow(q: Q, world: World, order: OrderRow, row: FeedbackRow): Promise<void> {
  await publishFeedback(q, order, world.clock.now())
  const isOff = row.role === 'seller' && row.fulfilled === 0 && (isPaid(order) || isUnpaid(order))
  const isGood = row.fulfilled === 1 && row.rating !== 'negative'
  if (row.rating !== 'neutral' || !row.fulfilled)
    await setFulfilled(q, world, order, { fulfilled: isGood ? 1 : 0, isPublished: !isOff })
  if (isOff)
    await cancel(q, world, order.id, {
      by: 'seller',
      reason: row.reason ?? undefined,
      restock: row.restock_item === 1,
    })
}

const publishFeedback = (q: Q, { id, seller_id, buyer_id }: OrderRow, at: number) =>
  publish(q, { topic: 'orders_feedback', resource: `/orders/${id}/feedback`, users: [seller_id, buyer_id], at })

/** Writes a note; call it inside `world.tx`. */
export async function addNote(q: Q, world: World, order_id: number, note: string): Promise<NoteRow> {
  const now = world.clock.now()
  const row = { id: await nextNoteId(q, world), order_id, note, date_created: now, date_last_updated: now }
  await insertNote(q, row)
  return row
}
export const insertNote = insertInto(order_note)
/** 24 hexadecimal digits. */
export const nextNoteId = async (q: Q, { key }: Pick<World, 'key'>): Promise<string> =>
  derived(key, `order_note ${await nextNumber(q, 'order_note')}`, 24)

/** Throws 404 if the order has no such note. */
export async function changeNote(q: Q, world: World, row: Pick<NoteRow, 'id' | 'order_id' | 'note'>): Promise<NoteRow> {
  const changed = await updateNote(q).one({ ...row, now: world.clock.now() })
  if (!changed) throw noteNotFound(row.id)
  return changed
}
const updateNote = updateReturning(order_note, { note: $, date_last_updated: $('now') }, { id: $, order_id: $ })

/** Throws 404 if the order has no such note. */
export async function removeNote(q: Q, order_id: number, id: string): Promise<NoteRow> {
  const row = await deleteNote(q).one({ id, order_id })
  if (!row) throw noteNotFound(id)
  return row
}
const deleteNote = deleteReturning(order_note, { id: $, order_id: $ })

import type { Q } from '../../db/engine.ts'
import { nextNumber } from '../../db/ids.ts'
import { updateById } from '../../db/rows.ts'
import type { World } from '../../db/world.ts'
import { itemNotFound, userNotFound } from '../shared/errors.ts'
import { userById } from '../users/queries.ts'
import { invalidItem } from './errors.ts'
import { ban, itemForQuestion, publishQuestion, recordQuestion } from './operations.ts'
import { type QuestionRow, questionById } from './queries.ts'
import { nextState, type QuestionPatch, STATE_COLUMNS, unansweredStatusOn } from './states.ts'
import { question, UNANSWERED_DEFAULTS } from './tables.ts'

// Writes of the control plane. Call these inside `world.tx`: they publish the event in the same transaction.

interface ControlQuestion extends QuestionPatch {
  item_id: string
  /** null for a guest: an asker without an account, with a new id each time. */
  from_id: number | null
  text: string
  id?: number | undefined
  /** Ms, not after now; default now. */
  date_created?: number | undefined
}

/**
 * Creates a question in any state. The block list and the status of the listing do not apply. Throws, in this order: no
 * such item, no such user, own item, contradicting members, 409 if the id exists.
 */
export async function createQuestion(
  q: Q,
  world: World,
  { item_id, from_id, id, ...patch }: ControlQuestion,
): Promise<QuestionRow> {
  const item = await itemForQuestion(q).one({ id: item_id })
  if (!item) throw itemNotFound(item_id)
  const { seller_id } = item
  if (from_id !== null && !(await userById(q, from_id))) throw userNotFound(from_id)
  if (from_id === seller_id) throw invalidItem()
  const now = world.clock.now()
  const { date_created = now } = patch
  const unanswered = unansweredStatusOn(item.status)
  const state = nextState({ ...UNANSWERED_DEFAULTS, status: unanswered, text: '', date_created }, patch, {
    unanswered,
    now,
  })
  return recordQuestion(q, world, {
    ...state,
    seller_id,
    item_id,
    date_created,
    ...(from_id === null ? { from_id: await nextGuestId(q), guest: true } : { from_id }),
    ...(id !== undefined && { id }),
  })
}

/** Ids of guests begin here, below the ids of users. */
const FIRST_GUEST_ID = 2_300_000_001

/** A new guest id that no user has. */
export async function nextGuestId(q: Q): Promise<number> {
  for (;;) {
    const id = FIRST_GUEST_ID - 1 + (await nextNumber(q, 'guest'))
    if (!(await userById(q, id))) return id
  }
}

/**
 * Changes a question as moderation or its seller does. Returns undefined when there is no such question; throws a 400
 * naming a contradicting member. Publishes an event unless only `hidden` changed.
 */
export async function updateQuestion(
  q: Q,
  world: World,
  id: number,
  patch: QuestionPatch,
): Promise<QuestionRow | undefined> {
  const before = await questionById(q, id)
  if (!before) return undefined
  const item = await itemForQuestion(q).one({ id: before.item_id })
  const now = world.clock.now()
  const { status, ...state } = nextState(before, patch, { unanswered: unansweredStatusOn(item?.status), now })
  const isBan = status === 'BANNED' && before.status !== 'BANNED'
  const updated = await setState(q, { id, ...state, status: isBan ? before.status : status }, before)
  if (isBan) return ban(q, world, id)
  if (updated && PUBLISHED_COLUMNS.some((column) => updated[column] !== before[column]))
    await publishQuestion(q, updated, now)
  return updated
}
const PUBLISHED_COLUMNS = STATE_COLUMNS.filter((column) => column !== 'hidden')
const setState = updateById(question, STATE_COLUMNS)

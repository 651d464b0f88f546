import { eq, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { nextNumber } from '../../db/ids.ts'
import type { World } from '../../db/world.ts'
import { itemNotFound, userNotFound } from '../shared/errors.ts'
import { userById } from '../users/queries.ts'
import { invalidItem } from './errors.ts'
import { ban, itemForQuestion, publishQuestion, recordQuestion, UNANSWERED_DEFAULTS } from './operations.ts'
import { type QuestionRow, questionById } from './queries.ts'
import { nextState, type QuestionPatch, type State, unansweredStatusOn } from './states.ts'
import { question } from './tables.ts'

// What the control plane does with questions. Every operation is called inside `world.tx`, and tells what it changed in
// the same unit.

export interface ControlQuestion extends QuestionPatch {
  item_id: string
  /** null for a guest: somebody without an account, another one each time. */
  from_id: number | null
  text: string
  id?: number | undefined
  /** Ms, not after now; default now. */
  date_created?: number | undefined
}

/**
 * Puts a question as it is to be. What binds buyers is not looked at: the block list, the listing's status. Refusals in
 * this order: no such item, no such user, own item, what contradicts itself, 409 where the id is taken.
 */
export async function createQuestion(
  q: Q,
  world: World,
  { item_id, from_id, id, ...patch }: ControlQuestion,
): Promise<QuestionRow> {
  const item = await itemForQuestion(q).one({ item_id })
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

/** Ids of guests begin here, below those of users. */
const FIRST_GUEST_ID = 2_300_000_001

/** The id of somebody without an account, another one each time. */
export async function nextGuestId(q: Q): Promise<number> {
  for (;;) {
    const id = FIRST_GUEST_ID - 1 + (await nextNumber(q, 'guest'))
    if (!(await userById(q, id))) return id
  }
}

/**
 * What moderation, or the seller, makes of a question. Answers undefined when there is none; throws a 400 naming what
 * contradicts itself. Nothing is told where nothing changed but what the seller hides.
 */
export async function updateQuestion(
  q: Q,
  world: World,
  id: number,
  patch: QuestionPatch,
): Promise<QuestionRow | undefined> {
  const before = await questionById(q, id)
  if (!before) return undefined
  const item = await itemForQuestion(q).one({ item_id: before.item_id })
  const now = world.clock.now()
  const { status, ...state } = nextState(before, patch, { unanswered: unansweredStatusOn(item?.status), now })
  const isBan = status === 'BANNED' && before.status !== 'BANNED'
  const updated = await setState(q).one({ id, ...state, status: isBan ? before.status : status })
  if (isBan) return ban(q, world, id)
  if (updated && PUBLISHED_COLUMNS.some((column) => updated[column] !== before[column]))
    await publishQuestion(q, updated, now)
  return updated
}
const PUBLISHED_COLUMNS: (keyof State)[] = [
  'status',
  'text',
  'answer_text',
  'answer_status',
  'answered_at',
  'deleted_from_listing',
  'hold',
  'suspected_spam',
]
const setState = prepared(({ db }) =>
  db
    .update(question)
    .set({
      status: sql`${$('status')}`,
      text: sql`${$('text')}`,
      answer_text: sql`${$('answer_text')}`,
      answer_status: sql`${$('answer_status')}`,
      answered_at: sql`${$('answered_at')}`,
      deleted_from_listing: sql`${$('deleted_from_listing')}`,
      hold: sql`${$('hold')}`,
      suspected_spam: sql`${$('suspected_spam')}`,
      hidden: sql`${$('hidden')}`,
    })
    .where(eq(question.id, $('id')))
    .returning(),
)

import { eq, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { nextNumber } from '../../db/ids.ts'
import type { World } from '../../db/world.ts'
import { itemNotFound, userNotFound } from '../shared/errors.ts'
import { userById } from '../users/queries.ts'
import { invalidItem } from './errors.ts'
import { BLANK, ban, itemForQuestion, record, told } from './operations.ts'
import { type QuestionRow, questionById } from './queries.ts'
import { type State, stateAfter, unansweredOn, type Wanted } from './states.ts'

// What the control plane does with questions. Every operation is called inside `world.tx`, and tells what it changed in
// the same unit.

export interface Placed extends Wanted {
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
export async function place(q: Q, world: World, { item_id, from_id, id, ...wanted }: Placed): Promise<QuestionRow> {
  const item = await itemForQuestion(q).one({ item_id })
  if (!item) throw itemNotFound(item_id)
  const { seller_id } = item
  if (from_id !== null && !(await userById(q, from_id))) throw userNotFound(from_id)
  if (from_id === seller_id) throw invalidItem()
  const now = world.clock.now()
  const { date_created = now } = wanted
  const unanswered = unansweredOn(item.status)
  const state = stateAfter({ ...BLANK, status: unanswered, text: '', date_created }, wanted, { unanswered, now })
  return record(q, world, {
    ...state,
    seller_id,
    item_id,
    date_created,
    ...(from_id === null ? { from_id: await nextGuest(q), guest: true } : { from_id }),
    ...(id !== undefined && { id }),
  })
}

/** Ids of guests begin here, below those of users. */
const FIRST_GUEST = 2_300_000_001

/** The id of somebody without an account, another one each time. */
export async function nextGuest(q: Q): Promise<number> {
  for (;;) {
    const id = FIRST_GUEST - 1 + (await nextNumber(q, 'guest'))
    if (!(await userById(q, id))) return id
  }
}

/**
 * What moderation, or the seller, makes of a question. Answers undefined when there is none; throws a 400 naming what
 * contradicts itself. Nothing is told where nothing changed but what the seller hides.
 */
export async function revise(q: Q, world: World, id: number, wanted: Wanted): Promise<QuestionRow | undefined> {
  const before = await questionById(q, id)
  if (!before) return undefined
  const item = await itemForQuestion(q).one({ item_id: before.item_id })
  const now = world.clock.now()
  const { status, ...state } = stateAfter(before, wanted, { unanswered: unansweredOn(item?.status), now })
  const toBan = status === 'BANNED' && before.status !== 'BANNED'
  const revised = await setState(q).one({ id, ...state, status: toBan ? before.status : status })
  if (toBan) return ban(q, world, id)
  if (revised && TOLD.some((column) => revised[column] !== before[column])) await told(q, revised, now)
  return revised
}
const TOLD: (keyof State)[] = [
  'status',
  'text',
  'answer_text',
  'answer_status',
  'answered_at',
  'deleted_from_listing',
  'hold',
  'suspected_spam',
]
const setState = prepared(({ db, t: { question } }) =>
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

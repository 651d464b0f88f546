import { sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { insertNumbered } from '../../db/ids.ts'
import { type Event, publish, publishAll } from '../../db/outbox.ts'
import { columnValues, selectRows, updateReturning, updateRows } from '../../db/rows.ts'
import type { Moment, World } from '../../db/world.ts'
import { forbidden } from '../../http/errors/errors.ts'
import { recordContact } from '../contacts/operations.ts'
import { item } from '../items/tables.ts'
import {
  closedWithItsListing,
  invalidItem,
  invalidQuestion,
  isAnsweredAlready,
  isNotUnanswered,
  itemNotFound,
  mustBeUnanswered,
  notActiveItem,
  questionExists,
  questionNotFound,
} from './errors.ts'
import { blockList, isLocked, type QuestionRow, questionById } from './queries.ts'
import { question, UNANSWERED_DEFAULTS } from './tables.ts'
import { isGone, unansweredSince } from './unanswered_queries.ts'

// Call these inside `world.tx`: they publish the event in the same transaction.

export const publishQuestion = (q: Q, question: QuestionRow, at: number) => publish(q, eventOf(question, at))
/** Publishes the events of hundreds of questions in this order, each at its own instant; `now`: world time, ms. */
export const publishQuestions = (q: Q, changes: readonly { question: QuestionRow; at: number }[], now: number) =>
  publishAll(
    q,
    changes.map(({ question, at }) => eventOf(question, at)),
    now,
  )
const eventOf = ({ id, seller_id, from_id }: QuestionRow, at: number): Event => ({
  topic: 'questions',
  resource: `/questions/${id}`,
  users: [seller_id, from_id],
  at,
})

/** Asks a question. Throws, in this order: no such item, own item, blocked, not active [spec: questions.ask.order]. */
export async function ask(
  q: Q,
  world: World,
  { item_id, from_id, text }: { item_id: string; from_id: number; text: string },
) {
  const item = await itemForQuestion(q).one({ id: item_id })
  if (!item) throw itemNotFound(item_id)
  const { seller_id } = item
  if (seller_id === from_id) throw invalidItem()
  if (await blockList.has(q, seller_id, from_id)) throw forbidden('questions.blocked')
  if (item.status !== 'active') throw notActiveItem()
  return recordQuestion(q, world, {
    ...UNANSWERED_DEFAULTS,
    seller_id,
    item_id,
    from_id,
    text,
    date_created: world.clock.now(),
  })
}
/** Seller and status of the listing of a question. */
export const itemForQuestion = selectRows(item, { id: $ }, { columns: ['seller_id', 'status'] })

/** A question to insert; `id`: chosen by the caller, `guest`: the asker is not a user. */
type NewQuestionRow = Omit<QuestionRow, 'id' | 'first_of_buyer'> & { id?: number; guest?: true }

/** Inserts a question, counts it as a contact at its date and publishes the event now. Throws 409 if the id exists. */
export async function recordQuestion(q: Q, world: World, { guest, ...row }: NewQuestionRow): Promise<QuestionRow> {
  const inserted = await insertQuestion(q, row)
  const { item_id, from_id, seller_id: user_id, date_created: at } = inserted
  await recordContact(q, world, { kind: 'questions', item_id, user_id, buyer_id: guest ? null : from_id, at })
  await publishQuestion(q, inserted, world.clock.now())
  return inserted
}

/** Inserts a question without event; counting it as a contact is up to the caller. Throws 409 if the id exists. */
export async function insertQuestion(q: Q, { id, ...row }: Omit<NewQuestionRow, 'guest'>): Promise<QuestionRow> {
  const { item_id, from_id } = row
  const inserted = await insertNumbered(
    q,
    question,
    { id, exists: questionExists },
    async (id) => (await insert(q).one({ ...row, id }))!,
  )
  // A question dated before the buyer's other questions on this listing replaces them as the first one.
  if (inserted.first_of_buyer) await clearFirstOfBuyer(q).run({ id: inserted.id, item_id, from_id })
  return inserted
}
const insert = prepared(({ db }) =>
  db
    .insert(question)
    .values({
      ...columnValues(question),
      first_of_buyer: sql`NOT EXISTS (SELECT 1 FROM ${question} WHERE from_id = ${$('from_id')} AND item_id = ${$('item_id')} AND (date_created, id) < (${$('date_created')}, ${$('id')}))`,
    })
    .returning(),
)

const clearFirstOfBuyer = updateRows(
  question,
  { first_of_buyer: 0 },
  { from_id: $, item_id: $ },
  () => sql`${question.first_of_buyer} = 1 AND ${question.id} <> ${$('id')}`,
)

/**
 * A seller answers. Throws, in this order: no such question, not the caller's, its state, the item's state, its buyer
 * [spec: questions.answer.order].
 */
export async function answer(
  q: Q,
  world: World,
  caller: number,
  { question_id, text }: { question_id: number; text: string },
) {
  const question = await questionById(q, question_id)
  if (!question || isGone(world, question)) throw questionNotFound(question_id)
  if (question.seller_id !== caller) throw forbidden('questions.foreign')
  if (CANNOT_BE_ANSWERED.has(question.status)) throw invalidQuestion('question_answerable')
  const item = await itemForQuestion(q).one({ id: question.item_id })
  if (item?.status !== 'active') throw notActiveItem()
  if (question.status === 'CLOSED_UNANSWERED') throw closedWithItsListing()
  if (await isLocked(q, world, question)) throw isAnsweredAlready(question_id)
  const now = world.clock.now()
  const answered = await storeAnswer(q, { id: question_id, text, at: now })
  if (!answered) throw isNotUnanswered(question_id)
  await publishQuestion(q, answered, now)
  return answered
}
const CANNOT_BE_ANSWERED = new Set(['BANNED', 'DELETED', 'UNDER_REVIEW'])

/** Stores an answer given at an instant, ms, without event; undefined when the question is not UNANSWERED. */
export const storeAnswer = (q: Q, { id, text, at }: { id: number; text: string; at: number }) =>
  setAnswer(q).one({ id, text, at })
const setAnswer = updateReturning(
  question,
  { status: 'ANSWERED', answer_text: $('text'), answer_status: 'ACTIVE', answered_at: $('at') },
  { id: $, status: 'UNANSWERED' },
)

/**
 * A seller deletes a question. Throws, in this order: no such question (or deleted before), not the caller's, its buyer, answered
 * [spec: questions.delete.order].
 */
export async function deleteQuestion(q: Q, world: World, caller: number, id: number): Promise<QuestionRow> {
  const question = await questionById(q, id)
  if (!question || question.status === 'DELETED' || isGone(world, question)) throw questionNotFound(id)
  if (question.seller_id !== caller) throw forbidden('questions.foreign')
  if (await isLocked(q, world, question)) throw isAnsweredAlready(id)
  const deleted = await setDeleted(q).one({ id })
  if (!deleted) throw mustBeUnanswered(id)
  await publishQuestion(q, deleted, world.clock.now())
  return deleted
}
const setDeleted = updateReturning(
  question,
  { status: 'DELETED', deleted_from_listing: 1 },
  { id: $ },
  () => sql`${question.status} NOT IN ('ANSWERED', 'DELETED')`,
)

/** Hides questions from the caller's searches. Throws 403 if one is not theirs [spec: questions.hidden.rights]. */
export async function hide(q: Q, caller: number, ids: number[]): Promise<void> {
  for (const id of ids)
    if (!(await setHidden(q).one({ id, seller_id: caller }))) throw forbidden('questions.hidden.rights')
}
const setHidden = updateReturning(question, { hidden: 1 }, { id: $, seller_id: $ })

/**
 * Moves the questions of a listing to the statuses that follow from its new status [spec: questions.transitions]; not
 * those that are gone [spec: questions.unanswered_life]. Returns the changed questions.
 */
export async function followItemStatus(
  q: Q,
  { switches, clock }: Moment,
  item_id: string,
  status: string,
): Promise<QuestionRow[]> {
  const changed: QuestionRow[] = []
  const now = clock.now()
  const since = (await unansweredSince(q, { switches, clock: { now: () => now, hour: () => now } })) ?? 0
  for (const [from, to] of STATUS_CHANGES[status] ?? [])
    changed.push(...(await changeStatuses(q).all({ item_id, from, to, since: from === 'UNANSWERED' ? since : 0 })))
  for (const question of changed) await publishQuestion(q, question, now)
  return changed
}
const STATUS_CHANGES: Record<string, [from: string, to: string][]> = {
  closed: [
    ['UNANSWERED', 'CLOSED_UNANSWERED'],
    ['UNDER_REVIEW', 'CLOSED_UNANSWERED'],
  ],
  under_review: [['UNANSWERED', 'UNDER_REVIEW']],
  active: [['UNDER_REVIEW', 'UNANSWERED']],
}
const changeStatuses = updateReturning(
  question,
  { status: $('to') },
  { item_id: $ },
  () => sql`${question.status} = ${$('from')} AND ${question.date_created} >= ${$('since')}`,
)

/** Bans a question and erases its text [spec: questions.banned_text]. Undefined when there is no such question. */
export async function ban(q: Q, world: World, id: number): Promise<QuestionRow | undefined> {
  const banned = await setBanned(q).one({ id })
  if (banned) await publishQuestion(q, banned, world.clock.now())
  return banned
}
const setBanned = updateReturning(question, { status: 'BANNED', text: '' }, { id: $ })

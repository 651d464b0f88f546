import { nextGuestId } from '../../domains/questions/control_operations.ts'
import { unansweredStatusOn } from '../../domains/questions/states.ts'
import { FIRST_QUESTION_ID } from '../../domains/questions/tables.ts'
import { badRequest } from '../../http/errors.ts'
import { createContactWriter } from './contacts.ts'
import { createCounter, importIdentified } from './identified.ts'
import type { ImportContext } from './import.ts'
import { insertQuestion, markFirstOfBuyer, setCounter, setLastRowId } from './operations.ts'
import type { Element } from './schemas.ts'

/** Questions, each with the contact that it was. */
export async function importQuestions(context: ImportContext): Promise<void> {
  const { q, items, counters } = context
  const ids = createCounter((counters.question ?? FIRST_QUESTION_ID - 1) + 1)
  if (counters.guest !== undefined) await setCounter(q, 'guest', counters.guest)
  const itemIds = new Set<string>()
  const contacts = createContactWriter(context)
  await importIdentified(context, 'questions', ids.next, async (question, place, id) => {
    const { item_id, text, answer } = question
    const item = items.get(item_id)
    if (!item) throw badRequest(`${place}.item_id: the file has no listing ${item_id}`)
    const { seller_id } = item
    const from_id = await resolveAsker(context, question, place)
    if (from_id === seller_id) throw badRequest(`${place}.from_id: the seller cannot ask on a listing of their own`)
    const status = question.status ?? (answer ? 'ANSWERED' : unansweredStatusOn(item.status))
    const isUnanswered = UNANSWERED_STATUSES.has(status)
    if (isUnanswered && answer) throw badRequest(`${place}.answer: a question that is ${status} has none`)
    if (status === 'ANSWERED' && !answer) throw badRequest(`${place}.answer: is required where the status is ANSWERED`)
    if ((isUnanswered || status === 'ANSWERED') && text.trim() === '')
      throw badRequest(`${place}.text: must not be blank`)
    const date_created = context.instantOf(`${place}.date_created`, question.date_created)
    const isInserted = await insertQuestion(q, {
      id,
      seller_id,
      item_id,
      from_id,
      text,
      status,
      date_created,
      answer_text: answer?.text ?? null,
      answer_status: answer ? (answer.status ?? 'ACTIVE') : null,
      answered_at: answer ? context.instantOf(`${place}.answer.date_created`, answer.date_created) : null,
      first_of_buyer: 0,
      deleted_from_listing: question.deleted_from_listing ? 1 : 0,
      hold: question.hold ? 1 : 0,
      suspected_spam: question.suspected_spam ? 1 : 0,
      hidden: question.hidden ? 1 : 0,
    })
    if (!isInserted) return false
    itemIds.add(item_id)
    if (question.counted) {
      const buyer_id = question.guest ? null : from_id
      const contact = { kind: 'questions', item_id, user_id: seller_id, buyer_id, at: date_created } as const
      await contacts.add(contact)
    }
    return true
  })
  await contacts.flush()
  for (const item_id of itemIds) {
    await markFirstOfBuyer(q, item_id)
    await context.rowsWritten(100)
  }
  await setLastRowId(q, 'question', counters.question ?? ids.last())
}

const UNANSWERED_STATUSES = new Set(['UNANSWERED', 'CLOSED_UNANSWERED', 'UNDER_REVIEW'])
async function resolveAsker(
  { q, people }: ImportContext,
  { from_id, guest }: Element<'questions'>,
  place: string,
): Promise<number> {
  if (!guest) {
    if (from_id === undefined) throw badRequest(`${place}.from_id: is required, unless a guest asked`)
    return people.resolve(`${place}.from_id`, from_id)
  }
  if (typeof from_id === 'string' || (from_id !== undefined && people.has(from_id)))
    throw badRequest(`${place}.from_id: is a user; leave out guest`)
  return from_id ?? nextGuestId(q)
}

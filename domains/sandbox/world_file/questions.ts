import { badRequest } from '../../../plugins/errors.ts'
import { FIRST_IDS } from '../../../scenarios/demo/rows.ts'
import { nextGuestId } from '../../questions/control_operations.ts'
import { unansweredStatusOn } from '../../questions/states.ts'
import { recorder } from './contacts.ts'
import { countingFrom, identified } from './identified.ts'
import type { Laying } from './loading.ts'
import { insertQuestion, markFirst, setCounter, setRowNumber } from './operations.ts'
import type { Element } from './schema.ts'

/** Questions, each with the contact that it was. */
export async function layQuestions(laying: Laying): Promise<void> {
  const { q, items, counters } = laying
  const numbers = countingFrom((counters.question ?? FIRST_IDS.question - 1) + 1)
  if (counters.guest !== undefined) await setCounter(q, 'guest', counters.guest)
  const asked = new Set<string>()
  const contacts = recorder(laying)
  await identified(laying, 'questions', numbers.next, async (question, place, id) => {
    const { item_id, text, answer } = question
    const item = items.get(item_id)
    if (!item) throw badRequest(`${place}.item_id: the file has no listing ${item_id}`)
    const { seller_id } = item
    const from_id = await askerOf(laying, question, place)
    if (from_id === seller_id) throw badRequest(`${place}.from_id: the seller cannot ask on a listing of their own`)
    const status = question.status ?? (answer ? 'ANSWERED' : unansweredStatusOn(item.status))
    const open = OPEN.has(status)
    if (open && answer) throw badRequest(`${place}.answer: a question that is ${status} has none`)
    if (status === 'ANSWERED' && !answer) throw badRequest(`${place}.answer: is required where the status is ANSWERED`)
    if ((open || status === 'ANSWERED') && text.trim() === '') throw badRequest(`${place}.text: must not be blank`)
    const date_created = laying.at(`${place}.date_created`, question.date_created)
    const written = await insertQuestion(q, {
      id,
      seller_id,
      item_id,
      from_id,
      text,
      status,
      date_created,
      answer_text: answer?.text ?? null,
      answer_status: answer ? (answer.status ?? 'ACTIVE') : null,
      answered_at: answer ? laying.at(`${place}.answer.date_created`, answer.date_created) : null,
      first_of_buyer: 0,
      deleted_from_listing: question.deleted_from_listing ? 1 : 0,
      hold: question.hold ? 1 : 0,
      suspected_spam: question.suspected_spam ? 1 : 0,
      hidden: question.hidden ? 1 : 0,
    })
    if (!written) return false
    asked.add(item_id)
    if (question.counted) {
      const buyer_id = question.guest ? null : from_id
      const contact = { kind: 'questions', item_id, user_id: seller_id, buyer_id, at: date_created } as const
      await contacts.add(contact)
    }
    return true
  })
  await contacts.flush()
  for (const item_id of asked) {
    await markFirst(q, item_id)
    await laying.wrote(100)
  }
  await setRowNumber(q, 'question', counters.question ?? numbers.last())
}

const OPEN = new Set(['UNANSWERED', 'CLOSED_UNANSWERED', 'UNDER_REVIEW'])
async function askerOf(
  { q, people }: Laying,
  { from_id, guest }: Element<'questions'>,
  place: string,
): Promise<number> {
  if (!guest) {
    if (from_id === undefined) throw badRequest(`${place}.from_id: is required, unless a guest asked`)
    return people.find(`${place}.from_id`, from_id)
  }
  if (typeof from_id === 'string' || (from_id !== undefined && people.has(from_id)))
    throw badRequest(`${place}.from_id: is a user; leave out guest`)
  return from_id ?? nextGuestId(q)
}

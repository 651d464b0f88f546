import { atMinusFour } from '../shared/instants.ts'
import type { QuestionRow } from './queries.ts'
import type { AskedQuestion, FoundQuestion, Question } from './schemas.ts'

const answerOf = ({ answer_text, answer_status, answered_at }: QuestionRow) =>
  answer_text === null || answer_status === null || answered_at === null
    ? null
    : { text: answer_text, status: answer_status, date_created: atMinusFour(answered_at) }

/** An element of a search. */
export const presentFound = (row: QuestionRow): FoundQuestion => ({
  date_created: atMinusFour(row.date_created),
  item_id: row.item_id,
  seller_id: row.seller_id,
  status: row.status,
  text: row.text,
  id: row.id,
  deleted_from_listing: row.deleted_from_listing === 1,
  hold: row.hold === 1,
  suspected_spam: row.suspected_spam === 1,
  answer: answerOf(row),
  from: { id: row.from_id },
})

/** One question; `answered_questions`: questions of this buyer that this seller has answered. */
export const presentQuestion = (row: QuestionRow, answered_questions: number): Question => ({
  id: row.id,
  answer: answerOf(row),
  date_created: atMinusFour(row.date_created),
  deleted_from_listing: row.deleted_from_listing === 1,
  hold: row.hold === 1,
  item_id: row.item_id,
  seller_id: row.seller_id,
  status: row.status,
  text: row.text,
  from: { id: row.from_id, answered_questions },
})

/** The answer to POST /questions. */
export const presentAsked = (row: QuestionRow): AskedQuestion => ({
  id: row.id,
  answer: null,
  date_created: atMinusFour(row.date_created),
  item_id: row.item_id,
  seller_id: row.seller_id,
  status: row.status,
  text: row.text,
  from: { id: row.from_id },
})

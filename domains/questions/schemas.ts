import { type Static, Type } from '@sinclair/typebox'
import { Id, ItemId, ItemIdInPath, Nullable, OneOf, ResponseObject, UserId, UserIdInPath } from '../shared/schemas.ts'
import { itemNotFound, MAX_TEXT_LENGTH, questionNotFound, responseTimeNotFound } from './errors.ts'
import { ANSWER_STATUSES, eachFlag, FLAGS, QUESTION_STATUSES } from './tables.ts'

export const Questions = {
  name: 'Questions',
  description: 'What buyers ask about listings, and what sellers answer',
  id: 'question_id',
}

const EXAMPLE_QUESTION = 13000000001

export const QuestionParams = Type.Object({
  question_id: Id('Question identifier', EXAMPLE_QUESTION, { 'x-error': questionNotFound }),
})
/** POST has an item id in the place of `question_id` [spec: questions.ask.in_path]. */
export const ItemParams = Type.Object({ question_id: { ...ItemIdInPath(itemNotFound), 'x-path': '/items/:id' } })
export const ResponseTimeParams = Type.Object({ user_id: UserIdInPath((id) => responseTimeNotFound(id)) })

const id = Id('Question identifier', EXAMPLE_QUESTION, { 'x-path': '/questions/:id' })
const seller_id = Id('Seller of the listing', 2500000101, { 'x-path': '/users/:id' })
const status = OneOf([...QUESTION_STATUSES], { description: 'State of the question', examples: ['UNANSWERED'] })
const text = Type.String({
  description: 'Text of the question; empty when it was banned',
  examples: ['¿Tiene garantía?'],
})
const date_created = Type.String({
  description: 'When it was asked, at offset -04:00',
  examples: ['2026-01-31T15:04:05.000-04:00'],
})
const flag = (description: string) => Type.Boolean({ description, examples: [false] })
const { deleted_from_listing, hold, suspected_spam } = eachFlag((name) => flag(FLAGS[name]))

const AnswerOfQuestion = ResponseObject(
  {
    text: Type.String({ description: 'Text of the answer', examples: ['Sí, doce meses.'] }),
    status: OneOf([...ANSWER_STATUSES], { description: 'State of the answer', examples: ['ACTIVE'] }),
    date_created: Type.String({
      description: 'When it was given, at offset -04:00',
      examples: ['2026-01-31T15:44:05.000-04:00'],
    }),
  },
  { title: 'Answer', description: 'The answer' },
)
const answer = Nullable(AnswerOfQuestion, { description: 'The answer; null when there is none' })
const from = ResponseObject({ id: UserId }, { description: 'Who asked' })

export const FoundQuestion = ResponseObject(
  {
    date_created,
    item_id: ItemId,
    seller_id,
    status,
    text,
    id,
    deleted_from_listing,
    hold,
    suspected_spam,
    answer,
    from,
  },
  { title: 'FoundQuestion', description: 'A question, as a search answers it' },
)
export type FoundQuestion = Static<typeof FoundQuestion>

export const Question = ResponseObject(
  {
    id,
    answer,
    date_created,
    deleted_from_listing,
    hold,
    item_id: ItemId,
    seller_id,
    status,
    text,
    from: ResponseObject(
      {
        id: UserId,
        answered_questions: Type.Integer({
          description: 'How many questions of this user this seller has answered',
          examples: [3],
        }),
      },
      { description: 'Who asked' },
    ),
  },
  { title: 'Question', description: 'A question' },
)
export type Question = Static<typeof Question>

export const AskedQuestion = ResponseObject(
  {
    id,
    answer: Type.Null({ description: 'No answer yet' }),
    date_created,
    item_id: ItemId,
    seller_id,
    status,
    text,
    from,
  },
  { title: 'AskedQuestion', description: 'The new question' },
)
export type AskedQuestion = Static<typeof AskedQuestion>

const newText = Type.String({
  minLength: 1,
  maxLength: MAX_TEXT_LENGTH,
  description: `1 to ${MAX_TEXT_LENGTH} characters`,
  examples: ['¿Tiene garantía?'],
})

export const NewQuestion = Type.Object(
  { text: newText, item_id: ItemId },
  {
    additionalProperties: false,
    'x-read': 'route',
    examples: [{ text: '¿Tiene garantía?', item_id: 'MLA1400000001' }],
  },
)
export const NewQuestionOnItem = Type.Object(
  { text: newText, item_id: Type.Optional(ItemId) },
  { additionalProperties: false, 'x-read': 'route', examples: [{ text: '¿Tiene garantía?' }] },
)
export const NewAnswer = Type.Object(
  { question_id: Id('The question that is answered', EXAMPLE_QUESTION), text: newText },
  {
    additionalProperties: false,
    'x-read': 'route',
    examples: [{ question_id: EXAMPLE_QUESTION, text: 'Sí, doce meses.' }],
  },
)

export const Deleted = Type.Array(Type.String({ examples: ['Question deleted.'] }), { description: 'One message' })

// Hidden questions, block list

const ids = Type.Array(Id('Question identifier', EXAMPLE_QUESTION), {
  description: 'The questions',
  maxItems: 1000,
  'x-message': 'must be an array of at most 1000 question ids',
  'x-rule': 'questions.hidden',
})
export const HideQuestions = Type.Object(
  { question_ids: Type.Optional(ids), questions_ids: Type.Optional(ids) },
  { 'x-message': 'must be a JSON object with question_ids', examples: [{ question_ids: [EXAMPLE_QUESTION] }] },
)
export const HiddenQuestions = ResponseObject(
  {
    question_ids: Type.Array(Type.Integer({ 'x-path': '/questions/:id' }), {
      description: 'Questions that searches by seller leave out',
    }),
  },
  { description: 'Hidden questions' },
)

// Response time

const Period = (description: string) =>
  ResponseObject(
    {
      response_time: Type.Integer({ description: 'Average, minutes; 0 when nothing was asked', examples: [42] }),
      sales_percent_increase: Nullable(Type.Integer(), {
        description: 'Forecast of extra sales by answering sooner, percent; only when response_time exceeds 60',
        examples: [null],
      }),
    },
    { description },
  )
export const ResponseTime = ResponseObject(
  {
    user_id: UserId,
    total: ResponseObject(
      { response_time: Type.Integer({ description: 'Average, minutes', examples: [97] }) },
      { description: 'All periods of the last 14 days, nights too' },
    ),
    weekend: Period('Saturday and Sunday'),
    weekdays_working_hours: Period('Monday to Friday, 09:00 to 18:00'),
    weekdays_extra_hours: Period('Monday to Friday, 18:00 to 24:00'),
  },
  { title: 'ResponseTime', description: 'How long a seller takes to answer' },
)
export type ResponseTime = Static<typeof ResponseTime>

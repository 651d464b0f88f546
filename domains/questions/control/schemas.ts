import { type Static, Type } from '@sinclair/typebox'
import { badRequest } from '../../../http/errors/control_errors.ts'
import {
  BeforeId,
  NAMES,
  OptionalId,
  PagingQuery,
  PeriodQuery,
  SearchText,
  StrictBody,
} from '../../shared/control_schemas.ts'
import { PastInstant, readPastInstant } from '../../shared/past_instants.ts'
import { Bool, Id, IdInPath, ItemId, MAX_ID, Nullable, OneOf, ResponseObject } from '../../shared/schemas.ts'
import { validateText } from '../bodies.ts'
import { MAX_TEXT_LENGTH, questionNotFound } from '../errors.ts'
import { presentQuestion } from '../present.ts'
import type { QuestionRow } from '../queries.ts'
import { Question } from '../schemas.ts'
import type { AnswerPatch } from '../states.ts'
import { ANSWER_STATUSES, eachFlag, FLAG_NAMES, FLAGS, flagsOf, QUESTION_STATUSES } from '../tables.ts'

const flag = (description: string) => Type.Boolean({ description, examples: [false] })
const allFlags = eachFlag((name) => flag(FLAGS[name]))

/** The question as its seller reads it, with members of the sandbox. */
export const AnyQuestion = ResponseObject(
  {
    ...Question.properties,
    ...allFlags,
    first_of_buyer: flag(
      'Whether it is the first question of this buyer on this listing: only that one counts for the response time',
    ),
  },
  { title: 'AnyQuestion', description: 'A question, in any state' },
)
export const presentAnyQuestion = (row: QuestionRow, answered_questions: number): Static<typeof AnyQuestion> => ({
  ...presentQuestion(row, answered_questions),
  ...flagsOf(row),
  first_of_buyer: row.first_of_buyer === 1,
})

/** The same in a list. */
export const ListedQuestion = ResponseObject(
  { ...AnyQuestion.properties, ...NAMES },
  { title: 'ListedQuestion', description: 'A question, in any state, with the names of those whom it is about' },
)

const text = Type.String({
  description: `1 to ${MAX_TEXT_LENGTH} characters`,
  examples: ['¿Tiene garantía?'],
  'x-message': 'must be a string',
})
const status = Type.Optional(
  OneOf([...QUESTION_STATUSES], {
    description: 'Default: ANSWERED with an answer, else according to the status of the listing',
    examples: ['UNDER_REVIEW'],
  }),
)
const flags = Type.Optional(
  StrictBody(
    eachFlag((name) => Type.Optional(Bool(FLAGS[name]))),
    {
      description: 'Flags; omitted ones are unchanged',
      'x-message': `must be an object with ${FLAG_NAMES.join(', ')}`,
    },
  ),
)
const answer = StrictBody(
  {
    text: Type.Optional(text),
    date_created: Type.Optional(PastInstant('Time of the answer; default: now')),
    status: Type.Optional(OneOf([...ANSWER_STATUSES], { description: 'State of the answer; default: ACTIVE' })),
  },
  { description: 'The answer', 'x-message': 'must be an object with text, date_created, status' },
)

export const NewQuestion = StrictBody(
  {
    item_id: Type.String({ ...ItemId, 'x-message': 'must be the id of a listing' }),
    from: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        minimum: 0,
        maximum: MAX_ID,
        description:
          'The buyer, or null for a new guest, who has no account. Default: the first test buyer of the listing’s site',
        examples: [2500000102],
        'x-message': 'must be the id of a user, or null for a guest',
      }),
    ),
    text,
    id: OptionalId('question'),
    date_created: Type.Optional(PastInstant('Time of the question; default: now')),
    status,
    flags,
    answer: Type.Optional(answer),
  },
  {
    examples: [
      { item_id: 'MLA1400000001', text: '¿Tiene garantía?', from: null, date_created: '2026-03-01T09:30:00Z' },
      { item_id: 'MLA1400000001', text: '¿Hay stock?', answer: { text: 'Sí.' } },
    ],
  },
)

export const QuestionChange = StrictBody(
  {
    status: Type.Optional(
      OneOf([...QUESTION_STATUSES], {
        description: 'BANNED erases the text. Default: follows from the answer, or is unchanged',
        examples: ['BANNED'],
      }),
    ),
    flags,
    text: Type.Optional(text),
    answer: Type.Optional(
      Nullable(answer, {
        description: 'Omitted members are unchanged; null removes the answer',
      }),
    ),
  },
  {
    minProperties: 1,
    'x-message': 'must be a JSON object with one of status, flags, text, answer',
    examples: [{ status: 'BANNED' }, { answer: { text: 'Sí.', date_created: '2026-03-01T10:00:00Z' } }],
  },
)

export const QuestionList = Type.Object({
  seller_id: Type.Optional(Id('Questions that this seller received', 2500000101)),
  item_id: Type.Optional(
    Type.String({
      description: 'Questions on this listing',
      examples: ['MLA1400000001'],
      'x-message': 'must be the id of a listing',
    }),
  ),
  status: Type.Optional(
    OneOf([...QUESTION_STATUSES], { description: 'Questions in this state', examples: ['BANNED'] }),
  ),
  from: Type.Optional(Id('Questions of this asker', 2500000102)),
  ...PeriodQuery,
  q: SearchText('question or its answer'),
  before: BeforeId,
  ...PagingQuery,
})

export const QuestionParams = Type.Object({
  id: IdInPath('Question identifier', 13000000001, questionNotFound),
})

/** A text of a question or answer. Throws the errors of the public calls. */
export function readQuestionText(name: string, value: string): string {
  if (value.includes('\u0000')) throw badRequest(`${name}: must not contain U+0000`)
  return validateText(value)
}

/** Parses an answer; returns undefined and null unchanged. */
export function readAnswer(
  input: Static<typeof answer> | null | undefined,
  now: number,
): AnswerPatch | null | undefined {
  if (!input) return input
  return {
    text: input.text === undefined ? undefined : readQuestionText('answer.text', input.text),
    status: input.status,
    date_created: readPastInstant('answer.date_created', input.date_created, now),
  }
}

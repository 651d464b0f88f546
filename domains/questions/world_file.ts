import { type Static, Type } from '@sinclair/typebox'
import { badRequest } from '../../http/errors/control_errors.ts'
import { createContactWriter } from '../contacts/operations.ts'
import { StrictBody } from '../shared/control_schemas.ts'
import { utcOrNull } from '../shared/instants.ts'
import { OneOf } from '../shared/schemas.ts'
import { blockListOf } from '../shared/world_file/block_list.ts'
import { Flag, Int, ItemRef, OptionalInstant, Text, UserRef } from '../shared/world_file/fields.ts'
import { setCounter } from '../shared/world_file/operations.ts'
import { tableList } from '../shared/world_file/table_list.ts'
import type { ImportContext, WorldFileSection } from '../world_file.ts'
import { nextGuestId } from './control_operations.ts'
import { MAX_TEXT_LENGTH } from './errors.ts'
import { blockList, type QuestionRow } from './queries.ts'
import { STATUSES_WITHOUT_ANSWER, unansweredStatusOn } from './states.ts'
import { ANSWER_STATUSES, eachFlag, FIRST_QUESTION_ID, FLAGS, QUESTION_STATUSES, question } from './tables.ts'
import { allQuestions, markFirstOfBuyer } from './world_file_operations.ts'

const FileAnswer = StrictBody(
  {
    text: Text('Text', MAX_TEXT_LENGTH, { mayBeBlank: true }),
    status: Type.Optional(OneOf([...ANSWER_STATUSES], { description: 'State', default: 'ACTIVE' })),
    date_created: OptionalInstant('Time of the answer; default: world time'),
  },
  { description: 'The answer', 'x-message': 'must be an object with text' },
)
const FileQuestion = StrictBody(
  {
    id: Type.Optional(Int('Question identifier; default: a new one', 1)),
    item_id: ItemRef,
    from_id: Type.Optional(UserRef('Who asked')),
    guest: Flag('Whether the asker has no account; from_id may then be omitted, or be any number'),
    text: Text('Text; empty when it was banned', MAX_TEXT_LENGTH, { mayBeBlank: true }),
    status: Type.Optional(
      OneOf([...QUESTION_STATUSES], {
        description: 'State. By default it follows from the answer and the status of the listing',
      }),
    ),
    date_created: OptionalInstant('Time of the question; default: world time'),
    answer: Type.Optional(FileAnswer),
    ...eachFlag((name) => Flag(FLAGS[name])),
    counted: Flag('Whether the contact statistics count it', true),
  },
  { title: 'FileQuestion', description: 'A question' },
)
type FileQuestion = Static<typeof FileQuestion>

const questions = tableList(question, {
  description: 'Questions with their answers',
  element: FileQuestion,
  maxElements: 2_000_000,
  ids: FIRST_QUESTION_ID,
  async begin(context) {
    const { q, counters } = context
    if (counters.guest !== undefined) await setCounter(q, 'guest', counters.guest)
    const itemIds = new Set<string>()
    const contacts = createContactWriter(q, context)
    return {
      complete: readQuestion,
      async added(_, { item_id, seller_id: user_id, from_id, date_created: at }, { counted, guest }) {
        itemIds.add(item_id)
        if (counted) await contacts.add({ kind: 'questions', item_id, user_id, buyer_id: guest ? null : from_id, at })
      },
      async end() {
        await contacts.flush()
        for (const item_id of itemIds) {
          await markFirstOfBuyer(q, item_id)
          await context.rowsWritten(100)
        }
      },
    }
  },
  rows: ({ q, origin }) => allQuestions(q, origin),
  present: (row) => ({
    guest: row.guest === 1,
    counted: row.counted === 1,
    answer: presentAnswer(row),
  }),
})

/** The answer of a question; undefined without one. */
const presentAnswer = ({ answer_text, answer_status, answered_at }: QuestionRow) =>
  answer_text === null
    ? undefined
    : {
        text: answer_text,
        ...(answer_status !== 'ACTIVE' && { status: answer_status }),
        date_created: utcOrNull(answered_at),
      }

/** The columns of a question that do not follow from one member. */
async function readQuestion(context: ImportContext, question: FileQuestion, place: string) {
  const { item_id, text, answer } = question
  const { seller_id, status: itemStatus } = context.items.resolve(place, item_id)
  const from_id = await resolveAsker(context, question, place)
  if (from_id === seller_id) throw badRequest(`${place}.from_id: the seller cannot ask on a listing of their own`)
  const status = question.status ?? (answer ? 'ANSWERED' : unansweredStatusOn(itemStatus))
  const isUnanswered = STATUSES_WITHOUT_ANSWER.has(status)
  if (isUnanswered && answer) throw badRequest(`${place}.answer: a question that is ${status} has none`)
  if (status === 'ANSWERED' && !answer) throw badRequest(`${place}.answer: is required where the status is ANSWERED`)
  if ((isUnanswered || status === 'ANSWERED') && text.trim() === '')
    throw badRequest(`${place}.text: must not be blank`)
  return {
    seller_id,
    from_id,
    status,
    first_of_buyer: 0,
    answer_text: answer?.text ?? null,
    answer_status: answer ? (answer.status ?? 'ACTIVE') : null,
    answered_at: answer ? context.instantOf(`${place}.answer.date_created`, answer.date_created) : null,
  }
}

async function resolveAsker(
  { q, users }: ImportContext,
  { from_id, guest }: FileQuestion,
  place: string,
): Promise<number> {
  if (!guest) {
    if (from_id === undefined) throw badRequest(`${place}.from_id: is required unless guest is true`)
    return users.resolve(`${place}.from_id`, from_id)
  }
  if (typeof from_id === 'string' || (from_id !== undefined && users.has(from_id)))
    throw badRequest(`${place}.from_id: is a user, so guest must not be true`)
  return from_id ?? nextGuestId(q)
}

const blocked_buyers = blockListOf(blockList, { description: 'Block lists' })

export const worldFile: WorldFileSection = {
  after: ['users', 'items'],
  lists: { questions, blocked_buyers },
  tables: { question: 'exported', blocked_buyer: 'exported' },
}

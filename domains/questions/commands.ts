import type { Static } from '@sinclair/typebox'
import {
  type Argument,
  atFlag,
  type CommandSet,
  defineCommand,
  fields,
  integer,
  oneOf,
  parseUser,
  path,
  toIso,
} from '../shared/commands.ts'
import type { AnyQuestion } from './control/schemas.ts'
import { FLAG_NAMES } from './tables.ts'

type Question = Static<typeof AnyQuestion>

const formatQuestion = (question: Question) => {
  const marks = FLAG_NAMES.filter((name) => question[name])
  return fields({
    question: question.id,
    status: question.status,
    listing: question.item_id,
    from: question.from.id,
    asked: question.date_created,
    text: question.text,
    ...(question.answer && { answer: question.answer.text }),
    ...(marks.length > 0 && { marks: marks.join(', ') }),
  })
}

/** The body of the PATCH call for each kind of moderation. */
const MODERATION: Record<string, object> = {
  ban: { status: 'BANNED' },
  review: { status: 'UNDER_REVIEW' },
  disable: { status: 'DISABLED' },
  delete: { status: 'DELETED' },
  hold: { flags: { hold: true } },
  release: { flags: { hold: false } },
  spam: { flags: { suspected_spam: true } },
  'not-spam': { flags: { suspected_spam: false } },
  hide: { flags: { hidden: true } },
  show: { flags: { hidden: false } },
}

const QUESTION: Argument = ['<question>', 'id of the question', integer(0)]

const commands = [
  defineCommand<Question>({
    name: 'ask',
    description: 'Ask a question, as any buyer',
    args: [
      ['<item>', 'id of the listing'],
      ['<text>', 'the question'],
    ],
    flags: [
      {
        flags: '--from <user>',
        description: 'the buyer (id or nickname), or guest; default: a test buyer of the listing’s site',
        parse: (text) => (text === 'guest' ? text : parseUser(text)),
      },
      atFlag('when it was asked'),
      { flags: '--answer <text>', description: 'an answer, given at the same time' },
      { flags: '--id <number>', description: 'id of the new question', parse: integer(0) },
    ],
    members: { date_created: '--at' },
    examples: ['ask MLA1400000001 "¿Tiene garantía?"', 'ask MLA1400000001 "¿Hay stock?" --from guest --at 2026-03-01'],
    run: ({ client, args: [item_id, text], flags: { from, at, answer, id } }) =>
      client.call('POST /questions', {
        item_id,
        text,
        from: from === 'guest' ? null : from,
        id,
        date_created: toIso(at),
        answer: answer === undefined ? undefined : { text: answer, date_created: toIso(at) },
      }),
    format: formatQuestion,
  }),
  defineCommand<Question>({
    name: 'question answer',
    description: 'Answer a question, as its seller',
    args: [QUESTION, ['<text>', 'the answer']],
    flags: [atFlag('when it was answered')],
    members: { date_created: '--at' },
    examples: ['question answer 13000000001 "Sí, tenemos stock."'],
    run: ({ client, args: [id, text], flags: { at } }) =>
      client.call(path`PATCH /questions/${id}`, { answer: { text, date_created: toIso(at) } }),
    format: formatQuestion,
  }),
  defineCommand<Question>({
    name: 'question moderate',
    description: 'Change a question, as moderation does',
    args: [QUESTION, ['<change>', Object.keys(MODERATION).join(', '), oneOf(...Object.keys(MODERATION))]],
    examples: ['question moderate 13000000001 ban', 'question moderate 13000000001 hold'],
    run: ({ client, args: [id, change] }) => client.call(path`PATCH /questions/${id}`, MODERATION[change]),
    format: formatQuestion,
  }),
]

export default { parents: { question: 'Answer and moderate questions' }, commands } satisfies CommandSet

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from '@sinclair/typebox'
import type { Q } from '../../../db/engine.ts'
import { CursorPage, controlCall, controlConfig, readPeriod, viewable } from '../../shared/control_schemas.ts'
import { readPastInstant } from '../../shared/past_instants.ts'
import { routesOf } from '../../shared/routes.ts'
import { firstTestBuyer, namesOf } from '../../users/queries.ts'
import { createQuestion, updateQuestion } from '../control_operations.ts'
import { questionNotFound } from '../errors.ts'
import { listQuestions } from '../list_queries.ts'
import { countAnsweredQuestions, type QuestionRow, questionById } from '../queries.ts'
import {
  AnyQuestion,
  ListedQuestion,
  NewQuestion,
  presentAnyQuestion,
  QuestionChange,
  QuestionList,
  QuestionParams,
  readAnswer,
  readQuestionText,
} from './schemas.ts'

const config = controlConfig('Questions', 'Questions of any buyer, and their moderation')

const present = async (q: Q, row: QuestionRow) => presentAnyQuestion(row, await countAnsweredQuestions(q, row))

/** Presents a page; counts the answers of each seller to each asker once. */
async function presentAll(q: Q, rows: QuestionRow[]) {
  const counts = new Map<string, number>()
  const results: Static<typeof ListedQuestion>[] = []
  for (const row of rows) {
    const pair = `${row.from_id} ${row.seller_id}`
    const answered = counts.get(pair) ?? (await countAnsweredQuestions(q, row))
    counts.set(pair, answered)
    const names = await namesOf(q, { item_id: row.item_id, buyer_id: row.from_id })
    results.push({ ...presentAnyQuestion(row, answered), ...names })
  }
  return results
}

const reads: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/questions',
    controlCall(viewable(config), {
      summary: 'List the questions of all sellers in any state',
      querystring: QuestionList,
      answer: CursorPage(ListedQuestion, 'Highest id first.'),
    }),
    async ({ world, query: { seller_id, item_id, from: from_id, status, since, until, ...page } }) => {
      const { q: text, before: cursor, limit, offset } = page
      const period = readPeriod(since, until)
      const filter = { seller_id, item_id, from_id, status, ...period }
      const { total, rows, next } = await listQuestions(world.read, filter, { text, cursor, limit, offset })
      return {
        paging: { total, limit, offset, next_before: next },
        results: await presentAll(world.read, rows),
      }
    },
  )

  app.get(
    '/questions/:id',
    controlCall(viewable(config), {
      summary: 'Read a question in any state',
      params: QuestionParams,
      answer: AnyQuestion,
    }),
    async ({ world, params: { id } }) => {
      const row = await questionById(world.read, id)
      if (!row) throw questionNotFound(id)
      return present(world.read, row)
    },
  )
}

const writes: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/questions',
    controlCall(config, {
      summary: 'Create a question of any buyer, date and state',
      description:
        'The block list and the status of the listing do not apply; sellers cannot ask on their own listings. The contact statistics count the question at its date; the event is published now.',
      body: NewQuestion,
      created: AnyQuestion,
    }),
    async ({ world, body }, reply) => {
      const { from, text, date_created, answer, ...rest } = body
      const created = await world.tx(async (q) => {
        const now = world.clock.now()
        const created = await createQuestion(q, world, {
          ...rest,
          from_id: from === undefined ? ((await firstTestBuyer(q, body.item_id)) ?? null) : from,
          text: readQuestionText('text', text),
          date_created: readPastInstant('date_created', date_created, now),
          answer: readAnswer(answer, now),
        })
        return present(q, created)
      })
      return reply.code(201).send(created)
    },
  )

  app.patch(
    '/questions/:id',
    controlCall(config, {
      summary: 'Moderate a question, or change its answer',
      description:
        'Changes status, flags, text and answer. Contradictions are rejected: ANSWERED needs an answer; an answer needs the status ANSWERED, BANNED, DELETED or DISABLED.',
      params: QuestionParams,
      body: QuestionChange,
      answer: AnyQuestion,
    }),
    async ({ world, params: { id }, body: { text, answer, ...rest } }) =>
      world.tx(async (q) => {
        const revised = await updateQuestion(q, world, id, {
          ...rest,
          text: text === undefined ? undefined : readQuestionText('text', text),
          answer: readAnswer(answer, world.clock.now()),
        })
        if (!revised) throw questionNotFound(id)
        return present(q, revised)
      }),
  )
}

export default routesOf(reads, writes)

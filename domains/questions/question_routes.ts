import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { routesOf } from '../shared/routes.ts'
import { errorResponses } from '../shared/schemas.ts'
import { parseAnswer, parseQuestion } from './bodies.ts'
import { ANSWER, ASK, ASK_IN_PATH, DELETE_QUESTION, READ_QUESTION } from './checks.ts'
import { questionNotFound } from './errors.ts'
import { answer, ask, deleteQuestion } from './operations.ts'
import { presentAsked, presentQuestion } from './present.ts'
import { countAnsweredQuestions, questionById } from './queries.ts'
import {
  AskedQuestion,
  Deleted,
  ItemParams,
  NewAnswer,
  NewQuestion,
  NewQuestionOnItem,
  Question,
  QuestionParams,
  Questions,
} from './schemas.ts'
import { isGone } from './unanswered_queries.ts'

const readRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/questions/:question_id',
    {
      config: { resource: Questions, access: 'token', checks: READ_QUESTION },
      schema: {
        operationId: 'readQuestion',
        summary: 'Read one question',
        description:
          'A deleted or banned question is 404 for everybody but its seller; one that got no answer for seven months, for its seller too.',
        params: QuestionParams,
        response: { 200: Question, ...errorResponses(401, 404) },
      },
    },
    async ({ world, caller, params: { question_id } }) => {
      const question = await questionById(world.read, question_id)
      if (!question) throw questionNotFound(question_id)
      const isRemoved = question.status === 'DELETED' || question.status === 'BANNED'
      if (isRemoved && question.seller_id !== caller.user_id) throw questionNotFound(question_id)
      if (isGone(world, question)) throw questionNotFound(question_id)
      return presentQuestion(question, await countAnsweredQuestions(world.read, question))
    },
  )
}

const askRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/questions',
    {
      config: { resource: Questions, access: 'token', checks: ASK },
      schema: {
        operationId: 'askQuestion',
        summary: 'Ask a question about a listing',
        description:
          'The body takes no other member. Refusals, in this order: `invalid_post_body`, `text_is_null`, `text_too_long`, 404, `invalid_item` (one’s own listing), 403 (the seller has blocked the caller), `not_active_item`.',
        body: NewQuestion,
        response: { 201: AskedQuestion, ...errorResponses(400, 401, 403, 404, 413) },
      },
    },
    async ({ world, caller, body }, reply) => {
      const question = parseQuestion(body)
      const created = await world.tx((q) => ask(q, world, { ...question, from_id: caller.user_id }))
      return reply.code(201).send(presentAsked(created))
    },
  )

  app.post(
    // The parameter is an item id: in OpenAPI two templates of one shape are the same path and share the name.
    '/questions/:question_id',
    {
      config: { resource: Questions, access: 'token', checks: ASK_IN_PATH },
      schema: {
        operationId: 'askQuestionOnItem',
        summary: 'Ask a question about the listing in the path',
        description:
          'The same as POST /questions. The id in the path is a listing’s, although it shares its name with the question’s of the other methods.',
        params: ItemParams,
        body: NewQuestionOnItem,
        response: { 201: AskedQuestion, ...errorResponses(400, 401, 403, 404, 413) },
      },
    },
    async ({ world, caller, body, params }, reply) => {
      const question = parseQuestion(body, params.question_id)
      const created = await world.tx((q) => ask(q, world, { ...question, from_id: caller.user_id }))
      return reply.code(201).send(presentAsked(created))
    },
  )
}

const sellerRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/answers',
    {
      config: { resource: Questions, access: 'token', checks: ANSWER, example: '/answers/' },
      schema: {
        operationId: 'answerQuestion',
        summary: 'Answer a question on one of the caller’s listings',
        description:
          'The body takes no other member. Refusals, in this order: `invalid_post_body`, `invalid_question` (no integer), `text_is_null`, `text_too_long`, 404, 403, `invalid_question` (banned, deleted or under review), `not_active_item`, `not_unanswered_question`.',
        body: NewAnswer,
        response: { 200: Question, ...errorResponses(400, 401, 403, 404, 413) },
      },
    },
    async ({ world, caller, body }) => {
      const parsed = parseAnswer(body)
      return world.tx(async (q) => {
        const answered = await answer(q, world, caller.user_id, parsed)
        return presentQuestion(answered, await countAnsweredQuestions(q, answered))
      })
    },
  )

  app.delete(
    '/questions/:question_id',
    {
      config: { resource: Questions, access: 'token', checks: DELETE_QUESTION },
      schema: {
        operationId: 'deleteQuestion',
        summary: 'Delete a question from one of the caller’s listings',
        description:
          'Only the seller of the listing, and only while it is not answered: else `not_unanswered_question`. The contact statistics go on counting it.',
        params: QuestionParams,
        response: { 200: Deleted, ...errorResponses(400, 401, 403, 404) },
      },
    },
    async ({ world, caller, params: { question_id } }) => {
      await world.tx((q) => deleteQuestion(q, world, caller.user_id, question_id))
      return ['Question deleted.']
    },
  )
}

export default routesOf(readRoutes, askRoutes, sellerRoutes)

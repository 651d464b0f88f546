import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { NO_CHECKS } from '../../http/errors/checks.ts'
import { badParameter, forbidden } from '../../http/errors/errors.ts'
import { blockListRoutes } from '../shared/block_list.ts'
import { routesOf } from '../shared/routes.ts'
import { errorResponses } from '../shared/schemas.ts'
import { userById } from '../users/queries.ts'
import { REFRESH } from './assumptions.ts'
import { averages, salesIncrease, startOfDay } from './averages.ts'
import { BLOCK_LIST, HIDE, RESPONSE_TIME, SEARCH, SEARCH_RECEIVED } from './checks.ts'
import { responseTimeNotFound } from './errors.ts'
import { hide } from './operations.ts'
import { blockList, hiddenQuestions, responseTimes } from './queries.ts'
import questions from './question_routes.ts'
import { HiddenQuestions, HideQuestions, Questions, ResponseTime, ResponseTimeParams } from './schemas.ts'
import { search } from './search.ts'
import { FoundQuestions, SearchQuery } from './search_schemas.ts'

const searches: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/questions/search',
    {
      config: { resource: Questions, access: 'token', checks: SEARCH },
      schema: {
        operationId: 'searchQuestions',
        summary: 'Search questions by seller, item, asking user, status or period',
        description:
          'Filters may be combined. By `seller_id` the caller finds only its own; by `item` those of any seller; by `from` alone, or with the item of another seller, only those that the caller asked or received; without any of them those that the caller received. Deleted and banned questions show only to their seller and when asked for by status; hidden ones leave the searches by seller. `offset` + `limit` reach at most 1000: beyond that `search_type=scan` answers a `scroll_id` with each page, null on the last.',
        querystring: SearchQuery,
        response: { 200: FoundQuestions, ...errorResponses(400, 401, 403) },
      },
    },
    async ({ world, caller, query }) => search(world, caller, query),
  )

  app.get(
    '/my/received_questions/search',
    {
      config: { resource: Questions, access: 'token', checks: SEARCH_RECEIVED },
      schema: {
        summary: 'Search the questions that the caller received',
        querystring: SearchQuery,
        response: { 200: FoundQuestions, ...errorResponses(400, 401) },
      },
    },
    async ({ world, caller, query }) => search(world, caller, { ...query, seller_id: caller.user_id }),
  )
}

const Hidden = {
  name: 'Hidden questions',
  description: 'Questions that a seller’s own searches leave out',
  family: Questions.name,
}

const hidden: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/my/questions/hidden',
    {
      config: { resource: Hidden, access: 'token', checks: NO_CHECKS },
      schema: {
        summary: 'List the hidden questions of the caller',
        response: { 200: HiddenQuestions, ...errorResponses(401) },
      },
    },
    async ({ world, caller }) => ({
      question_ids: (await hiddenQuestions(world.read, caller.user_id)).map(({ id }) => id),
    }),
  )

  app.post(
    '/my/questions/hidden',
    {
      config: { resource: Hidden, access: 'token', checks: HIDE },
      schema: {
        summary: 'Hide questions from the caller’s searches',
        body: HideQuestions,
        response: { 200: HiddenQuestions, ...errorResponses(400, 401, 403, 413) },
      },
    },
    async ({ world, caller, body }) => {
      // Clients send either of the two names [spec: questions.hidden].
      const question_ids = body.question_ids ?? body.questions_ids
      if (!question_ids)
        throw badParameter(
          'question_ids',
          'is required, must be an array of at most 1000 question ids',
          'questions.hidden',
        )
      await world.tx((q) => hide(q, caller.user_id, question_ids))
      return { question_ids }
    },
  )
}

const blacklist = blockListRoutes('/users/:seller_id/questions_blacklist', blockList, BLOCK_LIST, {
  resource: {
    name: 'Question block list',
    description: 'Buyers whose questions a seller does not take',
    id: 'buyer_id',
    family: Questions.name,
  },
  title: 'BlockedBuyers',
  users: 'Buyers whose questions the seller does not take',
  list: 'List the buyers that the caller has blocked',
  block: 'Take no more questions from a buyer',
  unblock: 'Take questions from a buyer again',
})

const Report = { name: 'Response time', description: 'How long a seller takes to answer questions' }

const responseTime: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/users/:user_id/questions/response_time',
    {
      config: { resource: Report, access: 'token', checks: RESPONSE_TIME },
      schema: {
        summary: 'Average response time of the last 14 days',
        description:
          'Only the first question of each buyer on each listing counts; one without an answer counts the time so far; neither more than a week. Periods are cut at -04:00. 404 when nothing was asked, 403 for somebody else’s.',
        params: ResponseTimeParams,
        response: { 200: ResponseTime, ...errorResponses(401, 403, 404) },
      },
    },
    async ({ world, caller, params: { user_id } }) => {
      if (!(await userById(world.read, user_id))) throw responseTimeNotFound(user_id)
      if (caller.user_id !== user_id)
        throw forbidden('response_time.foreign', `User ${caller.user_id} cannot access data for user ${user_id}`)
      const now = REFRESH.of(world) === 'daily' ? startOfDay(world.clock.hour()) : world.clock.now()
      const times = await responseTimes(world.read, user_id, now)
      if (times.sums.total.n === 0) throw responseTimeNotFound(user_id, 'has_questions')
      const { total, ...periods } = averages(times, now)
      return {
        user_id,
        total: { response_time: total },
        weekend: period(periods.weekend),
        weekdays_working_hours: period(periods.weekdays_working_hours),
        weekdays_extra_hours: period(periods.weekdays_extra_hours),
      }
    },
  )
}

const period = (minutes: number) => ({ response_time: minutes, sales_percent_increase: salesIncrease(minutes) })

export default routesOf(searches, questions, hidden, blacklist, responseTime)

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { forbidden } from '../../http/errors/errors.ts'
import { errorResponses } from '../shared/schemas.ts'
import { userById } from '../users/queries.ts'
import { REFRESH } from './assumptions.ts'
import { averages, REPORT_WINDOW_MS, salesIncrease, startOfDay } from './averages.ts'
import { RESPONSE_TIME } from './checks.ts'
import { responseTimeNotFound } from './errors.ts'
import { responseTimeQuestions } from './queries.ts'
import { ResponseTime, ResponseTimeParams } from './schemas.ts'

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
      const questions = await responseTimeQuestions(world.read, user_id, now - REPORT_WINDOW_MS, now)
      if (questions.length === 0) throw responseTimeNotFound(user_id, 'has_questions')
      const { total, ...periods } = averages(questions, now)
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
export default responseTime

const period = (minutes: number) => ({ response_time: minutes, sales_percent_increase: salesIncrease(minutes) })

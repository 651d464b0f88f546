import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { NO_CHECKS } from '../../http/errors/checks.ts'
import { badParameter } from '../../http/errors/errors.ts'
import { errorResponses } from '../shared/schemas.ts'
import { HIDE } from './checks.ts'
import { hide } from './operations.ts'
import { hiddenQuestions } from './queries.ts'
import { HiddenQuestions, HideQuestions, Questions } from './schemas.ts'

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
export default hidden

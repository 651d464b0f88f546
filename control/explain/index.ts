import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { controlCall, viewable } from '../../domains/shared/control_schemas.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import { languageOf } from '../../http/languages.ts'
import { LanguageHeaders, LanguageQuery } from '../languages.ts'
import { config, RequestParams, requestNotFound } from '../requests/schemas.ts'
import { CODES_TEXT, explainCode } from './codes.ts'
import { explainRequest } from './explanation.ts'
import resend, { type ExplainOptions } from './resend.ts'
import { Explanation, FixQuery } from './schemas.ts'

/** Why a call was refused, and what would have worked. Everything is computed when it is asked for. */
const explain: FastifyPluginAsyncTypebox<ExplainOptions> = async (app, options) => {
  await resend(app, options)
  const { journals, paths, tryCall } = options

  app.get(
    '/requests/:id/explain',
    controlCall(viewable(config), {
      summary: 'Explain why a recorded call was refused',
      description:
        'The checks in the order in which they ran, the one that refused the call, its rule, the field, and a fix: the request with the one thing changed that the check names. It is tried on a copy of the world as it is now, which is discarded, and is left out if it does not work. A call that was not refused has `refused` false.',
      params: RequestParams,
      querystring: Type.Object({ ...LanguageQuery, ...FixQuery }),
      headers: LanguageHeaders,
      answer: Explanation,
    }),
    async ({ world, params: { id }, query: { lang, fix }, headers }) => {
      const entry = journals.of(world.generation).requests.get(id)
      if (!entry) throw requestNotFound(id)
      const language = languageOf(lang, headers['accept-language'])
      return explainRequest(entry, {
        world,
        paths,
        language,
        tryCall: fix === 'true' ? tryCall : undefined,
      })
    },
  )

  app.get(
    '/explain',
    controlCall(viewable(config), {
      summary: 'Explain an error that is answered before a call is recorded',
      description: 'Errors of the HTTP parser and of the head of a request, by their code.',
      querystring: Type.Object({
        code: Type.String({
          description: `Code of the error: ${CODES_TEXT}`,
          examples: ['431'],
          'x-message': `must be ${CODES_TEXT}`,
        }),
        ...LanguageQuery,
      }),
      headers: LanguageHeaders,
      answer: Explanation,
    }),
    async ({ query: { code, lang }, headers }) => {
      const language = languageOf(lang, headers['accept-language'])
      const explanation = explainCode(code, language)
      if (!explanation) throw badRequest(`code: must be ${CODES_TEXT}`)
      return explanation
    },
  )
}
export default explain

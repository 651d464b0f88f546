import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { controlCall, controlConfig, viewable } from '../../domains/shared/control_schemas.ts'
import type { Journals } from '../../http/journal/journals.ts'
import { languageOf } from '../../http/languages.ts'
import type { Paths } from '../../http/paths.ts'
import { LanguageHeaders, LanguageQuery } from '../languages.ts'
import { IncludeAgentInQuery } from '../requests/schemas.ts'
import { auditWorld, presentAudit } from './audit_world.ts'
import { Coverage, measureCoverage, presentCoverage } from './coverage.ts'
import { Audit } from './schemas.ts'
import { openView } from './view.ts'

const config = controlConfig('Audit', 'What a reviewer would say about a program')

const ReviewedCalls = {
  querystring: Type.Object({ ...LanguageQuery, include_agent: IncludeAgentInQuery }),
  headers: LanguageHeaders,
}

interface AuditOptions {
  journals: Journals
  /** Those of the emulated API. */
  paths: Paths
}

/** Reviews programs by what they have called. Everything is computed when it is requested. */
const audit: FastifyPluginAsyncTypebox<AuditOptions> = async (app, { journals, paths }) => {
  app.get(
    '/audit',
    controlCall(viewable(config), {
      summary: 'Review the programs that use the world',
      description:
        'Looks at the recorded calls and the latest notifications for mistakes that would matter on the real service. A program that makes none has no findings.',
      ...ReviewedCalls,
      answer: Audit,
    }),
    async ({ world, query: { lang, include_agent }, headers }) => {
      const options = { paths, includesAgent: include_agent === 'true' }
      const language = languageOf(lang, headers['accept-language'])
      return presentAudit(await auditWorld(world, journals.of(world.generation), options), language)
    },
  )

  app.get(
    '/coverage',
    controlCall(viewable(config), {
      summary: 'List which calls and situations the programs have met',
      description:
        'All operations of the API with the answers that the recorded calls got, and what programs that make such calls meet sooner or later: an expired token, a page after the first, a repeated notification.',
      ...ReviewedCalls,
      answer: Coverage,
    }),
    async ({ world, query: { lang, include_agent }, headers }) => {
      const journal = journals.of(world.generation)
      const view = await openView(world, journal, { paths, includesAgent: include_agent === 'true' })
      return presentCoverage(measureCoverage(view, journal), paths, languageOf(lang, headers['accept-language']))
    },
  )
}
export default audit

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { controlConfig, viewable } from '../../domains/shared/control_schemas.ts'
import { errorResponses } from '../../domains/shared/schemas.ts'
import type { Journals } from '../../http/journal/journals.ts'
import { languageOf } from '../../http/languages.ts'
import type { Paths } from '../../http/paths.ts'
import { LanguageHeaders, LanguageQuery } from '../languages.ts'
import { auditWorld, presentAudit } from './audit_world.ts'
import { Audit } from './schemas.ts'

const config = controlConfig('Audit', 'What a reviewer would say about a program')

interface AuditOptions {
  journals: Journals
  /** Those of the emulated API. */
  paths: Paths
}

/** Reviews programs by what they have called. Everything is computed when it is requested. */
const audit: FastifyPluginAsyncTypebox<AuditOptions> = async (app, { journals, paths }) => {
  app.get(
    '/audit',
    {
      config: viewable(config),
      schema: {
        summary: 'Review the programs that use the world',
        description:
          'Looks at the recorded calls and the latest notifications for mistakes that would matter on the real service. A program that makes none has no findings.',
        querystring: Type.Object(LanguageQuery),
        headers: LanguageHeaders,
        response: { 200: Audit, ...errorResponses(400, 404) },
      },
    },
    async ({ world, query: { lang }, headers }) => {
      const language = languageOf(lang, headers['accept-language'])
      return presentAudit(await auditWorld(world, journals.of(world.generation), paths), language)
    },
  )
}
export default audit

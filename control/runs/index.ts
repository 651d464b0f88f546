import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import {
  controlCall,
  controlConfig,
  keepsState,
  NoContent,
  StrictBody,
  viewable,
} from '../../domains/shared/control_schemas.ts'
import { Nullable, OneOf, ResponseObject } from '../../domains/shared/schemas.ts'
import { LANGUAGES } from '../../http/errors/checks.ts'
import { notFound } from '../../http/errors/control_errors.ts'
import { languageOf } from '../../http/languages.ts'
import type { Paths } from '../../http/paths.ts'
import { presentAudit } from '../audit/audit_world.ts'
import { Coverage, presentCoverage } from '../audit/coverage.ts'
import { Audit } from '../audit/schemas.ts'
import { Explanation } from '../explain/schemas.ts'
import { LanguageHeaders, LanguageQuery } from '../languages.ts'
import { MAX_EXPLAINED, type Runs } from './runs.ts'

const config = controlConfig('Audit', 'What a reviewer would say about a program')

const RunReview = ResponseObject(
  {
    audit: Audit,
    coverage: Coverage,
    refused: Type.Integer({ description: 'Calls that were answered with 4xx' }),
    explanations: Type.Array(
      ResponseObject(
        {
          world: ResponseObject(
            {
              id: Type.Integer({ description: 'Number of the world', examples: [2] }),
              name: Nullable(Type.String(), { description: 'Name of the world; null if it has none' }),
            },
            { description: 'Where the call was refused' },
          ),
          explanation: Explanation,
        },
        { title: 'RefusedCall', description: 'Why a call was refused' },
      ),
      { description: `With \`explain\`: the latest refused calls, at most ${MAX_EXPLAINED}, in order` },
    ),
  },
  { title: 'RunReview', description: 'A review of the programs of a run' },
)

/** A run of programs: its worlds are reviewed together, also those that were deleted meanwhile. */
const runRoutes: FastifyPluginAsyncTypebox<{ runs: Runs; paths: Paths }> = async (app, { runs, paths }) => {
  app.put(
    '/run',
    controlCall(keepsState(config), {
      summary: 'Begin a run in this world',
      description:
        'All worlds that are then created at the address of this world, or of one of those, belong to the run. The server looks at what was recorded before a world of the run is deleted, reset or restored. A run that was begun in this world before is forgotten; it ends with the world. The server stores the latest 100 runs in memory.',
      body: StrictBody(
        {
          explain: Type.Optional(
            OneOf([...LANGUAGES], {
              description: 'Refused calls are explained, too, in this language; default: they are not',
              examples: ['en'],
            }),
          ),
        },
        { default: {} },
      ),
      answer: NoContent,
    }),
    async ({ world, body: { explain } }, reply) => {
      runs.begin(world.id, explain)
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/run',
    controlCall(viewable(config), {
      summary: 'Review the programs of the run that was begun in this world',
      description:
        'As GET /audit and GET /coverage, of all worlds of the run, also of those that were deleted meanwhile.',
      querystring: Type.Object(LanguageQuery),
      headers: LanguageHeaders,
      answer: RunReview,
    }),
    async ({ world, query: { lang }, headers }) => {
      const review = await runs.review(world.id)
      if (!review) throw notFound('No run was begun in this world')
      const { seen, refused, explanations } = review
      const language = languageOf(lang, headers['accept-language'])
      await paths.complete()
      return {
        audit: presentAudit(seen, language),
        coverage: presentCoverage(seen.covered, paths, language),
        refused,
        explanations: explanations.map(({ world, explanation }) => ({ world, explanation })),
      }
    },
  )
}
export default runRoutes

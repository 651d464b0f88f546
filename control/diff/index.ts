import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { differencesOf } from '../../db/differences.ts'
import { controlConfig, PagingQuery, viewable } from '../../domains/shared/control_schemas.ts'
import { errorResponses } from '../../domains/shared/schemas.ts'
import { notFound } from '../../http/errors/control_errors.ts'
import { COMPARED_TABLES, presentDifference, presentStates } from './present.ts'
import { Diff, type RowDiff, RowDiffPage, States, type TableDiff } from './schemas.ts'
import { createComparisons, type StateSources } from './states.ts'

const config = controlConfig('Diff', 'What differs between two states')

const params = Type.Object({ table: Type.String({ description: 'Name of a table', examples: ['question'] }) })

const diff: FastifyPluginAsyncTypebox<StateSources> = async (app, sources) => {
  const withStates = createComparisons(sources)

  app.get(
    '/diff',
    {
      config: viewable(config),
      schema: {
        summary: 'Count the rows that differ between two states',
        description:
          'Compares copies of two states of the world, or of two worlds, table by table. Tables of sums and counts are left out: they follow from the others. Large worlds take seconds; other requests are served meanwhile.',
        querystring: Type.Object(States),
        response: { 200: Diff, ...errorResponses(400, 404) },
      },
    },
    async ({ world, query }) =>
      withStates(world, query, async (from, to) => {
        const tables: TableDiff[] = []
        for (const [name, { table }] of COMPARED_TABLES) {
          const counts = { table: name, added: 0, removed: 0, changed: 0 }
          for await (const { change } of differencesOf(table, from.q, to.q)) counts[change]++
          if (counts.added + counts.removed + counts.changed > 0) tables.push(counts)
        }
        return { ...presentStates(from, to), tables }
      }),
  )

  app.get(
    '/diff/:table',
    {
      config: viewable(config),
      schema: {
        summary: 'List the rows of a table that differ between two states',
        description: 'By key. Times are ISO 8601 instants; secrets are replaced by `***`.',
        params,
        querystring: Type.Object({ ...States, ...PagingQuery }),
        response: { 200: RowDiffPage, ...errorResponses(400, 404) },
      },
    },
    async ({ world, params, query }) => {
      const { limit, offset } = query
      const descriptor = COMPARED_TABLES.get(params.table)
      if (!descriptor) throw notFound(`Table ${params.table} not found: ${[...COMPARED_TABLES.keys()].join(', ')}`)
      return withStates(world, query, async (from, to) => {
        const results: RowDiff[] = []
        let total = 0
        for await (const difference of differencesOf(descriptor.table, from.q, to.q)) {
          if (total >= offset && results.length < limit)
            results.push(presentDifference(descriptor, difference, from, to))
          total++
        }
        return { ...presentStates(from, to), paging: { total, limit, offset }, results }
      })
    },
  )
}
export default diff

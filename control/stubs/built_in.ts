import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { controlCall, Page, PagingQuery, viewable } from '../../domains/shared/control_schemas.ts'
import { pageOf } from '../../domains/shared/paging.ts'
import { ResponseObject } from '../../domains/shared/schemas.ts'
import type { Paths } from '../../http/paths.ts'
import { templateOf } from '../known_paths.ts'
import { config } from './schemas.ts'

const BuiltIn = ResponseObject(
  {
    method: Type.String({ description: 'Method', examples: ['GET'] }),
    path: Type.String({ description: 'Path, as a stub has it', examples: ['/reviews/item/{item_id}'] }),
    status: Type.Integer({ description: 'Status of the answer', examples: [200] }),
    summary: Type.String({ description: 'What the call is for' }),
  },
  { title: 'BuiltInAnswer', description: 'An answer without state; a stub of the same path replaces it' },
)

/** The answers without state, which the API has in place of stubs [spec: fallback.no_state]. */
export const builtIn: FastifyPluginAsyncTypebox<{ paths: Paths }> = async (app, { paths }) => {
  app.get(
    '/stubs/built_in',
    controlCall(viewable(config), {
      summary: 'List the built-in answers without state',
      description:
        'Calls that are not emulated: the right members, with empty lists and constants. A stub of the same path replaces one, without `override`.',
      querystring: Type.Object(PagingQuery),
      answer: Page(BuiltIn, 'Answers'),
    }),
    async ({ query }) => {
      await paths.complete()
      const all = paths.all().flatMap((path) =>
        [...path.routes].flatMap(([method, { config: of, schema }]) => {
          const statuses = Object.keys(schema?.response ?? {}).map(Number)
          const status = statuses[0]! < 300 ? statuses[0]! : statuses.at(-1)!
          return of?.typed ? [{ method, path: templateOf(path), status, summary: String(schema?.summary) }] : []
        }),
      )
      return pageOf(all, query, (one) => one)
    },
  )
}

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import { Page, viewable } from '../../domains/shared/control_schemas.ts'
import { utcMillis } from '../../domains/shared/instants.ts'
import { errorResponses, IdInPath, Instant, Nullable, ResponseObject } from '../../domains/shared/schemas.ts'
import { notFound } from '../../http/errors/control_errors.ts'
import type { ControlCall } from '../../http/journal/control_call.ts'
import { type Journals, MAX_CONTROL_CALLS } from '../../http/journal/journals.ts'
import { ControlCallList, createControlFilter } from './filters.ts'
import { Changes, changedBy, config } from './schemas.ts'

const RecordedControlCall = ResponseObject(
  {
    id: Type.Integer({
      description: 'Number since the world was created, reset, restored or loaded, in the order of the answers',
      examples: [5],
    }),
    method: Type.String({ description: 'Method', examples: ['POST'] }),
    path: Type.String({
      description: 'Path without `/_sandbox` and query; tokens are replaced by `***`',
      examples: ['/questions'],
    }),
    by: Nullable(Type.String(), {
      description:
        'Who made it: a command such as `mercadito reset`, `console`, or `mercadito-mcp`; null: another program',
      examples: ['mercadito reset'],
    }),
    status: Type.Integer({ description: 'HTTP status of the answer' }),
    ms: Type.Integer({ description: 'Duration in real time, ms' }),
    at: Instant('World time of the answer', '2026-03-02T12:00:00.000Z'),
    real_at: Instant('Real time at which it arrived', '2026-03-02T12:00:00.000Z'),
    changes: Changes,
  },
  { title: 'ControlCall', description: 'A control call that may have changed the world' },
)

export const presentControlCall = (call: ControlCall): Static<typeof RecordedControlCall> => ({
  id: call.id,
  method: call.method,
  path: call.path,
  by: call.by,
  status: call.status,
  ms: call.ms,
  at: utcMillis(call.world_time),
  real_at: utcMillis(call.at),
  changes: changedBy(call.cause),
})

const callNotFound = (id: unknown) =>
  notFound(`Control call with id ${id} not found: it was not recorded, or is no longer stored`)
const params = Type.Object({ id: IdInPath('Number of the control call', 5, callNotFound, { minimum: 1 }) })
const ControlCallPage = ResponseObject({
  ...Page(RecordedControlCall, 'Control calls').properties,
  dropped: Type.Integer({ description: 'Earlier control calls that are no longer stored' }),
})

/** The recorded control calls. */
const controlCalls: FastifyPluginAsyncTypebox<{ journals: Journals }> = async (app, { journals }) => {
  app.get(
    '/control-calls',
    {
      config: viewable(config),
      schema: {
        summary: 'List the control calls that may have changed the world',
        description: `Lists control calls of other methods than GET, without \`verify\` and \`settle\`. A \`cause\` of the kind \`control\` has the id of one. The server stores the latest ${MAX_CONTROL_CALLS} in memory. Load clears the list, and so do reset and restore without \`keep_requests\`; it then begins with that call.`,
        querystring: ControlCallList,
        response: { 200: ControlCallPage, ...errorResponses(400, 404) },
      },
    },
    async ({ world, query }) => {
      const { limit, offset, order } = query
      const { control } = journals.of(world.generation)
      const found = control.values().filter(createControlFilter(query))
      if (order === 'desc') found.reverse()
      return {
        paging: { total: found.length, limit, offset },
        results: found.slice(offset, offset + limit).map(presentControlCall),
        dropped: control.dropped,
      }
    },
  )

  app.get(
    '/control-calls/:id',
    {
      config: viewable(config),
      schema: {
        summary: 'Read a control call that may have changed the world',
        params,
        response: { 200: RecordedControlCall, ...errorResponses(404) },
      },
    },
    async ({ world, params: { id } }) => {
      const call = journals.of(world.generation).control.get(id)
      if (!call) throw callNotFound(id)
      return presentControlCall(call)
    },
  )
}
export default controlCalls

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { viewable } from '../../domains/shared/control_schemas.ts'
import { errorResponses, Nullable, OneOf, ResponseObject } from '../../domains/shared/schemas.ts'
import { config } from './config.ts'
import type { LongCalls } from './long_calls.ts'

const Progress = ResponseObject(
  {
    operation: OneOf(['simulate', 'backup', 'restore'], { description: 'The call', examples: ['simulate'] }),
    world: Nullable(Type.Integer({ description: 'Its world; null: all', examples: [1] })),
    unit: OneOf(['days', 'bytes'], { description: 'Unit of `done` and `total`', examples: ['days'] }),
    done: Type.Number({ description: 'Amount that is done', examples: [12.5] }),
    total: Type.Number({ description: 'Whole amount', examples: [30] }),
    ms: Type.Integer({ description: 'Real time since the call, ms', examples: [2500] }),
  },
  { title: 'Progress', description: 'A call in flight' },
)

const progress: FastifyPluginAsyncTypebox<{ longCalls: LongCalls }> = async (app, { longCalls }) => {
  app.get(
    '/progress',
    {
      config: viewable(config),
      schema: {
        summary: 'Progress of long calls',
        description: 'The simulations, backups and restores of snapshots in flight, of all worlds.',
        response: {
          200: ResponseObject(
            { results: Type.Array(Progress) },
            { title: 'ProgressList', description: 'Calls in flight, in the order of their starts' },
          ),
          ...errorResponses(404),
        },
      },
    },
    async () => ({ results: longCalls.list() }),
  )
}
export default progress

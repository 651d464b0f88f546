import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { viewable } from '../../domains/shared/control_schemas.ts'
import { errorResponses, OneOf, ResponseObject } from '../../domains/shared/schemas.ts'
import { stateOf } from '../../http/request_state.ts'
import { config } from './config.ts'

const Caller = ResponseObject(
  {
    role: OneOf(['local', 'admin', 'viewer'], {
      description:
        'local: the server has no admin token, and every program of this machine may do everything; admin: may do everything; viewer: may read everything but secrets',
      examples: ['admin'],
    }),
  },
  { title: 'ControlCaller', description: 'Who makes control calls' },
)

/** Lets a client find out what it may do before it tries. */
const whoami: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/whoami',
    {
      config: viewable(config),
      schema: { summary: 'What the caller may do', response: { 200: Caller, ...errorResponses(404) } },
    },
    async ({ raw }) => ({ role: stateOf(raw).role! }),
  )
}
export default whoami

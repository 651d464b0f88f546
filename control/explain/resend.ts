import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { findOrIssueToken } from '../../domains/oauth/operations.ts'
import { controlCall, StrictBody } from '../../domains/shared/control_schemas.ts'
import { Bool } from '../../domains/shared/schemas.ts'
import { controlError } from '../../http/errors/control_errors.ts'
import { sendInternally } from '../../http/internal_request.ts'
import type { Journals } from '../../http/journal/journals.ts'
import type { Paths } from '../../http/paths.ts'
import { config, presentRequest, RecordedRequest, RequestParams, requestNotFound } from '../requests/schemas.ts'
import { type Call, readCall, writeCall } from './call.ts'
import { fixOf } from './explanation.ts'
import type { TryCall } from './fix.ts'

export interface ExplainOptions {
  /** That of the emulated API. */
  server: Pick<FastifyInstance, 'routing'>
  journals: Journals
  /** Those of the emulated API. */
  paths: Paths
  tryCall: TryCall
}

const conflict = (message: string) => controlError(409, 'conflict', message)

/** Sends recorded calls again, as their programs would. */
const resend: FastifyPluginAsyncTypebox<ExplainOptions> = async (app, { server, journals, paths, tryCall }) => {
  app.post(
    '/requests/:id/resend',
    controlCall(config, {
      summary: 'Send a recorded call again',
      description:
        'Sends it to the emulated API with a valid token of the same user and application, and answers the new entry of the journal. With `fix` it sends the fix of the explanation; `path` and `body` replace those of the call.',
      params: RequestParams,
      body: StrictBody(
        {
          fix: Type.Optional(
            Bool('true: send the fix of the explanation instead', { default: false, examples: [false] }),
          ),
          path: Type.Optional(
            Type.String({
              pattern: '^/(?!w/|_sandbox)[\\x21-\\x7e]{0,4000}$',
              description: 'Another path, with its query',
              examples: ['/questions/search?limit=50'],
              'x-message': 'must be a path of the emulated API with its query, escaped',
            }),
          ),
          body: Type.Optional(
            Type.String({
              maxLength: 100_000,
              description: 'Another body; empty: none',
              examples: ['{"question_id":13000000001,"text":"Sí."}'],
              'x-message': 'must be a text',
            }),
          ),
        },
        { default: {} },
      ),
      answer: RecordedRequest,
      errors: [409],
    }),
    async ({ world, params: { id }, body: { fix, path, body } }) => {
      const { requests } = journals.of(world.generation)
      const entry = requests.get(id)
      if (!entry) throw requestNotFound(id)
      const read = fix ? (await fixOf(entry, { world, paths, tryCall }))?.call : await readCall(world, entry)
      const call = read && { ...read, ...(path !== undefined && addressOf(path)), ...(body !== undefined && { body }) }
      if (!call) throw conflict('fix: there is none; the explanation of the call says why')
      requireComplete(call)
      const token = call.user && (await findOrIssueToken(world, call.user))
      const written = { ...writeCall(call, token, false), world: world.id, isRecorded: true }
      const { journalId } = await sendInternally(server, written)
      const sent = requests.get(journalId)
      if (!sent) throw conflict('The call was sent, but the journal was emptied meanwhile')
      return presentRequest({ generation: world.generation, requests }, sent)
    },
  )
}
export default resend

const addressOf = (target: string): Pick<Call, 'path' | 'query'> => {
  const [path = '', ...rest] = target.split('?')
  return { path, query: new URLSearchParams(rest.join('?')) }
}

/** Throws 409 for a call of which something is not known. */
function requireComplete({ body, user, tokenIn }: Call): void {
  if (tokenIn && !user)
    throw conflict('The token of the call belongs to no user, and is not recorded; send it with a token of your own')
  if (body === undefined) throw conflict('The body of the call was not recorded, or only its beginning')
}

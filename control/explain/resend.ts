import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { findOrIssueToken } from '../../domains/oauth/operations.ts'
import { StrictBody } from '../../domains/shared/control_schemas.ts'
import { errorResponses } from '../../domains/shared/schemas.ts'
import { SecretValue } from '../../http/errors/checks.ts'
import { controlError } from '../../http/errors/control_errors.ts'
import { sendInternally } from '../../http/internal_request.ts'
import type { Journals } from '../../http/journal/journals.ts'
import type { Paths } from '../../http/paths.ts'
import { config } from '../requests/config.ts'
import { presentRequest, RecordedRequest, RequestParams, requestNotFound } from '../requests/schemas.ts'
import { type CallModel, readCall, writeCall } from './call_model.ts'
import { findFix } from './explain_request.ts'
import type { Tries } from './tries.ts'

const conflict = (message: string) => controlError(409, 'conflict', message)

interface ResendOptions {
  journals: Journals
  paths: Paths
  tries: Tries
}

/** Sends recorded calls again, as their programs would. */
const resend: FastifyPluginAsyncTypebox<ResendOptions> = async (app, { journals, paths, tries }) => {
  app.post(
    '/requests/:id/resend',
    {
      config,
      schema: {
        summary: 'Send a recorded call again',
        description:
          'Sends it to the emulated API with a valid token of the same user and application, and answers the new entry of the journal. With `fix` it sends the smallest changed call that works, as the explanation has it.',
        params: RequestParams,
        body: StrictBody(
          {
            fix: Type.Optional(
              Type.Boolean({
                default: false,
                description: 'true: send the fix of the explanation instead',
                examples: [false],
                'x-message': 'must be true or false',
              }),
            ),
          },
          { default: {} },
        ),
        response: { 200: RecordedRequest, ...errorResponses(400, 404, 409) },
      },
    },
    async ({ world, params: { id }, body: { fix } }) => {
      const { requests } = journals.of(world.generation)
      const entry = requests.get(id)
      if (!entry) throw requestNotFound(id)
      const call = fix ? await findFix(entry, { world, paths, tries }) : readCall(entry)
      if (!call) throw conflict('fix: was not found; the explanation of the call says what was tried')
      requireComplete(call)
      const token = call.token.user ? await findOrIssueToken(world, call.token.user) : undefined
      const { journalId } = await sendInternally(app, {
        ...writeCall(call, token, false),
        world: world.id,
        isRecorded: true,
      })
      const sent = requests.get(journalId)
      if (!sent) throw conflict('The call was sent, but the journal was emptied meanwhile')
      return presentRequest(world.generation, sent)
    },
  )
}
export default resend

/** Throws 409 for a call of which something is not known. */
function requireComplete({ body, query, token }: CallModel): void {
  if (token.isSent && !token.user)
    throw conflict('The token of the call belongs to no user, and is not recorded; send it with a token of your own')
  if (body.kind === 'unknown') throw conflict('The body of the call was not recorded, or only its beginning')
  if (hasNewSecret(query) || hasNewSecret(body))
    throw conflict('fix: needs a new secret, such as an authorization code')
}

/** Whether a fix has a secret that exists only in the copy of the world on which it was found. */
const hasNewSecret = (value: unknown): boolean =>
  value instanceof SecretValue ||
  (typeof value === 'object' && value !== null && Object.values(value).some(hasNewSecret))

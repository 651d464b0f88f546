import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import { worldOfToken } from '../../../db/ids.ts'
import type { World } from '../../../db/world.ts'
import { badRequest } from '../../../http/errors/control_errors.ts'
import { controlCall, Page, PagingQuery, PEOPLE, StrictBody, viewable } from '../../shared/control_schemas.ts'
import { applicationNotFound, userNotFound } from '../../shared/errors.ts'
import { utcOrNull } from '../../shared/instants.ts'
import { Bool, Id, Nullable, ResponseObject, SecretText, UserId } from '../../shared/schemas.ts'
import { VisibleAscii } from '../../shared/texts.ts'
import { userById } from '../../users/queries.ts'
import { tokenNotFound } from '../errors.ts'
import {
  adoptAccessToken,
  issueAccessToken,
  issueRefreshToken,
  recordGrant,
  revokeToken,
  setExpiry,
} from '../operations.ts'
import { applicationById, firstApplication, listTokens, type TokenRow, tokenByText } from '../queries.ts'

/** A hundred years. */
const MAX_LIFETIME_SECONDS = 3_153_600_000

const ExpiresIn = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  minimum: 0,
  maximum: MAX_LIFETIME_SECONDS,
  description: 'Lifetime from now on, in seconds of world time; 0: expired, null: does not expire',
  examples: [3600],
  'x-message': `must be an integer from 0 to ${MAX_LIFETIME_SECONDS}, or null`,
})

const TokenFields = {
  token: SecretText({ description: 'Access token', examples: ['TOKEN-DE-PRUEBA'] }),
  application_id: Id('Application of the token', 1000000001),
  user_id: UserId,
  expires_at: Nullable(Type.String(), { description: 'World time of its expiry, UTC; null: never' }),
  valid: Type.Boolean({ description: 'Whether it is valid now' }),
}
export const Token = ResponseObject(TokenFields, { title: 'Token', description: 'An access token' })
export type Token = Static<typeof Token>

export const CreatedToken = ResponseObject(
  {
    ...TokenFields,
    refresh_token: Nullable(SecretText(), {
      description: 'Valid for six months, usable once; null if not requested',
    }),
  },
  { title: 'NewToken', description: 'A new access token' },
)

export const NewToken = StrictBody({
  user_id: UserId,
  application_id: Type.Optional(Id('The application; default: the world’s first', 1000000001)),
  token: Type.Optional(VisibleAscii('Text of the token; default: a new one', 'TOKEN-DE-PRUEBA')),
  expires_in: Type.Optional(ExpiresIn),
  refresh: Type.Optional(Bool('Create a refresh token, too', { default: false })),
})

const TokenLifetime = StrictBody({ expires_in: ExpiresIn })

const TokenList = Type.Object({
  user_id: Type.Optional(Id('Only those of a user', 2500000101)),
  application_id: Type.Optional(Id('Only those of an application', 1000000001)),
  ...PagingQuery,
})

const TokenParams = Type.Object({
  token: Type.String({ description: 'Access token', examples: ['TOKEN-DE-PRUEBA'] }),
})

const config = PEOPLE

const present = ({ clock }: World, { expires_at, ...row }: TokenRow): Token => ({
  ...row,
  expires_at: utcOrNull(expires_at),
  valid: expires_at === null || expires_at > clock.now(),
})

const expiryAfter = (seconds: number | null, now: number): number | null =>
  seconds === null ? null : now + seconds * 1000

const tokens: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/tokens',
    controlCall(viewable(config), {
      summary: 'List the access tokens, in the order of their creation',
      querystring: TokenList,
      answer: Page(Token, 'Tokens'),
    }),
    async ({ world, query: { user_id, application_id, limit, offset } }) => {
      const { total, rows } = await listTokens(world.read, { user_id, application_id }, { limit, offset })
      return { paging: { total, limit, offset }, results: rows.map((row) => present(world, row)) }
    },
  )

  app.post(
    '/tokens',
    controlCall(config, {
      summary: 'Create an access token of any user',
      description:
        'It also authorizes the application. A token with a chosen text works under the address of the world, or in the default world.',
      body: NewToken,
      created: CreatedToken,
    }),
    async ({ world, body: { user_id, application_id, token: givenToken, expires_in = null, refresh } }, reply) => {
      const tokenWorld = givenToken === undefined ? undefined : worldOfToken(givenToken)
      if (tokenWorld !== undefined && tokenWorld !== world.id)
        throw badRequest('token: contains the number of another world')
      const created = await world.tx(async (q) => {
        if (!(await userById(q, user_id))) throw userNotFound(user_id)
        const application = await (application_id === undefined
          ? firstApplication(q)
          : applicationById(q, application_id))
        if (!application) throw applicationNotFound(application_id)
        const now = world.clock.now()
        const grant = { application_id: application.id, user_id }
        const row = { ...grant, expires_at: expiryAfter(expires_in, now) }
        await recordGrant(q, grant, now)
        const token = givenToken ?? (await issueAccessToken(q, world, row, now))
        if (givenToken !== undefined) await adoptAccessToken(q, { ...row, token })
        return {
          ...present(world, (await tokenByText(q, token))!),
          refresh_token: refresh ? await issueRefreshToken(q, world, grant, now) : null,
        }
      })
      return reply.code(201).send(created)
    },
  )

  app.patch(
    '/tokens/:token',
    controlCall(config, {
      summary: 'Change the lifetime of an access token',
      params: TokenParams,
      body: TokenLifetime,
      answer: Token,
    }),
    async ({ world, params: { token }, body: { expires_in } }) => {
      const row = await world.tx((q) => setExpiry(q, { token, expires_at: expiryAfter(expires_in, world.clock.now()) }))
      if (!row) throw tokenNotFound()
      return present(world, row)
    },
  )

  app.delete(
    '/tokens/:token',
    controlCall(config, {
      summary: 'Revoke an access token',
      params: TokenParams,
      answer: Type.Null({ description: 'Revoked' }),
    }),
    async ({ world, params: { token } }, reply) => {
      if (!(await world.tx((q) => revokeToken(q, token)))) throw tokenNotFound()
      return reply.code(204).send(null)
    },
  )
}
export default tokens

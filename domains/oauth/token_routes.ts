import { createHash } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import type { Q } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import type { Worlds } from '../../db/worlds.ts'
import { Id, OneOf, ResponseObject, UserId } from '../shared/schemas.ts'
import { userById } from '../users/queries.ts'
import { EXCHANGE_TOKEN } from './checks.ts'
import {
  clientBlocked,
  codeWithoutChallenge,
  deadGrant,
  invalidClient,
  invalidGrant,
  isRequired,
  OAuth,
  OAuthErrorBody,
  redirectMismatch,
  unsupportedGrant,
  verifierMismatch,
} from './errors.ts'
import { isAlive } from './grant_operations.ts'
import {
  consumeCode,
  consumeRefreshToken,
  type Grant,
  issueAccessToken,
  issueRefreshToken,
  TOKEN_LIFETIMES_MS,
} from './operations.ts'
import { type Parameters, parseParameters, resolveWorld } from './parameters.ts'
import { type ApplicationRow, applicationById, grantOf } from './queries.ts'

const TokenRequest = Type.Object(
  {
    grant_type: OneOf(['authorization_code', 'refresh_token'], {
      description: 'What is exchanged',
      examples: ['refresh_token'],
    }),
    client_id: Id('The application', 1000000001),
    client_secret: Type.String({ description: 'Secret of the application' }),
    code: Type.Optional(Type.String({ description: 'authorization_code: the code that the redirect brought' })),
    redirect_uri: Type.Optional(
      Type.String({ description: 'authorization_code: the same address as when the code was asked for' }),
    ),
    code_verifier: Type.Optional(
      Type.String({ description: 'authorization_code: PKCE, when the code was asked for with a challenge' }),
    ),
    refresh_token: Type.Optional(
      Type.String({ description: 'refresh_token: works once; the answer brings the next one' }),
    ),
  },
  { description: 'As JSON, form, multipart or query', 'x-read': 'route' },
)

const Tokens = ResponseObject(
  {
    access_token: Type.String({ description: 'Lives six hours' }),
    token_type: OneOf(['Bearer'], { description: 'How to send it' }),
    expires_in: Type.Integer({ description: 'Seconds to live', examples: [21600] }),
    scope: Type.String({ description: 'What it may be used for', examples: ['offline_access read write'] }),
    user_id: UserId,
    refresh_token: Type.String({ description: 'Lives six months, works once' }),
  },
  { title: 'Tokens', description: 'A pair of tokens' },
)
type Tokens = Static<typeof Tokens>

const token: FastifyPluginAsyncTypebox<{ worlds: Worlds }> = async (app, { worlds }) => {
  app.post(
    '/oauth/token',
    {
      config: { resource: OAuth, access: 'public', checks: EXCHANGE_TOKEN },
      schema: {
        summary: 'Exchange a code or a refresh token for an access token',
        description:
          'Codes live ten minutes, access tokens six hours, refresh tokens six months, by the world’s clock; codes and refresh tokens work once. Refusals: `invalid_request` naming what is missing, `unsupported_grant_type`, `invalid_client`, `invalid_grant`.',
        body: TokenRequest,
        response: { 200: Tokens, 400: OAuthErrorBody, 401: OAuthErrorBody, 413: OAuthErrorBody },
      },
    },
    async (request) => {
      const parameters = await parseParameters(request)
      const grant = parameters.grant_type
      if (!grant) throw isRequired('grant_type', 'grant_type')
      if (!isGrantType(grant)) throw unsupportedGrant(grant)
      for (const name of ['client_id', 'client_secret', ...REQUIRED[grant]])
        if (!parameters[name]) throw isRequired(name)
      const world = await resolveWorld(worlds, request, parameters)
      const application = await applicationById(world.read, Number(parameters.client_id))
      if (!application || application.secret !== parameters.client_secret) throw invalidClient()
      if (application.blocked) throw clientBlocked()
      return world.tx((q) => GRANT_HANDLERS[grant](q, world, application, parameters))
    },
  )
}
export default token

type GrantType = 'authorization_code' | 'refresh_token'

const REQUIRED: Record<GrantType, string[]> = {
  authorization_code: ['code', 'redirect_uri'],
  refresh_token: ['refresh_token'],
}
const isGrantType = (grant: string): grant is GrantType => Object.hasOwn(REQUIRED, grant)

const GRANT_HANDLERS: Record<
  GrantType,
  (q: Q, world: World, application: ApplicationRow, parameters: Parameters) => Promise<Tokens>
> = {
  async authorization_code(q, world, { id, use_pkce }, { code, redirect_uri, code_verifier }) {
    const now = world.clock.now()
    const consumed = await consumeCode(q, code!, id)
    if (!consumed || consumed.expires_at <= now) throw invalidGrant('code')
    if (use_pkce && consumed.code_challenge === null) throw codeWithoutChallenge()
    if (consumed.redirect_uri !== redirect_uri) throw redirectMismatch()
    if (consumed.code_challenge !== null) {
      if (!code_verifier) throw isRequired('code_verifier', 'code_verifier')
      const challenge = consumed.code_challenge_method === 'S256' ? sha256(code_verifier) : code_verifier
      if (challenge !== consumed.code_challenge) throw verifierMismatch()
    }
    return issueTokenPair(q, world, consumed)
  },
  async refresh_token(q, world, { id: application_id }, { refresh_token }) {
    const now = world.clock.now()
    const consumed = await consumeRefreshToken(q, refresh_token!, application_id)
    if (!consumed && (await hasNoGrant(q, application_id, refresh_token!))) throw deadGrant()
    if (!consumed || consumed.expires_at <= now) throw invalidGrant('refresh_token')
    if (!isAlive(await grantOf(q, consumed), now)) throw deadGrant()
    return issueTokenPair(q, world, consumed)
  },
}

/** The end of a grant has deleted its tokens: their text says whose they were. */
async function hasNoGrant(q: Q, application_id: number, token: string): Promise<boolean> {
  const user_id = Number(/^TG-[0-9a-f]{24}-(\d{1,16})$/.exec(token)?.[1])
  if (Number.isNaN(user_id) || !(await userById(q, user_id))) return false
  return (await grantOf(q, { application_id, user_id })) === undefined
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')

async function issueTokenPair(q: Q, world: World, grant: Grant): Promise<Tokens> {
  const now = world.clock.now()
  const { application_id, user_id } = grant
  const row = { application_id, user_id, expires_at: now + TOKEN_LIFETIMES_MS.access }
  return {
    access_token: await issueAccessToken(q, world, row, now),
    token_type: 'Bearer',
    expires_in: TOKEN_LIFETIMES_MS.access / 1000,
    scope: 'offline_access read write',
    user_id,
    refresh_token: await issueRefreshToken(q, world, grant, now),
  }
}

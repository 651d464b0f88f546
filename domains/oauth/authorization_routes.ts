import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { World } from '../../db/world.ts'
import type { Worlds } from '../../db/worlds.ts'
import { languageOf } from '../../http/languages.ts'
import { testUsers, userById } from '../users/queries.ts'
import { AUTHORIZE, PICK_USER } from './checks.ts'
import {
  challengeRequired,
  clientBlocked,
  invalidRequest,
  isOperator,
  isRequired,
  OAuth,
  OAuthErrorBody,
} from './errors.ts'
import { type Challenge, issueCode } from './operations.ts'
import { authorizationPage, pagePolicy } from './page.ts'
import { type Parameters, parseParameters, resolveWorld } from './parameters.ts'
import { type ApplicationRow, applicationById } from './queries.ts'
import { mayReturnTo } from './redirects.ts'

const text = (description: string) => Type.Optional(Type.String({ description }))
const AuthorizationParameters = {
  response_type: text('code'),
  client_id: text('The application'),
  redirect_uri: text(
    'Where to go back to: the address that the application has. While that is the default, any loopback address',
  ),
  state: text('Comes back as it was sent'),
  code_challenge: text('PKCE'),
  code_challenge_method: text('S256 or plain (the default)'),
}

const authorization: FastifyPluginAsyncTypebox<{ worlds: Worlds }> = async (app, { worlds }) => {
  app.get(
    '/authorization',
    {
      config: { resource: OAuth, access: 'public', checks: AUTHORIZE },
      schema: {
        summary: 'The page on which a person picks the test user to act as',
        querystring: Type.Record(Type.String(), Type.Unknown(), { properties: AuthorizationParameters }),
        response: {
          200: { description: 'The page', content: { 'text/html': { schema: Type.String() } } },
          400: OAuthErrorBody,
          401: OAuthErrorBody,
        },
      },
    },
    async (request, reply) => {
      const parameters = await parseParameters(request)
      const validated = await validateRequest(await resolveWorld(worlds, request, parameters), parameters)
      const users = await testUsers(validated.world.read)
      const language = languageOf(undefined, request.headers['accept-language'])
      const page = authorizationPage(validated.application.name, users, parameters, language)
      return reply
        .type('text/html; charset=utf-8')
        .headers({
          'content-security-policy': pagePolicy(),
          vary: 'accept-language',
          'referrer-policy': 'no-referrer',
          'cache-control': 'no-store',
        })
        .send(page)
    },
  )

  app.post(
    '/authorization',
    {
      config: { resource: OAuth, access: 'public', checks: PICK_USER },
      schema: {
        summary: 'Pick a test user: answers a redirect that bears the code',
        body: Type.Object(
          { ...AuthorizationParameters, user_id: text('The test user') },
          { description: 'As form, JSON or query', 'x-read': 'route' },
        ),
        response: {
          302: Type.Null({ description: 'To the redirect address, with code and state' }),
          400: OAuthErrorBody,
          401: OAuthErrorBody,
        },
      },
    },
    async (request, reply) => {
      const parameters = await parseParameters(request)
      const validated = await validateRequest(await resolveWorld(worlds, request, parameters), parameters)
      if (!parameters.user_id) throw isRequired('user_id', 'user_id')
      const user_id = Number(parameters.user_id)
      const user = Number.isSafeInteger(user_id) ? await userById(validated.world.read, user_id) : undefined
      if (!user) throw invalidRequest('user_id', 'must be a user of this world')
      if (user.operator) throw isOperator()
      const grant = {
        application_id: validated.application.id,
        user_id,
        redirect_uri: parameters.redirect_uri!,
        ...validated.challenge,
      }
      const code = await validated.world.tx((q) => issueCode(q, validated.world, grant, validated.world.clock.now()))
      const location = new URL(parameters.redirect_uri!)
      location.searchParams.set('code', code)
      if (parameters.state !== undefined) location.searchParams.set('state', parameters.state)
      return reply.redirect(location.href, 302)
    },
  )
}
export default authorization

/** Throws invalid_request naming the wrong parameter; an error never redirects [spec: oauth.authorization.errors]. */
async function validateRequest(
  world: World,
  parameters: Parameters,
): Promise<{ world: World; application: ApplicationRow; challenge: Challenge }> {
  for (const name of ['response_type', 'client_id', 'redirect_uri']) if (!parameters[name]) throw isRequired(name)
  if (parameters.response_type !== 'code') throw invalidRequest('response_type', 'must be code')
  const id = Number(parameters.client_id)
  const application = Number.isSafeInteger(id) ? await applicationById(world.read, id) : undefined
  if (!application) throw invalidRequest('client_id', 'must be an application of this world')
  if (application.blocked) throw clientBlocked()
  if (!mayReturnTo(world, application, parameters.redirect_uri!))
    throw invalidRequest('redirect_uri', 'must be the address that the application has')
  // An empty one counts as none.
  const code_challenge = parameters.code_challenge || null
  if (application.use_pkce && code_challenge === null) throw challengeRequired()
  const method = parameters.code_challenge_method ?? 'plain'
  if (method !== 'S256' && method !== 'plain') throw invalidRequest('code_challenge_method', 'must be S256 or plain')
  return {
    world,
    application,
    challenge: { code_challenge, code_challenge_method: code_challenge === null ? null : method },
  }
}

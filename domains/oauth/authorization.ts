import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { World } from '../../db/world.ts'
import type { Worlds } from '../../db/worlds.ts'
import { testUsers, userById } from '../users/queries.ts'
import { invalidRequest, isRequired } from './errors.ts'
import { type Challenge, issueCode } from './operations.ts'
import { authorizationPage } from './page.ts'
import { type Parameters, parametersOf, worldMeant } from './parameters.ts'
import { type ApplicationRow, applicationById } from './queries.ts'
import { OAuth, OAuthErrorBody } from './schemas.ts'

const text = (description: string) => Type.Optional(Type.String({ description }))
const Asked = {
  response_type: text('code'),
  client_id: text('The application'),
  redirect_uri: text('Where to go back to: the address that the application has'),
  state: text('Comes back as it was sent'),
  code_challenge: text('PKCE'),
  code_challenge_method: text('S256 or plain (the default)'),
}

const authorization: FastifyPluginAsyncTypebox<{ worlds: Worlds }> = async (app, { worlds }) => {
  app.get(
    '/authorization',
    {
      config: { resource: OAuth, access: 'public' },
      schema: {
        summary: 'The page on which a person picks the test user to act as',
        querystring: Type.Record(Type.String(), Type.Unknown(), { properties: Asked }),
        response: {
          200: { description: 'The page', content: { 'text/html': { schema: Type.String() } } },
          400: OAuthErrorBody,
        },
      },
    },
    async (request, reply) => {
      const sent = await parametersOf(request)
      const asked = await read(await worldMeant(worlds, request, sent), sent)
      const page = authorizationPage(asked.application.name, await testUsers(asked.world.read), sent)
      return reply
        .type('text/html; charset=utf-8')
        .headers({
          'content-security-policy':
            "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
          'referrer-policy': 'no-referrer',
          'cache-control': 'no-store',
        })
        .send(page)
    },
  )

  app.post(
    '/authorization',
    {
      config: { resource: OAuth, access: 'public' },
      schema: {
        summary: 'Pick a test user: answers a redirect that bears the code',
        body: Type.Object(
          { ...Asked, user_id: text('The test user') },
          { description: 'As form, JSON or query', 'x-read': 'route' },
        ),
        response: {
          302: Type.Null({ description: 'To the redirect address, with code and state' }),
          400: OAuthErrorBody,
        },
      },
    },
    async (request, reply) => {
      const sent = await parametersOf(request)
      const asked = await read(await worldMeant(worlds, request, sent), sent)
      if (!sent.user_id) throw isRequired('user_id')
      const user_id = Number(sent.user_id)
      if (!Number.isSafeInteger(user_id) || !(await userById(asked.world.read, user_id)))
        throw invalidRequest('user_id: must be a user of this world')
      const grant = {
        application_id: asked.application.id,
        user_id,
        redirect_uri: sent.redirect_uri!,
        ...asked.challenge,
      }
      const code = await asked.world.tx((q) => issueCode(q, asked.world, grant, asked.world.clock.now()))
      const back = new URL(sent.redirect_uri!)
      back.searchParams.set('code', code)
      if (sent.state !== undefined) back.searchParams.set('state', sent.state)
      return reply.redirect(back.href, 302)
    },
  )
}
export default authorization

/**
 * Checks what was asked for; throws invalid_request naming what is wrong, and never redirects to an unknown address.
 */
async function read(
  world: World,
  sent: Parameters,
): Promise<{ world: World; application: ApplicationRow; challenge: Challenge }> {
  for (const name of ['response_type', 'client_id', 'redirect_uri']) if (!sent[name]) throw isRequired(name)
  if (sent.response_type !== 'code') throw invalidRequest('response_type: must be code')
  const id = Number(sent.client_id)
  const application = Number.isSafeInteger(id) ? await applicationById(world.read, id) : undefined
  if (!application) throw invalidRequest('client_id: must be an application of this world')
  if (application.redirect_uri !== sent.redirect_uri)
    throw invalidRequest('redirect_uri: must be the address that the application has')
  const code_challenge = sent.code_challenge ?? null
  const method = sent.code_challenge_method ?? 'plain'
  if (method !== 'S256' && method !== 'plain') throw invalidRequest('code_challenge_method: must be S256 or plain')
  return {
    world,
    application,
    challenge: { code_challenge, code_challenge_method: code_challenge === null ? null : method },
  }
}

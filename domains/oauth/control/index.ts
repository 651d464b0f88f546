import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import { worldOfApplication } from '../../../db/ids.ts'
import type { Worlds } from '../../../db/worlds.ts'
import { badRequest } from '../../../http/errors/control_errors.ts'
import { controlCall, Page, PagingQuery, PEOPLE, StrictBody, viewable } from '../../shared/control_schemas.ts'
import { applicationNotFound } from '../../shared/errors.ts'
import { routesOf } from '../../shared/routes.ts'
import { Bool, IdInPath, Integer, MAX_ID, ResponseObject, SecretText } from '../../shared/schemas.ts'
import { Text, toWellFormed, VisibleAscii, withoutUndefined } from '../../shared/texts.ts'
import { changeApplication, createApplication } from '../application_operations.ts'
import { type ApplicationRow, applicationById, listApplications } from '../queries.ts'
import { isRedirectUri } from '../redirects.ts'
import tokens from './tokens.ts'

const config = PEOPLE

const REDIRECT_MESSAGE = 'must be an absolute http or https URL without a fragment, at most 2048 characters'

const Name = Text('Name, as the authorization page shows it', 100, { example: 'Mi integración' })
const Secret = VisibleAscii('client_secret', 'mi-secreto')
const RedirectUri = Type.String({
  maxLength: 2048,
  description: 'Redirect URI of OAuth: an absolute http(s) URL without a fragment',
  examples: ['http://localhost:3000/callback'],
  'x-message': REDIRECT_MESSAGE,
})
const flag = (description: string) => Type.Optional(Bool(description, { examples: [true] }))
const Flags = {
  use_pkce: flag('Authorizations need a code_challenge; default: false'),
  blocked: flag('Every call of the application is refused with 401 `unauthorized_scopes`; default: false'),
}

export const Application = ResponseObject(
  {
    id: Type.Integer({ description: 'client_id', examples: [1000000001] }),
    secret: SecretText({ description: 'client_secret' }),
    name: Type.String({ description: 'Name, as the authorization page shows it' }),
    redirect_uri: Type.String({ description: 'Redirect URI of OAuth' }),
    use_pkce: Type.Boolean({ description: 'Authorizations need a code_challenge' }),
    blocked: Type.Boolean({ description: 'Every call of the application is refused' }),
  },
  { title: 'Application', description: 'An application that acts for users' },
)
export type Application = Static<typeof Application>

const present = ({ use_pkce, blocked, ...row }: ApplicationRow): Application => ({
  ...row,
  use_pkce: use_pkce === 1,
  blocked: blocked === 1,
})

const params = Type.Object({
  id: IdInPath('client_id', 1000000001, applicationNotFound),
})

const applications: FastifyPluginAsyncTypebox<{ worlds: Worlds }> = async (app, { worlds }) => {
  app.get(
    '/applications',
    controlCall(viewable(config), {
      summary: 'List the applications, by id',
      querystring: Type.Object(PagingQuery),
      answer: Page(Application, 'Applications'),
    }),
    async ({ world, query: { limit, offset } }) => {
      const { total, rows } = await listApplications(world.read, {}, { limit, offset })
      return { paging: { total, limit, offset }, results: rows.map(present) }
    },
  )

  app.get(
    '/applications/:id',
    controlCall(viewable(config), { summary: 'Read an application', params, answer: Application }),
    async ({ world, params: { id } }) => {
      const row = await applicationById(world.read, id)
      if (!row) throw applicationNotFound(id)
      return present(row)
    },
  )

  app.post(
    '/applications',
    controlCall(config, {
      summary: 'Create an application',
      description:
        'A generated id contains the number of the world, so that `/oauth/token` finds the world. An application with a chosen id works under the address of the world, or in the default world.',
      body: StrictBody({
        redirect_uri: RedirectUri,
        name: Type.Optional(Name),
        id: Type.Optional(Integer(1, MAX_ID, 'client_id; default: a new one', { examples: [5503910054141466] })),
        secret: Type.Optional(Secret),
        ...Flags,
      }),
      created: Application,
    }),
    async ({ world, body }, reply) => {
      const { name = 'Aplicación de prueba', redirect_uri, ...changes } = withoutUndefined(toWellFormed(body))
      checkRedirectUri(redirect_uri)
      const idWorld = changes.id === undefined ? world.id : worldOfApplication(changes.id)
      if (idWorld !== world.id && worlds.has(idWorld)) throw badRequest('id: contains the number of another world')
      const row = await world.tx((q) => createApplication(q, world, { name, redirect_uri, ...changes }))
      return reply.code(201).send(present(row))
    },
  )

  app.patch(
    '/applications/:id',
    controlCall(config, {
      summary: 'Change an application',
      params,
      body: StrictBody({
        name: Type.Optional(Name),
        redirect_uri: Type.Optional(RedirectUri),
        secret: Type.Optional(Secret),
        ...Flags,
      }),
      answer: Application,
    }),
    async ({ world, params: { id }, body }) => {
      const given = withoutUndefined(toWellFormed(body))
      if (given.redirect_uri !== undefined) checkRedirectUri(given.redirect_uri)
      return world.tx(async (q) => {
        const row = await applicationById(q, id)
        if (!row) throw applicationNotFound(id)
        return present(await changeApplication(q, row, given))
      })
    },
  )
}
export default routesOf(applications, tokens)

function checkRedirectUri(text: string): void {
  if (!isRedirectUri(text)) throw badRequest(`redirect_uri: ${REDIRECT_MESSAGE}`)
}

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { Q } from '../../db/engine.ts'
import { forbidden, notFound } from '../../http/errors/errors.ts'
import { settingOf } from '../notifications/queries.ts'
import { userNotFound } from '../shared/errors.ts'
import { utcMillis } from '../shared/instants.ts'
import { errorResponses, IdInPath, Nullable, ResponseObject, UserId, UserIdInPath } from '../shared/schemas.ts'
import { shape } from '../shared/shape.ts'
import { userById } from '../users/queries.ts'
import { READ_APPLICATION, REVOKE_GRANT } from './checks.ts'
import { endGrants } from './grant_operations.ts'
import { applicationById, grantOf } from './queries.ts'

const Applications = {
  name: 'Applications',
  description: 'The application of the token, and its grants',
  id: 'application_id',
}

const applicationNotFound = (id: unknown) =>
  notFound('oauth.application.not_found', `Application with id ${id} not found`, 'application_id')
const application_id = IdInPath('Application identifier', 1000000001, applicationNotFound)

const text = (description: string) => Type.String({ description })
const texts = (description: string) => Type.Array(Type.String(), { description })

const OwnApplication = ResponseObject(
  {
    id: Type.Integer({ description: 'client_id', examples: [1000000001] }),
    site_id: text('Site of the user who reads it'),
    thumbnail: Type.Null({ description: 'Always null' }),
    url: Type.Null({ description: 'Always null' }),
    sandbox_mode: Type.Boolean({ description: 'Always true' }),
    active: Type.Boolean({ description: 'Always true' }),
    name: text('Name, as the authorization page shows it'),
    description: text('The name again'),
    callback_url: text('Redirect URI of OAuth'),
    scopes: texts('What its tokens may do'),
    max_requests_per_hour: Type.Integer({ description: 'Limit of the real service' }),
    notifications_callback_url: Nullable(Type.String(), { description: 'Where its notifications go; null: nowhere' }),
    notifications_topics: texts('Topics of its notifications'),
  },
  { title: 'OwnApplication', description: 'The application of the token' },
)

const RevokedGrant = ResponseObject(
  {
    user_id: UserId,
    app_id: Type.Integer({ description: 'The application' }),
    msg: Type.String({ description: 'Text for people', examples: ['Autorización eliminada'] }),
  },
  { title: 'RevokedGrant', description: 'A grant that has ended' },
)

const SCOPES = ['offline_access', 'read', 'write']
const Grant = shape(
  { user_id: UserId, app_id: 1000000001, date_created: '2026-03-07T15:00:00.000Z', scopes: SCOPES },
  { title: 'Grant', description: 'What the caller allows an application' },
)

/** Throws 404, 403. */
async function requireOwner(q: Q, caller: { user_id: number }, user_id: number): Promise<void> {
  if (user_id !== caller.user_id) throw (await userById(q, user_id)) ? forbidden('oauth.revoke') : userNotFound(user_id)
}

const applications: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/applications/:application_id',
    {
      config: { resource: Applications, access: 'token', checks: READ_APPLICATION },
      schema: {
        summary: 'Read the application of the token',
        params: Type.Object({ application_id }),
        response: { 200: OwnApplication, ...errorResponses(401, 403, 404) },
      },
    },
    async ({ world, caller, params: { application_id: id } }) => {
      const row = await applicationById(world.read, id)
      if (!row) throw applicationNotFound(id)
      if (id !== caller.application_id) throw forbidden('oauth.application')
      const user = await userById(world.read, caller.user_id)
      const setting = await settingOf(world.read, id)
      return {
        id,
        site_id: user?.site_id ?? 'MLA',
        thumbnail: null,
        url: null,
        sandbox_mode: true,
        active: true,
        name: row.name,
        description: row.name,
        callback_url: row.redirect_uri,
        scopes: SCOPES,
        max_requests_per_hour: 18_000,
        notifications_callback_url: setting?.callback_url ?? null,
        notifications_topics: setting ? (JSON.parse(setting.topics) as string[]) : [],
      }
    },
  )

  app.get(
    '/users/:user_id/applications/:application_id',
    {
      config: { resource: Applications, access: 'token', checks: REVOKE_GRANT },
      schema: {
        summary: 'Read the grant of the caller to an application',
        params: Type.Object({ user_id: UserIdInPath(userNotFound), application_id }),
        response: { 200: Grant, ...errorResponses(401, 403, 404) },
      },
    },
    async ({ world, caller, params: { user_id, application_id } }) => {
      await requireOwner(world.read, caller, user_id)
      const grant = await grantOf(world.read, { user_id, application_id })
      if (!grant) throw applicationNotFound(application_id)
      return { user_id, app_id: application_id, date_created: utcMillis(grant.date_created), scopes: SCOPES }
    },
  )

  app.delete(
    '/users/:user_id/applications/:application_id',
    {
      config: { resource: Applications, access: 'token', checks: REVOKE_GRANT },
      schema: {
        summary: 'Revoke the grant of the caller to an application',
        description:
          'Its access tokens, refresh tokens and codes of this user end at once, and its notifications, too.',
        params: Type.Object({ user_id: UserIdInPath(userNotFound), application_id }),
        response: { 200: RevokedGrant, ...errorResponses(401, 403, 404) },
      },
    },
    async ({ world, caller, params: { user_id, application_id } }) => {
      await requireOwner(world.read, caller, user_id)
      await world.tx(async (q) => {
        if ((await endGrants(q, user_id, application_id)) === 0) throw applicationNotFound(application_id)
      })
      return { user_id, app_id: application_id, msg: 'Autorización eliminada' }
    },
  )
}
export default applications

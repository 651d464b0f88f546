import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { World } from '../../db/world.ts'
import { badRequest } from '../../http/errors/errors.ts'
import { testBuyerById } from '../credits/test_subject_queries.ts'
import { userNotFound } from '../shared/errors.ts'
import { errorResponses } from '../shared/schemas.ts'
import { CREATE_TEST_USER, READ_ME, READ_USER } from './checks.ts'
import { createTestUser } from './operations.ts'
import { presentMe, presentUser } from './present.ts'
import { userById } from './queries.ts'
import { reputationOf } from './reputation_queries.ts'
import { Me, NewTestUser, PublicUser, TestUser, UserParams, Users } from './schemas.ts'
import { isSite } from './sites.ts'

const users: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/users/me',
    {
      config: { resource: Users, access: 'token', checks: READ_ME },
      schema: { summary: 'Read the owner of the token', response: { 200: Me, ...errorResponses(401, 404) } },
    },
    async ({ world, caller }) => {
      const user = await userById(world.read, caller.user_id)
      if (!user) throw userNotFound(caller.user_id)
      return presentMe(user, await reputationOf(world.read, world.clock.hour(), user.id))
    },
  )

  const readUser = async ({ world }: { world: World }, user_id: number) => {
    // Test leads name buyers that are not stored [spec: credits.test_leads.subjects].
    const user = (await userById(world.read, user_id)) ?? (await testBuyerById(world.read, user_id))
    if (!user) throw userNotFound(user_id)
    return presentUser(user, await reputationOf(world.read, world.clock.hour(), user_id))
  }

  app.get(
    '/users/:user_id/reputation',
    {
      config: { resource: Users, access: 'public', checks: READ_USER },
      schema: {
        summary: 'Read the reputation of a user',
        params: UserParams,
        response: { 200: PublicUser.properties.seller_reputation, ...errorResponses(401, 404) },
      },
    },
    async (request) => (await readUser(request, request.params.user_id)).seller_reputation,
  )

  app.get(
    '/users/:user_id',
    {
      config: { resource: Users, access: 'public', checks: READ_USER },
      schema: {
        summary: 'Read what is public of a user',
        params: UserParams,
        response: { 200: PublicUser, ...errorResponses(401, 404) },
      },
    },
    (request) => readUser(request, request.params.user_id),
  )

  app.post(
    '/users/test_user',
    {
      config: { resource: Users, access: 'public', checks: CREATE_TEST_USER },
      schema: {
        summary: 'Make a test user',
        description: 'It can be picked on the authorization page. There is no limit of ten here.',
        body: NewTestUser,
        response: { 201: TestUser, ...errorResponses(400, 401, 413) },
      },
    },
    async ({ world, body: { site_id } }, reply) => {
      if (!isSite(site_id)) throw badRequest('users.test_user.site', 'Invalid siteId', 'site_id')
      const { id, nickname, password, email } = await world.tx((q) => createTestUser(q, world, site_id))
      return reply.code(201).send({ id, nickname, password, site_status: 'active', email })
    },
  )
}
export default users

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsync } from 'fastify'
import type { Q } from '../../../db/engine.ts'
import type { World } from '../../../db/world.ts'
import { badRequest } from '../../../http/errors/control_errors.ts'
import { missingCondition } from '../../flex/capability.ts'
import { countMe2Listings, subscriptionTo } from '../../flex/queries.ts'
import { setShippingOfSeller } from '../../items/operations.ts'
import { hasListings } from '../../items/queries.ts'
import { issueAccessToken, recordGrant } from '../../oauth/operations.ts'
import { firstApplication, nonExpiringTokensOf } from '../../oauth/queries.ts'
import { Page, PagingQuery, PEOPLE, SearchText, viewable } from '../../shared/control_schemas.ts'
import { userNotFound } from '../../shared/errors.ts'
import { utcMillis } from '../../shared/instants.ts'
import { errorResponses, OneOf } from '../../shared/schemas.ts'
import { toWellFormed, withoutUndefined } from '../../shared/texts.ts'
import { changeUser, createUser } from '../operations.ts'
import { presentMe } from '../present.ts'
import { addressOf, EMPTY_ADDRESS, listUsers, type UserRow, userById } from '../queries.ts'
import { SITES } from '../sites.ts'
import { NewUser, User, UserChanges, UserParams } from './schemas.ts'

const config = PEOPLE

const reads: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/users',
    {
      config: viewable(config),
      schema: {
        summary: 'List the users, by id',
        querystring: Type.Object({
          site_id: Type.Optional(OneOf(SITES, { description: 'Only those of a site' })),
          kind: Type.Optional(
            OneOf(['seller', 'buyer'], { description: 'Only those with a reputation, or those without' }),
          ),
          q: SearchText('nickname'),
          ...PagingQuery,
        }),
        response: { 200: Page(User, 'Users'), ...errorResponses(400, 404) },
      },
    },
    async ({ world: { read }, query: { site_id, kind, q: text, limit, offset } }) => {
      const { total, rows } = await listUsers(read, { site_id, kind }, { limit, offset, text })
      return { paging: { total, limit, offset }, results: await presentUsers(read, rows) }
    },
  )

  app.get(
    '/users/:id',
    {
      config: viewable(config),
      schema: { summary: 'Read a user', params: UserParams, response: { 200: User, ...errorResponses(404) } },
    },
    async ({ world: { read }, params: { id } }) => {
      const user = await userById(read, id)
      if (!user) throw userNotFound(id)
      return presentUser(read, user)
    },
  )
}

const writes: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/users',
    {
      config,
      schema: {
        summary: 'Create a user',
        description:
          'Creates a test user: the authorization page lists it, it has authorized the world’s first application, and `token` is its access token. All members but the site have defaults.',
        body: NewUser,
        response: { 201: User, ...errorResponses(400, 404, 409) },
      },
    },
    async ({ world, body }, reply) => {
      const { tags = ['normal'], address, ...fields } = withoutUndefined(toWellFormed(body))
      const user = await world.tx(async (q) => {
        const row = await createUser(q, world, {
          ...fields,
          address: { ...EMPTY_ADDRESS, ...address },
          tags: [...new Set([...tags, 'test_user'])],
        })
        await grantFirstApplication(q, world, row.id)
        return presentUser(q, row)
      })
      return reply.code(201).send(user)
    },
  )

  app.patch(
    '/users/:id',
    {
      config,
      schema: {
        summary: 'Change a user',
        description: 'The site of a user with listings or Flex cannot be changed.',
        params: UserParams,
        body: UserChanges,
        response: { 200: User, ...errorResponses(400, 404, 409) },
      },
    },
    async ({ world, params: { id }, body }) => {
      const { me2, address, ...fields } = withoutUndefined(toWellFormed(body))
      return world.tx(async (q) => {
        const user = await userById(q, id)
        if (!user) throw userNotFound(id)
        if (fields.site_id !== undefined && fields.site_id !== user.site_id && (await isBoundToSite(q, id)))
          throw badRequest('site_id: cannot be changed for a user with listings or Flex')
        const changed = await changeUser(q, user, { ...fields, address: { ...addressOf(user), ...address } })
        if (me2 !== undefined) await setShippingOfSeller(q, world, id, me2 ? 'me2' : 'not_specified')
        return presentUser(q, changed)
      })
    },
  )
}

const users: FastifyPluginAsync = async (app) => {
  app.register(reads)
  app.register(writes)
}
export default users

/** Listings and Flex subscriptions belong to the site of their user. */
const isBoundToSite = async (q: Q, id: number): Promise<boolean> =>
  (await hasListings(q, id)) || (await subscriptionTo(q, id, 'FLEX')) !== undefined

/** Grants the world's first application access, with a token that does not expire. */
async function grantFirstApplication(q: Q, world: World, user_id: number): Promise<void> {
  const application = await firstApplication(q)
  if (!application) return
  const grant = { application_id: application.id, user_id }
  const now = world.clock.now()
  await recordGrant(q, grant, now)
  await issueAccessToken(q, world, grant, now, null)
}

const presentUser = async (q: Q, row: UserRow): Promise<User> => (await presentUsers(q, [row]))[0]!

/** Row → wire, with members of other domains. */
async function presentUsers(q: Q, rows: UserRow[]): Promise<User[]> {
  const tokens = await nonExpiringTokensOf(
    q,
    rows.map(({ id }) => id),
  )
  const users: User[] = []
  for (const row of rows) {
    const me2_listings = await countMe2Listings(q, row.id)
    const status = (await subscriptionTo(q, row.id, 'FLEX'))?.status
    const { site_id, level_id } = row
    const { city } = addressOf(row)
    users.push({
      ...presentMe(row),
      phone: row.phone,
      password: row.password,
      registration_date: utcMillis(row.registration_date),
      me2: me2_listings > 0,
      flex_lacks: missingCondition({ site_id, level_id, city, me2_listings, status }) ?? null,
      token: tokens.get(row.id) ?? null,
    })
  }
  return users
}

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { Q } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import { subscriptionTo } from '../flex/queries.ts'
import { setShippingOfSeller } from '../items/operations.ts'
import { hasListings } from '../items/queries.ts'
import { endGrants } from '../oauth/grant_operations.ts'
import { issueAccessToken, recordGrant } from '../oauth/operations.ts'
import { firstApplication } from '../oauth/queries.ts'
import {
  Counts,
  controlCall,
  Page,
  PagingQuery,
  PEOPLE,
  SearchText,
  StrictBody,
  viewable,
} from '../shared/control_schemas.ts'
import { userNotFound } from '../shared/errors.ts'
import { routesOf } from '../shared/routes.ts'
import { addressMembers, Bool, Integer, MAX_ID, OneOf, UserIdInPath } from '../shared/schemas.ts'
import { Text, toWellFormed, withoutUndefined } from '../shared/texts.ts'
import { ListedUser, presentUser, presentUsers, User } from './control_present.ts'
import { changeUser, createUser } from './operations.ts'
import { addressOf, countsOfUser, EMPTY_ADDRESS, listUsers, userById } from './queries.ts'
import { CITY_OF_USER, SITES } from './sites.ts'

const LEVELS = ['5_green', '4_light_green', '3_yellow', '2_orange', '1_red']
const MEDALS = ['silver', 'gold', 'platinum']

/** One of these texts, or null. */
const OneOfOrNull = (values: string[], description: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    enum: [...values, null],
    description,
    examples: [values[0]],
    'x-message': `must be one of ${values.join(', ')}, or null`,
  })

const MAX_SALES = 1_000_000_000
const Sales = (description: string) => Integer(0, MAX_SALES, description, { examples: [120] })

const addressField = (description: string) => Type.Optional(Text(description, 200, { mayBeBlank: true }))

const UserFields = {
  nickname: Text('Public name; must be unique', 60, { example: 'TIENDA_DE_PRUEBA' }),
  password: Text('Password', 100),
  email: Type.String({
    pattern: '^[^\\s@\\u0000]{1,64}@[^\\s@\\u0000]{1,189}$',
    description: 'Mail address',
    examples: ['tienda@example.com'],
    'x-message': 'must be a mail address',
  }),
  first_name: Text('First name', 100, { mayBeBlank: true, example: 'Lucía' }),
  last_name: Text('Last name', 100, { mayBeBlank: true, example: 'Fernández' }),
  phone: Text('Telephone', 40, { mayBeBlank: true, example: '+54 11 5555-0123' }),
  address: StrictBody(addressMembers(addressField, CITY_OF_USER), {
    description: 'Address of the user; omitted members are unchanged',
    'x-message': 'must be an object',
  }),
  level_id: OneOfOrNull(LEVELS, 'Reputation; null for a buyer'),
  power_seller_status: OneOfOrNull(MEDALS, 'Medal'),
  sales_completed: Sales('Sales completed'),
  sales_canceled: Sales('Sales canceled'),
  tags: Type.Array(
    Type.String({
      pattern: '^[a-z0-9_-]{1,64}$',
      'x-message': 'must be an array of strings of 1 to 64 lower case letters, digits, - and _',
    }),
    {
      maxItems: 50,
      uniqueItems: true,
      description: 'Tags of the account; the authorization page offers users with `test_user`',
      examples: [['normal', 'test_user']],
      'x-message': 'must be an array of at most 50 different tags',
    },
  ),
  status: OneOf(['active', 'deactive'], { description: 'State of the account', examples: ['active'] }),
  operator: Bool('Acts for the owner of an account: cannot authorize applications', { examples: [true] }),
}
const site_id = OneOf(SITES, { description: 'Site of the user', examples: ['MLA'] })

export const NewUser = StrictBody(
  {
    site_id,
    id: Type.Optional(Integer(1, MAX_ID, 'Identifier; default: a new one', { examples: [123456789] })),
    ...Type.Partial(Type.Object(UserFields)).properties,
  },
  { examples: [{ site_id: 'MLA', level_id: '5_green', address: { city: 'Buenos Aires' } }] },
)

const UserChanges = StrictBody(
  {
    site_id: Type.Optional(site_id),
    ...Type.Partial(Type.Object(UserFields)).properties,
    me2: Type.Optional(
      Type.Boolean({
        description:
          'true ships all listings of the user by ME2. false sets their shipping mode to not_specified, and they leave Flex. PATCH /items/{id} changes one listing',
        'x-message': 'must be true or false',
      }),
    ),
  },
  { examples: [{ level_id: '2_orange' }] },
)

export const UserParams = Type.Object({ id: UserIdInPath(userNotFound) })

const config = PEOPLE

const reads: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/users',
    controlCall(viewable(config), {
      summary: 'List the users, by id',
      querystring: Type.Object({
        site_id: Type.Optional(OneOf(SITES, { description: 'Only those of a site' })),
        kind: Type.Optional(
          OneOf(['seller', 'buyer'], { description: 'Only those with a reputation, or those without' }),
        ),
        q: SearchText('nickname'),
        counts: Counts('`listings` and `questions`'),
        ...PagingQuery,
      }),
      answer: Page(ListedUser, 'Users'),
    }),
    async ({ world: { read, clock }, query: { site_id, kind, q: text, counts, limit, offset } }) => {
      const { total, rows } = await listUsers(read, { site_id, kind }, { limit, offset, text })
      const users = await presentUsers(read, clock.hour(), rows)
      const results = users.map(async (one, n) => ({
        ...one,
        ...(counts === 'true' && (await countsOfUser(read, rows[n]!))),
      }))
      return { paging: { total, limit, offset }, results: await Promise.all(results) }
    },
  )

  app.get(
    '/users/:id',
    controlCall(viewable(config), { summary: 'Read a user', params: UserParams, answer: User }),
    async ({ world: { read, clock }, params: { id } }) => {
      const user = await userById(read, id)
      if (!user) throw userNotFound(id)
      return presentUser(read, clock.hour(), user)
    },
  )
}

const writes: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/users',
    controlCall(config, {
      summary: 'Create a user',
      description:
        'Creates a test user: the authorization page lists it, it has authorized the world’s first application, and `token` is its access token. All members but the site have defaults.',
      body: NewUser,
      created: User,
    }),
    async ({ world, body }, reply) => {
      const { tags = ['normal'], address, ...fields } = withoutUndefined(toWellFormed(body))
      const user = await world.tx(async (q) => {
        const row = await createUser(q, world, {
          ...fields,
          address: { ...EMPTY_ADDRESS, ...address },
          tags: [...new Set([...tags, 'test_user'])],
        })
        await grantFirstApplication(q, world, row.id)
        return presentUser(q, world.clock.hour(), row)
      })
      return reply.code(201).send(user)
    },
  )

  app.patch(
    '/users/:id',
    controlCall(config, {
      summary: 'Change a user',
      description:
        'The site of a user with listings or Flex cannot be changed. Another password ends all grants of the user: their access tokens, refresh tokens and codes are revoked.',
      params: UserParams,
      body: UserChanges,
      answer: User,
      errors: [409],
    }),
    async ({ world, params: { id }, body }) => {
      const { me2, address, ...fields } = withoutUndefined(toWellFormed(body))
      return world.tx(async (q) => {
        const user = await userById(q, id)
        if (!user) throw userNotFound(id)
        if (fields.site_id !== undefined && fields.site_id !== user.site_id && (await isBoundToSite(q, id)))
          throw badRequest('site_id: cannot be changed for a user with listings or Flex')
        if (fields.password !== undefined && fields.password !== user.password) await endGrants(q, id)
        const changed = await changeUser(q, user, { ...fields, address: { ...addressOf(user), ...address } })
        if (me2 !== undefined) await setShippingOfSeller(q, world, id, me2 ? 'me2' : 'not_specified')
        return presentUser(q, world.clock.hour(), changed)
      })
    },
  )
}

const users = routesOf(reads, writes)

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
  await issueAccessToken(q, world, { ...grant, expires_at: null }, now)
}

export default users

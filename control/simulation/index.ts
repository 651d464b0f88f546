import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { config } from '../../domains/contacts/schemas.ts'
import { StrictBody } from '../../domains/shared/control_schemas.ts'
import { userNotFound } from '../../domains/shared/errors.ts'
import { utcMillis } from '../../domains/shared/instants.ts'
import {
  Bool,
  errorResponses,
  Id,
  Instant,
  Integer,
  IntegerFrom,
  OneOf,
  ResponseObject,
} from '../../domains/shared/schemas.ts'
import { userById } from '../../domains/users/queries.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import { expectedContacts, PROFILES, type ProfileName } from '../../scenarios/profiles.ts'
import type { LongCalls } from '../service/long_calls.ts'
import { activeSellers } from './queries.ts'
import { nextSeed, simulate } from './simulate.ts'

const DAY_MS = 24 * 3_600_000
/** Limit of contacts that one call is expected to generate. */
const MAX_CONTACTS = 1_000_000

const Days = Integer(1, 365, 'Days of 24 hours, up to the world’s now', { examples: [30] })
const Profile = OneOf(Object.keys(PROFILES) as ProfileName[], {
  description: 'Amount of traffic; peak: as busy, plus days of very high traffic. Default: normal',
  examples: ['normal'],
})
const Seed = IntegerFrom(
  0,
  'The same seed in the same world generates the same traffic; default: derived from the seed of the world',
  7,
)
const Notify = Bool('false: no notifications of the questions, for history only', { default: true, examples: [true] })
const count = (description: string) => Type.Integer({ description, examples: [120] })
const Simulation = ResponseObject(
  {
    days: Days,
    profile: Profile,
    seed: Seed,
    date_from: Instant('Where it begins, UTC', '2026-02-01T12:00:00.000Z'),
    date_to: Instant('The world’s now, UTC', '2026-03-03T12:00:00.000Z'),
    sellers: count('Sellers with active listings'),
    items: count('Their active listings'),
    phone_views: count('Phone views'),
    whatsapp: count('Clicks on the messaging button'),
    questions: count('Questions'),
    answered: count('Questions that have an answer'),
  },
  { title: 'Simulation', description: 'Generated traffic' },
)

const simulateRoutes: FastifyPluginAsyncTypebox<{ longCalls: LongCalls }> = async (app, { longCalls }) => {
  app.post(
    '/simulate',
    {
      config,
      schema: {
        summary: 'Generate traffic of buyers for the last days',
        description: `Phone views, messaging clicks and questions on all active listings, with answers at the pace of their sellers. They are added to the existing contacts, also before the listing was created. The buyers are users of the site who do not sell (test users only if there are no others) and guests; the fewer users, the more guests. Each question and each answer publishes an event at its own time, in the order of time; events older than two days are not stored, only sent to subscribed applications. At most ${MAX_CONTACTS} contacts at a time.`,
        body: StrictBody(
          {
            days: Days,
            profile: Type.Optional(Profile),
            seed: Type.Optional(Seed),
            user_id: Type.Optional(Id('Only this seller’s listings', 2500000101)),
            notify: Type.Optional(Notify),
          },
          { examples: [{ days: 30 }] },
        ),
        response: { 201: Simulation, ...errorResponses(400, 404) },
      },
    },
    async ({ world, body: { days, profile = 'normal', seed: givenSeed, user_id, notify = true } }, reply) => {
      if (user_id !== undefined && !(await userById(world.read, user_id))) throw userNotFound(user_id)
      const sellers = (await activeSellers(world.read)).filter(
        ({ seller_id }) => user_id === undefined || seller_id === user_id,
      )
      if (sellers.length === 0)
        throw badRequest(`${user_id === undefined ? 'world' : 'user_id'}: has no active listing`)
      const items = sellers.reduce((sum, seller) => sum + seller.items, 0)
      const total = Math.round(expectedContacts(PROFILES[profile], items, days))
      if (total > MAX_CONTACTS)
        throw badRequest(`days: would generate about ${total} contacts; at most ${MAX_CONTACTS} at a time`)
      const now = world.clock.now()
      const from = now - days * DAY_MS
      if (from < 0) throw badRequest('days: must not begin before 1970')
      const seed = givenSeed ?? (await nextSeed(world))
      const ids = sellers.map(({ seller_id }) => seller_id)
      let done = 0
      const result = await longCalls.track(
        { operation: 'simulate', world: world.id, unit: 'days', total: days, done: () => done },
        () =>
          simulate(world, ids, {
            profile: PROFILES[profile],
            seed,
            from,
            now,
            notify,
            onProgress: (share) => {
              done = days * share
            },
          }),
      )
      return reply.code(201).send({
        days,
        profile,
        seed,
        date_from: utcMillis(from),
        date_to: utcMillis(now),
        sellers: sellers.length,
        items,
        ...result,
      })
    },
  )
}
export default simulateRoutes

import { sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { insertNumbered } from '../../db/ids.ts'
import { columnValues, updateById, updateReturning } from '../../db/rows.ts'
import type { World } from '../../db/world.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import { type Address, addressOf, userById } from '../users/queries.ts'
import { CONDITIONS, missingCondition } from './capability.ts'
import { serviceExists, subscriptionExists, userNotFound } from './errors.ts'
import { countMe2Listings, isServiceTaken, type SubscriptionRow, subscriptionTo } from './queries.ts'
import { initialSettingsOf } from './setting_operations.ts'
import { FIRST_SERVICE_ID } from './settings.ts'
import { FLEX_STATUSES, type FlexMode, type FlexStatus, flex_subscription, NEXT_STATUSES } from './tables.ts'

// Call these inside `world.tx`.

export interface NewSubscription {
  user_id: number
  /** Default FLEX. */
  mode?: FlexMode | undefined
  /** Where parcels start from; default: the seller's own address. */
  origin?: Address | undefined
  /** Default pending: it waits for its activation. */
  status?: FlexStatus | undefined
  /** Default null: no training. */
  training_days?: number | null | undefined
  /** Default: a new id; the same holds for the service. */
  id?: number | undefined
  service_id?: number | undefined
}

/**
 * Subscribes a seller to FLEX, or to TURBO; TURBO and other origins need FLEX from the seller's own address. Throws 400
 * for the first condition that is not met [spec: flex.capable] or a second subscription, 409 for an existing id.
 */
export async function subscribe(
  q: Q,
  world: World,
  { user_id, mode = 'FLEX', origin: from, status = 'pending', training_days = null, id, service_id }: NewSubscription,
): Promise<SubscriptionRow> {
  const user = await userById(q, user_id)
  if (!user) throw userNotFound()
  const flex = await subscriptionTo(q, user_id, 'FLEX')
  const { site_id, level_id } = user
  const { city } = from ?? addressOf(user)
  const origin = from ? JSON.stringify(from) : ''
  const me2_listings = await countMe2Listings(q, user_id)
  const missing = missingCondition({ site_id, level_id, city, me2_listings, status: flex?.status })
  if (missing && (missing !== 'activation' || ((mode === 'TURBO' || from) && !flex)))
    throw badRequest(CONDITIONS[missing])
  const initialSettings = initialSettingsOf(mode, site_id, city)
  if (await subscriptionTo(q, user_id, mode, origin))
    throw badRequest(`the seller already has ${mode}${from ? ' from this origin' : ''}`)
  if (service_id !== undefined && (await isServiceTaken(q, service_id))) throw serviceExists(service_id)
  return insertNumbered(
    q,
    flex_subscription,
    { id, exists: subscriptionExists },
    async (id) =>
      (await insertSubscription(q).one({
        ...initialSettings,
        id,
        site_id,
        user_id,
        mode,
        origin,
        status,
        service_id: service_id ?? null,
        training_days,
        creation_date: world.clock.now(),
      }))!,
  )
}
const insertSubscription = prepared(({ db }) =>
  db
    .insert(flex_subscription)
    .values({
      ...columnValues(flex_subscription),
      // The first free id, not max + 1: a caller may have chosen the largest possible id.
      service_id: sql`coalesce(${$('service_id')}, (
        SELECT min(n) FROM (SELECT ${sql.raw(String(FIRST_SERVICE_ID))} AS n UNION ALL SELECT service_id + 1 FROM ${flex_subscription})
        WHERE n >= ${sql.raw(String(FIRST_SERVICE_ID))} AND n NOT IN (SELECT service_id FROM ${flex_subscription})))`,
    })
    .returning(),
)

/** Moves a subscription to a status that may follow its own. Undefined for any other change. */
export const moveSubscription = (q: Q, id: number, to: FlexStatus): Promise<SubscriptionRow | undefined> =>
  move(q).one({ id, to, from: JSON.stringify(FLEX_STATUSES.filter((from) => NEXT_STATUSES[from].includes(to))) })
const move = updateReturning(
  flex_subscription,
  { status: $('to') },
  { id: $ },
  () => sql`${flex_subscription.status} IN (SELECT value FROM json_each(${$('from')}))`,
)

/** Starts or ends the moderation of a subscription. Undefined when there is no such subscription. */
export const moderateSubscription = (q: Q, id: number, on: boolean): Promise<SubscriptionRow | undefined> =>
  setModerated(q, { id, is_moderated: on ? 1 : 0 })
const setModerated = updateById(flex_subscription, ['is_moderated'])

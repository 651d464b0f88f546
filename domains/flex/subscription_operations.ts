import { and, eq, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { insertNumbered } from '../../db/ids.ts'
import type { World } from '../../db/world.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import { addressOf, userById } from '../users/queries.ts'
import { CONDITIONS, missingCondition } from './capability.ts'
import { serviceExists, subscriptionExists, userNotFound } from './errors.ts'
import { countMe2Listings, isServiceTaken, type SubscriptionRow, subscriptionTo } from './queries.ts'
import { initialSettingsOf } from './setting_operations.ts'
import { FIRST_SERVICE_ID } from './settings.ts'
import { type FlexMode, type FlexStatus, flex_subscription } from './tables.ts'

// Call these inside `world.tx`.

export interface NewSubscription {
  user_id: number
  /** Default FLEX. */
  mode?: FlexMode | undefined
  /** Default null: no training. */
  training_days?: number | null | undefined
  /** Default: a new id; the same holds for the service. */
  id?: number | undefined
  service_id?: number | undefined
}

/**
 * Subscribes a seller to FLEX, or to TURBO, which needs FLEX; the subscription is pending until it is activated. Throws
 * 400 for the first condition that is not met [spec: flex.capable] or a second subscription, 409 for an existing id.
 */
export async function subscribe(
  q: Q,
  world: World,
  { user_id, mode = 'FLEX', training_days = null, id, service_id }: NewSubscription,
): Promise<SubscriptionRow> {
  const user = await userById(q, user_id)
  if (!user) throw userNotFound()
  const flex = await subscriptionTo(q, user_id, 'FLEX')
  const { site_id, level_id } = user
  const { city } = addressOf(user)
  const me2_listings = await countMe2Listings(q, user_id)
  const missing = missingCondition({ site_id, level_id, city, me2_listings, status: flex?.status })
  if (missing && (missing !== 'activation' || (mode === 'TURBO' && !flex))) throw badRequest(CONDITIONS[missing])
  const initialSettings = initialSettingsOf(mode, site_id, city)
  if (await subscriptionTo(q, user_id, mode)) throw badRequest(`the seller already has ${mode}`)
  if (service_id !== undefined && (await isServiceTaken(q, service_id))) throw serviceExists(service_id)
  return insertNumbered(
    q,
    flex_subscription,
    id,
    subscriptionExists,
    async (id) =>
      (await insertSubscription(q).one({
        ...initialSettings,
        id,
        site_id,
        user_id,
        mode,
        service_id: service_id ?? null,
        training_days,
        now: world.clock.now(),
      }))!,
  )
}
const insertSubscription = prepared(({ db }) =>
  db
    .insert(flex_subscription)
    .values({
      id: $('id'),
      site_id: $('site_id'),
      user_id: $('user_id'),
      mode: $('mode'),
      // The first free id, not max + 1: a caller may have chosen the largest possible id.
      service_id: sql`coalesce(${$('service_id')}, (
        SELECT min(n) FROM (SELECT ${sql.raw(String(FIRST_SERVICE_ID))} AS n UNION ALL SELECT service_id + 1 FROM ${flex_subscription})
        WHERE n >= ${sql.raw(String(FIRST_SERVICE_ID))} AND n NOT IN (SELECT service_id FROM ${flex_subscription})))`,
      status: 'pending',
      creation_date: $('now'),
      training_days: $('training_days'),
      delivery_window: 'same_day',
      delivery_ranges: $('delivery_ranges'),
      zones: $('zones'),
      radius: $('radius'),
    })
    .returning(),
)

/** The status before and after each status [spec: flex.status]. */
const PREVIOUS_STATUS: Record<FlexStatus, FlexStatus> = { in: 'pending', out: 'in', pending: 'out' }
export const NEXT_STATUS: Record<FlexStatus, FlexStatus> = { pending: 'in', in: 'out', out: 'pending' }

/** Moves a subscription: pending → in (activation), in → out, out → pending. Undefined for any other change. */
export const moveSubscription = (q: Q, id: number, to: FlexStatus): Promise<SubscriptionRow | undefined> =>
  move(q).one({ id, to, from: PREVIOUS_STATUS[to] })
const move = prepared(({ db }) =>
  db
    .update(flex_subscription)
    .set({ status: sql`${$('to')}` })
    .where(and(eq(flex_subscription.id, $('id')), eq(flex_subscription.status, $('from'))))
    .returning(),
)

/** Starts or ends the moderation of a subscription. Undefined when there is no such subscription. */
export const moderateSubscription = (q: Q, id: number, on: boolean): Promise<SubscriptionRow | undefined> =>
  setModerated(q).one({ id, is_moderated: on ? 1 : 0 })
const setModerated = prepared(({ db }) =>
  db
    .update(flex_subscription)
    .set({ is_moderated: sql`${$('is_moderated')}` })
    .where(eq(flex_subscription.id, $('id')))
    .returning(),
)

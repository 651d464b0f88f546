import { and, eq, isNotNull, isNull, ne, or, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { insertNumbered } from '../../db/ids.ts'
import { publish } from '../../db/outbox.ts'
import type { World } from '../../db/world.ts'
import { badRequest, forbidden } from '../../http/errors.ts'
import { setItemInFlex } from '../items/operations.ts'
import { type ItemRow, itemById } from '../items/queries.ts'
import { addressOf, userById } from '../users/queries.ts'
import { areaOf } from './areas/index.ts'
import { ACTIVATION_NEEDS_SUBSCRIPTION } from './assumptions.ts'
import { CONDITIONS, missingCondition } from './capability.ts'
import {
  alreadyInFlex,
  itemDown,
  itemNotFound,
  nothingToUpdate,
  serviceExists,
  shipmentExists,
  subscriptionExists,
  subscriptionIsOut,
  userNotFound,
} from './errors.ts'
import { ACCURATE_RANGES, CAPACITY, FIRST_SERVICE_ID, RADIUS } from './limits.ts'
import {
  countMe2Listings,
  isServiceTaken,
  type ServiceKey,
  type ShipmentRow,
  type SubscriptionRow,
  shipmentById,
  subscriptionOf,
  subscriptionTo,
} from './queries.ts'
import { parseAccurateDelivery, parseCustomDelivery, parseRadius, parseZones, type Ranges } from './settings.ts'
import { type FlexMode, type FlexStatus, flex_subscription, shipment } from './tables.ts'

// Every operation is called inside `world.tx`.

// Subscriptions

export interface NewSubscription {
  user_id: number
  /** Default FLEX. */
  mode?: FlexMode | undefined
  /** Default null: none. */
  training_days?: number | null | undefined
  /** Default one that the world gives, like that of the service. */
  id?: number | undefined
  service_id?: number | undefined
}

/**
 * Subscribes a seller to Flex, or to Turbo, which needs Flex; pending until it is activated. Refuses with the condition
 * that is not met, or where the seller has it already; then 409 where an id is taken.
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
  if (await subscriptionTo(q, user_id, mode)) throw badRequest(`the seller has ${mode} already`)
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
/** The settings that a new subscription begins with, as they are stored. */
export const initialSettingsOf = (mode: FlexMode, site_id: string, city: string) =>
  mode === 'FLEX' ? flexInitialSettings(site_id, city) : TURBO_INITIAL_SETTINGS

/** A range on weekdays, and what must be served. */
const flexInitialSettings = (site_id: string, city: string) => ({
  delivery_ranges: JSON.stringify({
    week: [{ from: 14, to: 21, capacity: 50, cutoff: 13 }],
    saturday: null,
    sunday: null,
  } satisfies Ranges),
  zones: JSON.stringify((areaOf(site_id, city)?.zones ?? []).filter(({ mandatory }) => mandatory).map(({ id }) => id)),
  radius: null,
})
const TURBO_INITIAL_SETTINGS = {
  delivery_ranges: JSON.stringify({
    week: ACCURATE_RANGES.map(({ from, to }) => ({ from, to, capacity: CAPACITY.from, cutoff: from })),
    saturday: null,
    sunday: null,
  } satisfies Ranges),
  zones: '[]',
  radius: RADIUS.from,
}
const insertSubscription = prepared(({ db }) =>
  db
    .insert(flex_subscription)
    .values({
      id: $('id'),
      site_id: $('site_id'),
      user_id: $('user_id'),
      mode: $('mode'),
      // The first that is free: one that was given may be the largest there can be.
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

/** From which status one may come to another, and to which one may go. */
const PREVIOUS_STATUS: Record<FlexStatus, FlexStatus> = { in: 'pending', out: 'in', pending: 'out' }
export const NEXT_STATUS: Record<FlexStatus, FlexStatus> = { pending: 'in', in: 'out', out: 'pending' }

/** Moves a subscription: pending → in (activation), in → out, out → pending. Answers undefined where it may not. */
export const moveSubscription = (q: Q, id: number, to: FlexStatus): Promise<SubscriptionRow | undefined> =>
  move(q).one({ id, to, from: PREVIOUS_STATUS[to] })
const move = prepared(({ db }) =>
  db
    .update(flex_subscription)
    .set({ status: sql`${$('to')}` })
    .where(and(eq(flex_subscription.id, $('id')), eq(flex_subscription.status, $('from'))))
    .returning(),
)

/** Moderates a subscription, or stops to. Answers undefined when there is none. */
export const moderateSubscription = (q: Q, id: number, on: boolean): Promise<SubscriptionRow | undefined> =>
  setModerated(q).one({ id, is_moderated: on ? 1 : 0 })
const setModerated = prepared(({ db }) =>
  db
    .update(flex_subscription)
    .set({ is_moderated: sql`${$('is_moderated')}` })
    .where(eq(flex_subscription.id, $('id')))
    .returning(),
)

// Settings. Refusals in this order: no such pair of that mode, not the caller's, subscription out, members.

type Body = Record<string, unknown>

/** Which settings a mode has. */
export const SETTING_KINDS = {
  custom: { mode: 'FLEX', update: updateCustom },
  accurate: { mode: 'TURBO', update: updateAccurate },
  zone: { mode: 'FLEX', update: updateZones },
  radius: { mode: 'TURBO', update: updateRadius },
} as const satisfies Record<string, { mode: FlexMode; update: Update }>
export type SettingKind = keyof typeof SETTING_KINDS
type Update = (q: Q, row: SubscriptionRow, body: Body) => Promise<SubscriptionRow>

/** Changes settings as a seller asks; answers the subscription as it is then. */
export async function updateSettings(
  q: Q,
  caller: number,
  kind: SettingKind,
  key: ServiceKey,
  body: Body,
): Promise<SubscriptionRow> {
  const { mode, update } = SETTING_KINDS[kind]
  const row = await subscriptionOf(q, key)
  if (!row || row.mode !== mode) throw nothingToUpdate()
  if (row.user_id !== caller) throw forbidden()
  if (row.status === 'out') throw subscriptionIsOut()
  return update(q, row, body)
}

function updateCustom(q: Q, row: SubscriptionRow, body: Body) {
  const { delivery_window = row.delivery_window, delivery_ranges } = parseCustomDelivery(body)
  return store(q, { ...row, delivery_window, delivery_ranges: JSON.stringify(delivery_ranges) })
}

function updateAccurate(q: Q, row: SubscriptionRow, body: Body) {
  return store(q, { ...row, delivery_ranges: JSON.stringify(parseAccurateDelivery(body)) })
}

async function updateZones(q: Q, row: SubscriptionRow, body: Body) {
  const user = await userById(q, row.user_id)
  const area = user && areaOf(row.site_id, addressOf(user).city)
  return store(q, { ...row, zones: JSON.stringify(parseZones(body, area)) })
}

function updateRadius(q: Q, row: SubscriptionRow, body: Body) {
  return store(q, { ...row, radius: parseRadius(body) })
}

const store = async (
  q: Q,
  { id, delivery_window, delivery_ranges, zones, radius }: SubscriptionRow,
): Promise<SubscriptionRow> => (await update(q).one({ id, delivery_window, delivery_ranges, zones, radius }))!
const update = prepared(({ db }) =>
  db
    .update(flex_subscription)
    .set({
      delivery_window: sql`${$('delivery_window')}`,
      delivery_ranges: sql`${$('delivery_ranges')}`,
      zones: sql`${$('zones')}`,
      radius: sql`${$('radius')}`,
    })
    .where(eq(flex_subscription.id, $('id')))
    .returning(),
)

// Listings

/**
 * The listing that a seller may switch. Refusals: no such listing on that site, not the caller's, not shipped by ME2.
 */
export async function requireSwitchableItem(q: Q, caller: number, site_id: string, item_id: string): Promise<ItemRow> {
  const item = await itemById(q, item_id)
  if (!item || item.site_id !== site_id) throw itemNotFound()
  if (item.seller_id !== caller) throw forbidden()
  if (item.shipping_mode !== 'me2') throw itemDown()
  return item
}

/**
 * Offers a listing with Flex, or stops to. Refusals after those of `switchable`: the state, the listing's status, no
 * subscription.
 */
export async function switchItem(
  q: Q,
  world: World,
  caller: number,
  { site_id, item_id, on }: { site_id: string; item_id: string; on: boolean },
): Promise<void> {
  const item = await requireSwitchableItem(q, caller, site_id, item_id)
  if ((item.in_flex === 1) === on) throw alreadyInFlex()
  if (on && item.status !== 'active') throw itemDown()
  if (on && ACTIVATION_NEEDS_SUBSCRIPTION.of(world) === 'true') {
    const subscription = await subscriptionTo(q, caller, 'FLEX')
    if (!subscription || subscription.status === 'out') throw itemDown()
  }
  await setItemInFlex(q, world, item_id, on)
}

// Shipments

/** Creates a shipment of a seller, with no driver yet. 409 where the id is taken. */
export async function createShipment(
  q: Q,
  world: World,
  { site_id, seller_id, id }: { site_id: string; seller_id: number; id?: number | undefined },
): Promise<ShipmentRow> {
  return insertNumbered(
    q,
    shipment,
    id,
    shipmentExists,
    async (id) => (await insertShipment(q).one({ id, site_id, seller_id, now: world.clock.now() }))!,
  )
}
const insertShipment = prepared(({ db }) =>
  db
    .insert(shipment)
    .values({ id: $('id'), site_id: $('site_id'), seller_id: $('seller_id'), date_created: $('now') })
    .returning(),
)

/** Gives a shipment to a driver, who sets out with it. Answers undefined where it is so already, or there is none. */
export async function assignDriver(
  q: Q,
  world: World,
  id: number,
  driver_id: number,
): Promise<ShipmentRow | undefined> {
  const shipment = await setDriver(q).one({ id, driver_id })
  if (!shipment) return undefined
  const resource = `/flex/sites/${shipment.site_id}/shipments/${id}/assignment/v1`
  await publish(q, { topic: 'flex-handshakes', resource, users: [shipment.seller_id], at: world.clock.now() })
  return shipment
}
const setDriver = prepared(({ db }) =>
  db
    .update(shipment)
    .set({ driver_id: sql`${$('driver_id')}`, route_open: 1 })
    .where(
      and(
        eq(shipment.id, $('id')),
        or(isNull(shipment.driver_id), ne(shipment.driver_id, $('driver_id')), eq(shipment.route_open, 0)),
      ),
    )
    .returning(),
)

/** Ends the route that a shipment is on. Answers it; undefined when there is none. */
export async function closeRoute(q: Q, id: number): Promise<ShipmentRow | undefined> {
  await setRouteClosed(q).run({ id })
  return shipmentById(q, id)
}
const setRouteClosed = prepared(({ db }) =>
  db
    .update(shipment)
    .set({ route_open: 0 })
    .where(eq(shipment.id, $('id'))),
)

/** Takes a shipment back from its driver. Answers undefined where it has none, or there is none. */
export const unassignDriver = (q: Q, id: number): Promise<ShipmentRow | undefined> => setNoDriver(q).one({ id })
const setNoDriver = prepared(({ db }) =>
  db
    .update(shipment)
    .set({ driver_id: null, route_open: 0 })
    .where(and(eq(shipment.id, $('id')), isNotNull(shipment.driver_id)))
    .returning(),
)

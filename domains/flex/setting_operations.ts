import { eq, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import { forbidden } from '../../http/errors/errors.ts'
import { addressOf, userById } from '../users/queries.ts'
import { areaOf } from './areas/index.ts'
import { nothingToUpdate, subscriptionIsOut } from './errors.ts'
import { type ServiceKey, type SubscriptionRow, subscriptionOf } from './queries.ts'
import {
  ACCURATE_RANGES,
  CAPACITY,
  parseAccurateDelivery,
  parseCustomDelivery,
  parseRadius,
  parseZones,
  RADIUS,
  type Ranges,
} from './settings.ts'
import { type FlexMode, flex_subscription } from './tables.ts'

type Body = Record<string, unknown>

/** The mode that has each kind of settings. */
const SETTING_KINDS = {
  custom: { mode: 'FLEX', update: updateCustom },
  accurate: { mode: 'TURBO', update: updateAccurate },
  zone: { mode: 'FLEX', update: updateZones },
  radius: { mode: 'TURBO', update: updateRadius },
} as const satisfies Record<string, { mode: FlexMode; update: Update }>
export type SettingKind = keyof typeof SETTING_KINDS
type Update = (q: Q, row: SubscriptionRow, body: Body) => Promise<SubscriptionRow>

/**
 * Changes the settings of a subscription; returns the changed row. Throws, in this order: no such pair of user and
 * service in that mode, not the caller's, subscription out, invalid members [spec: flex.settings, flex.order].
 */
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
  if (row.user_id !== caller) throw forbidden('flex.rights')
  if (row.status === 'out') throw subscriptionIsOut()
  return update(q, row, body)
}

function updateCustom(q: Q, row: SubscriptionRow, body: Body) {
  const { delivery_window = row.delivery_window, delivery_ranges } = parseCustomDelivery(body, row)
  return storeSettings(q, { ...row, delivery_window, delivery_ranges: JSON.stringify(delivery_ranges) })
}

function updateAccurate(q: Q, row: SubscriptionRow, body: Body) {
  return storeSettings(q, { ...row, delivery_ranges: JSON.stringify(parseAccurateDelivery(body)) })
}

async function updateZones(q: Q, row: SubscriptionRow, body: Body) {
  const user = await userById(q, row.user_id)
  const area = user && areaOf(row.site_id, addressOf(user).city)
  return storeSettings(q, { ...row, zones: JSON.stringify(parseZones(body, area)) })
}

function updateRadius(q: Q, row: SubscriptionRow, body: Body) {
  return storeSettings(q, { ...row, radius: parseRadius(body) })
}

/** Settings as the operator writes them; members that are left out stay. */
export interface SettingChanges {
  delivery_window?: SubscriptionRow['delivery_window']
  delivery_ranges?: Body
  /** Metres; of TURBO. */
  radius?: number
  /** Whether days may have different capacities; of FLEX. */
  daily_capacity?: boolean
}

/**
 * Changes the settings of a subscription for the operator; returns the changed row. Throws 400 if the subscription is
 * out, for a setting that its mode does not have, and for the values that the seller may not send, either.
 */
export function changeSettings(q: Q, row: SubscriptionRow, changes: SettingChanges): Promise<SubscriptionRow> {
  requireChangeable(row)
  const foreign = Object.keys(changes).find((name) => FOREIGN_SETTINGS[row.mode].includes(name))
  if (foreign) throw badRequest(`${foreign}: is no setting of ${row.mode}`)
  const { delivery_window, delivery_ranges = JSON.parse(row.delivery_ranges), radius = row.radius } = changes
  const { daily_capacity = row.daily_capacity === 1 } = changes
  if (row.mode === 'FLEX')
    return updateCustom(q, { ...row, daily_capacity: daily_capacity ? 1 : 0 }, { delivery_window, delivery_ranges })
  return updateAccurate(q, { ...row, radius: parseRadius({ radius }) }, { delivery_ranges })
}
const FOREIGN_SETTINGS: Record<FlexMode, string[]> = {
  FLEX: ['radius'],
  TURBO: ['delivery_window', 'daily_capacity'],
}

/** Changes the zones of a subscription for the operator, with the errors of `changeSettings`. */
export function changeZones(q: Q, row: SubscriptionRow, body: Body): Promise<SubscriptionRow> {
  requireChangeable(row)
  if (row.mode !== 'FLEX') throw badRequest(`zones: is no setting of ${row.mode}`)
  return updateZones(q, row, body)
}

function requireChangeable({ status }: SubscriptionRow): void {
  if (status === 'out') throw badRequest('status: is out; settings can be changed while it is pending or in')
}

const storeSettings = async (
  q: Q,
  { id, delivery_window, delivery_ranges, zones, radius, daily_capacity }: SubscriptionRow,
): Promise<SubscriptionRow> =>
  (await updateStored(q).one({ id, delivery_window, delivery_ranges, zones, radius, daily_capacity }))!
const updateStored = prepared(({ db }) =>
  db
    .update(flex_subscription)
    .set({
      delivery_window: sql`${$('delivery_window')}`,
      delivery_ranges: sql`${$('delivery_ranges')}`,
      zones: sql`${$('zones')}`,
      radius: sql`${$('radius')}`,
      daily_capacity: sql`${$('daily_capacity')}`,
    })
    .where(eq(flex_subscription.id, $('id')))
    .returning(),
)

/** The settings of a new subscription, as columns of its row. */
export const initialSettingsOf = (mode: FlexMode, site_id: string, city: string) =>
  mode === 'FLEX' ? flexInitialSettings(site_id, city) : TURBO_INITIAL_SETTINGS

/** One range on weekdays, and the central zones of the area. */
const flexInitialSettings = (site_id: string, city: string) => ({
  delivery_ranges: JSON.stringify({
    week: [{ from: 14, to: 21, capacity: 50, cutoff: 13 }],
    saturday: null,
    sunday: null,
  } satisfies Ranges),
  zones: JSON.stringify((areaOf(site_id, city)?.zones ?? []).filter(({ central }) => central).map(({ id }) => id)),
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

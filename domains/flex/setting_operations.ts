import type { Q } from '../../db/engine.ts'
import { updateById } from '../../db/rows.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import { forbidden } from '../../http/errors/errors.ts'
import { userById } from '../users/queries.ts'
import { areaOf } from './areas.ts'
import { nothingToUpdate, settingsNotFound, subscriptionIsOut } from './errors.ts'
import { parseHolidays } from './holidays.ts'
import { originOf, type ServiceKey, type SubscriptionRow, subscriptionOf } from './queries.ts'
import {
  ACCURATE_RANGES,
  CAPACITY,
  type CutoffRule,
  parseAccurateDelivery,
  parseCustomDelivery,
  parseRadius,
  parseWindow,
  parseZoneCutoffs,
  parseZones,
  RADIUS,
  type Ranges,
} from './settings.ts'
import { type FlexMode, flex_subscription } from './tables.ts'

type Body = Record<string, unknown>

/** The modes that have each kind of settings: of the older paths, then of the newer ones. */
export const SETTING_KINDS = {
  custom: { modes: ['FLEX'], update: (q, row, body) => updateCustom(q, row, body) },
  accurate: { modes: ['TURBO'], update: updateAccurate },
  zone: { modes: ['FLEX'], update: updateZones },
  radius: { modes: ['TURBO'], update: updateRadius },
  zones: { modes: ['FLEX'], update: updateZonesAndCutoffs },
  ranges: { modes: ['FLEX', 'TURBO'], update: updateRanges },
  holidays: { modes: ['FLEX'], update: updateHolidays },
} as const satisfies Record<string, { modes: readonly FlexMode[]; update: Update }>
export type SettingKind = keyof typeof SETTING_KINDS
type Update = (q: Q, row: SubscriptionRow, body: Body, now: number) => Promise<SubscriptionRow>

const hasSettings = (row: SubscriptionRow, kind: SettingKind): boolean =>
  SETTING_KINDS[kind].modes.some((mode) => mode === row.mode)

/** Some settings of a subscription, which the caller reads or writes. */
interface SettingsKey {
  caller: { user_id: number }
  kind: SettingKind
  key: ServiceKey
}

/** The subscription whose settings the caller reads. Throws 404 without such a pair in a mode with them, 403 for another's. */
export async function requireSettings(q: Q, { caller, kind, key }: SettingsKey): Promise<SubscriptionRow> {
  const row = await subscriptionOf(q, key)
  if (!row || !hasSettings(row, kind)) throw settingsNotFound()
  if (row.user_id !== caller.user_id) throw forbidden('flex.rights')
  return row
}

/**
 * Changes the settings of a subscription; returns the changed row. Throws, in this order: no such pair of user and
 * service in that mode, not the caller's, subscription out, invalid members [spec: flex.settings, flex.order].
 */
export async function updateSettings(
  q: Q,
  { caller, kind, key }: SettingsKey,
  body: Body,
  now: number,
): Promise<SubscriptionRow> {
  const row = await subscriptionOf(q, key)
  if (!row || !hasSettings(row, kind)) throw nothingToUpdate()
  if (row.user_id !== caller.user_id) throw forbidden('flex.rights')
  if (row.status === 'out') throw subscriptionIsOut()
  return SETTING_KINDS[kind].update(q, row, body, now)
}

function updateCustom(q: Q, row: SubscriptionRow, body: Body, cutoff: CutoffRule = 'needed') {
  const { daily_capacity } = row
  const { delivery_window = row.delivery_window, delivery_ranges } = parseCustomDelivery(body, {
    daily_capacity,
    cutoff,
  })
  return storeSettings(q, { ...row, delivery_window, delivery_ranges: JSON.stringify(delivery_ranges) })
}

function updateAccurate(q: Q, row: SubscriptionRow, body: Body) {
  return storeSettings(q, { ...row, delivery_ranges: JSON.stringify(parseAccurateDelivery(body)) })
}

const areaOfSubscription = async (q: Q, row: SubscriptionRow) =>
  areaOf(row.site_id, originOf(row, (await userById(q, row.user_id))!).city)

async function updateZones(q: Q, row: SubscriptionRow, body: Body) {
  return storeSettings(q, { ...row, zones: JSON.stringify(parseZones(body, await areaOfSubscription(q, row))) })
}

async function updateZonesAndCutoffs(q: Q, row: SubscriptionRow, body: Body) {
  const area = await areaOfSubscription(q, row)
  const zones = JSON.stringify(parseZones(body, area))
  const cutoffs = area ? parseZoneCutoffs(body.zones as Body[], area) : null
  return storeSettings(q, { ...row, zones, zone_cutoffs: cutoffs && JSON.stringify(cutoffs) })
}

/** TURBO has one window, the cutoff is ignored where orders arrive on the next day. */
function updateRanges(q: Q, row: SubscriptionRow, body: Body) {
  if (row.mode === 'TURBO') {
    parseWindow(body)
    return updateAccurate(q, row, body)
  }
  const isNextDay = (body.delivery_window ?? row.delivery_window) === 'next_day'
  const cutoff = row.zone_cutoffs !== null ? 'by_zone' : isNextDay ? 'ignored' : 'needed'
  return updateCustom(q, row, body, cutoff)
}

function updateHolidays(q: Q, row: SubscriptionRow, body: Body, now: number) {
  return storeSettings(q, { ...row, holidays: JSON.stringify(parseHolidays(row, body, now)) })
}

function updateRadius(q: Q, row: SubscriptionRow, body: Body) {
  return storeSettings(q, { ...row, radius: parseRadius(body) })
}

/** Settings as the operator writes them; members that are left out stay. */
interface SettingChanges {
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

const updateStored = updateById(flex_subscription, [
  ...(['delivery_window', 'delivery_ranges', 'zones', 'zone_cutoffs', 'holidays', 'radius', 'daily_capacity'] as const),
])
const storeSettings = async (q: Q, row: SubscriptionRow): Promise<SubscriptionRow> => (await updateStored(q, row))!

/** The settings of a new subscription, as columns of its row. */
export const initialSettingsOf = (mode: FlexMode, site_id: string, city: string) => ({
  ...{ delivery_window: 'same_day', zone_cutoffs: null, holidays: '[]', is_moderated: 0, daily_capacity: 0 },
  ...(mode === 'FLEX' ? flexInitialSettings(site_id, city) : TURBO_INITIAL_SETTINGS),
})

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

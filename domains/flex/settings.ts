import { isObject } from '../../http/bodies.ts'
import { badParameter } from '../../http/errors/errors.ts'
import type { RuleId } from '../../http/rules.ts'
import { type Area, type Scope, scopeOf } from './areas.ts'
import { DELIVERY_WINDOWS, type DeliveryWindow } from './tables.ts'

// Values that a seller can choose; the configuration query lists most of them as `availables`.

const hours = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, n) => from + n)

export const DAYS = ['week', 'saturday', 'sunday'] as const
export type Day = (typeof DAYS)[number]

/** Parcels per range. */
export const CAPACITY = { from: 10, to: 500 }

/** Hours until which an order is delivered the same day. */
export const CUTOFFS = hours(12, 18)

/** Cutoffs of a zone, by how far it lies. */
export const SCOPE_CUTOFFS = {
  LocalInterno: { from: 12, to: 18 },
  LocalAdyacente: { from: 12, to: 18 },
  LocalLejano: { from: 10, to: 15 },
} satisfies Record<Scope, object>
export type ZoneCutoffs = Record<string, Record<Day, number>>

/** Usual delivery hours; others are accepted, too. */
export const USUAL_HOURS = hours(10, 22)

/** TURBO: ranges of two hours, Monday to Friday; a seller chooses at least three. */
export const ACCURATE_RANGES = hours(10, 16).map((from) => ({ from, to: from + 2 }))
export const MIN_ACCURATE_RANGES = 3

/** TURBO: metres around the seller. */
export const RADIUS = { from: 3000, to: 8000 }
/** The configuration query has the radius in kilometres [spec: flex.configuration.availables]. */
export const RADIUS_IN_KM = { from: 3, to: 8 }

/** Service ids begin here. */
export const FIRST_SERVICE_ID = 736_230

// Parsers of the settings that sellers send. Each returns the value to store, or throws a 400 that names the member
// [spec: flex.delivery.refusals, flex.coverage.refusals, flex.turbo.settings].

/** A delivery range; whole hours of the seller's day. `capacity`: parcels. */
export interface Range {
  from: number
  to: number
  capacity: number
  /** Orders until this hour are delivered in the range. */
  cutoff: number
}
/** Characters of an unknown key in its error. */
const MAX_SHOWN_KEY = 100
/** null = no deliveries on that day. */
export type Ranges = Record<Day, Range[] | null>
type JsonObject = Record<string, unknown>

/**
 * FLEX: `{delivery_window?, delivery_ranges}`. Without a window in the body the stored one stays. `daily_capacity`: 0 or
 * 1, whether days may have different capacities. `cutoff`: whether ranges have one [spec: flex.newer.ranges.cutoff].
 */
export function parseCustomDelivery(
  body: JsonObject,
  { daily_capacity, cutoff = 'needed' }: { daily_capacity: number; cutoff?: CutoffRule },
): { delivery_window?: DeliveryWindow; delivery_ranges: Ranges } {
  const days = parseDays(body)
  const delivery_ranges = Object.fromEntries(
    DAYS.map((day) => [day, parseRanges(days, day, (...range) => parseCustomRange(...range, cutoff), rejectOverlaps)]),
  ) as Ranges
  if (!daily_capacity) rejectCapacityByDay(delivery_ranges)
  return { ...parseWindow(body), delivery_ranges }
}

/** Empty where the window stays as it is. */
export function parseWindow({ delivery_window: window }: JsonObject): { delivery_window?: DeliveryWindow } {
  if (window === undefined || window === null) return {}
  if (!DELIVERY_WINDOWS.includes(window as DeliveryWindow))
    throw invalidMember('delivery_window', `must be one of ${DELIVERY_WINDOWS.join(', ')}`, 'flex.configuration.window')
  return { delivery_window: window as DeliveryWindow }
}

/** TURBO: `{delivery_ranges: {week}}`; there are no deliveries on weekends. */
export function parseAccurateDelivery(body: JsonObject): Ranges {
  const days = parseDays(body)
  const week = parseRanges(days, 'week', parseAccurateRange, rejectDuplicates)
  if (!week || week.length < MIN_ACCURATE_RANGES)
    throw invalidMember(
      'delivery_ranges.week',
      `must have at least ${MIN_ACCURATE_RANGES} ranges`,
      'flex.turbo.settings',
    )
  for (const day of ['saturday', 'sunday'] as const)
    if (parseRanges(days, day, parseAccurateRange, rejectDuplicates))
      throw invalidMember(`delivery_ranges.${day}`, 'must be off', 'flex.turbo.settings')
  return { week, saturday: null, sunday: null }
}

/** FLEX: `{zones: [{id}]}`, the zones to serve; they replace the previous ones. */
export function parseZones({ zones }: JsonObject, area: Area | undefined): string[] {
  if (!Array.isArray(zones)) throw invalidMember('zones', 'must be an array of objects with id', 'flex.coverage')
  const areaZones = new Set(area?.zones.map(({ id }) => id))
  const ids = new Set<string>()
  for (const [n, zone] of zones.entries()) {
    const id = isObject(zone) ? zone.id : undefined
    if (typeof id !== 'string') throw invalidMember(`zones[${n}].id`, 'must be the id of a zone', 'flex.coverage')
    if (!areaZones.has(id))
      throw invalidMember(`zones[${n}].id`, 'is no zone of the coverage area', 'flex.coverage.refusals')
    if (ids.has(id)) throw invalidMember(`zones[${n}].id`, 'stands twice', 'flex.coverage.refusals')
    ids.add(id)
  }
  for (const { id, mandatory } of area?.zones ?? [])
    if (mandatory && !ids.has(id))
      throw invalidMember('zones', `must hold ${id}, which is mandatory`, 'flex.coverage.refusals')
  return [...ids]
}

/**
 * FLEX: the cutoffs of the zones that `parseZones` has accepted; null if none has any, or if all of several have the same
 * [spec: flex.newer.zones.cutoff].
 */
export function parseZoneCutoffs(zones: JsonObject[], area: Area): ZoneCutoffs | null {
  const cutoffs: ZoneCutoffs = {}
  for (const [n, { id, cutoff }] of zones.entries()) {
    if (cutoff === undefined || cutoff === null) continue
    const name = `zones[${n}].cutoff`
    const rule = 'flex.newer.zones.cutoff'
    if (!isObject(cutoff)) throw invalidMember(name, `must be an object with ${DAYS.join(', ')}`, rule)
    const limits = SCOPE_CUTOFFS[scopeOf(area, area.zones.find((zone) => zone.id === id)!)]
    cutoffs[id as string] = Object.fromEntries(
      DAYS.map((day) => [day, parseInteger(`${name}.${day}`, cutoff[day], limits, rule)]),
    ) as Record<Day, number>
  }
  const different = new Set(zones.map(({ id }) => JSON.stringify(cutoffs[id as string])))
  return different.size > 1 || Object.keys(cutoffs).length === 1 ? cutoffs : null
}

/** TURBO: `{radius}`, metres. */
export const parseRadius = ({ radius }: JsonObject): number =>
  parseInteger('radius', radius, RADIUS, 'flex.turbo.settings')

function parseDays({ delivery_ranges }: JsonObject): JsonObject {
  // PHP clients send an empty object as a list [spec: flex.delivery.off].
  if (Array.isArray(delivery_ranges) && delivery_ranges.length === 0) return {}
  if (!isObject(delivery_ranges))
    throw invalidMember(
      'delivery_ranges',
      `must be an object with ${DAYS.join(', ')}, each an array of ranges or null`,
      'flex.delivery.off',
    )
  const unknown = Object.keys(delivery_ranges).find((key) => !DAYS.includes(key as Day))
  // A misspelled day would be off.
  if (unknown !== undefined)
    throw invalidMember(
      `delivery_ranges.${unknown.slice(0, MAX_SHOWN_KEY)}`,
      `must be one of ${DAYS.join(', ')}`,
      'flex.delivery.days',
    )
  return delivery_ranges
}

function parseRanges(
  days: JsonObject,
  day: Day,
  parseRange: (name: string, range: JsonObject) => Range,
  checkRanges: (name: string, ranges: Range[]) => void,
): Range[] | null {
  const value = days[day]
  const name = `delivery_ranges.${day}`
  if (value === undefined || value === null) return null
  if (!Array.isArray(value)) throw invalidMember(name, 'must be an array of ranges, or null')
  // Two ranges of a day cannot begin in the same hour.
  if (value.length > 24) throw invalidMember(name, 'must have at most 24 ranges')
  if (value.length === 0) return null
  const ranges = value.map((range, n) => {
    if (!isObject(range)) throw invalidMember(`${name}[${n}]`, 'must be an object')
    return parseRange(`${name}[${n}]`, range)
  })
  checkRanges(name, ranges)
  return ranges
}

const HOURS = { from: 0, to: 24 }

/** `by_zone`: zones have them instead. */
export type CutoffRule = 'needed' | 'ignored' | 'by_zone'

function parseCustomRange(name: string, range: JsonObject, cutoffRule: CutoffRule): Range {
  const from = parseInteger(`${name}.from`, range.from, HOURS)
  const to = parseInteger(`${name}.to`, range.to, HOURS)
  const capacity = parseInteger(`${name}.capacity`, range.capacity, CAPACITY)
  if (cutoffRule === 'by_zone' && (range.cutoff ?? null) !== null)
    throw invalidMember(`${name}.cutoff`, 'must be absent, as zones have cutoffs', 'flex.newer.ranges.cutoff')
  const sent = cutoffRule === 'needed' ? range.cutoff : CUTOFFS[0]
  const cutoff = parseInteger(`${name}.cutoff`, sent, { from: CUTOFFS[0]!, to: CUTOFFS.at(-1)! })
  if (from >= to) throw invalidMember(`${name}.to`, 'must be later than from')
  if (cutoff > to) throw invalidMember(`${name}.cutoff`, 'must not be later than to')
  return { from, to, capacity, cutoff }
}

function parseAccurateRange(name: string, range: JsonObject): Range {
  const from = parseInteger(`${name}.from`, range.from, HOURS)
  const to = parseInteger(`${name}.to`, range.to, HOURS)
  const capacity = parseInteger(`${name}.capacity`, range.capacity, CAPACITY)
  if (!ACCURATE_RANGES.some((allowed) => allowed.from === from && allowed.to === to))
    throw invalidMember(
      name,
      `must be one of ${ACCURATE_RANGES.map((allowed) => `${allowed.from}-${allowed.to}`).join(', ')}`,
      'flex.turbo.settings',
    )
  return { from, to, capacity, cutoff: from }
}

function rejectOverlaps(name: string, ranges: Range[]): void {
  const overlapping = ranges.findIndex((range, n) =>
    ranges.slice(0, n).some((other) => range.from < other.to && other.from < range.to),
  )
  if (overlapping >= 0) throw invalidMember(`${name}[${overlapping}]`, 'must not overlap another range of the day')
}

/** Whether ranges of different days have different capacities. */
export const hasCapacityByDay = (ranges: Ranges): boolean => rangeOfOtherCapacity(ranges) !== undefined

function rejectCapacityByDay(ranges: Ranges): void {
  const name = rangeOfOtherCapacity(ranges)
  if (name)
    throw invalidMember(
      `${name}.capacity`,
      'must be the same on all days, as CAPACITY_BY_DAY is disabled',
      'flex.delivery.capacity',
    )
}

/** The name of the first range with another capacity than the first one; undefined if only one day has ranges. */
function rangeOfOtherCapacity(ranges: Ranges): string | undefined {
  const days = DAYS.flatMap((day) => (ranges[day] ? [{ day, ranges: ranges[day] }] : []))
  if (days.length < 2) return undefined
  const all = days.flatMap(({ day, ranges }) => ranges.map(({ capacity }, n) => ({ day, n, capacity })))
  const other = all.find(({ capacity }) => capacity !== all[0]!.capacity)
  return other && `delivery_ranges.${other.day}[${other.n}]`
}

function rejectDuplicates(name: string, ranges: Range[]): void {
  const duplicate = ranges.findIndex((range, n) => ranges.slice(0, n).some((other) => range.from === other.from))
  if (duplicate >= 0) throw invalidMember(`${name}[${duplicate}]`, 'stands twice', 'flex.turbo.settings')
}

/** An integer, or its digits as text. */
function parseInteger(name: string, input: unknown, { from, to }: { from: number; to: number }, rule?: RuleId): number {
  const value = typeof input === 'string' && /^\d{1,6}$/.test(input) ? Number(input) : input
  if (!Number.isInteger(value) || (value as number) < from || (value as number) > to)
    throw invalidMember(name, `must be an integer from ${from} to ${to}`, rule)
  return value as number
}

const invalidMember = (name: string, problem: string, rule: RuleId = 'flex.delivery.refusals') =>
  badParameter(name, problem, rule)

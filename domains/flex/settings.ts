import { DELIVERY_WINDOWS, type DeliveryWindow } from '../../db/schema/flex.ts'
import { badRequest } from '../../plugins/errors.ts'
import type { Area } from './areas/index.ts'
import { ACCURATE_RANGES, CAPACITY, CUTOFFS, DAYS, type Day, LEAST_ACCURATE, RADIUS } from './limits.ts'

// What sellers send to change their settings: each reader answers what is to be stored, or refuses with the field
// named.

/** Parcels of a day that are delivered between two hours; whole hours of the seller's day. */
export interface Range {
  from: number
  to: number
  capacity: number
  /** Orders until this hour are delivered in the range. */
  cutoff: number
}
/** A day that is off is null. */
export type Ranges = Record<Day, Range[] | null>
type Members = Record<string, unknown>

/** FLEX: `{delivery_window?, delivery_ranges}`. Answers no window where none was sent: it stays as it is. */
export function readCustom(body: Members): { delivery_window?: DeliveryWindow; delivery_ranges: Ranges } {
  const { delivery_window: window } = body
  const asked = daysIn(body)
  const delivery_ranges = Object.fromEntries(
    DAYS.map((day) => [day, rangesOf(asked, day, customRange, notOverlapping)]),
  ) as Ranges
  if (window === undefined || window === null) return { delivery_ranges }
  if (!DELIVERY_WINDOWS.includes(window as DeliveryWindow))
    throw wrong('delivery_window', `must be one of ${DELIVERY_WINDOWS.join(', ')}`)
  return { delivery_window: window as DeliveryWindow, delivery_ranges }
}

/** TURBO: `{delivery_ranges: {week}}`; it knows no weekend. */
export function readAccurate(body: Members): Ranges {
  const asked = daysIn(body)
  const week = rangesOf(asked, 'week', accurateRange, notTwice)
  if (!week || week.length < LEAST_ACCURATE)
    throw wrong('delivery_ranges.week', `must have at least ${LEAST_ACCURATE} ranges`)
  for (const day of ['saturday', 'sunday'] as const)
    if (rangesOf(asked, day, accurateRange, notTwice)) throw wrong(`delivery_ranges.${day}`, 'must be off')
  return { week, saturday: null, sunday: null }
}

/** FLEX: `{zones: [{id}]}`, the ids that are to be served; they replace those before. */
export function readZones({ zones }: Members, area: Area | undefined): string[] {
  if (!Array.isArray(zones)) throw wrong('zones', 'must be an array of objects with id')
  const known = new Set(area?.zones.map(({ id }) => id))
  const ids = new Set<string>()
  for (const [n, zone] of zones.entries()) {
    const id = isObject(zone) ? zone.id : undefined
    if (typeof id !== 'string') throw wrong(`zones[${n}].id`, 'must be the id of a zone')
    if (!known.has(id)) throw wrong(`zones[${n}].id`, 'is no zone of the coverage area')
    if (ids.has(id)) throw wrong(`zones[${n}].id`, 'stands twice')
    ids.add(id)
  }
  for (const { id, mandatory } of area?.zones ?? [])
    if (mandatory && !ids.has(id)) throw wrong('zones', `must hold ${id}, which is mandatory`)
  return [...ids]
}

/** TURBO: `{radius}`, metres. */
export const readRadius = ({ radius }: Members): number => integer('radius', radius, RADIUS)

function daysIn({ delivery_ranges }: Members): Members {
  // Some clients' languages write an empty object as a list.
  if (Array.isArray(delivery_ranges) && delivery_ranges.length === 0) return {}
  if (!isObject(delivery_ranges))
    throw wrong('delivery_ranges', `must be an object with ${DAYS.join(', ')}, each an array of ranges or null`)
  return delivery_ranges
}

function rangesOf(
  days: Members,
  day: Day,
  read: (name: string, range: Members) => Range,
  check: (name: string, ranges: Range[]) => void,
): Range[] | null {
  const sent = days[day]
  const name = `delivery_ranges.${day}`
  if (sent === undefined || sent === null) return null
  if (!Array.isArray(sent)) throw wrong(name, 'must be an array of ranges, or null')
  // Two ranges of a day cannot begin in the same hour.
  if (sent.length > 24) throw wrong(name, 'must have at most 24 ranges')
  if (sent.length === 0) return null
  const ranges = sent.map((range, n) => {
    if (!isObject(range)) throw wrong(`${name}[${n}]`, 'must be an object')
    return read(`${name}[${n}]`, range)
  })
  check(name, ranges)
  return ranges
}

const HOURS = { from: 0, to: 24 }

function customRange(name: string, sent: Members): Range {
  const from = integer(`${name}.from`, sent.from, HOURS)
  const to = integer(`${name}.to`, sent.to, HOURS)
  const capacity = integer(`${name}.capacity`, sent.capacity, CAPACITY)
  const cutoff = integer(`${name}.cutoff`, sent.cutoff, { from: CUTOFFS[0]!, to: CUTOFFS.at(-1)! })
  if (from >= to) throw wrong(`${name}.to`, 'must be later than from')
  if (cutoff > to) throw wrong(`${name}.cutoff`, 'must not be later than to')
  return { from, to, capacity, cutoff }
}

function accurateRange(name: string, sent: Members): Range {
  const from = integer(`${name}.from`, sent.from, HOURS)
  const to = integer(`${name}.to`, sent.to, HOURS)
  const capacity = integer(`${name}.capacity`, sent.capacity, CAPACITY)
  if (!ACCURATE_RANGES.some((range) => range.from === from && range.to === to))
    throw wrong(name, `must be one of ${ACCURATE_RANGES.map((range) => `${range.from}-${range.to}`).join(', ')}`)
  return { from, to, capacity, cutoff: from }
}

function notOverlapping(name: string, ranges: Range[]): void {
  const clash = ranges.findIndex((range, n) =>
    ranges.slice(0, n).some((other) => range.from < other.to && other.from < range.to),
  )
  if (clash >= 0) throw wrong(`${name}[${clash}]`, 'must not overlap another range of the day')
}

function notTwice(name: string, ranges: Range[]): void {
  const twice = ranges.findIndex((range, n) => ranges.slice(0, n).some((other) => range.from === other.from))
  if (twice >= 0) throw wrong(`${name}[${twice}]`, 'stands twice')
}

/** An integer, or its digits as text. */
function integer(name: string, sent: unknown, { from, to }: { from: number; to: number }): number {
  const value = typeof sent === 'string' && /^\d{1,6}$/.test(sent) ? Number(sent) : sent
  if (!Number.isInteger(value) || (value as number) < from || (value as number) > to)
    throw wrong(name, `must be an integer from ${from} to ${to}`)
  return value as number
}

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const wrong = (name: string, complaint: string) => badRequest(`${name}: ${complaint}`)

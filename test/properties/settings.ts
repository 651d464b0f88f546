import fc, { type Arbitrary } from 'fast-check'
import { texts } from './values.ts'

// Inputs of the four settings of Flex, which of them are allowed, and their effects
// [spec: flex.delivery.refusals, flex.coverage.refusals, flex.turbo.settings].

export type Kind = 'delivery/custom' | 'delivery/accurate' | 'coverage/zone' | 'coverage/radius'
export const KINDS: Kind[] = ['delivery/custom', 'delivery/accurate', 'coverage/zone', 'coverage/radius']

type Members = Record<string, unknown>

/** The part of a configuration that settings can change. */
interface Configuration {
  delivery_window: string
  delivery_ranges: Record<string, object[] | null>
  working_days: string[]
  zones: { id: string; is_mandatory: boolean; selected: boolean }[]
  radius: number | null
}
/** Both services of a seller. */
export interface State {
  flex: Configuration
  turbo: Configuration
}

const DAYS = ['week', 'saturday', 'sunday']

// Allowed inputs

/** An integer, or its digits. */
const integer = (from: number, to: number) => fc.integer({ min: from, max: to }).chain(asNumberOrText)
const asNumberOrText = (n: number): Arbitrary<number | string> =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(n) }, { weight: 1, arbitrary: fc.constantFrom(`${n}`, `0${n}`) })

const off = fc.constantFrom(null, undefined, [])
const unknownMembers = fc.oneof(
  { weight: 9, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.constant({ unknown: [1] }) },
)

/** Ranges of a day, adjacent or with gaps, in any order. */
const customDay = fc
  .record({
    hours: fc.uniqueArray(fc.integer({ min: 0, max: 24 }), { minLength: 2, maxLength: 9 }),
    gaps: fc.boolean(),
    backwards: fc.boolean(),
  })
  .map(({ hours, gaps, backwards }) => {
    const sorted = hours.toSorted((a, b) => a - b)
    const pairs = sorted.slice(1).map((to, n) => ({ from: sorted[n]!, to }))
    const chosen = pairs.filter(({ to }, n) => to >= 12 && (!gaps || n % 2 === 0))
    return backwards ? chosen.reverse() : chosen
  })
  .chain((pairs) =>
    fc.tuple(
      ...pairs.map(({ from, to }) =>
        fc
          .record({
            from: asNumberOrText(from),
            to: asNumberOrText(to),
            capacity: integer(10, 500),
            cutoff: integer(12, Math.min(18, to)),
            more: unknownMembers,
          })
          .map(({ more, ...range }) => ({ ...range, ...more })),
      ),
    ),
  )

const custom = fc
  .record({
    delivery_window: fc.constantFrom('same_day', 'next_day', undefined, null),
    delivery_ranges: fc.oneof(
      {
        weight: 9,
        arbitrary: fc.record(
          Object.fromEntries(
            DAYS.map((day) => [
              day,
              fc.oneof({ weight: 2, arbitrary: customDay as Arbitrary<unknown> }, { weight: 1, arbitrary: off }),
            ]),
          ),
        ),
      },
      { weight: 1, arbitrary: fc.constantFrom([], {}) },
    ),
    more: unknownMembers,
  })
  .map(({ more, ...body }) => ({ ...body, ...more }))

const accurate = fc
  .record({
    week: fc
      .uniqueArray(fc.integer({ min: 10, max: 16 }), { minLength: 3, maxLength: 7 })
      .chain((hours) =>
        fc.tuple(
          ...hours.map((from) =>
            fc.record({ from: asNumberOrText(from), to: asNumberOrText(from + 2), capacity: integer(10, 500) }),
          ),
        ),
      ),
    saturday: off,
    sunday: off,
  })
  .map((delivery_ranges) => ({ delivery_ranges }))

const zonesOf = ({ flex }: State) => {
  const mandatory = flex.zones.filter(({ is_mandatory }) => is_mandatory).map(({ id }) => id)
  const optional = flex.zones.filter(({ is_mandatory }) => !is_mandatory).map(({ id }) => id)
  return fc.tuple(fc.subarray(optional), fc.boolean(), unknownMembers).map(([chosen, first, more]) => ({
    zones: (first ? [...mandatory, ...chosen] : [...chosen.reverse(), ...mandatory]).map((id) => ({ id, ...more })),
  }))
}

/** A body that must be accepted. */
export const allowed = (kind: Kind, state: State): Arbitrary<Members> => {
  if (kind === 'delivery/custom') return custom
  if (kind === 'delivery/accurate') return accurate
  return kind === 'coverage/zone' ? zonesOf(state) : integer(3000, 8000).map((radius) => ({ radius }))
}

const ODD_VALUES: unknown[] = [
  ...[-1, -0, 0, 1, 9, 10, 11, 12, 13, 18, 19, 23, 24, 25, 500, 501, 2999, 3000, 8000, 8001, 12.5, 1e21, 2 ** 53],
  ...['12', '012', ' 12', '12 ', '1e1', '0x10', '12.0', '', 'same_day', 'CABA', 'caba', 'toString', '__proto__'],
  ...[null, true, false, [], {}, [[]], [null], [{}], { week: [] }, { id: 'CABA' }],
]

/** Removes a member, moves it by one or replaces it. */
const change: Arbitrary<(value: unknown) => unknown> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(() => undefined) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(-1, 1)
      .map((by) => (value: unknown) => (typeof value === 'number' ? value + by : undefined)),
  },
  { weight: 4, arbitrary: fc.constantFrom(...ODD_VALUES).map((value) => () => value) },
  { weight: 1, arbitrary: fc.oneof(texts, fc.jsonValue({ maxDepth: 2 })).map((value) => () => value) },
)

/** An allowed body with one changed member, at any depth. */
export const oneChange = (kind: Kind, state: State): Arbitrary<unknown> =>
  fc.record({ body: allowed(kind, state), at: fc.nat({ max: 999 }), change }).map(({ body, at, change }) => {
    const copy = JSON.parse(JSON.stringify(body)) as Members
    const positions = positionsIn(copy)
    const position = positions[at % positions.length]!
    const parent = position.parent as Members
    const value = change(parent[position.name])
    if (value !== undefined) parent[position.name] = value
    else if (Array.isArray(parent)) parent.splice(Number(position.name), 1)
    else delete parent[position.name]
    return copy
  })

function positionsIn(parent: object): { parent: object; name: string }[] {
  return Object.entries(parent).flatMap(([name, value]) => [
    { parent, name },
    ...(typeof value === 'object' && value !== null ? positionsIn(value) : []),
  ])
}

// Rejected inputs

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const toNumber = (sent: unknown): number =>
  typeof sent === 'string' && /^\d{1,6}$/.test(sent) ? Number(sent) : typeof sent === 'number' ? sent : Number.NaN

const within = (sent: unknown, from: number, to: number): boolean => {
  const n = toNumber(sent)
  return Number.isInteger(n) && n >= from && n <= to
}

const isDayOff = (day: unknown): boolean =>
  day === undefined || day === null || (Array.isArray(day) && day.length === 0)

/** Whether a parsed body must be accepted. */
export function isAllowed(kind: Kind, body: unknown, { flex }: State): boolean {
  if (!isObject(body)) return false
  const { delivery_window: window, delivery_ranges: days, zones, radius } = body
  if (kind === 'coverage/radius') return within(radius, 3000, 8000)
  if (kind === 'coverage/zone') {
    if (!Array.isArray(zones)) return false
    const ids = zones.map((zone) => (isObject(zone) ? zone.id : undefined))
    const zoneIds = new Set(flex.zones.map(({ id }) => id))
    return (
      ids.every((id) => zoneIds.has(id as string)) &&
      new Set(ids).size === ids.length &&
      flex.zones.every(({ id, is_mandatory }) => !is_mandatory || ids.includes(id))
    )
  }
  const isEmptyList = Array.isArray(days) && days.length === 0
  if (!isObject(days) && !isEmptyList) return false
  const byDay = days as Members
  if (Object.keys(byDay).some((key) => !DAYS.includes(key))) return false
  if (kind === 'delivery/accurate') {
    const { week } = byDay
    if (!Array.isArray(week) || week.length < 3 || !isDayOff(byDay.saturday) || !isDayOff(byDay.sunday)) return false
    return (
      week.every(
        (range) =>
          isObject(range) &&
          within(range.from, 10, 16) &&
          toNumber(range.to) === toNumber(range.from) + 2 &&
          within(range.capacity, 10, 500),
      ) && new Set(week.map(({ from }) => toNumber(from))).size === week.length
    )
  }
  if (window !== undefined && window !== null && window !== 'same_day' && window !== 'next_day') return false
  return DAYS.every((day) => isDayOff(byDay[day]) || (Array.isArray(byDay[day]) && isCustomDay(byDay[day])))
}

function isCustomDay(ranges: unknown[]): boolean {
  const areValid = ranges.every(
    (range) =>
      isObject(range) &&
      within(range.from, 0, 24) &&
      within(range.to, 0, 24) &&
      toNumber(range.from) < toNumber(range.to) &&
      within(range.capacity, 10, 500) &&
      within(range.cutoff, 12, 18) &&
      toNumber(range.cutoff) <= toNumber(range.to),
  )
  if (!areValid) return false
  const hours = (ranges as Members[]).flatMap(({ from, to }) =>
    Array.from({ length: toNumber(to) - toNumber(from) }, (_, n) => toNumber(from) + n),
  )
  return new Set(hours).size === hours.length
}

// Effects

interface Range {
  from: number
  to: number
  capacity: number
  cutoff: number
}

/** The answer to an accepted body, and the state after it. */
export function applySettings(kind: Kind, body: Members, before: State): { answer: object; after: State } {
  const after = structuredClone(before)
  if (kind === 'coverage/radius') {
    const radius = toNumber(body.radius)
    after.turbo.radius = radius
    return { answer: { radius }, after }
  }
  if (kind === 'coverage/zone') {
    const ids = (body.zones as { id: string }[]).map(({ id }) => id)
    for (const zone of after.flex.zones) zone.selected = ids.includes(zone.id)
    return { answer: { zones: ids.map((id) => ({ id })) }, after }
  }
  const isCustom = kind === 'delivery/custom'
  const changed = isCustom ? after.flex : after.turbo
  if (isCustom && typeof body.delivery_window === 'string') changed.delivery_window = body.delivery_window
  const days = body.delivery_ranges as Members
  const ranges = DAYS.map((day): [string, Range[] | null] => [
    day,
    isDayOff(days[day])
      ? null
      : (days[day] as Members[]).map(({ from, to, capacity, cutoff }) => ({
          from: toNumber(from),
          to: toNumber(to),
          capacity: toNumber(capacity),
          cutoff: toNumber(isCustom ? cutoff : from),
        })),
  ])
  changed.working_days = ranges.filter(([, dayRanges]) => dayRanges).map(([day]) => day)
  changed.delivery_ranges = Object.fromEntries(
    ranges.map(([day, dayRanges]) => [
      day,
      dayRanges?.map(({ from, to, capacity, cutoff }) => ({
        capacity,
        type: isCustom ? 'cpt' : 'etd',
        processing_time: 0,
        from,
        to,
        et_hour: isCustom ? to : null,
        calculated_cutoff: cutoff,
      })) ?? null,
    ]),
  )
  return {
    answer: { delivery_window: changed.delivery_window, delivery_ranges: Object.fromEntries(ranges) },
    after,
  }
}

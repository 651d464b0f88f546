import fc, { type Arbitrary } from 'fast-check'
import { texts } from './values.ts'

// What sellers send to the four settings of Flex, which of it is allowed (rulings §4), and what it comes to.

export type Kind = 'delivery/custom' | 'delivery/accurate' | 'coverage/zone' | 'coverage/radius'
export const KINDS: Kind[] = ['delivery/custom', 'delivery/accurate', 'coverage/zone', 'coverage/radius']

type Members = Record<string, unknown>

/** What of a configuration a setting can change. */
interface Shown {
  delivery_window: string
  delivery_ranges: Record<string, object[] | null>
  working_days: string[]
  zones: { id: string; is_mandatory: boolean; selected: boolean }[]
  radius: number | null
}
/** Both services of a seller. */
export interface State {
  flex: Shown
  turbo: Shown
}

const DAYS = ['week', 'saturday', 'sunday']

// What is allowed

/** An integer, or its digits. */
const whole = (from: number, to: number) => fc.integer({ min: from, max: to }).chain(spelled)
const spelled = (n: number): Arbitrary<number | string> =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(n) }, { weight: 1, arbitrary: fc.constantFrom(`${n}`, `0${n}`) })

const off = fc.constantFrom(null, undefined, [])
const odd = fc.oneof({ weight: 9, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: fc.constant({ unknown: [1] }) })

/** Ranges of a day, side by side or with gaps, in any order. */
const customDay = fc
  .record({
    hours: fc.uniqueArray(fc.integer({ min: 0, max: 24 }), { minLength: 2, maxLength: 9 }),
    gaps: fc.boolean(),
    backwards: fc.boolean(),
  })
  .map(({ hours, gaps, backwards }) => {
    const sorted = hours.toSorted((a, b) => a - b)
    const pairs = sorted.slice(1).map((to, n) => ({ from: sorted[n]!, to }))
    const some = pairs.filter(({ to }, n) => to >= 12 && (!gaps || n % 2 === 0))
    return backwards ? some.reverse() : some
  })
  .chain((pairs) =>
    fc.tuple(
      ...pairs.map(({ from, to }) =>
        fc
          .record({
            from: spelled(from),
            to: spelled(to),
            capacity: whole(10, 500),
            cutoff: whole(12, Math.min(18, to)),
            more: odd,
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
    more: odd,
  })
  .map(({ more, ...body }) => ({ ...body, ...more }))

const accurate = fc
  .record({
    week: fc
      .uniqueArray(fc.integer({ min: 10, max: 16 }), { minLength: 3, maxLength: 7 })
      .chain((hours) =>
        fc.tuple(
          ...hours.map((from) => fc.record({ from: spelled(from), to: spelled(from + 2), capacity: whole(10, 500) })),
        ),
      ),
    saturday: off,
    sunday: off,
  })
  .map((delivery_ranges) => ({ delivery_ranges }))

const zonesOf = ({ flex }: State) => {
  const must = flex.zones.filter(({ is_mandatory }) => is_mandatory).map(({ id }) => id)
  const may = flex.zones.filter(({ is_mandatory }) => !is_mandatory).map(({ id }) => id)
  return fc.tuple(fc.subarray(may), fc.boolean(), odd).map(([some, first, more]) => ({
    zones: (first ? [...must, ...some] : [...some.reverse(), ...must]).map((id) => ({ id, ...more })),
  }))
}

/** A body that must be taken. */
export const allowed = (kind: Kind, state: State): Arbitrary<Members> => {
  if (kind === 'delivery/custom') return custom
  if (kind === 'delivery/accurate') return accurate
  return kind === 'coverage/zone' ? zonesOf(state) : whole(3000, 8000).map((radius) => ({ radius }))
}

const ODD: unknown[] = [
  ...[-1, -0, 0, 1, 9, 10, 11, 12, 13, 18, 19, 23, 24, 25, 500, 501, 2999, 3000, 8000, 8001, 12.5, 1e21, 2 ** 53],
  ...['12', '012', ' 12', '12 ', '1e1', '0x10', '12.0', '', 'same_day', 'CABA', 'caba', 'toString', '__proto__'],
  ...[null, true, false, [], {}, [[]], [null], [{}], { week: [] }, { id: 'CABA' }],
]

/** What happens to a member: it goes, it moves by one, or something else stands there. */
const change: Arbitrary<(value: unknown) => unknown> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(() => undefined) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(-1, 1)
      .map((by) => (value: unknown) => (typeof value === 'number' ? value + by : undefined)),
  },
  { weight: 4, arbitrary: fc.constantFrom(...ODD).map((odd) => () => odd) },
  { weight: 1, arbitrary: fc.oneof(texts, fc.jsonValue({ maxDepth: 2 })).map((odd) => () => odd) },
)

/** An allowed body with one of its members changed, at any depth. */
export const oneOdd = (kind: Kind, state: State): Arbitrary<unknown> =>
  fc.record({ body: allowed(kind, state), at: fc.nat({ max: 999 }), change }).map(({ body, at, change }) => {
    const copy = JSON.parse(JSON.stringify(body)) as Members
    const spots = spotsIn(copy)
    const spot = spots[at % spots.length]!
    const inside = spot.inside as Members
    const value = change(inside[spot.name])
    if (value !== undefined) inside[spot.name] = value
    else if (Array.isArray(inside)) inside.splice(Number(spot.name), 1)
    else delete inside[spot.name]
    return copy
  })

function spotsIn(inside: object): { inside: object; name: string }[] {
  return Object.entries(inside).flatMap(([name, value]) => [
    { inside, name },
    ...(typeof value === 'object' && value !== null ? spotsIn(value) : []),
  ])
}

// What must be refused

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const numberOf = (sent: unknown): number =>
  typeof sent === 'string' && /^\d{1,6}$/.test(sent) ? Number(sent) : typeof sent === 'number' ? sent : Number.NaN

const within = (sent: unknown, from: number, to: number): boolean => {
  const n = numberOf(sent)
  return Number.isInteger(n) && n >= from && n <= to
}

const isOff = (day: unknown): boolean => day === undefined || day === null || (Array.isArray(day) && day.length === 0)

/** Whether a body, as it was parsed, must be taken. */
export function isAllowed(kind: Kind, body: unknown, { flex }: State): boolean {
  if (!isObject(body)) return false
  const { delivery_window: window, delivery_ranges: days, zones, radius } = body
  if (kind === 'coverage/radius') return within(radius, 3000, 8000)
  if (kind === 'coverage/zone') {
    if (!Array.isArray(zones)) return false
    const ids = zones.map((zone) => (isObject(zone) ? zone.id : undefined))
    const known = new Set(flex.zones.map(({ id }) => id))
    return (
      ids.every((id) => known.has(id as string)) &&
      new Set(ids).size === ids.length &&
      flex.zones.every(({ id, is_mandatory }) => !is_mandatory || ids.includes(id))
    )
  }
  const isEmptyList = Array.isArray(days) && days.length === 0
  if (!isObject(days) && !isEmptyList) return false
  const of = days as Members
  if (kind === 'delivery/accurate') {
    const { week } = of
    if (!Array.isArray(week) || week.length < 3 || !isOff(of.saturday) || !isOff(of.sunday)) return false
    return (
      week.every(
        (range) =>
          isObject(range) &&
          within(range.from, 10, 16) &&
          numberOf(range.to) === numberOf(range.from) + 2 &&
          within(range.capacity, 10, 500),
      ) && new Set(week.map(({ from }) => numberOf(from))).size === week.length
    )
  }
  if (window !== undefined && window !== null && window !== 'same_day' && window !== 'next_day') return false
  return DAYS.every((day) => isOff(of[day]) || (Array.isArray(of[day]) && isCustomDay(of[day])))
}

function isCustomDay(ranges: unknown[]): boolean {
  const good = ranges.every(
    (range) =>
      isObject(range) &&
      within(range.from, 0, 24) &&
      within(range.to, 0, 24) &&
      numberOf(range.from) < numberOf(range.to) &&
      within(range.capacity, 10, 500) &&
      within(range.cutoff, 12, 18) &&
      numberOf(range.cutoff) <= numberOf(range.to),
  )
  if (!good) return false
  const hours = (ranges as Members[]).flatMap(({ from, to }) =>
    Array.from({ length: numberOf(to) - numberOf(from) }, (_, n) => numberOf(from) + n),
  )
  return new Set(hours).size === hours.length
}

// What it comes to

interface Range {
  from: number
  to: number
  capacity: number
  cutoff: number
}

/** The answer to a body that is taken, and the state after it. */
export function applied(kind: Kind, body: Members, before: State): { answer: object; after: State } {
  const after = structuredClone(before)
  if (kind === 'coverage/radius') {
    const radius = numberOf(body.radius)
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
    isOff(days[day])
      ? null
      : (days[day] as Members[]).map(({ from, to, capacity, cutoff }) => ({
          from: numberOf(from),
          to: numberOf(to),
          capacity: numberOf(capacity),
          cutoff: numberOf(isCustom ? cutoff : from),
        })),
  ])
  changed.working_days = ranges.filter(([, those]) => those).map(([day]) => day)
  changed.delivery_ranges = Object.fromEntries(
    ranges.map(([day, those]) => [
      day,
      those?.map(({ from, to, capacity, cutoff }) => ({
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

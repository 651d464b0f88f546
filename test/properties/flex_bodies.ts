import fc, { type Arbitrary } from 'fast-check'
import { AREAS } from '../../domains/flex/areas.ts'
import { CONFIGURATION_FIELDS } from '../support/flex.ts'
import type { Full } from './flex_answers.ts'
import type { Kind } from './flex_model.ts'

// Inputs of Flex: selections of a configuration and bodies of updates, with the expected results.

// The configuration query

/** A selection, and the part of the configuration that it selects. */
export const SELECTIONS: { fields: string; fragments?: string; of: (full: Full) => unknown }[] = [
  { fields: CONFIGURATION_FIELDS.join(' '), of: (full) => full },
  { fields: 'radius window: delivery_window', of: (full) => ({ radius: full.radius, window: full.delivery_window }) },
  {
    fields: '__typename ...covered working_days',
    fragments: 'fragment covered on Configuration { zones { selected id } }',
    of: ({ zones, working_days }) => ({
      __typename: 'Configuration',
      zones: zones.map(({ id, selected }) => ({ selected, id })),
      working_days,
    }),
  },
  {
    fields: '... { subscription { state: status { id } training_times { remaining { value } } } }',
    of: ({ subscription: { status, training_times: times } }) => ({
      subscription: { state: status, training_times: times && { remaining: { value: times.remaining.value } } },
    }),
  },
  {
    fields: 'delivery_ranges { saturday { to from } }',
    of: ({ delivery_ranges: { saturday } }) => ({
      delivery_ranges: { saturday: saturday?.map(({ from, to }) => ({ to, from })) ?? null },
    }),
  },
]

const NOT_OF_SCHEMA = 'failed to create schema in graphql operation'
export const INVALID_QUERIES: [body: string, complaint: string][] = [
  ['', 'invalid JSON body'],
  ['["query"]', 'invalid JSON body'],
  ['{"query":5}', 'invalid JSON body'],
  ['{"query":""}', 'invalid query'],
  ['{"query":"{ configuration(user_id: 1"}', 'invalid query'],
  ['{"query":"{ configuration(user_id: 1, service_id: 2) { colour } }"}', NOT_OF_SCHEMA],
  ['{"query":"{ configuration(user_id: \\"1\\", service_id: 2) { radius } }"}', NOT_OF_SCHEMA],
  ['{"query":"{ configuration(user_id: 1) { radius } }"}', NOT_OF_SCHEMA],
  ['{"query":"{ __schema { types { name } } }"}', NOT_OF_SCHEMA],
  ['{"query":"query a { __typename }","operationName":"b"}', NOT_OF_SCHEMA],
]

// Bodies of updates: random valid ones, and invalid ones with the expected message

export const mostly = <T>(first: T, ...others: T[]): Arbitrary<T> =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(first) }, { weight: 1, arbitrary: fc.constantFrom(...others) })
const numberOrText = (numbers: Arbitrary<number>) =>
  fc.tuple(numbers, mostly(false, true)).map(([n, asText]) => (asText ? String(n) : n))
/** Mostly the same, as it must be on all days. */
const capacity = numberOrText(fc.oneof({ weight: 9, arbitrary: fc.constant(30) }, fc.integer({ min: 10, max: 500 })))

/** Ranges that do not overlap and end after their cutoff. */
const customDay = fc.oneof(
  fc.constantFrom(undefined, null, []),
  fc
    .tuple(
      fc.uniqueArray(fc.integer({ min: 12, max: 24 }), { minLength: 2, maxLength: 6 }),
      fc.array(fc.record({ capacity, wait: fc.nat(6) }), { minLength: 3, maxLength: 3 }),
    )
    .map(([hours, more]) => {
      const [first, ...ends] = hours.sort((a, b) => a - b)
      return ends.slice(0, 3).map((to, n) => {
        const { capacity, wait } = more[n]!
        return {
          from: n === 0 ? first! - 12 : ends[n - 1]!,
          to,
          capacity,
          cutoff: 12 + Math.min(wait, to - 12),
          note: 'x',
        }
      })
    }),
)
const turboRanges = fc.uniqueArray(
  fc.record({ from: fc.integer({ min: 10, max: 16 }), capacity }).map((range) => ({ ...range, to: range.from + 2 })),
  { selector: ({ from }) => from, minLength: 3, maxLength: 7 },
)

/** Zones of an area: the mandatory ones first unless one is omitted, perhaps one twice. */
const zones = fc
  .record({
    area: mostly(0, 1),
    optional: fc.subarray([2, 3, 4, 5, 6]),
    defect: mostly('none', 'less', 'twice', 'all gone', 'unknown'),
  })
  .map(({ area, optional, defect }) => {
    const { zones } = AREAS.MLA[area]!
    const ids = zones.filter(({ mandatory }, n) => mandatory || optional.includes(n)).map(({ id }) => ({ id }))
    const more = { twice: ids.slice(0, 1), unknown: [{ id: 'Atlantis' }] }[defect] ?? []
    return { zones: defect === 'all gone' ? [] : [...ids.slice(defect === 'less' ? 1 : 0), ...more] }
  })

export interface SettingsInput {
  body: unknown
  complaint?: string
}
const range = { from: 14, to: 21, capacity: 30, cutoff: 13 }
const week = (...ranges: unknown[]) => ({ delivery_ranges: { week: ranges } })
const turbo = (from: number, more = {}) => ({ from, to: from + 2, capacity: 20, ...more })
const [threeRanges, TOO_FEW] = [[turbo(10), turbo(11), turbo(12)], 'delivery_ranges.week: must have at least 3 ranges']
const NOT_DAYS = 'delivery_ranges: must be an object with week, saturday, sunday, each an array of ranges or null'
const UNKNOWN_DAY = 'must be one of week, saturday, sunday'
const ALLOWED_RANGES = '10-12, 11-13, 12-14, 13-15, 14-16, 15-17, 16-18'

const INVALID_BODIES: Record<Kind, [body: unknown, complaint: string][]> = {
  custom: [
    [{}, NOT_DAYS],
    [{ delivery_ranges: null }, NOT_DAYS],
    [{ delivery_ranges: { monday: [range] } }, `delivery_ranges.monday: ${UNKNOWN_DAY}`],
    [{ delivery_ranges: { sunday: 'x' } }, 'delivery_ranges.sunday: must be an array of ranges, or null'],
    [{ delivery_ranges: { toString: [range] } }, `delivery_ranges.toString: ${UNKNOWN_DAY}`],
    [week(7), 'delivery_ranges.week[0]: must be an object'],
    [week(...Array(25).fill(range)), 'delivery_ranges.week: must have at most 24 ranges'],
    [week({ ...range, capacity: 9 }), 'delivery_ranges.week[0].capacity: must be an integer from 10 to 500'],
    [week({ ...range, capacity: 501 }), 'delivery_ranges.week[0].capacity: must be an integer from 10 to 500'],
    [week({ ...range, from: 14.5 }), 'delivery_ranges.week[0].from: must be an integer from 0 to 24'],
    [week({ ...range, to: 25 }), 'delivery_ranges.week[0].to: must be an integer from 0 to 24'],
    [week({ ...range, to: 14 }), 'delivery_ranges.week[0].to: must be later than from'],
    [week({ ...range, cutoff: 19 }), 'delivery_ranges.week[0].cutoff: must be an integer from 12 to 18'],
    [week({ ...range, to: 15, cutoff: 16 }), 'delivery_ranges.week[0].cutoff: must not be later than to'],
    [week(range, { ...range, from: 20, to: 22 }), 'delivery_ranges.week[1]: must not overlap another range of the day'],
    [{ ...week(range), delivery_window: 'never' }, 'delivery_window: must be one of same_day, next_day'],
  ],
  accurate: [
    [{ delivery_ranges: 3 }, NOT_DAYS],
    [{ delivery_ranges: [] }, TOO_FEW],
    [week(...threeRanges.slice(1)), TOO_FEW],
    [week(...threeRanges, turbo(17)), `delivery_ranges.week[3]: must be one of ${ALLOWED_RANGES}`],
    [week(...threeRanges, turbo(13, { to: 16 })), `delivery_ranges.week[3]: must be one of ${ALLOWED_RANGES}`],
    [week(...threeRanges, turbo(11)), 'delivery_ranges.week[3]: stands twice'],
    [
      week(...threeRanges, turbo(13, { capacity: 1 })),
      'delivery_ranges.week[3].capacity: must be an integer from 10 to 500',
    ],
    [{ delivery_ranges: { week: threeRanges, sunday: threeRanges } }, 'delivery_ranges.sunday: must be off'],
  ],
  zone: [
    [{}, 'zones: must be an array of objects with id'],
    [{ zones: 'CABA' }, 'zones: must be an array of objects with id'],
    [{ zones: ['CABA'] }, 'zones[0].id: must be the id of a zone'],
    [{ zones: [{ id: 5 }] }, 'zones[0].id: must be the id of a zone'],
  ],
  radius: [{}, { radius: 2999 }, { radius: 8001 }, { radius: 4000.5 }, { radius: 'far' }].map((body) => [
    body,
    'radius: must be an integer from 3000 to 8000',
  ]),
}
const VALID_BODIES: Record<Kind, Arbitrary<unknown>> = {
  custom: fc.record({
    delivery_window: fc.constantFrom(undefined, 'same_day', 'next_day'),
    delivery_ranges: fc.oneof(
      { weight: 1, arbitrary: fc.constant([]) },
      { weight: 9, arbitrary: fc.record({ week: customDay, saturday: customDay, sunday: customDay }) },
    ),
  }),
  accurate: fc.record({
    delivery_ranges: fc.record({ week: turboRanges, saturday: fc.constantFrom(undefined, null, []) }),
  }),
  zone: zones,
  radius: fc.record({ radius: numberOrText(fc.integer({ min: 3000, max: 8000 })) }),
}
export const settingsInput = (kind: Kind): Arbitrary<SettingsInput> =>
  fc.oneof(
    { weight: 2, arbitrary: VALID_BODIES[kind].map((body) => ({ body })) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...INVALID_BODIES[kind]).map(([body, complaint]) => ({ body, complaint })),
    },
  )

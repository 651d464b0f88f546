import { AREAS, type Area } from '../../domains/flex/areas.ts'

// The expected representations of a subscription of a seller of MLA, derived from the documented rules only.

export type Mode = 'FLEX' | 'TURBO'
export type Status = 'in' | 'out' | 'pending'

export interface Range {
  from: number
  to: number
  capacity: number
  cutoff: number
}
export type Days = Record<'week' | 'saturday' | 'sunday', Range[] | null>

export interface Subscription {
  id: number
  user_id: number
  mode: Mode
  service_id: number
  status: Status
  creation_date: number
  training_days: number | null
  delivery_window: string
  days: Days
  zones: string[]
  radius: number | null
}
/** Cities of the seller, with the id that the server derives from site and name, and their coverage area. */
export const CITIES: Record<string, { id: string; area?: Area | undefined }> = {
  'Buenos Aires': { id: 'TUxBQ0JVRU5PU0FJ', area: AREAS.MLA[0] },
  CÓRDOBA: { id: 'TUxBQ0NPUkRPQkE', area: AREAS.MLA[1] },
  'San Carlos de Bariloche': { id: 'TUxBQ1NBTkNBUkxP' },
}
export const ADDRESS_LINE = 'Av. Corrientes 1234'
export const ZIP_CODE = 'C1043'
const DAY = 86_400_000
const utc = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z')
const hours = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n)
export const TURBO_RANGES = hours(10, 16).map((from) => ({ from, to: from + 2 }))

export function older({ id, user_id, mode, service_id, status, creation_date }: Subscription) {
  const flex = mode === 'FLEX'
  return {
    id,
    site_id: 'MLA',
    user_id,
    mode,
    configuration_type: { coverage: flex ? 'zone' : 'radius', delivery: flex ? 'custom' : 'accurate' },
    service_id,
    status: { id: status },
    creation_date: utc(creation_date),
  }
}
export function newer({ user_id, mode, service_id, status, days }: Subscription, from: string) {
  const flex = mode === 'FLEX'
  const coverage = flex ? 'zone' : 'radius'
  const isOff = Object.values(days).every((day) => day === null)
  const { id, address_line, city, zip_code } = addressOf(user_id, from)
  return {
    site_id: 'MLA',
    user_id,
    service_id,
    mode,
    origin: { address_line, city, id, zip_code },
    status,
    configuration: {
      set: {
        coverage: { type: coverage, capabilities: { cutoff_by_zone: false } },
        delivery_ranges: isOff ? 'disabled' : flex ? 'dinamic' : 'fixed',
        holidays: flex,
        transit_times: false,
      },
      available: { coverage: { type: [coverage], capabilities: { cutoff_by_zone: flex } } },
    },
  }
}
/** The id of an address is derived from the user id. */
function addressOf(user_id: number, name: string) {
  const city = { id: CITIES[name]!.id, name }
  return { id: `13${`${user_id}`.slice(2)}`, address_line: ADDRESS_LINE, city, zip_code: ZIP_CODE }
}

/** All members of a configuration, in the order of the query that selects all. */
export function full(one: Subscription, from: string, now: number) {
  const flex = one.mode === 'FLEX'
  const range = ({ from, to, capacity, cutoff }: Range) => ({
    capacity,
    type: flex ? 'cpt' : 'etd',
    processing_time: 0,
    from,
    to,
    et_hour: flex ? to : null,
    calculated_cutoff: cutoff,
  })
  const { week, saturday, sunday } = one.days
  return {
    address: addressOf(one.user_id, from),
    subscription: {
      site_id: 'MLA',
      user_id: one.user_id,
      service_id: one.service_id,
      status: { id: one.status },
      creation_date: utc(one.creation_date),
      training_times: training(one, now),
    },
    delivery_window: one.delivery_window,
    is_moderated: false,
    delivery_ranges: {
      week: week?.map(range) ?? null,
      saturday: saturday?.map(range) ?? null,
      sunday: sunday?.map(range) ?? null,
    },
    working_days: [week && 'week', saturday && 'saturday', sunday && 'sunday'].filter((day) => day !== null),
    zones: (flex ? (CITIES[from]!.area?.zones ?? []) : []).map(({ id, label, neighborhoods, price, mandatory }) => ({
      enabled: true,
      id,
      is_mandatory: mandatory,
      label,
      neighborhoods,
      price: {
        cents: price.cents,
        currency_id: 'ARS',
        decimal_separator: ',',
        fraction: price.fraction,
        symbol: '$',
      },
      selected: one.zones.includes(id),
    })),
    radius: one.radius,
    availables: {
      capacity_range: { from: 10, to: 500 },
      cutoff: flex ? hours(12, 18) : [],
      ranges: flex ? hours(10, 22) : [],
      accurate_ranges: flex ? [] : TURBO_RANGES,
      radius_range: flex ? null : { from: 3, to: 8 },
    },
    disabled_features: flex ? ['CUTOFF_BY_ZONE', 'CAPACITY_BY_DAY'] : [],
  }
}

function training({ status, creation_date, training_days: days }: Subscription, now: number) {
  if (status !== 'pending' || days === null) return null
  const activation = creation_date + days * DAY
  // A started day counts; moving the clock back never adds days.
  const left = Math.max(0, Math.min(days, Math.ceil((activation - now) / DAY)))
  return {
    original: { value: days, unit: 'day' },
    remaining: { value: left, unit: 'day' },
    activation_date: utc(activation),
  }
}

export type Full = ReturnType<typeof full>

// Values that a seller can choose; the configuration query lists most of them as `availables`.

const hours = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, n) => from + n)

export const DAYS = ['week', 'saturday', 'sunday'] as const
export type Day = (typeof DAYS)[number]

/** Parcels per range. */
export const CAPACITY = { from: 10, to: 500 }

/** Hours until which an order is delivered the same day. */
export const CUTOFFS = hours(12, 18)

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

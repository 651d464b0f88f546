// What a seller may choose from; the configuration query answers most of it under `availables`.

const hours = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, n) => from + n)

export const DAYS = ['week', 'saturday', 'sunday'] as const
export type Day = (typeof DAYS)[number]

/** Parcels per range. */
export const CAPACITY = { from: 10, to: 500 }

/** Hours until which an order goes out the same day. */
export const CUTOFFS = hours(12, 18)

/** Hours that sellers usually deliver in; others are taken too. */
export const USUAL_HOURS = hours(10, 22)

/** Turbo: ranges of two hours, Monday to Friday, of which at least three are served. */
export const ACCURATE_RANGES = hours(10, 16).map((from) => ({ from, to: from + 2 }))
export const MIN_ACCURATE_RANGES = 3

/** Turbo: metres around the seller. */
export const RADIUS = { from: 3000, to: 8000 }
/** The same as the public service tells it: kilometres. */
export const RADIUS_IN_KM = { from: 3, to: 8 }

/** Where the numbers of services begin. */
export const FIRST_SERVICE_ID = 736_230

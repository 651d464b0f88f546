import type { Test } from 'tap'

/** What closes the things that a function opens: a test, or a script. */
export type Owner = Pick<Test, 'teardown'>

// Values that `npm run torture` gives the tests that it repeats.

export const seedOr = (value: number): number => Number(process.env.SEED ?? value)
/** The number of kills, requests or sequences. */
export const sizeOr = (value: number): number => Number(process.env.SIZE ?? value)

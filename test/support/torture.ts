import type { Test } from 'tap'

/** What closes the things that a function opens: a test, or a script. */
export type Owner = Pick<Test, 'teardown'>

// Values that `npm run torture` gives the tests that it repeats.

/** `SEED`, which the gate takes from the commit; else fixed, so that a failure comes again. */
export const SEED = Number(process.env.SEED ?? 20_260_307)
/** The number of kills, requests or sequences. */
export const sizeOr = (value: number): number => Number(process.env.SIZE ?? value)

/** The factor of the work before each kill: 1 in short runs, less in long ones. */
export const workFactor = (kills: number): number => Math.min(1, Math.max(0.2, 10 / kills))

/** Numbers from 0 to 1, equal in every run with the seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return state / 2 ** 32
  }
}

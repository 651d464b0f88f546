import fc from 'fast-check'
import { SEED } from './torture.ts'

// fast-check as the tests use it: one seed and one amount of work for all properties of a run.

/** The share of the cases that run; `TIMES=20 npm test -- test/properties` runs twenty times all of them. */
export const TIMES = Number(process.env.TIMES ?? 0.25)

/** The number of runs of a property that has `all` of them with `TIMES=1`. */
export const runs = (all: number): number => Math.ceil(all * TIMES)

fc.configureGlobal({ seed: SEED, includeErrorInReport: true })

export { SEED }
export default fc

import { increaseRuns } from './call_runner.ts'

// The properties of explain.test.ts with twenty times as many calls, more than 2,000 distinct refusals; `SEED=…` selects others.
increaseRuns({ times: 20, seed: Number(process.env.SEED ?? 20_261_122) })
await import('./explain.test.ts')

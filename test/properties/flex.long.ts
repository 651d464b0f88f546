import { increaseRuns } from './call_runner.ts'

// Runs the properties of flex.test.ts longer and with other calls; `SEED=…` selects others.
increaseRuns({ times: 2, seed: Number(process.env.SEED ?? 20_260_308) })
await import('./flex.test.ts')

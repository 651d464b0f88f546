import { sendMore } from './volley.ts'

// As operations.test.ts, longer, and with other calls; `SEED=…` sends others again.
sendMore({ times: 2, seed: Number(process.env.SEED ?? 20_260_308) })
await import('./operations.test.ts')

import t from 'tap'
import { staged } from './control_stage.ts'
import { stories } from './control_stories.ts'

// As control.test.ts, longer, and with other stories; `SEED=…` tells others again.
const { all, cases, faults, othersAreAsBefore } = await staged(t)
const seed = Number(process.env.SEED ?? 20_260_308)

t.test(`whatever is asked, seed ${seed}`, async (t) => {
  await all(stories(60), 240, seed)
  t.ok(cases() >= 20_000, `${cases()} cases`)
  await t.resolves(othersAreAsBefore())
  t.strictSame(faults, [])
})

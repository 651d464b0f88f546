import t from 'tap'
import { createControlRunner } from './control_runner.ts'
import { scripts } from './control_scripts.ts'

// Runs the properties of control.test.ts longer and with other calls; `SEED=…` selects others.
const { runAll, cases, faults, expectOthersUnchanged } = await createControlRunner(t)
const seed = Number(process.env.SEED ?? 20_260_308)

t.test(`answers any control call as documented, seed ${seed}`, async (t) => {
  await runAll(scripts(120), 141, seed)
  t.ok(cases() >= 20_000, `${cases()} cases`)
  await t.resolves(expectOthersUnchanged())
  t.strictSame(faults, [])
})

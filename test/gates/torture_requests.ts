import { anyOperation, createCallRunner } from '../properties/call_runner.ts'
import { almostValidCall, arbitraryCall, asJsonp, validCall } from '../properties/calls.ts'
import { createControlRunner } from '../properties/control_runner.ts'
import { scripts } from '../properties/control_scripts.ts'
import { broken, randomTokens } from '../properties/graphql.ts'
import fc from '../support/property.ts'
import { sizeOr } from '../support/torture.ts'

// Sends SIZE generated calls of the seed and checks each answer: three of four to the emulated API, the others in scripts of
// control calls. A part of torture.ts.

const SIZE = sizeOr(20_000)
/** Control calls of a script on average; a script has at most 120, its setup and calls of the emulated API. */
const CALLS_PER_SCRIPT = 145

const closings: (() => unknown)[] = []
const owner = { teardown: (close: () => unknown) => void closings.push(close) }

const emulated = await createCallRunner(owner)
const { demo, sellers } = emulated
const seller = sellers[0]!
const graphql = fc
  .oneof(
    broken(seller.id, demo.values.service_id as number[]),
    randomTokens.map((query) => ({ query })),
  )
  .map((body) => ({
    method: 'POST',
    url: '/shipping/flex/sites/MLA/configuration/v3',
    headers: { authorization: `Bearer ${seller.token}` },
    payload: JSON.stringify(body),
  }))
const calls = fc.oneof(
  { weight: 2, arbitrary: anyOperation(demo, validCall) },
  { weight: 3, arbitrary: anyOperation(demo, almostValidCall) },
  { weight: 3, arbitrary: anyOperation(demo, arbitraryCall) },
  { weight: 1, arbitrary: anyOperation(demo, almostValidCall).map((call) => asJsonp(call, 'show')) },
  { weight: 1, arbitrary: graphql },
)
await emulated.runAll(calls, Math.ceil(SIZE * 0.75), emulated.send)

const control = await createControlRunner(owner)
await control.runAll(scripts(120), Math.ceil((SIZE * 0.25) / CALLS_PER_SCRIPT))
await control.expectOthersUnchanged()
const [fault] = [...emulated.faults, ...control.faults]
if (fault) throw fault

for (const close of closings) await close()
console.log(`${emulated.cases() + control.cases()} requests`)

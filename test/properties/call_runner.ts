import { setImmediate } from 'node:timers/promises'
import type { Arbitrary } from 'fast-check'
import type { LightMyRequestResponse } from 'fastify'
import { start, type TestApp } from '../support/app.ts'
import { type Operation, operations } from '../support/openapi.ts'
import fc, { runs } from '../support/property.ts'
import type { Owner } from '../support/torture.ts'
import { type Call, type CheckedAnswer, checkAnswer } from './answers.ts'
import { collectDemoValues, type DemoValues } from './demo.ts'

/** Ms after which a call counts as hanging. */
const TIMEOUT_MS = 5_000

export interface CheckedCall extends CheckedAnswer {
  answer: LightMyRequestResponse
}

export interface CallRunner extends TestApp {
  demo: DemoValues
  /** Sends one call and checks its answer; throws on a mismatch. */
  send(call: Call): Promise<CheckedCall>
  /** Runs a property `all` times with `TIMES=1`; a failure reports the seed and the smallest failing input. */
  runAll<T>(inputs: Arbitrary<T>, all: number, run: (input: T) => Promise<unknown>): Promise<void>
  /** The same for the inputs of each operation: chance would leave out many. */
  runEach<T>(
    selected: Operation[],
    make: (demo: DemoValues, operation: Operation) => Arbitrary<T>,
    all: number,
    run: (input: T) => Promise<unknown>,
  ): Promise<void>
  /** Calls sent so far. */
  cases(): number
  /** The statuses that each operation has answered. */
  statuses: Map<Operation, Set<number>>
}

/** Starts an app for a file of properties. */
export async function createCallRunner(t: Owner): Promise<CallRunner> {
  const app = await start(t, { autoSnapshots: 2, switches: { 'search.public': 'open' } })
  const demo = await collectDemoValues(app)
  const statuses = new Map<Operation, Set<number>>(operations.map((operation) => [operation, new Set()]))
  let cases = 0
  const runAll: CallRunner['runAll'] = (inputs, all, run) =>
    fc.assert(
      fc.asyncProperty(inputs, async (input) => {
        await run(input)
      }),
      { numRuns: runs(all), timeout: TIMEOUT_MS },
    )
  return {
    ...app,
    demo,
    statuses,
    cases: () => cases,
    async send(call) {
      // Injected calls resolve as microtasks only; without this, timers would not run until the last call.
      if (++cases % 100 === 0) await setImmediate()
      const answer = await app.server.inject(call as never)
      const [fault] = app.faults.splice(0)
      if (fault) throw new Error(`a fault: ${fault.message.slice(0, 500)}`, { cause: fault })
      const checked = checkAnswer(call, answer, demo)
      if (checked.operation) statuses.get(checked.operation)!.add(checked.outcome.status)
      return { ...checked, answer }
    },
    runAll,
    async runEach(selected, make, all, run) {
      for (const operation of selected) await runAll(make(demo, operation), all, run)
    },
  }
}

/** A call of any operation, equally distributed. */
export const anyOperation = (
  demo: DemoValues,
  make: (demo: DemoValues, operation: Operation) => Arbitrary<Call>,
  selected: Operation[] = operations,
): Arbitrary<Call> => fc.oneof(...selected.map((operation) => make(demo, operation)))

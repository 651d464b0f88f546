import { setImmediate } from 'node:timers/promises'
import fc, { type Arbitrary } from 'fast-check'
import type { LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import { start, type TestApp } from '../support/app.ts'
import { type Operation, operations } from '../support/openapi.ts'
import { type Call, type Judged, judge } from './answers.ts'
import { type Demo, demoOf } from './demo.ts'

/** Any number does; one that stays shows the same failure again. */
let seed = 20_260_307
let times = 1

/** Files of properties that are loaded from now on send so many times as many calls, and others. */
export function sendMore(as: { times: number; seed: number }): void {
  times = as.times
  seed = as.seed
}

/** Ms after which an answer counts as a hang. */
const PATIENCE = 5_000

export interface Shot extends Judged {
  answer: LightMyRequestResponse
}

export interface Volley extends TestApp {
  demo: Demo
  /** Sends one call and judges its answer; throws what is wrong. */
  send(call: Call): Promise<Shot>
  /** 1, or how many times as many calls are sent as `runs` say. */
  times: number
  /** Sends `runs` calls; a failure tells the seed and the smallest call that shows it. */
  all<T>(things: Arbitrary<T>, runs: number, each: (thing: T) => Promise<unknown>): Promise<void>
  /** Calls sent so far. */
  cases(): number
  /** The statuses with which each operation has answered. */
  seen: Map<Operation, Set<number>>
}

/** An app of its own for a file of properties. */
export async function volley(t: Test): Promise<Volley> {
  const app = await start(t)
  const demo = await demoOf(app)
  const seen = new Map<Operation, Set<number>>(operations.map((operation) => [operation, new Set()]))
  let cases = 0
  return {
    ...app,
    demo,
    times,
    seen,
    cases: () => cases,
    async send(call) {
      // Injected calls never leave the queue of promises: timers would wait for the last of them.
      if (++cases % 100 === 0) await setImmediate()
      const answer = await app.server.inject(call as never)
      const [fault] = app.faults.splice(0)
      if (fault) throw new Error(`a fault: ${fault.message.slice(0, 500)}`, { cause: fault })
      const judged = judge(call, answer, demo)
      if (judged.operation) seen.get(judged.operation)!.add(judged.outcome.status)
      return { ...judged, answer }
    },
    all: (things, runs, each) =>
      fc.assert(
        fc.asyncProperty(things, async (thing) => {
          await each(thing)
        }),
        { seed, numRuns: runs * times, timeout: PATIENCE, includeErrorInReport: true },
      ),
  }
}

/** A call of any operation, each as often as another. */
export const ofAny = (
  demo: Demo,
  make: (demo: Demo, operation: Operation) => Arbitrary<Call>,
  those: Operation[] = operations,
): Arbitrary<Call> => fc.oneof(...those.map((operation) => make(demo, operation)))

import type { TestApp } from '../../support/app.ts'
import type { Call } from '../exchange.ts'
import type { Script } from '../fixtures.ts'
import { serverOf } from '../server.ts'
import { generatedCalls, storyCalls } from './generated.ts'
import * as journeys from './journeys.ts'
import { recordCalls } from './recorder.ts'
import * as variants from './variants.ts'

const setup = (seed: number, more: Partial<Script['setup']> = {}) => ({
  scenario: 'demo' as const,
  seed,
  isLong: false,
  settles: false,
  ...more,
})

type Act = (app: TestApp) => Promise<void>

/** A script whose calls are those that the acts make, in a world of the seed. */
const played =
  (setup: Script['setup'], ...acts: Act[]) =>
  async (): Promise<Script> => {
    const { app, close } = await serverOf(setup)
    try {
      const calls: Call[] = recordCalls(app)
      for (const act of acts) await act(app)
      return { setup, calls }
    } finally {
      await close()
    }
  }

const { contacts, questions, flex, credits, oauth, items, control, deliveries } = journeys
const { methods, controlMethods, jsonp, queries } = variants

/** Each act in its own world: what it answers depends on no other. */
const forSeed = (seed: number): Record<string, () => Promise<Script>> => {
  const of = (...acts: Act[]) => played(setup(seed, { isLong: seed !== 1 }), ...acts)
  return {
    [`reads-${seed}`]: of(contacts, items),
    [`journeys-${seed}`]: of(questions, flex, credits, oauth),
    [`control-${seed}`]: played(setup(seed, { settles: true, isLong: seed !== 1 }), control, deliveries),
  }
}

/** What makes the calls of each part. */
export const SCRIPTS: Record<string, () => Promise<Script>> = {
  'generated-1': async () => ({ setup: setup(1), calls: await generatedCalls(1, 500) }),
  'generated-2': async () => ({ setup: setup(2, { isLong: true }), calls: await generatedCalls(2, 500) }),
  'generated-7': async () => ({ setup: setup(7, { isLong: true }), calls: await generatedCalls(7, 500) }),
  'stories-1': async () => ({
    setup: setup(1, { scenario: 'empty', settles: true }),
    calls: await storyCalls(1, 16),
  }),
  'stories-2': async () => ({
    setup: setup(2, { scenario: 'empty', settles: true, isLong: true }),
    calls: await storyCalls(2, 24),
  }),
  'stories-7': async () => ({
    setup: setup(7, { scenario: 'empty', settles: true, isLong: true }),
    calls: await storyCalls(7, 24),
  }),
  ...forSeed(1),
  ...forSeed(2),
  ...forSeed(7),
  'methods-1': played(setup(1), methods, controlMethods),
  'jsonp-1': played(setup(1), jsonp),
  'queries-1': played(setup(1, { isLong: true }), queries),
}

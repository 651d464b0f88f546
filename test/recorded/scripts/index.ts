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

const { contacts, questions, flex, credits, oauth, items, documents, control, deliveries } = journeys
const { methods, controlMethods, jsonp, queries } = variants

/** Only three of the sites, each seed other ones: all of them answer alike. */
const partly =
  (seed: number, act: Act): Act =>
  (app) => {
    if (seed === 1) return act(app)
    const from = seed % 6
    return act({
      ...app,
      sellers: app.sellers.slice(from, from + 3),
      buyers: app.buyers.slice(2 * from, 2 * from + 6),
    })
  }

const forSeed = (seed: number): Record<string, () => Promise<Script>> => {
  const isLong = seed !== 1
  const [generated, told] = isLong ? [250, 10] : [500, 16]
  return {
    [`generated-${seed}`]: async () => ({
      setup: setup(seed, { isLong }),
      calls: await generatedCalls(seed, generated),
    }),
    [`stories-${seed}`]: async () => ({
      setup: setup(seed, { scenario: 'empty', settles: true, isLong }),
      calls: await storyCalls(seed, told),
    }),
    [`reads-${seed}`]: played(setup(seed, { isLong }), contacts, items),
    [`journeys-${seed}`]: played(
      setup(seed, { isLong: true }),
      partly(seed, questions),
      partly(seed, flex),
      credits,
      oauth,
    ),
    [`control-${seed}`]: played(setup(seed, { settles: true, isLong }), control, deliveries),
  }
}

/** What makes the calls of each part. */
export const SCRIPTS: Record<string, () => Promise<Script>> = {
  ...forSeed(1),
  ...forSeed(2),
  ...forSeed(7),
  'documents-1': played(setup(1, { scenario: 'empty' }), documents),
  'methods-1': played(setup(1, { isLong: true }), methods),
  'control-methods-1': played(setup(1, { scenario: 'empty', isLong: true }), controlMethods),
  'jsonp-1': played(setup(1), jsonp),
  'queries-1': played(setup(1, { isLong: true }), queries),
}

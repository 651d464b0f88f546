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

type Journey = (app: TestApp) => Promise<void>

/** A script of the calls that the journeys make in a new world. */
const recordScript =
  (setup: Script['setup'], ...journeys: Journey[]) =>
  async (): Promise<Script> => {
    const { app, close } = await serverOf(setup)
    try {
      const calls: Call[] = recordCalls(app)
      for (const journey of journeys) await journey(app)
      return { setup, calls }
    } finally {
      await close()
    }
  }

const { contacts, questions, flex, credits, oauth, items, documents, control, deliveries } = journeys
const { methods, controlMethods, jsonp, queries } = variants

/** Limits a journey to three sites, which depend on the seed: all sites behave alike. */
const onThreeSites =
  (seed: number, journey: Journey): Journey =>
  (app) => {
    if (seed === 1) return journey(app)
    const from = seed % 6
    return journey({
      ...app,
      sellers: app.sellers.slice(from, from + 3),
      buyers: app.buyers.slice(2 * from, 2 * from + 6),
    })
  }

const forSeed = (seed: number): Record<string, () => Promise<Script>> => {
  const isLong = seed !== 1
  const [generated, stories] = isLong ? [250, 10] : [500, 16]
  return {
    [`generated-${seed}`]: async () => ({
      setup: setup(seed, { isLong }),
      calls: await generatedCalls(seed, generated),
    }),
    [`stories-${seed}`]: async () => ({
      setup: setup(seed, { scenario: 'empty', settles: true, isLong }),
      calls: await storyCalls(seed, stories),
    }),
    [`reads-${seed}`]: recordScript(setup(seed, { isLong }), contacts, items),
    [`journeys-${seed}`]: recordScript(
      setup(seed, { isLong: true }),
      onThreeSites(seed, questions),
      onThreeSites(seed, flex),
      credits,
      oauth,
    ),
    [`control-${seed}`]: recordScript(setup(seed, { settles: true, isLong }), control, deliveries),
  }
}

/** Creates the script of each part. */
export const SCRIPTS: Record<string, () => Promise<Script>> = {
  ...forSeed(1),
  ...forSeed(2),
  ...forSeed(7),
  'documents-1': recordScript(setup(1, { scenario: 'empty' }), documents),
  'methods-1': recordScript(setup(1, { isLong: true }), methods),
  'control-methods-1': recordScript(setup(1, { scenario: 'empty', isLong: true }), controlMethods),
  'jsonp-1': recordScript(setup(1), jsonp),
  'queries-1': recordScript(setup(1, { isLong: true }), queries),
}

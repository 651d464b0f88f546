import { demo, type ScenarioRows } from './demo/index.ts'

/** The demo's sellers and buyers before anything has happened: no listings, no questions, no contacts. */
export function empty(seed: number, origin: number): Partial<ScenarioRows> {
  const { user } = demo(seed, origin)
  return { user: user.filter(({ tags }) => tags.includes('test_user')) }
}

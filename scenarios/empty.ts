import type { DemoRows, UserRow } from '../domains/demo.ts'
import { demo } from './demo/index.ts'

/** The sellers and test buyers of the demo, without listings, questions and contacts. */
export async function empty(seed: number, origin: number): Promise<DemoRows> {
  const { user } = await demo(seed, origin)
  return { user: (user as UserRow[]).filter(({ tags }) => tags.includes('test_user')) }
}

import type { DemoRows, UserRow } from '../domains/demo.ts'
import { demo } from './demo/index.ts'

/** The people and listings of the demo with their Flex subscriptions, and nothing that has happened to them. */
export async function quiet(seed: number, origin: number): Promise<DemoRows> {
  const { user, item, flex_subscription } = await demo(seed, origin)
  return { user: user!, item: item!, flex_subscription: flex_subscription! }
}

/** The sellers and test buyers of the demo. */
export async function empty(seed: number, origin: number): Promise<DemoRows> {
  const { user } = await demo(seed, origin)
  return { user: (user as UserRow[]).filter(({ tags }) => tags.includes('test_user')) }
}

import type { Q } from '../../db/engine.ts'
import { Remembered } from '../../db/remembered.ts'
import type { World } from '../../db/world.ts'
import { itemSeller, userExists } from './queries.ts'

// Who sells a listing and who is a user never changes, nor does either go: what was looked up stays known while the
// world is open. It is answered at once where it is known: a promise for each line of a million takes its time.

/** Of each world: some megabytes. */
const MOST = 100_000

type Known<Key, Fact> = (world: World, key: Key) => Fact | Promise<Fact | undefined>

function known<Key, Fact>(lookUp: (q: Q, key: Key) => Promise<Fact | undefined>): Known<Key, Fact> {
  const worlds = new WeakMap<World, Remembered<Key, Fact>>()

  async function learn(world: World, facts: Remembered<Key, Fact>, key: Key): Promise<Fact | undefined> {
    const fact = await lookUp(world.read, key)
    if (fact !== undefined) facts.set(key, fact)
    return fact
  }

  return (world, key) => {
    let facts = worlds.get(world)
    if (!facts) {
      facts = new Remembered(MOST)
      worlds.set(world, facts)
    }
    return facts.get(key) ?? learn(world, facts, key)
  }
}

/** Who sells a listing; undefined when there is no such listing. */
export const sellerOf = known<string, number>(async (q, item_id) => (await itemSeller(q, item_id))?.seller_id)

/** Whether there is such a user: undefined when there is none. */
export const isUser = known<number, true>(async (q, user_id) => (await userExists(q, user_id)) || undefined)

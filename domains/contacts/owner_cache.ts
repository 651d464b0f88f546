import { BoundedCache } from '../../db/bounded_cache.ts'
import type { Q } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import { itemSeller, userExists } from './queries.ts'

// Who sells a listing and who is a user never changes, nor does either go: what was looked up stays known while the
// world is open. It is answered at once where it is known: a promise for each line of a million takes its time.

/** Of each world: some megabytes. */
const MAX_ENTRIES = 100_000

type CachedLookup<Key, Value> = (world: World, key: Key) => Value | Promise<Value | undefined>

function cachedLookup<Key, Value>(lookUp: (q: Q, key: Key) => Promise<Value | undefined>): CachedLookup<Key, Value> {
  const caches = new WeakMap<World, BoundedCache<Key, Value>>()

  async function load(world: World, cache: BoundedCache<Key, Value>, key: Key): Promise<Value | undefined> {
    const value = await lookUp(world.read, key)
    if (value !== undefined) cache.set(key, value)
    return value
  }

  return (world, key) => {
    let cache = caches.get(world)
    if (!cache) {
      cache = new BoundedCache(MAX_ENTRIES)
      caches.set(world, cache)
    }
    return cache.get(key) ?? load(world, cache, key)
  }
}

/** Who sells a listing; undefined when there is no such listing. */
export const sellerOf = cachedLookup<string, number>(async (q, item_id) => (await itemSeller(q, item_id))?.seller_id)

/** Whether there is such a user: undefined when there is none. */
export const isUser = cachedLookup<number, true>(async (q, user_id) => (await userExists(q, user_id)) || undefined)

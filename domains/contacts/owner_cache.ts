import { LRUCache } from 'lru-cache'
import type { Q } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import { sellerOfItem } from '../items/queries.ts'
import { userExists } from './queries.ts'

// The seller of a listing never changes, and neither listings nor users are deleted: entries never become outdated.

/** Of each world and kind of lookup: some megabytes. */
const MAX_ENTRIES = 100_000

/** Synchronous on a cache hit: an import of a million contacts must not await each line. */
type CachedLookup<Key, Value> = (world: World, key: Key) => Value | Promise<Value | undefined>

function cachedLookup<Key extends string | number, Value extends number | boolean>(
  lookUp: (q: Q, key: Key) => Promise<Value | undefined>,
): CachedLookup<Key, Value> {
  const caches = new WeakMap<World, LRUCache<Key, Value>>()

  async function load(world: World, cache: LRUCache<Key, Value>, key: Key): Promise<Value | undefined> {
    const value = await lookUp(world.read, key)
    if (value !== undefined) cache.set(key, value)
    return value
  }

  return (world, key) => {
    let cache = caches.get(world)
    if (!cache) {
      // With `max` the cache would allocate all of its entries now, 2 MB for each world.
      cache = new LRUCache({ maxSize: MAX_ENTRIES, sizeCalculation: () => 1 })
      caches.set(world, cache)
    }
    return cache.get(key) ?? load(world, cache, key)
  }
}

/** The seller of a listing; undefined when there is no such listing. */
export const sellerOf = cachedLookup<string, number>(sellerOfItem)

/** true for a user; undefined when there is none. */
export const isUser = cachedLookup<number, true>(async (q, user_id) => (await userExists(q, user_id)) || undefined)

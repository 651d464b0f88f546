import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Q } from '../../db/engine.ts'
import { keptFor } from '../../db/kept.ts'
import type { World } from '../../db/world.ts'
import { forbidden } from '../../http/errors/errors.ts'
import { sellerOfItem } from '../items/queries.ts'
import { OWNER_ONLY } from './assumptions.ts'
import { itemNotFound, userNotFound } from './errors.ts'
import { type Subject, userExists } from './queries.ts'

// The seller of a listing never changes, and neither listings nor users are deleted: entries never become outdated.

/** Of each world and kind of lookup: some megabytes. */
const MAX_ENTRIES = 100_000

/** Synchronous on a cache hit: an import of a million contacts must not await each line. */
type CachedLookup<Key, Value> = (world: World, key: Key) => Value | Promise<Value | undefined>

function cachedLookup<Key extends string | number, Value extends number | boolean>(
  lookUp: (q: Q, key: Key) => Promise<Value | undefined>,
): CachedLookup<Key, Value> {
  // With `max` the cache would allocate all of its entries now, 2 MB for each world.
  const cacheOf = keptFor((_: World) => new LRUCache<Key, Value>({ maxSize: MAX_ENTRIES, sizeCalculation: () => 1 }))

  async function load(world: World, cache: LRUCache<Key, Value>, key: Key): Promise<Value | undefined> {
    const value = await lookUp(world.read, key)
    if (value !== undefined) cache.set(key, value)
    return value
  }

  return (world, key) => {
    const cache = cacheOf(world)
    return cache.get(key) ?? load(world, cache, key)
  }
}

/** The seller of a listing; undefined when there is no such listing. */
export const sellerOf = cachedLookup<string, number>(sellerOfItem)

/** true for a user; undefined when there is none. */
export const isUser = cachedLookup<number, true>(async (q, user_id) => (await userExists(q, user_id)) || undefined)

type ContactsCaller = Pick<FastifyRequest, 'world' | 'caller'>

/** The listings of a request; `field`: the parameter that names them. Throws 404 if any is unknown, before 403 for the listing of another seller. */
export async function itemSubjects(
  request: ContactsCaller,
  ids: string[],
  field: 'item_id' | 'ids',
): Promise<Subject[]> {
  const subjects = await Promise.all(
    ids.map(async (item_id) => {
      const user_id = await sellerOf(request.world, item_id)
      if (user_id === undefined) throw itemNotFound(field)
      return { item_id, user_id }
    }),
  )
  for (const { user_id } of subjects) requireOwner(request, user_id)
  return subjects
}

/** The seller of a request. Throws 404 if there is no such user. */
export async function userSubject(request: ContactsCaller, user_id: number): Promise<Subject> {
  if (!(await isUser(request.world, user_id))) throw userNotFound()
  requireOwner(request, user_id)
  return { user_id }
}

/** By default any caller may read any subject [spec: contacts.owner_only]. */
function requireOwner({ world, caller }: ContactsCaller, owner: number): void {
  if (OWNER_ONLY.of(world) === 'true' && caller?.user_id !== owner) throw forbidden('contacts.owner_only')
}

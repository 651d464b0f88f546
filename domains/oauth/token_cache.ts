import { LRUCache } from 'lru-cache'
import type { Validity } from '../../db/clock.ts'
import { keptFor } from '../../db/kept.ts'
import type { World } from '../../db/world.ts'
import type { Caller } from '../../http/fastify_types.ts'
import { recordCall, recordingPeriod } from './grant_operations.ts'
import { areOwnersUnchangedSince, type TokenOwner, tokenOwner } from './queries.ts'

const MAX_CACHED_TOKENS = 1000

interface CacheEntry {
  /** Of the world, when the owner was read. */
  version: number
  owner: TokenOwner
  /** When a call is recorded with the grant. */
  records: Validity
}
const cacheOf = keptFor((_: World) => new LRUCache<string, CacheEntry>({ max: MAX_CACHED_TOKENS }))

/**
 * The owner of an access token; undefined when the token is unknown or has expired. Synchronous on a cache hit: most
 * clients send the same token with every call.
 */
export function callerOfToken(world: World, token: string): Caller | undefined | Promise<Caller | undefined> {
  const cache = cacheOf(world)
  const hit = cache.get(token)
  return hit && areOwnersUnchangedSince(world.read, hit.version) ? admit(world, hit) : load(world, token, cache)
}

async function load(world: World, token: string, cache: LRUCache<string, CacheEntry>): Promise<Caller | undefined> {
  const version = world.version()
  const owner = await tokenOwner(world.read, token)
  if (!owner) return undefined
  const entry = { version, owner, records: recordingPeriod(owner.grant) }
  cache.set(token, entry)
  return admit(world, entry)
}

/** Undefined: the token has expired. */
function admit(world: World, { owner, records }: CacheEntry): Caller | undefined | Promise<Caller | undefined> {
  const { clock } = world
  const now = clock.peek()
  if (owner.expires_at !== null && owner.expires_at <= now) return undefined
  return clock.isValidNow(records) ? recordCall(world, owner, now).then(() => owner) : owner
}

import { LRUCache } from 'lru-cache'
import type { Validity } from '../../db/clock.ts'
import { keptFor } from '../../db/kept.ts'
import type { World } from '../../db/world.ts'
import type { Caller } from '../../http/fastify_types.ts'
import { recordCall, recordingPeriod } from './grant_operations.ts'
import { type TokenOwner, tokenOwner } from './queries.ts'

const MAX_CACHED_TOKENS = 1000

/** Valid as long as nothing is committed to the world after `version`. */
interface CacheEntry {
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
  const version = world.version()
  const hit = cache.get(token)
  return hit?.version === version ? admit(world, hit) : load(world, token, version, cache)
}

async function load(
  world: World,
  token: string,
  version: number,
  cache: LRUCache<string, CacheEntry>,
): Promise<Caller | undefined> {
  const owner = await tokenOwner(world.read, token)
  if (!owner) return undefined
  const entry = { version, owner, records: recordingPeriod(owner.grant) }
  // A commit during the read has made the owner outdated.
  if (version === world.version()) cache.set(token, entry)
  return admit(world, entry)
}

/** Undefined: the token has expired. */
function admit(world: World, { owner, records }: CacheEntry): Caller | undefined | Promise<Caller | undefined> {
  const { clock } = world
  const now = clock.peek()
  if (owner.expires_at !== null && owner.expires_at <= now) return undefined
  return clock.isValidNow(records) ? recordCall(world, owner, now).then(() => owner) : owner
}

import { LRUCache } from 'lru-cache'
import type { World } from '../../db/world.ts'
import type { Caller } from '../../http/fastify_types.ts'
import { type TokenOwner, tokenOwner } from './queries.ts'

const MAX_CACHED_TOKENS = 1000

/** An owner is valid as long as nothing is committed to the world after `version`. */
interface CacheEntry {
  version: number
  owner: TokenOwner
}
const caches = new WeakMap<World, LRUCache<string, CacheEntry>>()

/**
 * The owner of an access token; undefined when the token is unknown or has expired. Synchronous on a cache hit: most
 * clients send the same token with every call.
 */
export function callerOfToken(world: World, token: string): Caller | undefined | Promise<Caller | undefined> {
  let cache = caches.get(world)
  if (!cache) {
    cache = new LRUCache({ max: MAX_CACHED_TOKENS })
    caches.set(world, cache)
  }
  const version = world.version()
  const hit = cache.get(token)
  return hit?.version === version ? unlessExpired(world, hit.owner) : load(world, token, version, cache)
}

async function load(
  world: World,
  token: string,
  version: number,
  cache: LRUCache<string, CacheEntry>,
): Promise<Caller | undefined> {
  const owner = await tokenOwner(world.read, token)
  if (!owner) return undefined
  // A commit during the read has made the owner outdated.
  if (version === world.version()) cache.set(token, { version, owner })
  return unlessExpired(world, owner)
}

const unlessExpired = ({ clock }: World, owner: TokenOwner): Caller | undefined =>
  owner.expires_at === null || owner.expires_at > clock.now() ? owner : undefined

import { BoundedCache } from '../../db/bounded_cache.ts'
import type { World } from '../../db/world.ts'
import type { Caller } from '../../plugins/auth.ts'
import { type TokenOwner, tokenOwner } from './queries.ts'

/** Tokens that are looked up once, of one world. */
const MAX_CACHED_TOKENS = 1000

/** What was read of a world since its last commit: as long as none follows it stays true. */
interface TokenCache {
  version: number
  owners: BoundedCache<string, TokenOwner>
}
const caches = new WeakMap<World, TokenCache>()

/**
 * Who holds an access token now; undefined when it is unknown or its life is over. At once where that is known: most
 * clients send the same token with every call.
 */
export function callerOfToken(world: World, token: string): Caller | undefined | Promise<Caller | undefined> {
  const version = world.version()
  let cache = caches.get(world)
  if (cache?.version !== version) {
    cache = { version, owners: new BoundedCache(MAX_CACHED_TOKENS) }
    caches.set(world, cache)
  }
  const owner = cache.owners.get(token)
  return owner ? unlessExpired(world, owner) : load(world, token, cache)
}

async function load(world: World, token: string, { version, owners }: TokenCache): Promise<Caller | undefined> {
  const owner = await tokenOwner(world.read, token)
  if (!owner) return undefined
  // Others may have written since.
  if (version === world.version()) owners.set(token, owner)
  return unlessExpired(world, owner)
}

const unlessExpired = ({ clock }: World, owner: TokenOwner): Caller | undefined =>
  owner.expires_at === null || owner.expires_at > clock.now() ? owner : undefined

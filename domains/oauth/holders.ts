import { Remembered } from '../../db/remembered.ts'
import type { World } from '../../db/world.ts'
import type { Caller } from '../../plugins/auth.ts'
import { type Holder, tokenHolder } from './queries.ts'

/** Tokens that are looked up once, of one world. */
const MOST = 1000

/** What was read of a world since its last commit: as long as none follows it stays true. */
interface Known {
  version: number
  holders: Remembered<string, Holder>
}
const worlds = new WeakMap<World, Known>()

/**
 * Who holds an access token now; undefined when it is unknown or its life is over. At once where that is known: most
 * clients send the same token with every call.
 */
export function holderOf(world: World, token: string): Caller | undefined | Promise<Caller | undefined> {
  const version = world.version()
  let known = worlds.get(world)
  if (known?.version !== version) {
    known = { version, holders: new Remembered(MOST) }
    worlds.set(world, known)
  }
  const holder = known.holders.get(token)
  return holder ? alive(world, holder) : lookUp(world, token, known)
}

async function lookUp(world: World, token: string, { version, holders }: Known): Promise<Caller | undefined> {
  const holder = await tokenHolder(world.read, token)
  if (!holder) return undefined
  // Others may have written since.
  if (version === world.version()) holders.set(token, holder)
  return alive(world, holder)
}

const alive = ({ clock }: World, holder: Holder): Caller | undefined =>
  holder.expires_at === null || holder.expires_at > clock.now() ? holder : undefined

import type { World } from '../../db/world.ts'
import { itemSeller, userExists } from './queries.ts'

// Who sells a listing and who is a user never changes, nor does either go: what was looked up stays known while the
// world is open. It is asked at once where it is known: a promise for each line of a million takes its time.

interface Known {
  sellers: Map<string, number>
  users: Set<number>
}
const worlds = new WeakMap<World, Known>()
/** Of each: some megabytes. */
const MOST = 100_000

function knownOf(world: World): Known {
  let known = worlds.get(world)
  if (!known) {
    known = { sellers: new Map(), users: new Set() }
    worlds.set(world, known)
  }
  return known
}

/** Who sells a listing; undefined when there is no such listing. */
export function sellerOf(world: World, item_id: string): number | Promise<number | undefined> {
  const { sellers } = knownOf(world)
  return sellers.get(item_id) ?? lookUp()

  async function lookUp(): Promise<number | undefined> {
    const row = await itemSeller(world.read, item_id)
    if (!row) return undefined
    if (sellers.size >= MOST) sellers.clear()
    sellers.set(item_id, row.seller_id)
    return row.seller_id
  }
}

/** Whether there is such a user. */
export function isUser(world: World, user_id: number): true | Promise<boolean> {
  const { users } = knownOf(world)
  return users.has(user_id) || lookUp()

  async function lookUp(): Promise<boolean> {
    if (!(await userExists(world.read, user_id))) return false
    if (users.size >= MOST) users.clear()
    users.add(user_id)
    return true
  }
}

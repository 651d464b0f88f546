import { prepared, type Q } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'

/** Rows that the world's own connection has changed so far, also those that were rolled back. */
const changes = prepared((_: Q) => ({ toSQL: () => ({ sql: 'SELECT total_changes() AS changed', params: [] }) }))

interface Look {
  commits: number
  changed: number
  writes: number
}
const looks = new WeakMap<World, Look>()
let worlds = 0

/**
 * A number that grows from one look to the next when something was written in between: rows have changed, and a commit
 * has kept them. Neither alone says so: what is refused may be rolled back, and a unit that writes nothing commits too.
 * Another world, or another state in its place, has other numbers.
 */
export async function writesOf(world: World): Promise<number> {
  const { changed } = (await changes(world.read).one()) as unknown as { changed: number }
  const commits = world.version()
  if (!looks.has(world)) looks.set(world, { commits, changed, writes: ++worlds * 1e9 })
  const last = looks.get(world)!
  const writes = last.writes + (commits !== last.commits && changed !== last.changed ? 1 : 0)
  looks.set(world, { commits, changed, writes })
  return writes
}

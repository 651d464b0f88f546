import { prepared, type Q } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'

/** Rows changed by the world's own connection so far, including those rolled back. */
const changes = prepared((_: Q) => ({ toSQL: () => ({ sql: 'SELECT total_changes() AS changed', params: [] }) }))

interface Snapshot {
  commits: number
  changed: number
  writes: number
}
const snapshots = new WeakMap<World, Snapshot>()
let worlds = 0

/**
 * A number that grows between two calls if something was written in between: rows changed and a commit happened. Rolled
 * back writes change rows without a commit, empty transactions commit without rows.
 */
export async function countWrites(world: World): Promise<number> {
  const { changed } = (await changes(world.read).one()) as unknown as { changed: number }
  const commits = world.version()
  if (!snapshots.has(world)) snapshots.set(world, { commits, changed, writes: ++worlds * 1e9 })
  const last = snapshots.get(world)!
  const writes = last.writes + (commits !== last.commits && changed !== last.changed ? 1 : 0)
  snapshots.set(world, { commits, changed, writes })
  return writes
}

import type { Generation, World } from '../../db/world.ts'
import type { Checkpoint, Worlds } from '../../db/worlds.ts'
import { latestPosition } from '../../domains/notifications/feed/queries.ts'

/** What an undo takes back. */
export interface Removed {
  requests: number
  changes: number
  control_calls: number
  checkpoints: number
}

type Position = Pick<Checkpoint, 'history' | 'counts' | 'lastEvent'>

/** Counts what has happened in a world since a checkpoint. */
export interface UndoCounter {
  positionOf(world: World): Promise<Position>
  countSince(world: World, checkpoint: Checkpoint): Promise<Removed>
}

export function createUndoCounter({ onOpen, checkpoints }: Worlds): UndoCounter {
  /** Of generations that began after a checkpoint of their world: the last event of their first state. */
  const firstEvents = new WeakMap<Generation, number>()

  onOpen(({ id, read, generation }) => {
    if (firstEvents.has(generation) || !checkpoints.has(id)) return
    // The query runs before any request sees the world. If it fails, so do the requests.
    latestPosition(read).then(
      ({ event }) => firstEvents.set(generation, event),
      () => {},
    )
  })

  async function positionOf({ read, generation: { history, counts } }: World): Promise<Position> {
    return { history, counts: { ...counts }, lastEvent: (await latestPosition(read)).event }
  }

  return {
    positionOf,
    async countSince(world, checkpoint) {
      const { history, counts, lastEvent } = await positionOf(world)
      // After a reset, restore or load the world has another history: that call is taken back, and what followed it.
      const from =
        history === checkpoint.history
          ? checkpoint
          : { lastEvent: firstEvents.get(world.generation) ?? lastEvent, counts: { writes: 0, controlCalls: -1 } }
      return {
        requests: counts.writes - from.counts.writes,
        changes: lastEvent - from.lastEvent,
        control_calls: counts.controlCalls - from.counts.controlCalls,
        checkpoints: checkpoints.list(world.id).filter(({ id }) => id > checkpoint.id).length,
      }
    },
  }
}

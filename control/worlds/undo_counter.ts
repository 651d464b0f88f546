import type { Ring } from '../../db/ring.ts'
import type { Generation, World } from '../../db/world.ts'
import type { Checkpoint, Worlds } from '../../db/worlds.ts'
import { latestPosition } from '../../domains/notifications/feed/queries.ts'
import type { CountedWrite } from '../../http/journal/call_cause.ts'
import type { ControlCall } from '../../http/journal/control_call.ts'
import type { Entry } from '../../http/journal/journal_entry.ts'
import type { Journals } from '../../http/journal/journals.ts'

/** What an undo takes back. */
export interface Undone {
  removed: {
    requests: number
    changes: number
    control_calls: number
    checkpoints: number
  }
  /** The calls that are counted, oldest first, as far as they are recorded. */
  requests: Entry[]
  controlCalls: ControlCall[]
}

type Position = Pick<Checkpoint, 'history' | 'counts' | 'lastEvent'>

/** Counts what has happened in a world since a checkpoint. */
export interface UndoCounter {
  positionOf(world: World): Promise<Position>
  countSince(world: World, checkpoint: Checkpoint): Promise<Undone>
}

export function createUndoCounter({ onOpen, checkpoints }: Worlds, journals: Journals): UndoCounter {
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
      const { requests, control } = journals.of(world.generation)
      return {
        removed: {
          requests: counts.writes - from.counts.writes,
          changes: lastEvent - from.lastEvent,
          control_calls: counts.controlCalls - from.counts.controlCalls,
          checkpoints: checkpoints.list(world.id).filter(({ id }) => id > checkpoint.id).length,
        },
        requests: writesBetween(requests, history, from.counts.writes, counts.writes),
        controlCalls: writesBetween(control, history, from.counts.controlCalls, counts.controlCalls),
      }
    },
  }
}

/** The calls of a history after one number, up to another. Others between them were undone: their numbers are too high. */
function writesBetween<T extends { write: CountedWrite | undefined }>(
  calls: Ring<T>,
  history: Generation['history'],
  after: number,
  last: number,
): T[] {
  const found: T[] = []
  let n = last
  for (const call of calls.values().reverse()) {
    if (n <= after) break
    if (call.write?.history !== history || call.write.n !== n) continue
    found.push(call)
    n--
  }
  return found.reverse()
}

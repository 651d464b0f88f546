import type { Ring } from '../../db/ring.ts'
import type { Generation, World } from '../../db/world.ts'
import type { AutomaticSnapshot, Worlds } from '../../db/worlds.ts'
import { latestPosition } from '../../domains/notifications/feed/queries.ts'
import type { CountedWrite } from '../../http/journal/call_cause.ts'
import type { ControlCall } from '../../http/journal/control_call.ts'
import type { Entry } from '../../http/journal/journal_entry.ts'
import type { Journals } from '../../http/journal/journals.ts'
import type { Templates } from '../../scenarios/templates.ts'
import { populateAsCreated } from './create_world.ts'

/** What an undo takes back. */
export interface Undone {
  removed: {
    requests: number
    changes: number
    control_calls: number
    snapshots: number
  }
  /** The calls that are counted, oldest first, as far as they are recorded. */
  requests: Entry[]
  controlCalls: ControlCall[]
}

type State = Pick<AutomaticSnapshot, 'now' | 'populate' | 'history' | 'counts' | 'lastEvent'>

/** Counts what has happened in a world since an automatic snapshot. */
export interface UndoCounter {
  /** What a snapshot notes of the state that it copies. */
  describeState(world: World): Promise<State>
  countSince(world: World, snapshot: AutomaticSnapshot): Promise<Undone>
}

export function createUndoCounter(
  { onOpen, automaticSnapshots }: Worlds,
  journals: Journals,
  templates: Templates,
): UndoCounter {
  /** Of generations that began after a snapshot of their world: the last event of their first state. */
  const firstEvents = new WeakMap<Generation, number>()

  onOpen(({ id, read, generation }) => {
    if (firstEvents.has(generation) || !automaticSnapshots.has(id)) return
    // The query runs before any request sees the world. If it fails, so do the requests.
    latestPosition(read).then(
      ({ event }) => firstEvents.set(generation, event),
      () => {},
    )
  })

  async function describeState(world: World): Promise<State> {
    const { history, counts } = world.generation
    return {
      now: world.clock.now(),
      populate: populateAsCreated(world, templates),
      history,
      counts: { ...counts },
      lastEvent: (await latestPosition(world.read)).event,
    }
  }

  return {
    describeState,
    async countSince(world, snapshot) {
      const { history, counts, lastEvent } = await describeState(world)
      // After a reset, restore or load the world has another history, which begins with that call: all of it is taken back.
      const from =
        history === snapshot.history
          ? snapshot
          : { lastEvent: firstEvents.get(world.generation) ?? lastEvent, counts: { writes: 0, controlCalls: 0 } }
      const { requests, control } = journals.of(world.generation)
      return {
        removed: {
          requests: counts.writes - from.counts.writes,
          changes: lastEvent - from.lastEvent,
          control_calls: counts.controlCalls - from.counts.controlCalls,
          snapshots: automaticSnapshots.list(world.id).filter(({ id }) => id > snapshot.id).length,
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

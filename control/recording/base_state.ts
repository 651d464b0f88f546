import type { Q } from '../../db/engine.ts'
import { migrate } from '../../db/migrate.ts'
import { openTempFile } from '../../db/sqlite/draft.ts'
import type { World } from '../../db/world.ts'
import type { AutomaticSnapshot, Worlds } from '../../db/worlds.ts'
import type { Journal } from '../../http/journal/journals.ts'
import type { Templates } from '../../scenarios/templates.ts'
import { populateAsCreated } from '../worlds/create_world.ts'

/** A state from which the calls of a journal can be sent again. */
export interface BaseState {
  kind: 'start' | 'snapshot' | 'now'
  /** Real time, ms: calls that were answered later are not in it. */
  since: number
  q: Q
  discard(): void
}

/** The oldest state after which the journal has every call: the start, else an automatic snapshot, else the present one. */
export async function openBaseState(
  world: World,
  journal: Journal,
  { worlds, templates }: { worlds: Worlds; templates: Templates },
): Promise<BaseState> {
  const file = worlds.tempFilePath()
  const open = (kind: BaseState['kind'], since: number): BaseState => {
    // The start may have been written by an older version.
    migrate(file)
    return { kind, since, ...openTempFile(file) }
  }
  if (hasAllCalls(world, journal)) {
    await worlds.copyStart(world.id, populateAsCreated(world, templates), file)
    return open('start', Number.NEGATIVE_INFINITY)
  }
  const snapshot = worlds.automaticSnapshots.list(world.id).find((one) => covers(journal, one))
  if (snapshot && (await worlds.copySnapshot(world.id, snapshot.name, file)))
    return open('snapshot', snapshot.createdAt)
  await worlds.copy(world.id, file)
  return open('now', Number.POSITIVE_INFINITY)
}

const hasAllCalls = ({ generation }: World, { requests, control, marks }: Journal): boolean =>
  generation.beganAtStart && marks.length === 0 && requests.first === 1 && control.first === 1

/** Whether the journal has all calls since a snapshot. */
const covers = ({ requests, control, marks }: Journal, { createdAt }: AutomaticSnapshot): boolean =>
  marks.every(({ at }) => at < createdAt) &&
  [requests, control].every((ring) => {
    const oldest = ring.get(ring.first)
    return ring.first === 1 || (oldest !== undefined && oldest.at + oldest.ms <= createdAt)
  })

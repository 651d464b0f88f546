import type { World } from '../../db/world.ts'
import type { Templates } from '../../scenarios/templates.ts'
import { populateAsCreated } from './create_world.ts'
import type { UndoCounter } from './undo_counter.ts'

/** What a checkpoint notes of the state that it copies. */
export const describeState = async (
  world: World,
  { templates, undoCounter }: { templates: Templates; undoCounter: UndoCounter },
) => ({
  now: world.clock.now(),
  populate: populateAsCreated(world, templates),
  ...(await undoCounter.positionOf(world)),
})

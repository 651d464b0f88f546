import { type ClockSetting, timeIn } from '../../../db/clock.ts'
import { KeyedMutex } from '../../../db/semaphore.ts'
import { storeClock, storedClock, type World } from '../../../db/world.ts'
import { earliestDue } from '../queries.ts'
import type { Dispatcher } from './dispatcher.ts'
import { shiftSchedule } from './operations.ts'

/** Moves of one world run one after the other. */
const moves = new KeyedMutex<World>()

/** Resolves when the last move of a world's clock has ended. */
export const whenMoved = (world: World): Promise<void> => moves.run(world, async () => {})

/** Returns the new setting of a clock; gets the present one and the world time, ms. Throws if it may not change. */
export type ChangeClock = (setting: ClockSetting, now: number) => ClockSetting | Promise<ClockSetting>

/**
 * Moves a world's clock as `change` says, after the moves before. Forward, the clock stops at each due attempt until it is
 * made; back, pending attempts move with the clock. Requests are served during the move and see the time it has reached.
 */
export const moveClock = (world: World, dispatcher: Dispatcher, change: ChangeClock): Promise<void> =>
  moves.run(world, () => performMove(world, dispatcher, change))

async function performMove(world: World, dispatcher: Dispatcher, change: ChangeClock): Promise<void> {
  // Attempts in flight belong to the time before the move.
  await dispatcher.whenIdle(world.id)
  const current = await storedClock(world)
  const now = timeIn(current)
  const next = await change(current, now)
  const target = timeIn(next)
  try {
    for (let due = await earliestDue(world.read); due !== null && due <= target && !world.isRetired; ) {
      // Only in memory: if the server is killed during the move, the clock has not moved.
      if (due > world.clock.now()) world.clock.applySetting({ mode: 'frozen', ms: due })
      dispatcher.wake(world.id)
      await dispatcher.whenIdle(world.id)
      const nextDue = await earliestDue(world.read)
      // Nothing delivers what is still due: its application has no setting any more, or the server stops.
      if (nextDue !== null && nextDue <= due) break
      due = nextDue
    }
    await world.tx(async (q) => {
      await storeClock(q, next)
      if (target < now) await shiftSchedule(q, target - now)
    })
  } catch (error) {
    world.clock.applySetting(current)
    throw error
  }
  world.clock.applySetting(next)
  dispatcher.wake(world.id)
}

import { type ClockSetting, timeIn } from '../../../db/clock.ts'
import type { Q } from '../../../db/engine.ts'
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
 * Moves a world's clock as `change` says, after the moves before. Forward, the clock stops at each due step and attempt
 * until it is made; back, pending attempts move with the clock. Requests are served during the move and see the time it has reached.
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
    let stops: ((q: Q) => Promise<number | null>)[] = [earliestDue, dispatcher.nextStep]
    for (let reached = Number.NEGATIVE_INFINITY; !world.isRetired; ) {
      const times = await Promise.all(stops.map(async (next) => (await next(world.read)) ?? Number.POSITIVE_INFINITY))
      // Nothing does what is still due: the application of an attempt has no setting any more, or the server stops.
      stops = stops.filter((_, n) => times[n]! > reached)
      const due = Math.min(...times.filter((time) => time > reached))
      if (due > target) break
      // Only in memory: if the server is killed during the move, the clock has not moved.
      if (due > world.clock.now()) world.clock.applySetting({ mode: 'frozen', ms: due })
      dispatcher.wake(world.id)
      await dispatcher.whenIdle(world.id)
      reached = due
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

import { type ClockSetting, timeIn } from '../../../db/clock.ts'
import { storeClock, storedClock, type World } from '../../../db/world.ts'
import { earliestDue } from '../queries.ts'
import type { Dispatcher } from './dispatcher.ts'
import { shiftSchedule } from './operations.ts'

/** The last move of each world: they are made one after the other. */
const moves = new WeakMap<World, Promise<void>>()

/** Answers when a world's clock is where it was last sent. */
export const whenMoved = (world: World): Promise<void> => moves.get(world) ?? Promise.resolve()

/**
 * Sets a world's clock: `change` gets the setting that stands and world time now, ms, and answers what to set; it may
 * refuse. On the way forward what is due is done at its own time, in its order, before the clock goes on; going back
 * takes what waits along. Requests are served meanwhile, and see the time that it is then.
 */
export function moveClock(
  world: World,
  dispatcher: Dispatcher,
  change: (setting: ClockSetting, now: number) => ClockSetting,
): Promise<void> {
  const move = (moves.get(world) ?? Promise.resolve()).then(() => performMove(world, dispatcher, change))
  moves.set(
    world,
    move.catch(() => {}),
  )
  return move
}

async function performMove(
  world: World,
  dispatcher: Dispatcher,
  change: (setting: ClockSetting, now: number) => ClockSetting,
): Promise<void> {
  // What is on its way belongs to the time before.
  await dispatcher.whenIdle(world.id)
  const current = await storedClock(world)
  const now = timeIn(current)
  const next = change(current, now)
  const target = timeIn(next)
  try {
    for (let due = await earliestDue(world.read); due !== null && due <= target && !world.isRetired; ) {
      // In memory alone: a server that is killed on the way has not moved.
      if (due > world.clock.now()) world.clock.applySetting({ mode: 'frozen', ms: due })
      dispatcher.wake(world.id)
      await dispatcher.whenIdle(world.id)
      const nextDue = await earliestDue(world.read)
      // What is still due is nobody's to do now: its application is gone, or the server stops.
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

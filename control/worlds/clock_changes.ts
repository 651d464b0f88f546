import { currentCause } from '../../db/causes.ts'
import type { ClockMode } from '../../db/clock.ts'
import { keptFor } from '../../db/kept.ts'
import { Ring } from '../../db/ring.ts'
import type { Generation, World } from '../../db/world.ts'
import type { CallCause } from '../../http/journal/call_cause.ts'

/** A change of a world's clock; times are world time, ms. */
export interface ClockChange {
  mode: ClockMode
  now: number
  before: number
  cause: CallCause | undefined
}

const MAX_CHANGES = 100

/** The changes of a clock, recorded while the ring has listeners. */
export const clockChangesOf = keptFor((_: Generation) => new Ring<ClockChange>(MAX_CHANGES))

/** Records that the clock has changed. */
export function recordClockChange({ generation, clock }: World, before: number): void {
  const ring = clockChangesOf(generation)
  if (!ring.isWatched) return
  ring.append({ mode: clock.mode, now: clock.now(), before, cause: currentCause() as CallCause | undefined })
}

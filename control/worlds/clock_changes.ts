import { currentCause } from '../../db/causes.ts'
import type { ClockMode } from '../../db/clock.ts'
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

const rings = new WeakMap<Generation, Ring<ClockChange>>()

/** The changes of a clock, recorded while the ring has listeners. */
export function clockChangesOf(generation: Generation): Ring<ClockChange> {
  const existing = rings.get(generation)
  if (existing) return existing
  const created = new Ring<ClockChange>(MAX_CHANGES)
  rings.set(generation, created)
  return created
}

/** Records that the clock has changed. */
export function recordClockChange({ generation, clock }: World, before: number): void {
  const ring = rings.get(generation)
  if (!ring?.isWatched) return
  ring.append({ mode: clock.mode, now: clock.now(), before, cause: currentCause() as CallCause | undefined })
}

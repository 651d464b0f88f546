import { realNow } from '../db/clock.ts'
import type { Generation } from '../db/world.ts'

interface Window {
  /** Real time, ms. */
  endsAt: number
  calls: number
}

/** By rule and caller; in memory, as those limits are that real services have. */
const windowsByGeneration = new WeakMap<Generation, Map<number, Map<string, Window>>>()
/** Callers whose calls one rule counts; the one that has been there longest goes first. */
const MAX_CALLERS = 10_000

/**
 * Counts a call against a limit of so many in `window` seconds from the first one; answers the seconds to wait where it
 * is over, else 0.
 */
export function countCall(
  generation: Generation,
  rule: number,
  callerKey: string,
  { limit, window }: { limit: number; window: number },
): number {
  const now = realNow()
  const callers = windowsOf(generation, rule)
  let current = callers.get(callerKey)
  if (!current || current.endsAt <= now) {
    callers.delete(callerKey)
    if (callers.size >= MAX_CALLERS) callers.delete(callers.keys().next().value!)
    current = { endsAt: now + window * 1000, calls: 0 }
    callers.set(callerKey, current)
  }
  current.calls++
  return current.calls > limit ? Math.ceil((current.endsAt - now) / 1000) : 0
}

function windowsOf(generation: Generation, rule: number): Map<string, Window> {
  const rules = windowsByGeneration.get(generation) ?? new Map<number, Map<string, Window>>()
  windowsByGeneration.set(generation, rules)
  const callers = rules.get(rule) ?? new Map<string, Window>()
  rules.set(rule, callers)
  return callers
}

/** A new rule has counted nothing, whatever one did that had its number before. */
export function resetRateLimit(generation: Generation, rule: number): void {
  windowsByGeneration.get(generation)?.delete(rule)
}

import { realNow } from '../../db/clock.ts'
import type { Generation } from '../../db/world.ts'

interface Window {
  /** Real time, ms. */
  endsAt: number
  calls: number
}

/** By rule and caller. */
const windowsByGeneration = new WeakMap<Generation, Map<number, Map<string, Window>>>()
/** Callers that one rule counts; the one whose window began first is evicted. */
const MAX_CALLERS = 10_000

/** Counts a call against `limit` calls in `window` seconds. Returns the seconds to wait, or 0 if the call is allowed. */
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

/** A new rule starts without counts: a deleted rule may have had its number. */
export function resetRateLimit(generation: Generation, rule: number): void {
  windowsByGeneration.get(generation)?.delete(rule)
}

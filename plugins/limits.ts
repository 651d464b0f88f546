import { realNow } from '../db/clock.ts'
import type { Life } from '../db/world.ts'

interface Window {
  /** Real time, ms. */
  ends: number
  calls: number
}

/** By rule and caller; in memory, as those limits are that real services have. */
const windows = new WeakMap<Life, Map<number, Map<string, Window>>>()
/** Callers whose calls one rule counts; the one that has been there longest goes first. */
const MOST_CALLERS = 10_000

/**
 * Counts a call against a limit of so many in `window` seconds from the first one; answers the seconds to wait where it
 * is over, else 0.
 */
export function countCall(
  life: Life,
  rule: number,
  who: string,
  { limit, window }: { limit: number; window: number },
): number {
  const now = realNow()
  const callers = callersOf(life, rule)
  let mine = callers.get(who)
  if (!mine || mine.ends <= now) {
    callers.delete(who)
    if (callers.size >= MOST_CALLERS) callers.delete(callers.keys().next().value!)
    mine = { ends: now + window * 1000, calls: 0 }
    callers.set(who, mine)
  }
  mine.calls++
  return mine.calls > limit ? Math.ceil((mine.ends - now) / 1000) : 0
}

function callersOf(life: Life, rule: number): Map<string, Window> {
  const rules = windows.get(life) ?? new Map<number, Map<string, Window>>()
  windows.set(life, rules)
  const callers = rules.get(rule) ?? new Map<string, Window>()
  rules.set(rule, callers)
  return callers
}

/** A new rule has counted nothing, whatever one did that had its number before. */
export function forgetLimits(life: Life, rule: number): void {
  windows.get(life)?.delete(rule)
}

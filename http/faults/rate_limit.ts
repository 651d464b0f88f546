import type { FastifyRequest } from 'fastify'
import { keptFor } from '../../db/kept.ts'
import type { Generation } from '../../db/world.ts'
import type { Caller } from '../fastify_types.ts'

interface Window {
  /** Ms, by the clock of its limit. */
  endsAt: number
  calls: number
}

/** By rule and caller. */
const windowsByRule = keptFor((_: Generation) => new Map<number, Map<string, Window>>())
/** Windows of one rule; the one that began first is evicted. */
const MAX_CALLERS = 10_000

interface Limit {
  /** Calls. */
  limit: number
  /** Seconds. */
  window: number
}

/**
 * Counts a call against a limit, from the first call of a window on. `now`: ms; a clock that goes back begins another
 * window. Returns the seconds to wait, or 0 if the call is allowed.
 */
export function countCall(
  generation: Generation,
  { rule, callerKey, now }: { rule: number; callerKey: string; now: number },
  { limit, window }: Limit,
): number {
  const callers = windowsOf(generation, rule)
  let current = callers.get(callerKey)
  if (!current || current.endsAt <= now || now < current.endsAt - window * 1000) {
    callers.delete(callerKey)
    if (callers.size >= MAX_CALLERS) callers.delete(callers.keys().next().value!)
    current = { endsAt: now + window * 1000, calls: 0 }
    callers.set(callerKey, current)
  }
  current.calls++
  return current.calls > limit ? Math.ceil((current.endsAt - now) / 1000) : 0
}

const PER_APPLICATION: Limit = { limit: 18_000, window: 3600 }
const PER_FLEX_ENDPOINT: Limit = { limit: 1000, window: 60 }
const FLEX_PATH = /^\/(?:shipping\/)?flex\/|^\/sites\/:site_id\/shipping\/selfservice\//

/** Counts a call by the world's clock; whether it is beyond the limits of the real service [spec: http.limits]. */
export function exceedsPublishedLimits(request: FastifyRequest, rule: number, caller: Caller | undefined): boolean {
  if (!caller) return false
  const { world, method, routeOptions } = request
  const application = String(caller.application_id)
  const count = (callerKey: string, limit: Limit) =>
    countCall(world.generation, { rule, callerKey, now: world.clock.now() }, limit) > 0
  const isFlex = routeOptions.url !== undefined && FLEX_PATH.test(routeOptions.url)
  const exceedsFlex = isFlex && count(`${application} ${method} ${routeOptions.url}`, PER_FLEX_ENDPOINT)
  // Calls beyond one limit count against the other, too.
  return count(application, PER_APPLICATION) || exceedsFlex
}

function windowsOf(generation: Generation, rule: number): Map<string, Window> {
  const rules = windowsByRule(generation)
  const callers = rules.get(rule) ?? new Map<string, Window>()
  rules.set(rule, callers)
  return callers
}

/** A new rule starts without counts: a deleted rule may have had its number. */
export function resetRateLimit(generation: Generation, rule: number): void {
  windowsByRule(generation).delete(rule)
}

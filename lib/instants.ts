import { parseInstant } from '../domains/shared/instants.ts'
import type { Instant } from './types.ts'

/** Ms since 1970. Throws a TypeError that begins with `name`. */
export function instantOf(name: string, instant: Instant): number {
  const ms = typeof instant === 'string' ? parseInstant(instant) : Number(instant)
  if (ms === undefined || !Number.isSafeInteger(ms))
    throw new TypeError(`${name} must be an instant: ISO 8601 such as 2026-03-02T12:00:00Z, ms since 1970, or a Date`)
  return ms
}

export const isoOf = (name: string, instant: Instant): string => new Date(instantOf(name, instant)).toISOString()

import { badRequest } from '../../http/errors/control_errors.ts'
import { Instant, parseInstantParameter } from './schemas.ts'

/** An instant in a body between 1970 and the world's present time; the handler parses it with `readPastInstant`. */
export const PastInstant = (description: string, options: object = {}) => ({
  ...Instant(`${description}; not later than the world’s present time`, '2026-03-01T09:30:00.000-04:00'),
  ...options,
})

/** Ms of a past instant, or undefined without one. Throws a 400 naming the member if it is invalid or in the future. */
export function readPastInstant(name: string, text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined
  const ms = parseInstantParameter(name, text)
  if (ms < 0 || ms > now) throw badRequest(`${name}: must be between 1970 and the world’s present time`)
  return ms
}

import { badRequest } from '../../http/errors/control_errors.ts'
import type { Expectation } from './verify_schemas.ts'

/** How many calls are expected. */
export interface Bounds {
  min: number
  max: number
}

/** Throws 400 if they exclude each other. */
export function readBounds({ times, at_least, at_most }: Expectation): Bounds {
  if (times !== undefined && (at_least !== undefined || at_most !== undefined))
    throw badRequest('times: cannot be combined with at_least or at_most')
  if (times !== undefined) return { min: times, max: times }
  const min = at_least ?? (at_most === undefined ? 1 : 0)
  const max = at_most ?? Number.POSITIVE_INFINITY
  if (min > max) throw badRequest('at_least: must not be above at_most')
  return { min, max }
}

export const isWithin = ({ min, max }: Bounds, n: number): boolean => n >= min && n <= max

const requestCount = (n: number): string => `${n} ${n === 1 ? 'request' : 'requests'}`

/** `exactly 1 request`. */
export function describeBounds({ min, max }: Bounds): string {
  if (min === max) return `exactly ${requestCount(min)}`
  if (max === Number.POSITIVE_INFINITY) return `at least ${requestCount(min)}`
  return min === 0 ? `at most ${requestCount(max)}` : `${min} to ${requestCount(max)}`
}

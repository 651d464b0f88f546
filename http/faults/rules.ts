import type { FastifyRequest } from 'fastify'
import { keptFor } from '../../db/kept.ts'
import type { FaultRow } from '../../db/world.ts'
import { matchesCall, pathOf } from '../patterns.ts'

/** The effect on a call: exactly one member. */
export type Action =
  | { status: number; body?: unknown; headers?: Record<string, string> }
  /** Ms, or a random number from `min` to `max`. */
  | { delay: number | { min: number; max: number } }
  /** The connection closes without an answer. */
  | { drop: true }
  | { rate_limit: RateLimit }
  /** The error of two writes of a listing at once. */
  | { optimistic_lock: true }
  /** Names of members that an answer about orders lacks. */
  | { partial: string[] }
  /** The limits of the real service, as far as they are published. */
  | { limits: 'published' }

/** Calls of one user in `window` seconds. */
export interface RateLimit {
  limit: number
  window: number
  /** Whose time it is; default: real time. */
  clock?: 'real' | 'world'
}

/** A rule by which some calls of the emulated API fail. */
export interface Rule extends Omit<FaultRow, 'action' | 'enabled' | 'matched' | 'applied'> {
  action: Action
  enabled: boolean
}

export interface CountedRule extends Rule, Pick<FaultRow, 'matched' | 'applied'> {}

export const parseRule = ({ action, enabled, ...row }: FaultRow): CountedRule => ({
  ...row,
  action: JSON.parse(action),
  enabled: enabled === 1,
})

const parseAll = keptFor((rows: readonly FaultRow[]): Rule[] => rows.map(parseRule))

/** The routes whose answers can lack members: reads of orders. */
const PARTIAL = /^\/orders\/(search\b|:order_id$)/

/** The rules of the world that a call matches, in their order; OPTIONS only if a rule names it. */
export function matchingRules({ method, url, world, routeOptions }: FastifyRequest): Rule[] {
  const call = { method, path: pathOf(url) }
  const canBePartial = (method === 'GET' || method === 'HEAD') && PARTIAL.test(routeOptions.url ?? '')
  return parseAll(world.faults).filter(
    (rule) =>
      matchesCall(rule, call) &&
      (method !== 'OPTIONS' || rule.method === 'OPTIONS') &&
      (canBePartial || !('partial' in rule.action)),
  )
}

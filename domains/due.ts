import type { Q } from '../db/engine.ts'
import type { Moment, World } from '../db/world.ts'

/** What sources read: an open world, or a copy of one. */
export type DueWorld = Pick<World, 'read' | 'switches'>

export const DUE_KINDS = ['attempt', 'token', 'refresh_token', 'code', 'lead', 'question', 'shipment'] as const
export const DUE_EFFECTS = [
  ...(['sent', 'expires', 'listed', 'unlisted', 'gone'] as const),
  ...(['ready_to_print', 'handed_over', 'shipped', 'out_for_delivery', 'delivered'] as const),
] as const

/** Something that the time in a world brings about. */
export interface DueEntry {
  /** World time, ms. */
  at: number
  kind: (typeof DUE_KINDS)[number]
  /** What happens then. */
  effect: (typeof DUE_EFFECTS)[number]
  /** Null for tokens and codes, which are secrets. */
  id: number | string | null
  /** Its path in the emulated API. */
  resource: string | null
  user_id: number
  application_id: number | null
  /** Number of the attempt to send a notification. */
  n: number | null
}

/** A period of world time, ms: `after` exclusive, `until` inclusive. */
export interface DuePeriod {
  after: number
  until: number
}

/** Where entries come from: what a domain's rows do at some time. */
export interface DueSource {
  kind: DueEntry['kind']
  effect: DueEntry['effect']
  count(world: DueWorld, period: DuePeriod): Promise<number>
  /** The first entries of the period, in the order of time. */
  find(world: DueWorld, period: DuePeriod, limit: number): Promise<DueEntry[]>
}

/**
 * Steps of a domain's rows that time brings about, each with an event of its own: the clock stops at them, and nothing has
 * to call. What needs no event is computed when it is read. A clock that goes back publishes nothing twice.
 */
export interface TimedSteps {
  /** World time of the earliest step that is not published, ms; null if there is none. */
  next(q: Q): Promise<number | null>
  /** Publishes the steps up to an instant, ms, the earliest first. */
  run(q: Q, world: Moment, until: number): Promise<void>
}

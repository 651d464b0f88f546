import { areaOf } from './areas.ts'
import type { FlexStatus } from './tables.ts'

/** The facts that decide whether a seller can deliver with Flex. */
interface Candidate {
  site_id: string
  /** Reputation; null before any sale. */
  level_id: string | null
  /** City of the delivery address. */
  city: string
  /** Active listings on the managed-shipping mode. */
  me2_listings: number
  /** Of the FLEX subscription; undefined where there is none. */
  status: FlexStatus | undefined
}

/** The conditions in the order of the checks [spec: flex.capable], with the message for each. */
export const CONDITIONS = {
  listings: 'the seller has no active listing with shipping mode me2',
  reputation: 'the reputation of the seller is neither yellow nor green',
  address: 'the address of the seller lies in no coverage area',
  activation: 'Flex is not activated for the seller',
} as const
export type Condition = keyof typeof CONDITIONS

const GOOD_LEVELS = new Set(['5_green', '4_light_green', '3_yellow'])

/** The first condition that is not met; undefined when all are met. */
export function missingCondition({ site_id, level_id, city, me2_listings, status }: Candidate): Condition | undefined {
  if (me2_listings === 0) return 'listings'
  if (level_id === null || !GOOD_LEVELS.has(level_id)) return 'reputation'
  if (!areaOf(site_id, city)) return 'address'
  if (status !== 'in') return 'activation'
  return undefined
}

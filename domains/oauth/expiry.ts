import { MAX_TIME } from '../../db/clock.ts'
import { utcOrNull } from '../shared/instants.ts'

/** A token's expiry, UTC; null: never. A token may outlive the last instant of a clock, but dates have four-digit years. */
export const formatExpiry = (ms: number | null): string | null => utcOrNull(ms === null ? null : Math.min(ms, MAX_TIME))

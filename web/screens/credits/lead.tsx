import type { Schemas } from '../../../lib/types.ts'
import { distanceOf } from '../../words/time.ts'
import { worldNow } from '../../world/clock.ts'
import { wordsOf } from '../words.ts'

const w = wordsOf('credits')

export type Lead = Schemas['AnyLead']
export const STATES = ['in_analysis', 'approved', 'rejected'] as const satisfies Lead['status'][]
export const ENTITIES = ['MERCADO_PAGO', 'VOTORANTIM', 'SANTANDER', 'SCOTIA'] as const

export const DAY_MS = 86_400_000
const LIFETIME_DAYS = 30

interface Lifetime {
  /** When its lifetime ends, in ms of world time. */
  at: number
  /** Part of the lifetime that is over, from 0 to 1. */
  used: number
  isExpired: boolean
  /** Expired by a control call, which can be reverted. */
  isEarly: boolean
}

/** The server says whether a lead is expired when it was read; meanwhile its time may have come. */
export function expiryOf({ date_created, expired }: Lead, now: number): Lifetime {
  const created = Date.parse(date_created)
  const at = created + LIFETIME_DAYS * DAY_MS
  const isOver = at <= now
  const used = Math.min(1, Math.max(0, (now - created) / (at - created)))
  return { at, used, isExpired: expired || isOver, isEarly: expired && !isOver }
}

/** The 30 days of a lead as a bar, with the same in words. It moves with the time of the world. */
export function Expiry({ lead }: { lead: Lead }) {
  const now = worldNow.value
  if (now === undefined) return null
  const { at, used, isExpired, isEarly } = expiryOf(lead, now)
  const distance = distanceOf(at, now)
  return (
    <span class="expiry" data-tone={isExpired ? 'bad' : used > 0.8 ? 'warn' : 'good'}>
      <i>
        <i style={{ width: `${(isExpired ? 1 : used) * 100}%` }} />
      </i>
      {isEarly ? w.expiredEarly : isExpired ? w.expiredAgo(distance) : w.expiresIn(distance)}
    </span>
  )
}

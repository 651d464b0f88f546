import { distanceOf } from '../../words/time.ts'
import { worldNow } from '../../world/clock.ts'
import { words } from '../words.ts'
import { expiryOf, type Lead } from './lead.ts'

/** The 30 days of a lead as a bar, with the same in words. It moves with the time of the world. */
export function Expiry({ lead }: { lead: Lead }) {
  const w = words().credits
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

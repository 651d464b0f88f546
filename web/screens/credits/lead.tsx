import type { BodyOf, Schemas } from '../../../lib/types.ts'
import type { Values } from '../../parts/form.tsx'
import { distanceOf } from '../../words/time.ts'
import { worldNow } from '../../world/clock.ts'
import { words } from '../words.ts'

export type Lead = Schemas['AnyLead']
export const STATES = ['in_analysis', 'approved', 'rejected'] as const satisfies Lead['status'][]
export const ENTITIES = ['MERCADO_PAGO', 'VOTORANTIM', 'SANTANDER', 'SCOTIA'] as const

const DAY_MS = 86_400_000
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

/** The body of the call that creates the lead; fields that are empty are left to the server. */
export function newLeadOf(values: Values, now: number): BodyOf<'POST /loans'> {
  const { item_id, buyer_id, age, status, financial_entity_id, proposal_id } = values
  const { down_payment_amount: down, installments_number: count, installments_amount: amount } = values
  return {
    item_id: item_id!,
    status: status as Lead['status'],
    financial_entity_id: financial_entity_id as Lead['financial_entity_id'],
    ...(buyer_id && { buyer_id: Number(buyer_id) }),
    ...(proposal_id && { proposal_id }),
    ...(age && age !== '0' && { date_created: new Date(now - Number(age) * DAY_MS).toISOString() }),
    ...(down && { down_payment_amount: Number(down) }),
    ...(count && { installments_number: Number(count) }),
    ...(amount && { installments_amount: Number(amount) }),
  }
}

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

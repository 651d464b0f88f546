import { isPaid } from '../orders/states.ts'
import type { OrderRow } from '../orders/tables.ts'
import { isDelivered, isRepentance } from './reasons.ts'
import type { ClaimRow, ROLES } from './tables.ts'

export type Role = (typeof ROLES)[number]
export type Stage = ClaimRow['stage']

// The JSON of a claim. `after`: ms after its creation, so that rows of a scenario can be moved in time.

export interface Change {
  stage: Stage
  status: ClaimRow['status']
  by: Role
  after: number
}
export const EXPECTED = ['product', 'refund', 'partial_refund', 'return_product'] as const
export interface Expectation {
  role: Role
  resolution: (typeof EXPECTED)[number]
  status: 'pending' | 'accepted' | 'rejected'
  /** Of the price. */
  percentage?: number
  after: number
}
export interface Resolution {
  reason: ResolutionReason
  by: Role
  after: number
}

/** How claims end, and whom it favours. */
const RESOLUTIONS = {
  payment_refunded: 'complainant',
  partial_refunded: 'complainant',
  item_returned: 'complainant',
  coverage_decision: 'complainant',
  respondent_timeout: 'complainant',
  product_delivered: 'respondent',
  prefered_to_keep_product: 'respondent',
  opened_claim_by_mistake: 'respondent',
  seller_explained_functions: 'respondent',
  worked_out_with_seller: 'respondent',
} as const
export type ResolutionReason = keyof typeof RESOLUTIONS
export const RESOLUTION_REASONS = Object.keys(RESOLUTIONS) as ResolutionReason[]
export const benefitedBy = ({ reason }: Pick<Resolution, 'reason'>): Role => RESOLUTIONS[reason]

export const historyOf = ({ history }: ClaimRow) => JSON.parse(history) as Change[]
export const expectationsOf = ({ expected_resolutions }: ClaimRow) => JSON.parse(expected_resolutions) as Expectation[]
export const resolutionOf = ({ resolution }: ClaimRow) =>
  resolution === null ? null : (JSON.parse(resolution) as Resolution)

/** When the seller has accepted something, ms after the claim began; undefined while it has not. */
export const acceptedAfter = (claim: ClaimRow): number | undefined =>
  expectationsOf(claim).find(({ role, status }) => role === 'respondent' && status === 'accepted')?.after

/** A claim and the order that it is about. */
export interface Case {
  claim: ClaimRow
  order: OrderRow
}

/** What a player can do in a stage, and under what further condition [spec: claims.actions]. */
const ACTIONS: readonly [action: string, role: Role, stages: readonly Stage[], when?: (one: Case) => boolean][] = [
  ['send_message_to_complainant', 'respondent', ['claim']],
  ['send_message_to_mediator', 'respondent', ['dispute']],
  ['refund', 'respondent', ['claim', 'dispute'], ({ order }) => isPaid(order)],
  ['allow_partial_refund', 'respondent', ['claim'], (one) => isPaid(one.order) && isDelivered(one.claim.reason_id)],
  [
    ...(['allow_return', 'respondent', ['claim']] as const),
    ({ order, claim }) => isPaid(order) && isDelivered(claim.reason_id) && claim.return_shipment_id === null,
  ],
  ['open_dispute', 'respondent', ['claim']],
  ['send_message_to_respondent', 'complainant', ['claim']],
  ['send_message_to_mediator', 'complainant', ['dispute']],
  ['open_dispute', 'complainant', ['claim']],
]

export const actionsOf = (one: Case, role: Role): string[] =>
  ACTIONS.filter(
    ([, player, stages, when = () => true]) =>
      one.claim.status === 'opened' && player === role && stages.includes(one.claim.stage) && when(one),
  ).map(([action]) => action)

/** The part of a caller in a claim; undefined for others. */
export const roleOf = ({ seller_id, buyer_id }: ClaimRow, user_id: number): Role | undefined =>
  user_id === seller_id ? 'respondent' : user_id === buyer_id ? 'complainant' : undefined

const DAY = 24 * 3_600_000
/** Until when the parties should act: three days after the stage began; null when it is over [spec: claims.due_date]. */
export const dueDate = (claim: ClaimRow): number | null =>
  claim.status === 'closed' ? null : claim.date_created + historyOf(claim).at(-1)!.after + 3 * DAY

/** A seller who ends a claim this early keeps the reputation [spec: claims.reputation]. */
export const incentiveUntil = ({ date_created }: ClaimRow): number => date_created + 2 * DAY

export function effectOnReputation(claim: ClaimRow): 'affected' | 'not_affected' | 'not_applies' {
  if (isRepentance(claim.reason_id)) return 'not_applies'
  const resolution = resolutionOf(claim)
  const isLost = resolution !== null && benefitedBy(resolution) === 'complainant'
  // A return that the seller has allowed ends the claim later.
  const endAfter = acceptedAfter(claim) ?? resolution?.after ?? 0
  const isEarly = claim.date_created + endAfter <= incentiveUntil(claim)
  return claim.stage === 'dispute' || (isLost && !isEarly) ? 'affected' : 'not_affected'
}

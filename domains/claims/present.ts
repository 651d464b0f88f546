import type { Static } from '@sinclair/typebox'
import type { Q } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import { atMinusFour, minusFourOrNull } from '../shared/instants.ts'
import { membersOf } from '../shared/schemas.ts'
import { shipmentById, stepsOf } from '../shipments/queries.ts'
import { stateAt } from '../shipments/states.ts'
import { addressOf, userById } from '../users/queries.ts'
import { returnNotFound } from './errors.ts'
import { detailOf, isDelivered, isReason, isRepentance } from './reasons.ts'
import {
  Claim,
  type ClaimDetail,
  ClaimMessage,
  type ClaimMessages,
  type ExpectedResolutions,
  type ReputationEffect,
  Return,
} from './schemas.ts'
import {
  actionsOf,
  benefitedBy,
  type Case,
  dueDate,
  effectOnReputation,
  expectationsOf,
  historyOf,
  incentiveUntil,
  resolutionOf,
} from './states.ts'
import type { ClaimRow, claim_message } from './tables.ts'

/** [spec: claims.mediator] */
const MEDIATOR_ID = 2_400_000_001

/** The answer of `GET /post-purchase/v1/claims/{id}`. */
export function presentClaim(one: Case): Claim {
  const { claim, order } = one
  const resolution = resolutionOf(claim)
  const due_date = minusFourOrNull(dueDate(claim))
  const player = (role: 'complainant' | 'respondent', type: string, user_id: number) => ({
    ...{ role, type, user_id },
    available_actions: actionsOf(one, role).map((action) => ({ action, mandatory: false, due_date })),
  })
  return claimOf({
    ...claim,
    resource_id: claim.order_id,
    resource: 'order',
    fulfilled: isDelivered(claim.reason_id) || order.fulfilled === 1,
    quantity_type: 'total',
    claimed_quantity: order.quantity,
    claim_version: 2,
    players: [
      player('complainant', 'buyer', claim.buyer_id),
      player('respondent', 'seller', claim.seller_id),
      ...(claim.stage === 'dispute'
        ? [{ role: 'mediator', type: 'internal', user_id: MEDIATOR_ID, available_actions: [] }]
        : []),
    ],
    resolution: resolution && {
      reason: resolution.reason,
      date_created: atMinusFour(claim.date_created + resolution.after),
      benefited: [benefitedBy(resolution)],
      closed_by: resolution.by,
      applied_coverage: resolution.reason === 'coverage_decision',
    },
    date_created: atMinusFour(claim.date_created),
    last_updated: atMinusFour(claim.last_updated),
    related_entities: claim.return_shipment_id === null ? [] : ['return'],
  })
}
const claimOf = membersOf(Claim)

/** Who acts next, with a title and a description in Spanish and Portuguese. */
const DETAILS = {
  claim: [
    ...(['seller', 'Tienes que responder un reclamo', 'El comprador espera tu respuesta.'] as const),
    ...(['Você precisa responder a uma reclamação', 'O comprador espera sua resposta.'] as const),
  ],
  dispute: [
    ...(['mediator', 'El reclamo está en mediación', 'Vamos a revisar el caso y te avisaremos.'] as const),
    ...(['A reclamação está em mediação', 'Vamos analisar o caso e avisaremos você.'] as const),
  ],
  closed: [
    ...([null, 'El reclamo está cerrado', 'No tienes que hacer nada más.'] as const),
    ...(['A reclamação está encerrada', 'Você não precisa fazer mais nada.'] as const),
  ],
} as const

export function presentDetail({ claim }: Case): Static<typeof ClaimDetail> {
  const { status, stage, site_id, reason_id } = claim
  const [action_responsible, ...texts] = DETAILS[status === 'closed' ? 'closed' : stage]
  const [title, description] = site_id === 'MLB' ? texts.slice(2) : texts
  const problem = isReason(reason_id) ? detailOf(reason_id, site_id) : ''
  return {
    due_date: minusFourOrNull(dueDate(claim)),
    action_responsible,
    title: title!,
    description: description!,
    problem,
  }
}

export const presentMessages = (rows: readonly (typeof claim_message.$inferSelect)[]): Static<typeof ClaimMessages> =>
  rows.map((row) => {
    const date = atMinusFour(row.date_created)
    return messageOf({
      ...row,
      message: row.text,
      ...{ date_created: date, last_updated: date, message_date: date, date_read: minusFourOrNull(row.date_read) },
      status: 'available',
      message_moderation: { status: 'clean', reason: '', source: 'online', date_moderated: date },
      repeated: false,
    })
  })
const messageOf = membersOf(ClaimMessage)

export const presentExpectations = ({ claim }: Case): Static<typeof ExpectedResolutions> =>
  expectationsOf(claim).map(({ role, resolution, status, percentage, after }) => {
    const date = atMinusFour(claim.date_created + after)
    return {
      ...{ player_role: role, user_id: role === 'complainant' ? claim.buyer_id : claim.seller_id },
      expected_resolution: resolution,
      details: percentage === undefined ? [] : [{ key: 'percentage', value: String(percentage) }],
      ...{ date_created: date, last_updated: date, status },
    }
  })

export const presentHistory = ({ claim }: Case) =>
  historyOf(claim).map(({ stage, status, by, after }) => ({
    ...{ stage, status, date: atMinusFour(claim.date_created + after), change_by: by },
  }))

export function presentEffect(claim: ClaimRow, now: number): Static<typeof ReputationEffect> {
  const until = incentiveUntil(claim)
  const has_incentive =
    claim.status === 'opened' && claim.stage === 'claim' && !isRepentance(claim.reason_id) && now <= until
  return {
    affects_reputation: effectOnReputation(claim),
    has_incentive,
    due_date: has_incentive ? atMinusFour(until) : null,
  }
}

/** The answer of `GET /post-purchase/v2/claims/{id}/returns`. Throws 404 if nothing comes back. */
export async function presentReturn(q: Q, world: World, { claim, order }: Case): Promise<Static<typeof Return>> {
  const parcel = claim.return_shipment_id === null ? undefined : await shipmentById(q, claim.return_shipment_id)
  if (!parcel) throw returnNotFound()
  const { status, at } = stateAt((await stepsOf(q, [parcel])).get(parcel.id)!, world.clock.now())
  const seller = await userById(q, claim.seller_id)
  const { address: address_line, city, state, zip_code } = addressOf(seller!)
  const isRefunded = resolutionOf(claim) !== null && order.status === 'cancelled'
  return returnOf({
    id: parcel.id,
    last_updated: atMinusFour(at),
    shipments: [
      {
        ...{ shipment_id: parcel.id, status, tracking_number: parcel.tracking_number },
        destination: {
          name: 'seller_address',
          shipping_address: { address_line, city: { name: city }, state: { id: state }, zip_code },
        },
        type: 'return',
      },
    ],
    refund_at: 'delivered',
    date_closed: claim.status === 'closed' ? atMinusFour(claim.last_updated) : null,
    resource_type: 'order',
    date_created: atMinusFour(parcel.date_created),
    claim_id: claim.id,
    status_money: isRefunded ? 'refunded' : claim.status === 'closed' ? 'available' : 'retained',
    resource_id: claim.order_id,
    type: 'return',
    subtype: 'return_total',
    status: status === 'ready_to_ship' ? 'label_generated' : status,
    orders: [
      {
        ...{ order_id: order.id, item_id: order.item_id, variation_id: order.variation_id, context_type: 'total' },
        ...{ total_quantity: order.quantity, return_quantity: order.quantity },
      },
    ],
  })
}
const returnOf = membersOf(Return)

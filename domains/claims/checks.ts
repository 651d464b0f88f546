import { type CallChecks, type CallContext, defineChecks } from '../../http/errors/checks.ts'
import { exists, hasFilter, isParty, partiesOf } from '../shared/checks.ts'
import { casesOf, claimById, findClaims } from './queries.ts'
import { REASON_IDS } from './reasons.ts'
import { actionsOf, roleOf } from './states.ts'

const CHECKS = defineChecks({
  claim_exists: exists('claims.not_found', 'claim_id', { en: 'claim', es: 'El reclamo', pt: 'A reclamação' }),
  own_claim: isParty('claims.foreign', 'claim_id', { en: 'claim', es: 'del reclamo', pt: 'da reclamação' }),
  action_available: [
    'claims.unavailable',
    'The action is one of the available_actions of the caller',
    'La acción es una de las available_actions de quien llama',
    'A ação é uma das available_actions de quem chama',
    'claim_id',
  ],
  return_exists: [
    'claims.returns.not_found',
    'The claim has a return',
    'El reclamo tiene una devolución',
    'A reclamação tem uma devolução',
    'claim_id',
  ],
  reason_exists: exists('claims.reasons', 'reason_id', { en: 'reason', es: 'El motivo', pt: 'O motivo' }),
  has_filter: hasFilter('claims.search.no_filter'),
  pairs: [
    'claims.search.pairs',
    'resource and resource_id, players.role and players.user_id are sent together',
    'resource y resource_id, players.role y players.user_id se envían juntos',
    'resource e resource_id, players.role e players.user_id são enviados juntos',
  ],
  range: [
    'claims.search.range',
    'range is a column with after, before or both',
    'range es una columna con after, before o ambos',
    'range é uma coluna com after, before ou ambos',
    'range',
  ],
})

const claimsOf = async ({ q, caller }: CallContext) =>
  caller ? (await findClaims(q, { caller: caller.user_id }, { limit: 100, offset: 0 })).rows : []

const players = partiesOf(({ q, sent }) => claimById(q, Number(sent('claim_id'))))

const checks = [CHECKS.claim_exists, CHECKS.own_claim]
export const READ_CLAIM: CallChecks = {
  ...{ order: 'claims.order', checks, callers: players },
  values: { claim_id: async (context) => (await claimsOf(context)).map(({ id }) => id) },
}

export const READ_RETURN: CallChecks = {
  ...READ_CLAIM,
  checks: [...checks, CHECKS.return_exists],
  values: {
    claim_id: async (context) =>
      (await claimsOf(context)).filter((one) => one.return_shipment_id !== null).map(({ id }) => id),
  },
}

/** Of a call that is an action of a player; with `receiver_role`: sending a message. */
export const act = (action?: string): CallChecks => ({
  ...READ_CLAIM,
  checks: [...checks, CHECKS.action_available],
  values: {
    async claim_id(context) {
      const { q, world, caller, sent } = context
      const name = action ?? `send_message_to_${sent('receiver_role')}`
      return (await casesOf(q, world, await claimsOf(context)))
        .filter((one) => actionsOf(one, roleOf(one.claim, caller!.user_id)!).includes(name))
        .map(({ claim }) => claim.id)
    },
    receiver_role: () => ['complainant', 'mediator', 'respondent'],
  },
})

export const READ_REASON: CallChecks = {
  order: 'claims.order',
  checks: [CHECKS.reason_exists],
  values: { reason_id: () => REASON_IDS },
}

export const SEARCH_CLAIMS: CallChecks = {
  order: 'claims.search.order',
  checks: [CHECKS.has_filter, CHECKS.pairs, CHECKS.range],
  values: { range: () => ['date_created:after:2020-01-01T00:00:00Z'] },
}

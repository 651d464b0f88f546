import { apiError, badRequest } from '../../http/errors/errors.ts'

export const claimNotFound = (_id?: unknown) =>
  apiError({ rule: 'claims.not_found', field: 'claim_id' }, 404, 'business_logic_error', 'Resource not found')
export const foreignClaim = () =>
  apiError('claims.foreign', 403, 'forbidden_error', "You don't have permission to access the resource")
export const reasonNotFound = () =>
  apiError({ rule: 'claims.reasons', field: 'reason_id' }, 404, 'business_logic_error', 'Resource not found')
export const returnNotFound = () =>
  apiError({ rule: 'claims.returns.not_found', field: 'claim_id' }, 404, 'business_logic_error', 'Resource not found')
export const unavailable = (action: string) =>
  badRequest('claims.unavailable', `The action ${action} is not available`, 'claim_id')

const FILTERS =
  'id, type, stage, status, resource, reason_id, site_id, players.role, order_id, pack_id, payment_id, range'
export const filterRequired = () =>
  apiError('claims.search.no_filter', 400, 'invalid_query', `at least any of these filters: ${FILTERS}`)
/** `missing`: the other parameter of a pair. */
export const halfOfPair = (given: string, missing: string) =>
  apiError({ rule: 'claims.search.pairs', field: missing }, 400, 'invalid_params', `${given} needs ${missing}`)
export const invalidRange = () =>
  apiError(
    { rule: 'claims.search.range', field: 'range' },
    400,
    'invalid_params',
    'range: must be date_created or last_updated, with after, before or both, such as date_created:after:2026-03-01T00:00:00Z,before:2026-03-08T00:00:00Z',
  )

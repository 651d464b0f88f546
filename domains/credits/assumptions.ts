import { type Assumptions, assumed } from '../../http/assumptions.ts'
import { MAX_LEADS_PER_PAGE } from './errors.ts'
import { LEAD_LIFETIME_DAYS } from './lifetime.ts'

export const CREDITS: Assumptions = {
  'credits.order': assumed(
    'Order of the checks of the detail',
    'token, seller_id, format of the id, not found (404), expired (410)',
  ),
  'credits.date_to': assumed(
    'Message for a missing or malformed date_to',
    'Invalid date_to format, must follow ISO format',
  ),
  'credits.date_order': assumed('Answer to date_from after date_to', '400 Invalid date range'),
  'credits.dates': assumed('Bounds of a range', 'both inclusive, to the second'),
  'credits.status': assumed('Answer to an unknown status', '400 Invalid status'),
  'credits.limit': assumed('Answer to a limit above the maximum', `400 limit must be at most ${MAX_LEADS_PER_PAGE}`),
  'credits.foreign': assumed('Answer to the detail of a lead of another seller', '404 Detail not found for credit'),
  'credits.expiry': assumed('When a lead expires', `${LEAD_LIFETIME_DAYS} days after its creation`),
  'credits.test_leads': assumed(
    'Answer to `x-sandbox: true`',
    'twelve test leads, derived from the seller’s id and created within the last 30 days, and no other leads; their listings and buyers can be read by id',
  ),
}

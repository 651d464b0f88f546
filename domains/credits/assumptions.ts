import { type Assumptions, assumed } from '../../http/assumptions.ts'
import { MAX_LEADS_PER_PAGE } from './errors.ts'
import { LEAD_LIFETIME_DAYS } from './periods.ts'

export const CREDITS: Assumptions = {
  'credits.order': assumed(
    'In which order the detail is checked',
    'token, seller_id, form of the id, not found (404), expired (410)',
  ),
  'credits.date_to': assumed(
    'Message for a missing or malformed date_to',
    'Invalid date_to format, must follow ISO format',
  ),
  'credits.date_order': assumed('What date_from after date_to answers', '400 Invalid date range'),
  'credits.dates': assumed('Which ends of a range count', 'both, to the second'),
  'credits.empty_parameters': assumed('What an empty optional parameter counts as', 'none'),
  'credits.status': assumed('What an unknown status answers', '400 Invalid status'),
  'credits.limit': assumed('What too high a limit answers', `400 limit must be at most ${MAX_LEADS_PER_PAGE}`),
  'credits.foreign': assumed('What the detail of another seller’s lead answers', '404 Detail not found for credit'),
  'credits.expiry': assumed('When a lead expires', `${LEAD_LIFETIME_DAYS} days after it came`),
  'credits.test_leads': assumed(
    'What `x-sandbox: true` answers',
    'twelve test leads that depend on the seller’s id, within the last 30 days, and no others',
  ),
}

import { type Assumptions, assumed, observed } from '../../http/assumptions.ts'
import { MAX_IDS, MAX_INTERVALS } from './schemas.ts'

export const CONTACTS: Assumptions = {
  'contacts.auth': assumed('Whether the statistics of questions and phone views need a token'),
  'contacts.current_bucket': assumed('Whether a window without `ending` shows the interval in progress'),
  'contacts.day_offset': observed('Where a day begins'),
  'contacts.owner_only': assumed('Whether only the owner reads statistics'),
  'contacts.not_found': assumed(
    'What is answered for a listing or user that is not there',
    '404 not_found, Item not found or User not found',
  ),
  'contacts.token_errors': assumed(
    'How a missing or invalid token is answered',
    '401 unauthorized, with code and message',
  ),
  'contacts.messaging_total': assumed(
    'Where the total of clicks on the messaging button of a seller is read',
    '/users/{user_id}/contacts/whatsapp',
  ),
  'contacts.totals.bounds': assumed('Which ends of a range count', 'date_from inclusive, date_to exclusive'),
  'contacts.windows.last': assumed('How many intervals a window may have', `1 to ${MAX_INTERVALS}`),
  'contacts.several.ids': assumed('How many listings one call may ask for', `1 to ${MAX_IDS}`),
  'contacts.several.unknown': assumed('What one unknown id of several does', '404 for the whole call'),
  'contacts.questions.counted': assumed('Which questions count', 'every one, deleted ones and those of guests too'),
}

import { type Assumptions, assumed, observed } from '../../http/assumptions.ts'
import { defineSwitch } from '../../http/switches.ts'
import { MAX_IDS, MAX_INTERVALS } from './schemas.ts'

/** Every whole-hour offset in use except the default, -04:00. */
const DAY_OFFSETS = Array.from({ length: 27 }, (_, n) => n - 12)
  .filter((hour) => hour !== -4)
  .map((hour) => `${hour < 0 ? '-' : '+'}${String(Math.abs(hour)).padStart(2, '0')}:00`)

export const AUTH = defineSwitch('contacts.auth', ['optional', 'required'])
export const CURRENT_BUCKET = defineSwitch('contacts.current_bucket', ['include', 'exclude'])
export const DAY_OFFSET = defineSwitch('contacts.day_offset', ['-04:00', ...DAY_OFFSETS])
export const OWNER_ONLY = defineSwitch('contacts.owner_only', ['false', 'true'])

export const CONTACTS: Assumptions = {
  [AUTH.name]: assumed('Whether the statistics of questions and phone views need a token', AUTH, [
    { route: 'GET /*/contacts/*', isAnonymous: true },
  ]),
  [CURRENT_BUCKET.name]: assumed(
    'Whether a window without `ending` includes the interval in progress',
    CURRENT_BUCKET,
    [{ route: 'GET /*/contacts/*/time_window', omits: ['ending'] }],
  ),
  [DAY_OFFSET.name]: observed('Time zone in which a day begins', DAY_OFFSET),
  [OWNER_ONLY.name]: assumed('Whether only the owner can read statistics', OWNER_ONLY),
  'contacts.not_found': assumed(
    'Answer for an unknown listing or user',
    '404 not_found, Item not found or User not found',
  ),
  'contacts.token_errors': assumed('Answer to a missing or invalid token', '401 unauthorized, with code and message'),
  'contacts.messaging_total': assumed(
    'Path of the total clicks on the messaging button of a seller',
    '/users/{user_id}/contacts/whatsapp',
    [{ route: 'GET /users/:user_id/contacts/whatsapp' }],
  ),
  'contacts.totals.bounds': assumed('Bounds of a range', 'date_from inclusive, date_to exclusive'),
  'contacts.windows.last': assumed('Number of intervals of a window', `1 to ${MAX_INTERVALS}`),
  'contacts.several.ids': assumed('Number of listings in one call', `1 to ${MAX_IDS}`),
  'contacts.several.unknown': assumed('Effect of one unknown id among several', '404 for the whole call'),
  'visits.access': assumed('Who may read visits', 'any token, of any listing and seller'),
  'visits.range': assumed('Bounds of a range of visits', 'date_from inclusive, date_to exclusive; 400 otherwise'),
  'contacts.questions.counted': assumed('Which questions count', 'all, also deleted ones and those of guests'),
}

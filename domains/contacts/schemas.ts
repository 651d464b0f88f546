import { type TSchema, Type } from '@sinclair/typebox'
import { controlConfig } from '../shared/control_schemas.ts'
import { CommaList, Instant, Integer, ItemIdInPath, OneOf, ResponseObject, UserIdInPath } from '../shared/schemas.ts'
import { contactsBody, invalidUserId, itemNotFound } from './errors.ts'
import type { StatisticKind } from './tables.ts'

export const Contacts = {
  name: 'Contact statistics',
  description: 'How often buyers asked, looked at the phone number or clicked the messaging button',
  errorBody: contactsBody,
}

/** Maximum ids of one call [spec: contacts.several.ids]. */
export const MAX_IDS = 50

export const ItemParams = Type.Object({ item_id: ItemIdInPath(() => itemNotFound('item_id')) })
export const UserParams = Type.Object({ user_id: UserIdInPath(invalidUserId) })

const REQUIRED = { 'x-rule': 'contacts.totals.required' }
const from = Instant('Start of the range, inclusive; without an offset UTC', '2026-01-01T00:00:00.000-04:00', REQUIRED)
const to = Instant('End of the range, exclusive; without an offset UTC', '2026-02-01T00:00:00.000-04:00', REQUIRED)

export const Range = Type.Object({ date_from: from, date_to: to })

const PARAMETER = { 'x-rule': 'contacts.windows.parameters' }
const unit = OneOf(['day', 'hour'], {
  description: 'Length of an interval; days begin at midnight, -04:00',
  examples: ['day'],
  ...PARAMETER,
})

export const MAX_INTERVALS = 1000
const windowMembers = {
  last: Integer(1, MAX_INTERVALS, `How many intervals the series has, 1 to ${MAX_INTERVALS}`, {
    examples: [7],
    'x-rule': 'contacts.windows.last',
  }),
  unit,
  ending: Type.Optional(
    Instant('The last interval is the one that holds this instant; default now', '2026-02-01T00:00:00.000-04:00'),
  ),
  order: Type.Optional(
    OneOf(['asc', 'desc'], {
      description: 'Order of the intervals by date, default asc',
      examples: ['asc'],
      ...PARAMETER,
    }),
  ),
}
const ids = CommaList({
  description: `Listing identifiers, separated by commas, 1 to ${MAX_IDS}`,
  examples: ['MLA1400000001,MLA1400000002'],
  'x-message': `must be 1 to ${MAX_IDS} listing identifiers separated by commas`,
  'x-rule': 'contacts.several.ids',
  'x-path': '/items/:id',
})

export const WindowQuery = Type.Object(windowMembers)
export const WindowOfManyQuery = Type.Object({ ids, ...windowMembers })
export const WindowOfItemQuery = Type.Object({ ids: Type.Optional(ids), ...windowMembers })

export type SubjectName = 'item_id' | 'user_id'

const subjects: Record<SubjectName, TSchema> = {
  item_id: Type.String({ description: 'The listing', examples: ['MLA1400000001'], 'x-path': '/items/:id' }),
  user_id: Type.String({ description: 'The seller, as text', examples: ['2500000101'], 'x-path': '/users/:id' }),
}

/** The order of the members differs by kind [spec: contacts.totals.shape, contacts.windows.shape]. */
const TOTAL_ORDER: Record<StatisticKind, string[]> = {
  questions: ['date_from', 'date_to', 'subject', 'total'],
  phone_views: ['date_from', 'date_to', 'total', 'subject'],
  whatsapp: ['total', 'date_from', 'date_to', 'subject'],
}
const SERIES_ORDER = ['subject', 'total', 'date_from', 'date_to', 'last', 'unit', 'results']
const WINDOW_ORDER: Record<StatisticKind, string[]> = {
  questions: SERIES_ORDER,
  phone_views: SERIES_ORDER,
  whatsapp: ['total', 'last', 'unit', 'date_from', 'date_to', 'subject', 'results'],
}

/** An object with its members in this order; `subject` is replaced by item_id or user_id. */
const orderMembers = (
  order: string[],
  subject: SubjectName,
  members: Record<string, TSchema>,
): Record<string, TSchema> =>
  Object.fromEntries(order.map((name) => [name === 'subject' ? subject : name, members[name]!]))

export const Total = (kind: StatisticKind, subject: SubjectName) =>
  ResponseObject(
    orderMembers(TOTAL_ORDER[kind], subject, {
      date_from: Type.String({ description: 'Start of the range, as it was sent' }),
      date_to: Type.String({ description: 'End of the range, as it was sent' }),
      total: Type.Integer({ description: 'Count in the range', examples: [9] }),
      subject: subjects[subject],
    }),
    { title: `Total_${kind}_${subject}`, description: 'Count in a range' },
  )

const boundary = (description: string) => Type.String({ description, examples: ['2026-01-31T04:00:00Z'] })

export const Series = (kind: StatisticKind, subject: SubjectName) =>
  ResponseObject(
    orderMembers(WINDOW_ORDER[kind], subject, {
      subject: subjects[subject],
      total: Type.Integer({ description: 'Sum over the whole window', examples: [17] }),
      date_from: boundary('Start of the first interval, UTC'),
      date_to: boundary('End of the last interval, exclusive, UTC'),
      last:
        kind === 'whatsapp'
          ? Type.String({ description: 'The parameter, as text', examples: ['7'] })
          : Type.Integer({ description: 'The parameter', examples: [7] }),
      unit,
      results: Type.Array(
        ResponseObject({
          date: boundary('Start of the interval, UTC'),
          total: Type.Integer({ description: 'Count in the interval', examples: [5] }),
        }),
        { description: 'One element for each interval, zeros too' },
      ),
    }),
    { title: `Series_${kind}_${subject}`, description: 'Counts by interval' },
  )

const ContactsErrorBody = ResponseObject(
  {
    code: Type.String({ description: 'Code for programs', examples: ['bad_request'] }),
    message: Type.String({ description: 'Text for people' }),
  },
  { title: 'ContactsError', description: 'Error of the contact statistics' },
)

export const contactErrorResponses = {
  400: ContactsErrorBody,
  401: ContactsErrorBody,
  403: ContactsErrorBody,
  404: ContactsErrorBody,
}

export const config = controlConfig('Contacts', 'Phone views, messaging clicks and questions')

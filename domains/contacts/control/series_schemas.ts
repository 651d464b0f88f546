import { type Static, Type } from '@sinclair/typebox'
import { StrictBody } from '../../shared/control_schemas.ts'
import { Id, Instant, ITEM_ID, OneOf, ResponseObject } from '../../shared/schemas.ts'
import { SERIES_KINDS, type SeriesKind } from '../kinds.ts'
import { MAX_CHANGES } from '../series_operations.ts'

/** Points of one call. */
export const MAX_POINTS = 10_000

const Kind = OneOf(Object.keys(SERIES_KINDS) as SeriesKind[], {
  description: 'Kind of the contacts; `messaging_click` is the kind `whatsapp` of `POST /contacts`',
  examples: ['phone_view'],
})
const unit = OneOf(['hour', 'day'], {
  description:
    'Length of an interval: a full UTC hour, or a day that begins at midnight as the assumption `contacts.day_offset` says',
  examples: ['hour'],
})
const item_id = Type.String({
  pattern: ITEM_ID.source,
  description: 'The listing',
  examples: ['MLA1400000001'],
  'x-message': 'must be the identifier of a listing, such as MLA1400000001',
})
const at = Instant('Start of the interval, UTC', '2026-03-02T12:00:00.000Z')

export const SeriesQuery = Type.Object({
  kind: { ...Kind, default: 'phone_view' },
  item_id: Type.Optional({ ...item_id, description: 'The listing; or `user_id`' }),
  user_id: Type.Optional(Id('The seller, with all listings; or `item_id`', 2500000101)),
  unit: { ...unit, default: 'hour' },
  from: Type.Optional(
    Instant(
      'Start of the series, in its first interval; default: a week (`hour`) or 30 days (`day`) before the end',
      '2026-03-01T00:00:00.000-04:00',
    ),
  ),
  to: Type.Optional(
    Instant(
      'End of the series, exclusive, in its last interval; default: the end of the interval in progress',
      '2026-03-08T00:00:00.000-04:00',
    ),
  ),
})

export const ContactSeries = ResponseObject(
  {
    kind: Kind,
    unit,
    from: Instant('Start of the first interval, UTC', '2026-03-02T12:00:00.000Z'),
    to: Instant('End of the last interval, exclusive, UTC', '2026-03-02T14:00:00.000Z'),
    points: Type.Array(
      ResponseObject({ at, total: Type.Integer({ description: 'Contacts in the interval', examples: [5] }) }),
      { description: 'One element for each interval, zeros too' },
    ),
  },
  { title: 'ContactSeries', description: 'Contacts by hour or day' },
)

const POINTS_MESSAGE = `must be an array of 1 to ${MAX_POINTS} objects with at and total`
export const SeriesBody = StrictBody(
  {
    kind: OneOf(['phone_view', 'messaging_click'], {
      description: 'Kind of the contacts; questions are created with `POST /questions`',
      examples: ['phone_view'],
    }),
    item_id,
    unit: Type.Optional({ ...unit, default: 'hour' }),
    points: Type.Array(
      StrictBody(
        {
          at: { ...at, description: 'Start of an interval that has begun' },
          total: Type.Integer({
            minimum: 0,
            maximum: MAX_CHANGES,
            description: 'Contacts that the interval then has',
            examples: [40],
            'x-message': `must be an integer from 0 to ${MAX_CHANGES}`,
          }),
        },
        { 'x-message': POINTS_MESSAGE },
      ),
      { minItems: 1, maxItems: MAX_POINTS, description: 'Different intervals', 'x-message': POINTS_MESSAGE },
    ),
  },
  {
    title: 'NewContactSeries',
    description: 'Contacts of one kind of a listing',
    examples: [
      {
        kind: 'phone_view',
        item_id: 'MLA1400000001',
        unit: 'hour',
        points: [{ at: '2026-03-02T12:00:00.000Z', total: 40 }],
      },
    ],
  },
)
export type SeriesBody = Static<typeof SeriesBody>

export const SeriesChanges = ResponseObject(
  {
    changed: Type.Integer({ description: 'Intervals that had another total', examples: [1] }),
    added: Type.Integer({ description: 'Recorded contacts', examples: [40] }),
    removed: Type.Integer({ description: 'Deleted contacts', examples: [0] }),
  },
  { title: 'SeriesChanges', description: 'What was changed' },
)

import { type Static, Type } from '@sinclair/typebox'
import { Limit, OffsetWithoutScroll } from '../shared/paging.ts'
import { CommaList, Id, Instant, Nullable, OneOf, ResponseObject, UserId } from '../shared/schemas.ts'
import { FoundQuestion } from './schemas.ts'
import { QUESTION_STATUSES } from './tables.ts'

export const SORT_FIELDS = ['item_id', 'from_id', 'date_created', 'seller_id'] as const
export type SortField = (typeof SORT_FIELDS)[number]

/** A pattern for each status that ignores case: a JSON Schema pattern has no flags. */
const anyCase = QUESTION_STATUSES.map((name) =>
  [...name].map((c) => (c === '_' ? c : `[${c}${c.toLowerCase()}]`)).join(''),
)

export const SearchQuery = Type.Object({
  seller_id: Type.Optional(Id('Questions that this seller received: the caller', 2500000101)),
  item: Type.Optional(Type.String({ description: 'Questions on this listing', examples: ['MLA1400000001'] })),
  item_id: Type.Optional(Type.String({ description: 'The same as item', examples: ['MLA1400000001'] })),
  from: Type.Optional(Id('Questions that this user asked', 2500001011)),
  status: Type.Optional(
    Type.String({
      pattern: `^(${anyCase.join('|')})$`,
      description: `Questions in this state, in any letter case: ${QUESTION_STATUSES.join(', ')}`,
      examples: ['UNANSWERED'],
      'x-message': `must be one of ${QUESTION_STATUSES.join(', ')}`,
      'x-rule': 'questions.search.filters',
    }),
  ),
  'date_created.from': Type.Optional(Instant('Asked at this instant or later', '2026-01-01T00:00:00.000-04:00')),
  'date_created.to': Type.Optional(Instant('Asked before this instant', '2026-02-01T00:00:00.000-04:00')),
  sort_fields: Type.Optional(
    CommaList({
      description: `What to sort by, in this order: ${SORT_FIELDS.join(', ')}; in any letter case, also with a direction (date_created_asc); default date_created`,
      examples: ['date_created'],
    }),
  ),
  sort_types: Type.Optional(
    CommaList({
      description: 'ASC or DESC, one for all sort_fields or one for each; default DESC',
      examples: ['DESC'],
    }),
  ),
  limit: Limit(100),
  offset: OffsetWithoutScroll,
  search_type: Type.Optional(
    OneOf(['scan'], { description: 'Walk through any number of questions with scroll_id', examples: ['scan'] }),
  ),
  scroll_id: Type.Optional(
    Type.String({ description: 'Next page of a scan: what the page before answered, within 5 minutes' }),
  ),
  api_version: Type.Optional(Type.String({ description: 'Taken and ignored', examples: ['4'] })),
})
export type SearchQuery = Static<typeof SearchQuery>

const AvailableFilter = ResponseObject({
  id: Type.String({ description: 'Parameter', examples: ['status'] }),
  name: Type.String({ description: 'Name for people', examples: ['Status'] }),
  type: OneOf(['number', 'text'], { description: 'Kind of value' }),
  values: Type.Optional(Type.Array(Type.String(), { description: 'Values that it takes' })),
})
const sortField = OneOf([...SORT_FIELDS], { description: 'Field to sort by' })

export const FoundQuestions = ResponseObject(
  {
    total: Type.Integer({ description: 'Questions found', examples: [318] }),
    limit: Type.Integer({ description: 'Most questions of this page', examples: [50] }),
    questions: Type.Array(FoundQuestion, { description: 'The page' }),
    filters: ResponseObject(
      {
        limit: Type.Integer({ description: 'As applied' }),
        offset: Type.Integer({ description: 'As applied' }),
        api_version: Type.String({ description: 'Always 4', examples: ['4'] }),
        is_admin: Type.Boolean({ description: 'Always false', examples: [false] }),
        sorts: Type.Array(
          ResponseObject({ id: sortField, type: OneOf(['ASC', 'DESC'], { description: 'Direction' }) }),
          {
            description: 'The sort that was asked for',
          },
        ),
        caller: Nullable(UserId, { description: 'Who asked' }),
        item: Type.Optional(Type.String({ description: 'Applied filter' })),
        seller: Type.Optional(Type.Integer({ description: 'Applied filter' })),
        from: Type.Optional(Type.Integer({ description: 'Applied filter' })),
        status: Type.Optional(Type.String({ description: 'Applied filter' })),
      },
      { description: 'What was applied' },
    ),
    available_filters: Type.Array(AvailableFilter, { description: 'What was not applied' }),
    available_sorts: Type.Array(sortField, { description: 'What can be sorted by' }),
    scroll_id: Type.Optional(
      Nullable(Type.String(), { description: 'Only in a scan: for the next page; null on the last' }),
    ),
  },
  { title: 'FoundQuestions', description: 'A page of questions' },
)
export type FoundQuestions = Static<typeof FoundQuestions>

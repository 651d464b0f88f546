import { type Static, Type } from '@sinclair/typebox'
import { Id, ItemId, Nullable, OneOf, ResponseObject, UserId } from '../shared/schemas.ts'
import { MAX_LEADS_PER_PAGE } from './errors.ts'
import { FINANCIAL_ENTITIES, LEAD_STATUSES } from './tables.ts'

export const Credits = {
  name: 'Pre-approved credits',
  description: 'Leads: buyers who could finance a listing, with what an entity would lend them',
  id: 'credit_id',
}

const EXAMPLE_LEAD = '5f0c1d0e-6a52-4c1b-9d2e-3b7a8c90d1e2'

const UUID = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'
/** A date-time without offset. */
const SECOND = '^[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}$'

// parse_search.ts validates the query: messages and order of the checks are fixed
// [spec: credits.search.order, credits.order].
const READ_BY_ROUTE = { 'x-read': 'route' }

/** One of the values, or empty, which counts as absent [spec: http.query.empty]. */
const Choice = (values: readonly string[], description: string, example: string, byDefault = '') =>
  Type.Optional(
    Type.String({
      pattern: `^(${values.join('|')})?$`,
      description: `${description}: ${values.join(', ')}${byDefault && `; default ${byDefault}`}`,
      examples: [example],
    }),
  )

const seller_id = Id('The seller: the holder of the token', 2500000101)

export const SearchQuery = Type.Object(
  {
    seller_id,
    date_from: Type.String({
      pattern: SECOND,
      description: 'Leads created in this second or later: `YYYY-MM-DDThh:mm:ss`, UTC',
      examples: ['2026-02-01T00:00:00'],
    }),
    date_to: Type.String({
      pattern: SECOND,
      description: 'Leads created in this second or earlier; at most three calendar months after date_from',
      examples: ['2026-03-01T00:00:00'],
    }),
    item_id: Type.Optional(
      Type.String({
        pattern: '^(M[A-Z]{2}[0-9]+)?$',
        description: 'Leads on this listing',
        examples: ['MLA1400000001'],
      }),
    ),
    status: Choice([...LEAD_STATUSES, 'all'], 'Leads in this state', 'all', 'approved'),
    financial_entity_id: Choice(FINANCIAL_ENTITIES, 'Leads of this entity', 'MERCADO_PAGO'),
    limit: Type.Optional(
      Type.String({
        pattern: '^([0-9]|[1-9][0-9]|100)?$',
        description: `Elements of a page, 0 (only the total) to ${MAX_LEADS_PER_PAGE}; default 50`,
        examples: ['50'],
      }),
    ),
    offset: Type.Optional(
      Type.String({
        pattern: '^(0|[1-9][0-9]*)?$',
        description: 'Elements before the page, 0 or more; default 0',
        examples: ['0'],
      }),
    ),
  },
  READ_BY_ROUTE,
)

export const LeadParams = Type.Object(
  {
    credit_id: Type.String({
      pattern: UUID,
      description: 'Lead identifier, a UUID in any letter case',
      examples: [EXAMPLE_LEAD],
    }),
  },
  READ_BY_ROUTE,
)
export const LeadQuery = Type.Object({ seller_id }, READ_BY_ROUTE)

export const SandboxHeaders = Type.Object(
  {
    'x-sandbox': Type.Optional(
      Type.String({
        description:
          '`true`, in any letter case: the seller’s fixed set of test leads instead of the stored ones. It is made from the seller’s id alone and dated within the last 30 days of the world’s clock.',
        examples: ['true'],
      }),
    ),
  },
  READ_BY_ROUTE,
)

const id = Type.String({
  description: 'Lead identifier, a UUID',
  examples: [EXAMPLE_LEAD],
  'x-path': '/vis/loans/:id',
})
const down_payment_amount = Type.Number({ description: 'Entry amount', examples: [45000] })
const installments_number = Type.Integer({ description: 'How many installments', examples: [12] })
const installments_amount = Type.Number({ description: 'Amount of one installment', examples: [11250.5] })
const owner_id = Id('Seller of the listing', 2500000101, { 'x-path': '/users/:id' })
const proposal_id = Nullable(Type.String({ examples: ['MP-20481937'] }), {
  description: 'Identifier that the entity gave; null when it gave none',
})
const date_created = Type.String({
  description: 'When the lead was created, UTC, without offset',
  examples: ['2026-02-14T15:04:05'],
})
const financial_entity_id = OneOf([...FINANCIAL_ENTITIES], {
  description: 'The financing entity',
  examples: ['MERCADO_PAGO'],
})

export const Lead = ResponseObject(
  {
    id,
    item_id: ItemId,
    down_payment_amount,
    installments_number,
    installments_amount,
    seller_id: owner_id,
    buyer_id: Id('Who could buy', 2500001011, { 'x-path': '/users/:id' }),
    proposal_id,
    date_created,
    financial_entity_id,
    expired: Type.Boolean({
      description: 'It is over: 30 days have passed, or it was ended before',
      examples: [false],
    }),
  },
  { title: 'Lead', description: 'A lead, as a search answers it' },
)
export type Lead = Static<typeof Lead>

const echoed = (description: string) => Type.String({ description, examples: ['2026-02-01T00:00:00'] })

export const LeadSearch = ResponseObject(
  {
    results: Type.Array(Lead, { description: 'The page, newest first' }),
    paging: ResponseObject(
      {
        total: Type.Integer({ description: 'Leads found', examples: [38] }),
        offset: Type.Integer({ description: 'As applied', examples: [0] }),
        limit: Type.Integer({ description: 'As applied', examples: [50] }),
      },
      { description: 'Which part of what was found this is' },
    ),
    date_from: echoed('Start of the range, as sent'),
    date_to: echoed('End of the range, as sent'),
  },
  { title: 'LeadSearch', description: 'A page of leads' },
)
export type LeadSearch = Static<typeof LeadSearch>

export const LeadDetail = ResponseObject(
  {
    id,
    item_id: ItemId,
    down_payment_amount,
    installments_number,
    installments_amount,
    seller_id: owner_id,
    proposal_id,
    date_created,
    financial_entity_id,
    status: OneOf([...LEAD_STATUSES], { description: 'State of the credit', examples: ['approved'] }),
    buyer: ResponseObject(
      {
        id: UserId,
        full_name: Type.String({ description: 'First and last name', examples: ['Lucía Fernández'] }),
        email: Type.String({ description: 'Mail address', examples: ['lucia.fernandez@example.com'] }),
        phone: Type.String({ description: 'Telephone number', examples: ['+54 11 5555 0142'] }),
      },
      { description: 'Who could buy, and how to reach them' },
    ),
  },
  { title: 'LeadDetail', description: 'A lead with its buyer' },
)
export type LeadDetail = Static<typeof LeadDetail>

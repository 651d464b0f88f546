import { type TSchema, Type } from '@sinclair/typebox'
import { BeforeTextId, NAMES, PagingQuery, StrictBody } from '../shared/control_schemas.ts'
import { PastInstant } from '../shared/past_instants.ts'
import { Bool, Id, Integer, ItemId, Nullable, OneOf, ResponseObject, UserId } from '../shared/schemas.ts'
import { MAX_LEADS_PER_PAGE } from './errors.ts'
import { FINANCIAL_ENTITIES, LEAD_STATUSES, OTHER_ENTITY_NAME } from './tables.ts'

export const Credits = {
  name: 'Pre-approved credits',
  description: 'Leads: buyers who could finance a listing, with what an entity would lend them',
  id: 'credit_id',
}

const EXAMPLE_ID = '5f0c1d0e-6a52-4c1b-9d2e-3b7a8c90d1e2'
const UUID = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'

// Members of a lead, for answers and bodies.

const id = Type.String({ description: 'Lead identifier, a UUID', examples: [EXAMPLE_ID], 'x-path': '/vis/loans/:id' })
const seller_id = Id('Seller of the listing', 2500000101, { 'x-path': '/users/:id' })
const buyer_id = Id('Who could buy', 2500001011, { 'x-path': '/users/:id' })
const status = OneOf([...LEAD_STATUSES], { description: 'State of the credit', examples: ['approved'] })
const financial_entity_id = OneOf([...FINANCIAL_ENTITIES], {
  description: 'The financing entity',
  examples: ['MERCADO_PAGO'],
})
const proposal_id = Nullable(Type.String({ examples: ['MP-20481937'] }), {
  description: 'Identifier that the entity gave; null when it gave none',
})
const expired = Bool('It is over: 30 days have passed, or it was ended before', { examples: [false] })
const amount = (description: string, example: number) =>
  Type.Number({
    minimum: 0,
    maximum: 1e12,
    description,
    examples: [example],
    'x-message': `must be a number from 0 to ${1e12}`,
  })
/** What a buyer is offered. */
export const terms = {
  down_payment_amount: amount('Entry amount', 45000),
  installments_number: Integer(1, 600, 'How many installments', { examples: [12] }),
  installments_amount: amount('Amount of one installment', 11250.5),
}
const offered = { id, item_id: ItemId, ...terms, seller_id }
const granted = {
  proposal_id,
  date_created: Type.String({
    description: 'When the lead was created, UTC, without offset',
    examples: ['2026-02-14T15:04:05'],
  }),
  financial_entity_id,
}

// Answers of the emulated API.

export const Lead = ResponseObject(
  { ...offered, buyer_id, ...granted, expired },
  { title: 'Lead', description: 'A lead, as a search answers it' },
)

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

export const LeadDetail = ResponseObject(
  {
    ...offered,
    ...granted,
    status,
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

// Parameters of the emulated API. parse_search.ts validates them: messages and order of the checks are fixed
// [spec: credits.search.order, credits.order].
const READ_BY_ROUTE = { 'x-read': 'route' }

const parameter = (pattern: string, description: string, example: string) =>
  Type.String({ pattern, description, examples: [example] })
/** Empty counts as absent [spec: http.query.empty]. */
const optional = (pattern: string, description: string, example: string) =>
  Type.Optional(parameter(`^(${pattern})?$`, description, example))

const OwnSeller = { seller_id: Id('The seller: the holder of the token', 2500000101) }
/** A date-time without offset. */
const SECOND = '^[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}$'

export const SearchQuery = Type.Object(
  {
    ...OwnSeller,
    date_from: parameter(
      SECOND,
      'Leads created in this second or later: `YYYY-MM-DDThh:mm:ss`, UTC',
      '2026-02-01T00:00:00',
    ),
    date_to: parameter(
      SECOND,
      'Leads created in this second or earlier; at most three calendar months after date_from',
      '2026-03-01T00:00:00',
    ),
    item_id: optional('M[A-Z]{2}[0-9]+', 'Leads on this listing', 'MLA1400000001'),
    status: optional(
      [...LEAD_STATUSES, 'all'].join('|'),
      `Leads in this state: ${LEAD_STATUSES.join(', ')}, all; default approved`,
      'all',
    ),
    financial_entity_id: optional(
      [...FINANCIAL_ENTITIES, OTHER_ENTITY_NAME].join('|'),
      `Leads of this entity: ${FINANCIAL_ENTITIES.join(', ')}; ${OTHER_ENTITY_NAME} is another name of the first`,
      'MERCADO_PAGO',
    ),
    limit: optional(
      '[0-9]|[1-9][0-9]|100',
      `Elements of a page, 0 (only the total) to ${MAX_LEADS_PER_PAGE}; default 50`,
      '50',
    ),
    offset: optional('0|[1-9][0-9]*', 'Elements before the page, 0 or more; default 0', '0'),
  },
  READ_BY_ROUTE,
)
export const LeadInPath = Type.Object(
  { credit_id: parameter(UUID, 'Lead identifier, a UUID in any letter case', EXAMPLE_ID) },
  READ_BY_ROUTE,
)
export const LeadQuery = Type.Object(OwnSeller, READ_BY_ROUTE)
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

// Control calls.

/** The members of the public search, and the state. */
export const AnyLead = ResponseObject(
  { ...Lead.properties, status },
  { title: 'AnyLead', description: 'A lead of any seller and age' },
)

/** The same in a list. */
export const ListedLead = ResponseObject(
  { ...AnyLead.properties, ...NAMES },
  { title: 'ListedLead', description: 'A lead of any seller and age, with the names of those whom it is about' },
)

/** A member of a body or a parameter that may be missing, with a description of its own. */
const given = <Schema extends TSchema>(schema: Schema, description: string) =>
  Type.Optional({ ...schema, description } as Schema)

export const NewLead = StrictBody(
  {
    item_id: Type.String({ ...ItemId, 'x-message': 'must be the id of a listing' }),
    buyer_id: given(buyer_id, 'Buyer; default: the first test buyer of the listing’s site'),
    down_payment_amount: given(terms.down_payment_amount, 'Down payment; default: a fifth of the price'),
    installments_number: given(terms.installments_number, 'Number of installments; default: 12'),
    installments_amount: given(
      terms.installments_amount,
      'Amount of one installment; default: computed from the rest of the price, with interest',
    ),
    financial_entity_id: given(financial_entity_id, 'Financial entity; default: MERCADO_PAGO'),
    proposal_id: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        // Printable ASCII, as financial entities use it.
        pattern: '^[!-~]{1,100}$',
        description: 'Identifier that the entity assigned; null if it assigned none. Default: null',
        examples: ['20481937'],
        'x-message': 'must be 1 to 100 visible ASCII characters, or null',
      }),
    ),
    status: given(status, 'State of the credit; default: in_analysis'),
    date_created: Type.Optional(PastInstant('Time of creation; default: now')),
    expired: given(expired, 'Whether it was expired early'),
    id: Type.Optional(
      Type.String({
        pattern: UUID,
        description: 'Id of the new lead, a UUID; default: a new one',
        examples: [EXAMPLE_ID],
        'x-message': 'must be a UUID',
      }),
    ),
  },
  {
    examples: [{ item_id: 'MLA1400000001' }, { item_id: 'MLA1400000001', status: 'approved', proposal_id: '20481937' }],
  },
)

export const LeadChange = StrictBody(
  {
    status: Type.Optional(
      OneOf(['approved', 'rejected'], { description: 'Decision of the entity', examples: ['approved'] }),
    ),
    expired: given(expired, 'true expires the lead early, false reverts that'),
  },
  {
    minProperties: 1,
    'x-message': 'must be a JSON object with status, expired or both',
    examples: [{ status: 'approved' }],
  },
)

export const LeadList = Type.Object({
  seller_id: given(seller_id, 'Leads on this seller’s listings'),
  buyer_id: given(buyer_id, 'Leads of this buyer'),
  status: given(status, 'Leads in this state'),
  expired: Type.Optional(
    OneOf(['true', 'false'], { description: 'Expired leads, or the others', examples: ['false'] }),
  ),
  before: BeforeTextId('lead', EXAMPLE_ID),
  ...PagingQuery,
})

export const LeadParams = Type.Object({
  id: Type.String({ description: 'Lead identifier, a UUID in any letter case', examples: [EXAMPLE_ID] }),
})

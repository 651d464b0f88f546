import { type Static, Type } from '@sinclair/typebox'
import { PagingQuery, StrictBody } from '../../shared/control_schemas.ts'
import { PastInstant } from '../../shared/past_instants.ts'
import { Id, ItemId, OneOf, ResponseObject } from '../../shared/schemas.ts'
import { presentFound } from '../present.ts'
import type { LeadRow } from '../queries.ts'
import { Lead } from '../schemas.ts'
import { FINANCIAL_ENTITIES, LEAD_STATUSES } from '../tables.ts'

const status = (description: string) => OneOf([...LEAD_STATUSES], { description, examples: ['approved'] })

/** The members of the public search, and the state. */
export const AnyLead = ResponseObject(
  { ...Lead.properties, status: status('State of the credit') },
  { title: 'AnyLead', description: 'A lead of any seller and age' },
)
export const presentAnyLead = (row: LeadRow, now: number): Static<typeof AnyLead> => ({
  ...presentFound(row, now),
  status: row.status,
})

const MAX_AMOUNT = 1e12
const Amount = (description: string, example: number) =>
  Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: MAX_AMOUNT,
      description,
      examples: [example],
      'x-message': `must be a number from 0 to ${MAX_AMOUNT}`,
    }),
  )

export const NewLead = StrictBody(
  {
    item_id: Type.String({ ...ItemId, 'x-message': 'must be the id of a listing' }),
    buyer_id: Type.Optional(Id('Buyer; default: the first test buyer of the listing’s site', 2500000102)),
    down_payment_amount: Amount('Down payment; default: a fifth of the price', 45000),
    installments_number: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 600,
        description: 'Number of installments; default: 12',
        examples: [24],
        'x-message': 'must be an integer from 1 to 600',
      }),
    ),
    installments_amount: Amount(
      'Amount of one installment; default: computed from the rest of the price, with interest',
      11250.5,
    ),
    financial_entity_id: Type.Optional(
      OneOf([...FINANCIAL_ENTITIES], {
        description: 'Financial entity; default: MERCADO_PAGO',
        examples: ['SANTANDER'],
      }),
    ),
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
    status: Type.Optional(status('State of the credit; default: in_analysis')),
    date_created: Type.Optional(PastInstant('Time of creation; default: now')),
    expired: Type.Optional(
      Type.Boolean({ description: 'Whether it was expired early', 'x-message': 'must be true or false' }),
    ),
    id: Type.Optional(
      Type.String({
        pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
        description: 'Id of the new lead, a UUID; default: a new one',
        examples: ['5f0c1d0e-6a52-4c1b-9d2e-3b7a8c90d1e2'],
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
    expired: Type.Optional(
      Type.Boolean({
        description: 'true expires the lead early, false reverts that',
        'x-message': 'must be true or false',
      }),
    ),
  },
  {
    minProperties: 1,
    'x-message': 'must be a JSON object with status, expired or both',
    examples: [{ status: 'approved' }],
  },
)

export const LeadList = Type.Object({
  seller_id: Type.Optional(Id('Leads on this seller’s listings', 2500000201)),
  buyer_id: Type.Optional(Id('Leads of this buyer', 2500000102)),
  status: Type.Optional(status('Leads in this state')),
  expired: Type.Optional(
    OneOf(['true', 'false'], { description: 'Expired leads, or the others', examples: ['false'] }),
  ),
  before: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        'Begin behind the lead with this id: leads that are added meanwhile do not move the pages. `offset` counts from there',
      examples: ['5f0c1d0e-6a52-4c1b-9d2e-3b7a8c90d1e2'],
      'x-message': 'must be the id of a lead',
    }),
  ),
  ...PagingQuery,
})

export const LeadParams = Type.Object({
  id: Type.String({
    description: 'Lead identifier, a UUID in any letter case',
    examples: ['5f0c1d0e-6a52-4c1b-9d2e-3b7a8c90d1e2'],
  }),
})

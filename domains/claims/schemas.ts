import { type Static, Type } from '@sinclair/typebox'
import { FIRST_ORDER_ID } from '../orders/tables.ts'
import { Limit, Offset } from '../shared/paging.ts'
import { IdInPath, MAX_ID, OneOf, ResponseObject } from '../shared/schemas.ts'
import { orNull, shape } from '../shared/shape.ts'
import { Text } from '../shared/texts.ts'
import { Site } from '../users/sites.ts'
import { claimNotFound, reasonNotFound } from './errors.ts'
import { CLAIM_STAGES, CLAIM_TYPES, FIRST_CLAIM_ID, ROLES } from './tables.ts'

export const Claims = { name: 'Claims', description: 'Complaints of buyers, and returns', id: 'claim_id' }

export const ClaimParams = Type.Object({ claim_id: IdInPath('Claim identifier', FIRST_CLAIM_ID, claimNotFound) })
export const ReasonParams = Type.Object({
  reason_id: Type.String({
    pattern: '^P(NR|DD)\\d{1,9}$',
    description: 'Reason of a claim',
    examples: ['PDD9944'],
    'x-error': reasonNotFound,
  }),
})

const DATE = '2026-03-02T10:15:00.000-04:00'

export const Claim = shape(
  {
    id: Type.Integer({ examples: [FIRST_CLAIM_ID], 'x-path': '/post-purchase/v1/claims/:id' }),
    resource_id: Type.Integer({ examples: [FIRST_ORDER_ID], 'x-path': '/orders/:id' }),
    status: 'opened',
    type: 'mediations',
    stage: 'claim',
    parent_id: null,
    resource: 'order',
    reason_id: 'PDD9944',
    fulfilled: true,
    quantity_type: 'total',
    claimed_quantity: 1,
    claim_version: 2,
    players: [
      {
        role: 'respondent',
        type: 'seller',
        user_id: 2500000101,
        available_actions: [{ action: 'refund', mandatory: false, due_date: orNull(DATE) }],
      },
    ],
    resolution: orNull({
      reason: 'payment_refunded',
      date_created: DATE,
      benefited: ['complainant'],
      closed_by: 'respondent',
      applied_coverage: false,
    }),
    site_id: 'MLA',
    date_created: DATE,
    last_updated: DATE,
    related_entities: ['return'],
  },
  {
    title: 'Claim',
    description: 'A complaint about an order',
    notes: {
      resource_id: 'The order',
      stage: 'claim between buyer and seller, dispute before the marketplace',
      fulfilled: 'Whether the buyer has got the product',
      players: 'Buyer, seller and, in a dispute, the mediator',
      benefited: 'Whom it favours',
      related_entities: 'return where the product comes back',
    },
  },
)

export type Claim = Static<typeof Claim>

export const FoundClaims = ResponseObject(
  {
    paging: shape({ total: 1, offset: 0, limit: 30 }, { description: 'Position of the page' }),
    data: Type.Array(Claim, { description: 'The newest first' }),
  },
  { title: 'FoundClaims', description: 'A page of claims' },
)

export const ClaimDetail = shape(
  {
    due_date: orNull(DATE),
    action_responsible: orNull('seller'),
    title: 'Tienes que responder un reclamo',
    description: 'El comprador espera tu respuesta.',
    problem: 'No funciona bien',
  },
  { title: 'ClaimDetail', description: 'What a claim is about, in the language of the site' },
)

export const ClaimMessage = shape(
  {
    sender_role: 'complainant',
    receiver_role: 'respondent',
    message: 'No enciende.',
    translated_message: null,
    date_created: DATE,
    last_updated: DATE,
    message_date: DATE,
    date_read: orNull(DATE),
    attachments: [],
    status: 'available',
    stage: 'claim',
    message_moderation: { status: 'clean', reason: '', source: 'online', date_moderated: DATE },
    repeated: false,
  },
  { title: 'ClaimMessage' },
)
export const ClaimMessages = Type.Array(ClaimMessage, { description: 'The oldest first' })

const STRINGS = { 'x-message': 'must be an array of strings' }
export const NewClaimMessage = Type.Object(
  {
    receiver_role: OneOf([...ROLES], { description: 'Whom it is for', examples: ['complainant'] }),
    message: Text('The message', 2000, { example: '¿Puedes enviarnos una foto?' }),
    attachments: Type.Optional(
      Type.Array(Type.String(STRINGS), {
        ...{ maxItems: 20, description: 'Names of files: none are kept', ...STRINGS },
      }),
    ),
  },
  {
    'x-message': 'must be a JSON object with receiver_role and message',
    examples: [{ receiver_role: 'complainant', message: '¿Puedes enviarnos una foto?' }],
  },
)
export const Sent = shape({}, { description: 'Always empty' })

export const ExpectedResolutions = Type.Array(
  shape(
    {
      player_role: 'complainant',
      user_id: 2500001011,
      expected_resolution: 'return_product',
      details: [{ key: 'percentage', value: '50' }],
      date_created: DATE,
      last_updated: DATE,
      status: 'pending',
    },
    { title: 'ExpectedResolution' },
  ),
  { description: 'What the buyer wants, and what the seller has accepted' },
)

export const StatusHistory = Type.Array(
  shape({ stage: 'claim', status: 'opened', date: DATE, change_by: 'complainant' }, { title: 'ClaimChange' }),
  { description: 'The oldest first' },
)
export const Nothing = Type.Array(Type.Unknown(), { description: 'Always empty' })

export const ReputationEffect = shape(
  { affects_reputation: 'not_affected', has_incentive: true, due_date: orNull(DATE) },
  {
    title: 'ReputationEffect',
    description: 'affected, not_affected or not_applies',
    notes: { has_incentive: 'Whether ending it until due_date protects the reputation' },
  },
)

export const Reason = shape(
  {
    id: 'PDD9944',
    flow: 'post_purchase_delivered',
    name: 'defective_item',
    detail: 'No funciona bien',
    position: 1,
    filter: { group: ['generic'] },
    settings: { allowed_flows: ['mediations'] },
    parent_id: null,
    children_title: null,
    status: 'active',
  },
  { title: 'ClaimReason', description: 'Why buyers complain' },
)

export const PartialRefund = Type.Object(
  {
    percentage: Type.Optional(
      Type.Integer({
        ...{ minimum: 1, maximum: 99, description: 'Per cent of what was paid; default 50' },
        ...{ examples: [50], 'x-message': 'must be an integer from 1 to 99' },
      }),
    ),
  },
  { 'x-message': 'must be a JSON object', examples: [{ percentage: 50 }] },
)

export const Return = shape(
  {
    id: 43000000001,
    last_updated: DATE,
    shipments: [
      {
        shipment_id: Type.Integer({ examples: [43000000001], 'x-path': '/shipments/:id' }),
        status: 'ready_to_ship',
        tracking_number: orNull('MEL43000000001FMXDF01'),
        destination: {
          name: 'seller_address',
          shipping_address: {
            address_line: 'Calle 1',
            city: { name: 'Buenos Aires' },
            state: { id: 'AR-C' },
            zip_code: '1000',
          },
        },
        type: 'return',
      },
    ],
    refund_at: 'delivered',
    date_closed: orNull(DATE),
    resource_type: 'order',
    date_created: DATE,
    claim_id: FIRST_CLAIM_ID,
    status_money: 'retained',
    resource_id: FIRST_ORDER_ID,
    type: 'return',
    subtype: 'return_total',
    status: 'label_generated',
    orders: [
      {
        order_id: FIRST_ORDER_ID,
        item_id: 'MLA1400000001',
        variation_id: orNull(1),
        context_type: 'total',
        total_quantity: 1,
        return_quantity: 1,
      },
    ],
    related_entities: [],
  },
  { title: 'Return', description: 'A product that comes back' },
)

const word = (description: string, example?: string) =>
  Type.Optional(
    Type.String({
      ...{ description, maxLength: 200, ...(example && { examples: [example] }) },
      'x-message': 'must be a text of at most 200 characters',
    }),
  )
const id = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_ID, description, 'x-message': 'must be an integer' }))
export const ClaimSearch = Type.Object({
  id: id('Only this claim'),
  type: word('mediations, return or cancel_purchase', CLAIM_TYPES[0]),
  stage: word('claim or dispute', CLAIM_STAGES[0]),
  status: word('opened or closed', 'opened'),
  resource: word('order, with resource_id', 'order'),
  resource_id: id('The order, with resource'),
  reason_id: word('Reason', 'PDD9944'),
  site_id: Type.Optional(Site),
  'players.role': word('Part of players.user_id: complainant or respondent', 'respondent'),
  'players.user_id': id('A player, with players.role'),
  order_id: id('Claims on this order'),
  pack_id: id('Claims on the orders of this pack'),
  payment_id: id('Claims on the order of this payment'),
  range: word('A period', 'date_created:after:2026-03-01T00:00:00.000-04:00,before:2026-03-08T00:00:00.000-04:00'),
  limit: Limit(100, 30),
  offset: Offset,
})

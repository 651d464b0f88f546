import { type Static, Type } from '@sinclair/typebox'
import { list, text, textOrNull, VALUE } from '../items/file_details.ts'
import { CONDITIONS, LISTING_TYPES } from '../items/tables.ts'
import { StrictBody } from '../shared/control_schemas.ts'
import { Instant, Nullable, OneOf } from '../shared/schemas.ts'
import {
  Amount,
  asJson,
  FLAG_OR_NULL,
  Flag,
  INSTANT_OR_NULL,
  Int,
  ItemRef,
  JSON_OR_NULL,
  ListOf,
  OptionalInstant,
  OrNull,
  STORED,
  Text,
  TextOrNull,
  UserRef,
} from '../shared/world_file/fields.ts'
import { MAX_NOTE_LENGTH, ORDER_STATUSES, PAYMENT_STATUSES, PAYMENT_TYPES, STORED_TAGS } from './tables.ts'

// The elements of the list `orders` of a world file.

const id = Type.Optional(Int('Identifier; default: a new one', 1))
const InstantOrNull = (description: string) =>
  Type.Optional(Nullable(Instant(description, '2026-03-02T12:00:00.000Z'), { description, [STORED]: INSTANT_OR_NULL }))
const SoldItem = StrictBody(
  {
    title: text('Title'),
    category_id: textOrNull('Category'),
    seller_custom_field: textOrNull('Code of the seller'),
    variation_attributes: list(VALUE, 'What the variation is'),
    warranty: textOrNull('Warranty'),
    condition: OneOf([...CONDITIONS], { description: 'Condition' }),
    seller_sku: textOrNull('SKU'),
    listing_type_id: OneOf([...LISTING_TYPES], { description: 'Listing type' }),
  },
  { description: 'The listing as it was; default: as it is' },
)
const Cancelled = StrictBody(
  {
    group: OneOf(['seller', 'buyer', 'mediations'], { description: 'On whose side' }),
    code: text('Code of the reason'),
    description: text('Reason'),
    requested_by: text('Who asked for it'),
  },
  { description: 'Why it was cancelled' },
)

/** The listing as it was; JSON in an order's row. */
export type OrderedItem = Static<typeof SoldItem>
/** Why an order was cancelled; JSON in its row. */
export type CancelDetail = Static<typeof Cancelled>

export const FilePayment = StrictBody(
  {
    id,
    status: OneOf([...PAYMENT_STATUSES], { description: 'State' }),
    status_detail: Text('More about the state', 100),
    payment_type: OneOf([...PAYMENT_TYPES], { description: 'Kind of means of payment' }),
    payment_method_id: Text('Means of payment', 40),
    installments: Int('Instalments', 1, 1000),
    transaction_amount: Amount('Price of the units'),
    transaction_amount_refunded: Amount('What was refunded of it'),
    shipping_cost: Amount('Shipping'),
    authorization_code: TextOrNull('Code of the card’s bank', 100),
    date_created: OptionalInstant('When it was made; default: world time'),
    date_approved: InstantOrNull('When it was approved'),
    date_last_modified: OptionalInstant('When it last changed; default: world time'),
  },
  { 'x-message': 'must be an object' },
)

export const FileFeedback = StrictBody(
  {
    id,
    role: OneOf(['seller', 'buyer'], { description: 'Who says it' }),
    fulfilled: Flag('Whether it was delivered'),
    rating: OrNull(OneOf(['positive', 'neutral', 'negative']), { description: 'Rating' }),
    message: TextOrNull('Text', 160),
    reason: TextOrNull('Why it was not delivered', 100),
    restock_item: Flag('Whether the units are for sale again'),
    reply: TextOrNull('Answer of the other party', 1000),
    date_created: OptionalInstant('When; default: world time'),
    modified: OptionalInstant('When it last changed; default: world time'),
  },
  { 'x-message': 'must be an object' },
)

export const FileNote = StrictBody(
  {
    id: Type.Optional(
      Type.String({
        ...{ pattern: '^[0-9a-f]{24}$', description: 'Identifier; default: a new one' },
        'x-message': 'must be 24 hexadecimal digits in lower case',
      }),
    ),
    note: Text('What the seller has noted', MAX_NOTE_LENGTH),
    date_created: OptionalInstant('When it was written; default: world time'),
    date_last_updated: OptionalInstant('When it last changed; default: world time'),
  },
  { 'x-message': 'must be an object with note' },
)

export const FileOrder = StrictBody(
  {
    id,
    item_id: ItemRef,
    variation_id: OrNull(Int('Variation')),
    buyer_id: UserRef('Buyer'),
    pack_id: OrNull(Int('Pack: orders with the same one were bought at once')),
    quantity: Type.Optional(Int('Units', 1, 999_999_999, { default: 1 })),
    unit_price: Type.Optional(Amount('Price of a unit; default: that of the listing')),
    full_unit_price: Type.Optional(Amount('Price before promotions; default: unit_price')),
    sale_fee: Type.Optional(Amount('Fee for each unit; default: computed')),
    item: Type.Optional(asJson(SoldItem)),
    shipping_cost: OrNull(Amount('What the buyer pays for shipping; null in a pack of several')),
    shipment_id: OrNull(Int('Its shipment')),
    status: Type.Optional(OneOf([...ORDER_STATUSES], { description: 'State', default: 'paid' })),
    tags: Type.Optional(
      asJson(
        Type.Array(OneOf([...STORED_TAGS]), {
          description: 'Tags that do not follow from the state',
          default: [],
          'x-message': `must be an array of ${STORED_TAGS.join(', ')}`,
        }),
      ),
    ),
    delivered: Flag('Whether the seller has said so'),
    fulfilled: OrNull(Type.Boolean(), {
      ...{ description: 'Whether it was delivered; null: not known', 'x-message': 'must be true, false or null' },
      [STORED]: FLAG_OR_NULL,
    }),
    cancel_detail: OrNull(Cancelled, {
      'x-message': 'must be an object with group, code, description and requested_by, or null',
      [STORED]: JSON_OR_NULL,
    }),
    cancelled_at: InstantOrNull('When it was cancelled'),
    date_created: OptionalInstant('When it was made; default: world time'),
    date_closed: InstantOrNull('When it was first confirmed or paid; default: date_created, if it is paid'),
    last_updated: OptionalInstant('When it last changed; default: date_created'),
    payments: Type.Optional(
      ListOf(FilePayment, 'payments', 100, { description: 'Payments; default: one that fits the state' }),
    ),
    feedback: Type.Optional(
      ListOf(FileFeedback, 'opinions', 2, { description: 'Opinions of the seller and the buyer', default: [] }),
    ),
    notes: Type.Optional(ListOf(FileNote, 'notes', 1000, { description: 'Notes of the seller', default: [] })),
  },
  { title: 'FileOrder', description: 'A sale with its payments, opinions and notes' },
)
export type FileOrder = Static<typeof FileOrder>

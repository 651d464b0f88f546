import { type Static, Type } from '@sinclair/typebox'
import { apiError } from '../../http/errors/errors.ts'
import { itemNotFound } from '../shared/errors.ts'
import { utcMillis } from '../shared/instants.ts'
import { CommaList, Id, ItemIdInPath, OneOf, ResponseObject, StandardErrorBody } from '../shared/schemas.ts'
import { Text } from '../shared/texts.ts'
import type { ItemRow } from './queries.ts'
import { ITEM_STATUSES, SHIPPING_MODES } from './tables.ts'

/** The seller cannot change a listing in this state. */
export const itemStatusIs = (status: 'closed' | 'under_review') =>
  apiError(`items.change.${status}`, 400, 'validation_error', `item status is ${status}`)

export const Items = { name: 'Items', description: 'Listings, as far as the other resources need them', id: 'item_id' }

/** Maximum ids of one multiget [spec: items.multiget]. */
export const MAX_ITEMS = 20

export const ItemParams = Type.Object({ item_id: ItemIdInPath(itemNotFound) })

const StatusOfItem = OneOf([...ITEM_STATUSES], {
  description: 'State of the listing; only an active one takes questions and answers',
  examples: ['active'],
})

export const Item = ResponseObject(
  {
    id: Type.String({ description: 'Listing identifier', examples: ['MLA1400000001'], 'x-path': '/items/:id' }),
    site_id: Type.String({ description: 'Site of the listing', examples: ['MLA'] }),
    title: Type.String({ description: 'Title, as buyers see it' }),
    seller_id: Id('Who sells it', 2500000101, { 'x-path': '/users/:id' }),
    price: Type.Number({ description: 'Price in the currency of the listing', examples: [129999] }),
    currency_id: Type.String({
      description: 'Currency of the price',
      examples: ['ARS'],
      'x-path': '/currencies/:id',
    }),
    status: StatusOfItem,
    permalink: Type.String({ description: 'Address of the page that buyers see' }),
    shipping: ResponseObject(
      {
        mode: OneOf([...SHIPPING_MODES], {
          description: 'me2 is the managed-shipping mode that Flex needs',
        }),
        tags: Type.Array(Type.String(), {
          description: 'self_service_in when offered with Flex, else self_service_out',
        }),
        logistic_type: Type.String({ description: 'Who carries it' }),
      },
      { description: 'How it is shipped' },
    ),
    date_created: Type.String({ description: 'When it was listed, UTC', examples: ['2026-01-01T12:00:00.000Z'] }),
    last_updated: Type.String({ description: 'When it was last changed, UTC', examples: ['2026-01-01T12:00:00.000Z'] }),
    available_quantity: Type.Integer({ description: 'Units for sale', examples: [1] }),
  },
  { title: 'Item', description: 'A listing' },
)
export type Item = Static<typeof Item>

/** The highest price that is accepted. */
const MAX_PRICE = 1e12
const MAX_QUANTITY = 999_999_999

export const Title = Text('Title, as buyers see it', 255, { example: 'Mate de calabaza' })
export const Price = Type.Number({
  exclusiveMinimum: 0,
  maximum: MAX_PRICE,
  description: 'Price in the currency of the listing',
  examples: [12999],
  'x-message': `must be a number above 0, at most ${MAX_PRICE}`,
})
export const Quantity = Type.Integer({
  minimum: 0,
  maximum: MAX_QUANTITY,
  description: 'Units for sale',
  examples: [5],
  'x-message': `must be an integer from 0 to ${MAX_QUANTITY}`,
})

export const Sku = Text('Code of the seller', 255, { example: 'MATE-001' })

/** What a seller may change [spec: items.change]. */
export const ItemChange = Type.Object(
  {
    status: Type.Optional(
      OneOf(['active', 'paused', 'closed'], {
        description: 'State of the listing; closed is final, and closes its unanswered questions',
        examples: ['paused'],
      }),
    ),
    title: Type.Optional(Title),
    price: Type.Optional(Price),
    available_quantity: Type.Optional(Quantity),
  },
  { 'x-message': 'must be a JSON object', examples: [{ status: 'paused', available_quantity: 5 }] },
)
export type ItemChange = Static<typeof ItemChange>

export const ManyItems = Type.Object({
  ids: CommaList({
    description: `Listing identifiers, separated by commas, 1 to ${MAX_ITEMS}`,
    examples: ['MLA1400000001,MLA1400000002'],
    'x-message': `must be 1 to ${MAX_ITEMS} listing identifiers separated by commas`,
    'x-rule': 'items.multiget',
    'x-path': '/items/:id',
  }),
})

export const FoundItems = Type.Array(
  ResponseObject({
    code: Type.Integer({ description: 'Status of this element: 200 or 404', examples: [200] }),
    body: Type.Union([Type.Partial(Item, { title: 'SomeOfItem', additionalProperties: false }), StandardErrorBody], {
      description: 'The listing with the members that `attributes` names, or what was wrong',
    }),
    status: Type.Optional(StatusOfItem),
  }),
  {
    description:
      'One element for each id, in the order of `ids`; `status` also beside `body` when `attributes` names it',
  },
)

export const presentItem = (row: ItemRow): Item => ({
  id: row.id,
  site_id: row.site_id,
  title: row.title,
  seller_id: row.seller_id,
  price: row.price,
  currency_id: row.currency_id,
  status: row.status,
  permalink: `https://articulo.example.com/${row.id}`,
  shipping: {
    mode: row.shipping_mode,
    tags: [row.in_flex ? 'self_service_in' : 'self_service_out'],
    logistic_type: row.in_flex ? 'self_service' : row.shipping_mode === 'me2' ? 'drop_off' : 'default',
  },
  date_created: utcMillis(row.date_created),
  last_updated: utcMillis(row.last_updated),
  available_quantity: row.available_quantity,
})

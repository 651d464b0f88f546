import { type Static, Type } from '@sinclair/typebox'
import { CURRENCY_IDS } from '../../currencies/currencies.ts'
import { PagingQuery, SearchText, StrictBody } from '../../shared/control_schemas.ts'
import { itemNotFound } from '../../shared/errors.ts'
import { ITEM_ID, ItemIdInPath, MAX_ID, OneOf, ResponseObject, UserId } from '../../shared/schemas.ts'
import { Item, Price, Quantity, Title } from '../schemas.ts'
import { ITEM_STATUSES, SHIPPING_MODES } from '../tables.ts'

const ItemFields = {
  title: Type.Optional(Title),
  price: Type.Optional(Price),
  available_quantity: Type.Optional(Quantity),
  status: Type.Optional(
    OneOf([...ITEM_STATUSES], {
      description:
        'State of the listing. Its questions follow: closed closes the unanswered ones and those under review, under_review puts the unanswered ones under review, and active reverts that',
      examples: ['paused'],
    }),
  ),
  shipping_mode: Type.Optional(
    OneOf([...SHIPPING_MODES], {
      description: 'Shipping mode; any mode but me2 ends Flex',
      examples: ['me2'],
    }),
  ),
  in_flex: Type.Optional(
    Type.Boolean({
      description: 'Offered with Flex; rejected under the same conditions as the public call',
      examples: [false],
      'x-message': 'must be true or false',
    }),
  ),
}
export const ItemChanges = StrictBody(ItemFields, { examples: [{ status: 'under_review' }] })

export const NewItem = StrictBody(
  {
    seller_id: UserId,
    id: Type.Optional(
      Type.String({
        pattern: ITEM_ID.source,
        description: 'Identifier: the site of the seller, then digits; default: a new one',
        examples: ['MLA900000001'],
        'x-message': 'must be a site followed by 1 to 20 digits',
      }),
    ),
    currency_id: Type.Optional(
      OneOf(CURRENCY_IDS, { description: 'Currency of the price; default: that of the site', examples: ['ARS'] }),
    ),
    ...ItemFields,
  },
  { examples: [{ seller_id: 2500000101, title: 'Mate de calabaza', price: 12999 }] },
)

export const Listing = ResponseObject(
  { ...Item.properties, in_flex: Type.Boolean({ description: 'Offered with Flex' }) },
  { title: 'Listing', description: 'A listing, with members of the sandbox' },
)
export type Listing = Static<typeof Listing>

export const ItemParams = Type.Object({ id: ItemIdInPath(itemNotFound) })

export const ItemList = Type.Object({
  seller_id: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_ID,
      description: 'Only those of a seller',
      'x-message': 'must be an integer',
    }),
  ),
  status: Type.Optional(OneOf([...ITEM_STATUSES], { description: 'Only those in this state' })),
  q: SearchText('title'),
  ...PagingQuery,
})

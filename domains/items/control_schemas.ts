import { Type } from '@sinclair/typebox'
import { StrictBody } from '../shared/control_schemas.ts'
import { Bool, INSTANT_MESSAGE, Instant, Nullable, OneOf } from '../shared/schemas.ts'
import { Text } from '../shared/texts.ts'
import { MAX_DESCRIPTION, Price, Quantity } from './schemas.ts'
import { CONDITIONS, SUB_STATUSES } from './tables.ts'

const orNull = <T extends Parameters<typeof Nullable>[0]>(schema: T, description: string, message: string) =>
  Type.Optional(
    Nullable({ 'x-message': `${message}, or null`, ...schema }, { description, 'x-message': `${message}, or null` }),
  )

/** Members of control calls beside those that a seller changes, too. */
export const StateFields = {
  sold_quantity: Type.Optional({ ...Quantity, description: 'Units sold; changes no stock' }),
  sub_status: Type.Optional(
    Type.Array(OneOf([...SUB_STATUSES], { description: 'Sub-status' }), {
      description: 'Why it is in its state; an empty list: for no reason',
      maxItems: 20,
      uniqueItems: true,
      'x-message': 'must be a list of different sub-statuses',
    }),
  ),
  tags: orNull(
    Type.Array(Text('Tag', 100), { maxItems: 50 }),
    'Marks of the listing; null: the usual ones',
    'must be a list of at most 50 texts',
  ),
  condition: Type.Optional(OneOf([...CONDITIONS], { description: 'Condition of the article' })),
  category_id: orNull(
    Type.String({ pattern: '^M[A-Z]{2}[0-9]{1,20}$' }),
    'Category; null: none in particular',
    'must be a site followed by digits',
  ),
  catalog_product_id: orNull(Text('Product', 50), 'Product of the catalogue; null: none', 'must be a text'),
  price_automation: Type.Optional(Bool('A rule of the seller changes the price, so the seller cannot')),
  promotion: orNull(
    StrictBody({
      price: Price,
      until: orNull(
        Instant('End', '2026-03-09T12:00:00.000Z'),
        'When it ends, by the clock of the world; null: never',
        INSTANT_MESSAGE,
      ),
    }),
    'A lower price, with the usual one as `original_price`; null lifts it',
    'must be an object with a price',
  ),
  description: orNull(
    Text('Description', MAX_DESCRIPTION, { mayBeBlank: true }),
    'Text below the listing; null: none',
    `must be a text of at most ${MAX_DESCRIPTION} characters`,
  ),
}

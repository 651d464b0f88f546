import { type Static, Type } from '@sinclair/typebox'
import type { World } from '../../db/world.ts'
import { utcMillis, utcOrNull } from '../shared/instants.ts'
import { Nullable, ResponseObject } from '../shared/schemas.ts'
import { currentPrice } from './details.ts'
import type { ItemRow } from './queries.ts'
import { Item } from './schemas.ts'

// What a listing costs [spec: items.prices].

const AMOUNT = {
  amount: Type.Number({ description: 'Price', examples: [129999] }),
  regular_amount: Nullable(Type.Number(), { description: 'Price without the promotion; null without one' }),
  currency_id: Item.properties.currency_id,
}
const instant = (description: string) => Nullable(Type.String(), { description })

export const ItemPrices = ResponseObject(
  {
    id: Item.properties.id,
    prices: Type.Array(
      ResponseObject({
        id: Type.String({ description: 'Price identifier', examples: ['1'] }),
        type: Type.String({ description: 'standard or promotion', examples: ['standard'] }),
        ...AMOUNT,
        last_updated: Item.properties.last_updated,
        conditions: ResponseObject(
          {
            context_restrictions: Type.Array(Type.String(), { description: 'Where it holds; empty: everywhere' }),
            start_time: instant('Always null'),
            end_time: instant('When the promotion ends'),
          },
          { description: 'When it holds' },
        ),
      }),
      { description: 'The standard price, then that of a promotion' },
    ),
  },
  { title: 'ItemPrices', description: 'Prices of a listing' },
)

export const ItemSalePrice = ResponseObject(
  {
    price_id: Type.String({ description: 'Price identifier', examples: ['1'] }),
    ...AMOUNT,
    reference_date: Type.String({ description: 'For when it was asked, UTC', examples: ['2026-01-01T12:00:00.000Z'] }),
    metadata: Type.Object({}, { description: 'Always empty', additionalProperties: false }),
  },
  { title: 'ItemSalePrice', description: 'The price that buyers pay' },
)

export function pricesOf(world: World, row: ItemRow): Static<typeof ItemPrices> {
  const { price, original_price } = currentPrice(world, row)
  const priceOf = (id: string, type: string, amount: number, end_time: string | null = null) => ({
    ...{ id, type, amount, regular_amount: type === 'promotion' ? original_price : null },
    currency_id: row.currency_id,
    last_updated: utcMillis(row.last_updated),
    conditions: { context_restrictions: [], start_time: null, end_time },
  })
  const standard = priceOf('1', 'standard', original_price ?? price)
  return {
    id: row.id,
    prices:
      original_price === null
        ? [standard]
        : [standard, priceOf('2', 'promotion', price, utcOrNull(row.promotion_until))],
  }
}

export function salePriceOf(world: World, row: ItemRow): Static<typeof ItemSalePrice> {
  const { id, amount, regular_amount, currency_id } = pricesOf(world, row).prices.at(-1)!
  return {
    price_id: id,
    ...{ amount, regular_amount, currency_id },
    reference_date: utcMillis(world.clock.now()),
    metadata: {},
  }
}

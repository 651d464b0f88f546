import type { Static } from '@sinclair/typebox'
import type { World } from '../../db/world.ts'
import { utcMillis, utcOrNull } from '../shared/instants.ts'
import { decimal, orNull, shape } from '../shared/shape.ts'
import { currentPrice } from './details.ts'
import type { ItemRow } from './queries.ts'
import { Item } from './schemas.ts'

// What a listing costs [spec: items.prices].

const amount = {
  ...{ amount: decimal(129999), regular_amount: orNull(decimal(149999)), currency_id: Item.properties.currency_id },
}
const notes = {
  regular_amount: 'Price without the promotion; null without one',
  prices: 'The standard price, then that of a promotion',
  type: 'standard or promotion',
  context_restrictions: 'Where it holds; empty: everywhere',
  start_time: 'Always null',
  end_time: 'When the promotion ends',
  reference_date: 'For when it was asked, UTC',
  metadata: 'Always empty',
}
const END = '2026-01-08T12:00:00.000Z'

export const ItemPrices = shape(
  {
    id: Item.properties.id,
    prices: [
      {
        ...{ id: '1', type: 'standard', ...amount, last_updated: Item.properties.last_updated },
        conditions: { context_restrictions: [''], start_time: orNull(END), end_time: orNull(END) },
      },
    ],
  },
  { title: 'ItemPrices', description: 'Prices of a listing', notes },
)

export const ItemSalePrice = shape(
  { price_id: '1', ...amount, reference_date: '2026-01-01T12:00:00.000Z', metadata: {} },
  { title: 'ItemSalePrice', description: 'The price that buyers pay', notes },
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

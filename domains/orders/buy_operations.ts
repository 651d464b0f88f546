import type { Q } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import { categoryIdOf } from '../items/categories.ts'
import { type CurrentPrice, currentPrice, detailsOf, type Variation } from '../items/details.ts'
import { saleFee } from '../items/fees.ts'
import { type ItemRow, itemById, stockOf } from '../items/queries.ts'
import { conflict, itemNotFound, userNotFound } from '../shared/errors.ts'
import { firstTestBuyer, type UserRow, userById } from '../users/queries.ts'
import { PACK_OF_SINGLE } from './assumptions.ts'
import { invalidPurchase, onlyAvailable } from './errors.ts'
import type { OrderedItem } from './file_schemas.ts'
import { type NewOrder, type NewPayment, newPayment, recordOrder } from './operations.ts'
import { blockList, nextPackId } from './queries.ts'
import { isPaid } from './states.ts'
import type { OrderRow, PAYMENT_TYPES } from './tables.ts'

interface PurchasedUnits {
  item_id: string
  variation_id?: number | undefined
  quantity?: number | undefined
  /** Default: that of the listing. */
  price?: number | undefined
}

export const PURCHASE_STATUSES = ['paid', 'confirmed', 'payment_required', 'payment_in_process'] as const

/** A purchase: one listing, or several as a cart. Members that are missing have defaults. */
export interface Purchase {
  items: readonly PurchasedUnits[]
  buyer?: number | undefined
  status?: (typeof PURCHASE_STATUSES)[number] | undefined
  payment_method?: string | undefined
  installments?: number | undefined
  /** Ms. */
  date_created?: number | undefined
  pack_id?: number | undefined
  shipping?: 'me2' | 'none' | undefined
}

/**
 * Buys: an order for each listing, all in one pack. A paid order takes units from the stock and publishes `orders_v2`,
 * `payments` and `items`. Throws, for each listing in this order: no such listing or variation, no or no such buyer, own
 * listing, blocked buyer, not enough stock, not active.
 */
export async function buy(q: Q, world: World, purchase: Purchase): Promise<OrderRow[]> {
  const { items, shipping = 'me2', status = 'paid' } = purchase
  const now = world.clock.now()
  const date_created = purchase.date_created ?? now
  const isPacked = items.length > 1 || PACK_OF_SINGLE.of(world) === 'always'
  const pack_id = purchase.pack_id ?? (isPacked ? await nextPackId(q) : null)
  const orders: OrderRow[] = []
  for (const [n, units] of items.entries()) {
    const { item, variation, buyer } = await partiesOf(q, purchase, units, items.length > 1 ? `items[${n}].` : '')
    const { quantity = 1 } = units
    const stock = (await stockOf(q, item.id, variation?.id ?? null)) ?? 0
    if (stock < quantity) throw onlyAvailable(stock)
    if (item.status !== 'active') throw conflict(`listing ${item.id} is ${item.status}`)
    const hasShipping = shipping === 'me2' && item.shipping_mode !== 'not_specified'
    const row: NewOrder = {
      ...orderOfItem(item, variation, {
        ...{ price: units.price, current: currentPrice(world, item) },
        isTest: buyer.tags.includes('"test_user"'),
      }),
      ...{ pack_id, buyer_id: buyer.id, quantity, status, date_created, last_updated: date_created },
      shipping_cost: items.length > 1 ? null : 0,
      date_closed: status === 'paid' || status === 'confirmed' ? date_created : null,
    }
    if (!hasShipping) row.tags = JSON.stringify([...JSON.parse(row.tags), 'no_shipping'])
    orders.push(await recordOrder(q, world, row, paymentOf(row, purchase)))
  }
  return orders
}

/** The listing, its variation and the buyer of a purchase. */
async function partiesOf(
  q: Q,
  purchase: Purchase,
  { item_id, variation_id, quantity = 1 }: PurchasedUnits,
  place: string,
) {
  const item = await itemById(q, item_id)
  if (!item) throw itemNotFound(item_id)
  const { variations = [] } = detailsOf(item)
  const isChosen = ({ id, available_quantity }: Variation) =>
    variation_id === undefined ? available_quantity >= quantity : id === variation_id
  const variation = variations.find(isChosen) ?? (variation_id === undefined ? variations[0] : undefined)
  if (variations.length > 0 && !variation)
    throw invalidPurchase(`${place}variation_id: must be one of ${variations.map(({ id }) => id).join(', ')}`)
  if (variations.length === 0 && variation_id !== undefined)
    throw invalidPurchase(`${place}variation_id: listing ${item_id} has no variations`)
  const buyer_id = purchase.buyer ?? (await firstTestBuyer(q, item_id))
  if (buyer_id === undefined)
    throw invalidPurchase('buyer: is required, because the site of the listing has no test buyer')
  const buyer: UserRow | undefined = await userById(q, buyer_id)
  if (!buyer) throw userNotFound(buyer_id)
  if (buyer_id === item.seller_id) throw invalidPurchase('buyer: must not be the seller of the listing')
  if (await blockList.has(q, item.seller_id, buyer_id)) throw conflict(`the seller has blocked buyer ${buyer_id}`)
  return { item, variation, buyer }
}

/** The kind of each means of payment; others are credit cards. */
const TYPE_OF_METHOD: Record<string, (typeof PAYMENT_TYPES)[number]> = {
  account_money: 'account_money',
  debvisa: 'debit_card',
  debmaster: 'debit_card',
  pix: 'account_money',
  rapipago: 'ticket',
  pagofacil: 'ticket',
  bolbradesco: 'ticket',
  oxxo: 'ticket',
  efecty: 'ticket',
}

function paymentOf(row: NewOrder, { payment_method = 'visa', installments = 1 }: Purchase): NewPayment | undefined {
  if (row.status === 'confirmed') return undefined
  const given = newPayment(row, row.date_created)
  const payment_type = TYPE_OF_METHOD[payment_method] ?? 'credit_card'
  return {
    ...given,
    ...{ payment_method_id: payment_method, payment_type, installments },
    ...(isPaid(row) && { status: 'approved', status_detail: 'accredited', date_approved: row.date_created }),
  }
}

/** What an order copies of a listing. */
export function orderOfItem(
  item: Pick<
    ItemRow,
    'id' | 'site_id' | 'seller_id' | 'title' | 'price' | 'currency_id' | 'category_id' | 'seller_sku' | 'details'
  >,
  variation: Variation | undefined,
  { price, current, isTest }: { price?: number | undefined; current?: CurrentPrice; isTest: boolean },
) {
  const details = detailsOf(item)
  const { price: ownPrice, original_price } = current ?? { price: item.price, original_price: null }
  // A promotion is that of all variations.
  const unit_price = price ?? (original_price === null ? variation?.price : undefined) ?? ownPrice
  const full_unit_price = Math.max(unit_price, price === undefined ? (original_price ?? 0) : 0)
  const { listing_type_id = 'gold_special', condition = 'new', seller_custom_field: ownField = null } = details
  const skuOfVariation = variation?.attributes?.find(({ id }) => id === 'SELLER_SKU')?.value_name
  return {
    site_id: item.site_id,
    seller_id: item.seller_id,
    item_id: item.id,
    variation_id: variation?.id ?? null,
    item: JSON.stringify({
      title: item.title,
      category_id: categoryIdOf(item),
      seller_custom_field: variation?.seller_custom_field ?? ownField,
      variation_attributes: variation?.attribute_combinations ?? [],
      warranty: details.warranty ?? null,
      condition,
      seller_sku: skuOfVariation ?? variation?.seller_custom_field ?? item.seller_sku ?? ownField,
      listing_type_id,
    } satisfies OrderedItem),
    unit_price,
    full_unit_price,
    sale_fee: saleFee(unit_price, { ...item, listing_type_id }).amount,
    currency_id: item.currency_id,
    shipment_id: null,
    tags: JSON.stringify([
      ...(details.catalog_listing ? ['catalog'] : []),
      ...(isTest ? ['test_order'] : []),
      ...(full_unit_price > unit_price ? ['order_has_discount'] : []),
    ]),
    delivered: 0,
    fulfilled: null,
    cancel_detail: null,
    cancelled_at: null,
    mediations: '[]',
  } satisfies Partial<OrderRow>
}

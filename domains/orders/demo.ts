import { type DemoGenerator, type ItemRow, type Listing, type Person, type Shop, seenAt } from '../demo.ts'
import { detailsOf } from '../items/details.ts'
import type { Random } from '../shared/demo/random.ts'
import { DAY, HOUR, LAST_DAY, MINUTE } from '../shared/demo/wording.ts'
import { orderOfItem } from './buy_operations.ts'
import { cancelledBy, type NewOrder, type NewPayment, newPayment, refunded } from './operations.ts'
import { isPaid, UNPAID_STATUSES } from './states.ts'
import { FIRST_ORDER_ID, FIRST_PACK_ID, FIRST_PAYMENT_ID, type OrderStatus } from './tables.ts'

/** An answered question, after which its asker may buy. */
interface AnsweredQuestion {
  seller_id: number
  item_id: string
  from_id: number
  status: string
  date_created: number
  answered_at: number | null
}

/** The orders of one purchase; times are relative to the origin. */
export interface Sale {
  at: number
  orders: { order: Omit<NewOrder, 'pack_id'>; payments: NewPayment[] }[]
  /** Sales of years ago have none. */
  isPacked: boolean
}

export const generateRows: DemoGenerator = (shops, earlier) => {
  const questions = earlier.question as AnsweredQuestion[]
  const sales = shops
    .flatMap((shop, n) => salesOf(shop, shop.random.fork('orders'), questions, n === 0))
    .sort((a, b) => a.at - b.at || a.orders[0]!.order.seller_id - b.orders[0]!.order.seller_id)
  let [pack, id, paymentId] = [FIRST_PACK_ID, FIRST_ORDER_ID, FIRST_PAYMENT_ID]
  const payment: object[] = []
  const sale_order = sales.flatMap(({ orders, isPacked }) => {
    const pack_id = isPacked ? pack++ : null
    return orders.map(({ order, payments }) => {
      for (const one of payments) payment.push({ id: paymentId++, order_id: id, ...one })
      return { id: id++, pack_id, ...order }
    })
  })
  return { sale_order, payment, item: withSales(earlier.item as ItemRow[], sale_order) }
}

/** Listings with what was sold of them: what is available stays, so more was there in the beginning. */
function withSales(items: readonly ItemRow[], orders: readonly Omit<NewOrder, 'pack_id'>[]): ItemRow[] {
  const paid = Map.groupBy(orders.filter(isPaid), ({ item_id }) => item_id)
  return items.map((row) => {
    const sales = paid.get(row.id)
    const { details: stored = '{}', available_quantity = 1 } = row
    if (!sales) return { ...row, details: stored }
    const soldOf = (some: typeof sales) => some.reduce((sum, { quantity }) => sum + quantity, 0)
    const sold_quantity = soldOf(sales)
    const details = { ...detailsOf({ details: stored }), initial_quantity: available_quantity + sold_quantity }
    for (const one of details.variations ?? [])
      one.sold_quantity = soldOf(sales.filter(({ variation_id }) => variation_id === one.id))
    return { ...row, sold_quantity, details: JSON.stringify(details) }
  })
}

/** One in so many sales is by a buyer whose question was answered before, or is a cart; or has no pack. */
const EVERY = { answered: 6, cart: 8, withoutPack: 4 }
/** Later sales have no later changes: a world's present is any instant of the week after the origin. */
const LAST_CHANGE_AT = -DAY

/** Ninety days of sales of one shop, and those of the week; `hasAllStates`: of the seller that every page names. */
function salesOf(shop: Shop, r: Random, questions: readonly AnsweredQuestion[], hasAllStates: boolean): Sale[] {
  const { cast, listings, rhythm } = shop
  const sellable = listings.filter(({ product }) => product.category === 'parcel' || product.category === 'bulky')
  const followUps = r.shuffle(purchasesAfterAnswers(shop, sellable, questions, r))
  const askers = new Set(questions.map(({ item_id, from_id }) => `${item_id} ${from_id}`))
  const people = new Map([...cast.shoppers, ...cast.buyers].map((one) => [one.row.id, one]))
  const sales = Array.from({ length: r.int(75, 115) }, (_, n): Sale => {
    const asked = n % EVERY.answered === 0 ? followUps.pop() : undefined
    const at = asked?.at ?? rhythm.instant(r)
    const first = asked?.listing ?? seenAt(sellable, at, r)!
    const strangers = cast.shoppers.filter(({ row: { id } }) => !askers.has(`${first.row.id} ${id}`))
    const buyer = (asked && people.get(asked.buyer_id)) ?? r.pick(r.chance(0.1) ? cast.buyers : strangers)
    const other = n % EVERY.cart === 3 ? seenAt(sellable, at, r)! : first
    const bought = other === first ? [first] : [first, other]
    const status = at < LAST_CHANGE_AT - 3 * DAY && bought.length === 1 && !asked ? laterStatus(r) : 'paid'
    return saleOf(bought, { at, buyer, status, isPacked: bought.length > 1 || n % EVERY.withoutPack !== 1 }, r)
  })
  const alone = sales.filter(({ at, orders }) => at < LAST_CHANGE_AT - 3 * DAY && orders.length === 1)
  const unpaid = hasAllStates ? [-1, 1.5, 4].flatMap((day) => UNPAID_STATUSES.map((status) => ({ day, status }))) : []
  for (const [n, status] of (hasAllStates ? RARE : []).entries()) restate(alone[n]!, status, r)
  return sales.concat(
    unpaid.map(({ day, status }) => {
      const at = Math.floor(day * DAY) - r.int(1, 3000) * 1000
      return saleOf([seenAt(sellable, at, r)!], { at, buyer: r.pick(cast.shoppers), status, isPacked: true }, r)
    }),
  )
}
const RARE = [
  'pending_cancel',
  'invalid',
  'cancelled',
  'partially_refunded',
  'cancelled',
  'partially_refunded',
] as const

const laterStatus = (r: Random): OrderStatus =>
  (['paid', 'cancelled', 'partially_refunded'] as const)[r.weighted([94, 4, 2])]!

/** Answered questions, and when their askers buy. */
function purchasesAfterAnswers(
  { cast }: Shop,
  sellable: readonly Listing[],
  questions: readonly AnsweredQuestion[],
  r: Random,
) {
  return questions.flatMap(({ seller_id, item_id, from_id, status, answered_at }) => {
    const listing = sellable.find(({ row }) => row.id === item_id)
    if (!listing || seller_id !== cast.seller.row.id || status !== 'ANSWERED' || answered_at === null) return []
    const at = answered_at + r.int(10 * 60, 40 * 3600) * 1000
    const isKnown = [...cast.shoppers, ...cast.buyers].some(({ row }) => row.id === from_id)
    return isKnown && at < Math.min(listing.until, LAST_DAY * DAY) ? [{ listing, buyer_id: from_id, at }] : []
  })
}

const METHODS = [
  ['credit_card', 'visa'],
  ['credit_card', 'master'],
  ['account_money', 'account_money'],
  ['debit_card', 'debvisa'],
] as const

function saleOf(
  listings: readonly Listing[],
  { at, buyer, status, isPacked }: { at: number; buyer: Person; status: OrderStatus; isPacked: boolean },
  r: Random,
): Sale {
  const isOld = at < LAST_CHANGE_AT - 6 * DAY
  const orders = listings.map(({ row, product }) => {
    const { category_id = null, seller_sku = null, details = '{}' } = row
    const item = { ...row, category_id, seller_sku, details }
    const { variations = [] } = detailsOf(item)
    const variation = variations.length > 0 ? r.pick(variations) : undefined
    const quantity = product.category === 'parcel' ? 1 + r.weighted([82, 14, 4]) : 1
    // Some pay hours later.
    const closedAt = isOld && r.chance(0.05) ? at + r.int(10, 600) * MINUTE : at
    const order = {
      ...orderOfItem(item, variation, { isTest: buyer.row.tags.includes('"test_user"') }),
      ...{ buyer_id: buyer.row.id, quantity, status, shipping_cost: listings.length > 1 ? null : 0 },
      ...{ date_created: at, date_closed: isPaid({ status }) || status === 'confirmed' ? closedAt : null },
      last_updated: closedAt,
      fulfilled: at < -10 * DAY && isPaid({ status }) && r.chance(0.9) ? 1 : null,
    }
    const [payment_type, payment_method_id] = r.pick(METHODS)
    const installments = payment_type === 'credit_card' ? r.pick([1, 1, 3, 6]) : 1
    const opened = { ...newPayment(order, at), payment_type, payment_method_id, installments }
    const approved: NewPayment = {
      ...{ ...opened, status: 'approved', status_detail: 'accredited' },
      ...{ authorization_code: String(r.int(100_000, 999_999)), date_approved: closedAt, date_last_modified: closedAt },
    }
    const rejected: NewPayment = { ...opened, status: 'rejected', status_detail: 'cc_rejected_insufficient_amount' }
    const isUnpaid = (UNPAID_STATUSES as readonly string[]).includes(status)
    const payments = isUnpaid ? [opened] : isOld && r.chance(0.03) ? [rejected, approved] : [approved]
    return { order, payments }
  })
  const sale: Sale = { at, orders, isPacked }
  return status === 'cancelled' || status === 'partially_refunded' ? restate(sale, status, r) : sale
}

/** Changes a sale hours after it was paid. */
function restate(sale: Sale, status: OrderStatus, r: Random): Sale {
  for (const { order, payments } of sale.orders) {
    const changedAt = order.last_updated + r.int(2, 40) * HOUR
    const isCancelled = status === 'cancelled'
    const by = r.pick(['buyer', 'seller'] as const)
    Object.assign(order, {
      ...{ status, last_updated: changedAt, date_closed: order.date_closed ?? order.date_created, fulfilled: null },
      ...(isCancelled && cancelledBy(by, `${by}_cancelled`, `cancelled by the ${by}`, changedAt)),
    })
    const last = payments.at(-1)!
    if (isCancelled) Object.assign(last, refunded(last, changedAt))
    if (status === 'partially_refunded')
      Object.assign(last, {
        ...{ status: 'approved', status_detail: 'partially_refunded', date_last_modified: changedAt },
        transaction_amount_refunded: Math.ceil(last.transaction_amount / 10),
      })
  }
  return sale
}

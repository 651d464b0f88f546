import type { Q } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import { money } from '../currencies/currencies.ts'
import { userProductOf } from '../items/details.ts'
import { atMinusFour, isoSeconds, minusFourOrNull, utcMillis } from '../shared/instants.ts'
import { membersOf } from '../shared/schemas.ts'
import { DELIVERED_TAG } from './assumptions.ts'
import { billingInfoId } from './billing.ts'
import type { CancelDetail, OrderedItem } from './file_schemas.ts'
import { presentPayment } from './present_payments.ts'
import { feedbackRowsOf, type Party, paymentsOf, usersOf } from './queries.ts'
import { FoundOrder, Order, OrderItem, type Pack } from './schemas.ts'
import { mediationsOf, ORDER_LIFE_MS, orderAt, paymentAt, tagsOf } from './states.ts'
import type { OrderRow, PaymentRow } from './tables.ts'

const [orderOf, foundOrderOf, orderItem] = [membersOf(Order), membersOf(FoundOrder), membersOf(OrderItem)]
const itemOf = membersOf(OrderItem.properties.item)

/** What an answer about an order has of other tables. */
interface Related {
  payments: PaymentRow[]
  seller: Party | undefined
  buyer: Party | undefined
  feedback: { seller: { id: number } | null; buyer: { id: number } | null }
}

/** Orders with what belongs to them, by three statements for all; the rows are as they are stored, or as of now. */
async function relate(q: Q, world: World, rows: readonly OrderRow[]): Promise<[OrderRow, Related][]> {
  const now = world.clock.now()
  const payments = Map.groupBy(await paymentsOf(q, rows), ({ order_id }) => order_id)
  const users = await usersOf(
    q,
    rows.flatMap(({ seller_id, buyer_id }) => [seller_id, buyer_id]),
  )
  const parties = new Map(users.map((one) => [one.id, one]))
  const opinions = await feedbackRowsOf(q, rows)
  return rows.map((stored) => {
    const row = orderAt(stored, now)
    const opinionOf = (role: string) => {
      const found = opinions.find((one) => one.order_id === row.id && one.role === role)
      return found ? { id: found.id } : null
    }
    return [
      row,
      {
        payments: (payments.get(row.id) ?? []).map((one) => paymentAt(one, row)),
        seller: parties.get(row.seller_id),
        buyer: parties.get(row.buyer_id),
        feedback: { seller: opinionOf('seller'), buyer: opinionOf('buyer') },
      },
    ]
  })
}

/** The answers of `GET /orders/{id}` for some rows. */
export async function presentOrders(q: Q, world: World, rows: readonly OrderRow[]): Promise<Order[]> {
  return (await relate(q, world, rows)).map(([row, related]) =>
    orderOf({ ...present(world, row, related), feedback: related.feedback }),
  )
}
export const presentOrder = async (q: Q, world: World, row: OrderRow): Promise<Order> =>
  (await presentOrders(q, world, [row]))[0]!

/** The elements of a search. */
export async function presentFound(q: Q, world: World, rows: readonly OrderRow[]): Promise<FoundOrder[]> {
  return (await relate(q, world, rows)).map(([row, related]) => {
    const { seller: sale, buyer: purchase } = related.feedback
    const date_last_updated = utcMillis(row.last_updated)
    return foundOrderOf({ ...present(world, row, related), feedback: { sale, purchase }, date_last_updated })
  })
}

/** What both have, in any order. */
function present(world: World, row: OrderRow, { payments, seller, buyer }: Related) {
  const { minor, amount } = money(row.currency_id)
  const paid = payments
    .filter(({ status }) => status === 'approved')
    .reduce((sum, one) => sum + minor(one.transaction_amount + one.shipping_cost - one.transaction_amount_refunded), 0)
  const { nickname = '', first_name = '', last_name = '' } = buyer ?? {}
  return {
    ...row,
    date_created: atMinusFour(row.date_created),
    last_updated: atMinusFour(row.last_updated),
    date_closed: minusFourOrNull(row.date_closed),
    buying_mode: 'buy_equals_pay',
    coupon: { id: null, amount: 0 },
    expiration_date: atMinusFour(row.date_created + ORDER_LIFE_MS),
    fulfilled: row.fulfilled === null ? null : row.fulfilled === 1,
    mediations: mediationsOf(row).map(({ id }) => ({ id })),
    total_amount: amount(minor(row.unit_price) * row.quantity),
    paid_amount: amount(paid),
    order_items: [orderItemOf(row)],
    payments: payments.map((one) => presentPayment(one, row)),
    shipping: { id: row.shipment_id },
    tags: tagsOf(row, DELIVERED_TAG.of(world) === 'automatic'),
    context: { channel: 'marketplace', site: row.site_id, flows: [] },
    seller: { id: row.seller_id, nickname: seller?.nickname ?? '' },
    buyer: { id: row.buyer_id, nickname, first_name, last_name, billing_info: { id: billingInfoId(row.id) } },
    taxes: { amount: null, currency_id: null, id: null },
    cancel_detail: cancelDetailOf(row),
    order_request: { change: null, return: null },
  }
}

function orderItemOf(row: OrderRow): Order['order_items'][number] {
  const { listing_type_id, ...item } = JSON.parse(row.item) as OrderedItem
  const { minor, amount } = money(row.currency_id)
  const { item_id, variation_id, quantity } = row
  return orderItem({
    ...row,
    item: itemOf({ id: item_id, variation_id, ...item, user_product_id: userProductOf(item_id) }),
    requested_quantity: { measure: 'unit', value: quantity },
    gross_price: amount(minor(row.full_unit_price) * quantity),
    listing_type_id,
    element_id: 1,
  })
}

function cancelDetailOf({ cancel_detail, cancelled_at, last_updated }: OrderRow): Order['cancel_detail'] {
  if (cancel_detail === null) return null
  return { ...(JSON.parse(cancel_detail) as CancelDetail), date: atMinusFour(cancelled_at ?? last_updated) }
}

/** `YYYY-MM-DDThh:mm:ss.000-0400`: dates of packs. */
const withoutColon = (ms: number) => `${isoSeconds(ms - 4 * 3_600_000)}.000-0400`

/** The pack of some orders of one caller, as of now; `id`: that of the call. */
export function presentPack(id: number, orders: readonly OrderRow[]): Pack {
  const statuses = new Set(orders.map(({ status }) => status))
  const isOnly = (status: OrderRow['status']) => statuses.size === 1 && statuses.has(status)
  return {
    shipment: { id: orders.find(({ shipment_id }) => shipment_id !== null)?.shipment_id ?? null },
    orders: orders.map((order) => ({ id: order.id })),
    id,
    status: isOnly('cancelled') ? 'cancelled' : isOnly('pending_cancel') ? 'pending_cancel' : 'released',
    status_detail: null,
    buyer: { id: orders[0]!.buyer_id },
    date_created: withoutColon(Math.min(...orders.map(({ date_created }) => date_created))),
    last_updated: withoutColon(Math.max(...orders.map(({ last_updated }) => last_updated))),
  }
}

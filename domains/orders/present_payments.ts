import type { Q } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import { money } from '../currencies/currencies.ts'
import { atMinusFour } from '../shared/instants.ts'
import type { OrderedItem } from './order_of_item.ts'
import type { Collection, NewerPayment, Payment } from './payment_schemas.ts'
import { orderOfPayment, type Party, usersOf } from './queries.ts'
import { orderAt, paymentAt } from './states.ts'
import type { OrderRow, PaymentRow } from './tables.ts'

/** The money of a payment can be used after this time [spec: payments.release]. */
const RELEASE_MS = 14 * 24 * 3_600_000

/** Amounts of a payment; exact in the currency's smallest units. */
function amountsOf(row: PaymentRow, { currency_id, sale_fee, quantity }: OrderRow) {
  const { minor, amount } = money(currency_id)
  const total = minor(row.transaction_amount) + minor(row.shipping_cost)
  const fee = minor(sale_fee) * quantity
  return {
    total_paid_amount: amount(total),
    installment_amount: row.installments > 1 ? amount(Math.round(total / row.installments)) : null,
    marketplace_fee: amount(fee),
    net_received_amount: amount(minor(row.transaction_amount) - fee),
  }
}

const dateOrNull = (ms: number | null) => (ms === null ? null : atMinusFour(ms))
const released = ({ date_approved }: PaymentRow) =>
  dateOrNull(date_approved === null ? null : date_approved + RELEASE_MS)
const titleOf = ({ item }: OrderRow): string => (JSON.parse(item) as OrderedItem).title

const ACTIONS: Partial<Record<PaymentRow['status'], string[]>> = { approved: ['refund'], pending: ['cancel'] }

/** A payment as its order has it. */
export function presentPayment(row: PaymentRow, order: OrderRow): Payment {
  const { total_paid_amount, installment_amount, marketplace_fee } = amountsOf(row, order)
  return {
    id: row.id,
    order_id: order.id,
    payer_id: order.buyer_id,
    collector: { id: order.seller_id },
    reason: titleOf(order),
    site_id: order.site_id,
    payment_method_id: row.payment_method_id,
    currency_id: order.currency_id,
    installments: row.installments,
    operation_type: 'regular_payment',
    payment_type: row.payment_type,
    available_actions: ACTIONS[row.status] ?? [],
    status: row.status,
    status_code: null,
    status_detail: row.status_detail,
    transaction_amount: row.transaction_amount,
    transaction_amount_refunded: row.transaction_amount_refunded,
    taxes_amount: 0,
    shipping_cost: row.shipping_cost,
    coupon_amount: 0,
    overpaid_amount: 0,
    total_paid_amount,
    installment_amount,
    date_approved: dateOrNull(row.date_approved),
    date_created: atMinusFour(row.date_created),
    date_last_modified: atMinusFour(row.date_last_modified),
    marketplace_fee,
    authorization_code: row.authorization_code,
  }
}

/** A payment with its order and its parties, as of now. */
interface Paid {
  row: PaymentRow
  order: OrderRow
  payer: Party | undefined
  collector: Party | undefined
}

export async function relatePayments(q: Q, world: World, rows: readonly PaymentRow[]): Promise<Paid[]> {
  const now = world.clock.now()
  const orders = await Promise.all(rows.map(async (row) => orderAt(await orderOfPayment(q, row), now)))
  const users = await usersOf(
    q,
    orders.flatMap(({ buyer_id, seller_id }) => [buyer_id, seller_id]),
  )
  const parties = new Map(users.map((one) => [one.id, one]))
  return rows.map((row, n) => {
    const order = orders[n]!
    const [payer, collector] = [parties.get(order.buyer_id), parties.get(order.seller_id)]
    return { row: paymentAt(row, order), order, payer, collector }
  })
}

/** The older form of a payment [spec: payments.collection]. */
export function presentCollection({ row, order, payer, collector }: Paid): Collection {
  const { total_paid_amount, marketplace_fee, net_received_amount } = amountsOf(row, order)
  const { transaction_amount_refunded: amount } = row
  return {
    id: row.id,
    site_id: order.site_id,
    date_created: atMinusFour(row.date_created),
    date_approved: dateOrNull(row.date_approved),
    last_modified: atMinusFour(row.date_last_modified),
    money_release_date: released(row),
    payer: {
      id: order.buyer_id,
      nickname: payer?.nickname ?? '',
      first_name: payer?.first_name ?? '',
      last_name: payer?.last_name ?? '',
    },
    collector: { id: order.seller_id, nickname: collector?.nickname ?? '' },
    order_id: order.id,
    external_reference: String(order.id),
    reason: titleOf(order),
    transaction_amount: row.transaction_amount,
    currency_id: order.currency_id,
    shipping_cost: row.shipping_cost,
    total_paid_amount,
    net_received_amount,
    marketplace_fee,
    mercadopago_fee: 0,
    coupon_amount: 0,
    status: row.status,
    status_detail: row.status_detail,
    payment_type: row.payment_type,
    payment_method_id: row.payment_method_id,
    installments: row.installments,
    operation_type: 'regular_payment',
    refunds: amount > 0 ? [{ id: row.id, amount, date_created: atMinusFour(row.date_last_modified) }] : [],
  }
}

/** The newer form of a payment [spec: payments.newer]. */
export function presentNewer({ row, order, payer }: Paid): NewerPayment {
  const { total_paid_amount, marketplace_fee, net_received_amount } = amountsOf(row, order)
  return {
    id: row.id,
    date_created: atMinusFour(row.date_created),
    date_approved: dateOrNull(row.date_approved),
    money_release_date: released(row),
    status: row.status,
    status_detail: row.status_detail,
    currency_id: order.currency_id,
    transaction_amount: row.transaction_amount,
    transaction_amount_refunded: row.transaction_amount_refunded,
    taxes_amount: 0,
    shipping_amount: row.shipping_cost,
    fee_details: [{ type: 'mercadopago_fee', amount: marketplace_fee, fee_payer: 'collector' }],
    transaction_details: { net_received_amount, total_paid_amount },
    payer: { id: order.buyer_id, email: payer?.email ?? '' },
    external_reference: String(order.id),
    order: { id: order.id, type: 'mercadolibre' },
    payment_method_id: row.payment_method_id,
    payment_type_id: row.payment_type,
    installments: row.installments,
    charges_details: [],
  }
}

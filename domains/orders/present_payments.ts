import type { Q } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import { money } from '../currencies/currencies.ts'
import { atMinusFour, minusFourOrNull } from '../shared/instants.ts'
import { membersOf } from '../shared/schemas.ts'
import type { OrderedItem } from './file_schemas.ts'
import { Collection, NewerPayment, Payment } from './payment_schemas.ts'
import { orderOfPayment, type Party, usersOf } from './queries.ts'
import { orderAt, paymentAt } from './states.ts'
import type { OrderRow, PaymentRow } from './tables.ts'

/** The money of a payment can be used after this time [spec: payments.release]. */
const RELEASE_MS = 14 * 24 * 3_600_000

const [paymentOf, collectionOf, newerOf] = [membersOf(Payment), membersOf(Collection), membersOf(NewerPayment)]

/** The members that several forms of a payment have; amounts are exact in the currency's smallest units. */
function membersOfPayment(row: PaymentRow, order: OrderRow) {
  const { currency_id, site_id } = order
  const { minor, amount } = money(currency_id)
  const total = minor(row.transaction_amount) + minor(row.shipping_cost)
  const fee = minor(order.sale_fee) * order.quantity
  const { date_approved } = row
  return {
    ...row,
    ...{ order_id: order.id, external_reference: String(order.id), site_id, currency_id },
    reason: (JSON.parse(order.item) as OrderedItem).title,
    operation_type: 'regular_payment',
    ...{ taxes_amount: 0, coupon_amount: 0, overpaid_amount: 0, mercadopago_fee: 0 },
    total_paid_amount: amount(total),
    marketplace_fee: amount(fee),
    net_received_amount: amount(minor(row.transaction_amount) - fee),
    date_created: atMinusFour(row.date_created),
    date_approved: minusFourOrNull(date_approved),
    date_last_modified: atMinusFour(row.date_last_modified),
    money_release_date: minusFourOrNull(date_approved === null ? null : date_approved + RELEASE_MS),
    installment_amount: row.installments > 1 ? amount(Math.round(total / row.installments)) : null,
  }
}

const ACTIONS: Partial<Record<PaymentRow['status'], string[]>> = { approved: ['refund'], pending: ['cancel'] }

/** A payment as its order has it. */
export const presentPayment = (row: PaymentRow, order: OrderRow): Payment =>
  paymentOf({
    ...membersOfPayment(row, order),
    payer_id: order.buyer_id,
    collector: { id: order.seller_id },
    available_actions: ACTIONS[row.status] ?? [],
  })

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
  const members = membersOfPayment(row, order)
  const { nickname = '', first_name = '', last_name = '' } = payer ?? {}
  const { transaction_amount_refunded: amount } = row
  return collectionOf({
    ...members,
    last_modified: members.date_last_modified,
    payer: { id: order.buyer_id, nickname, first_name, last_name },
    collector: { id: order.seller_id, nickname: collector?.nickname ?? '' },
    refunds: amount > 0 ? [{ id: row.id, amount, date_created: members.date_last_modified }] : [],
  })
}

/** The newer form of a payment [spec: payments.newer]. */
export function presentNewer({ row, order, payer }: Paid): NewerPayment {
  const members = membersOfPayment(row, order)
  const { marketplace_fee, net_received_amount, total_paid_amount } = members
  return newerOf({
    ...members,
    shipping_amount: row.shipping_cost,
    fee_details: [{ type: 'mercadopago_fee', amount: marketplace_fee, fee_payer: 'collector' }],
    transaction_details: { net_received_amount, total_paid_amount },
    payer: { id: order.buyer_id, email: payer?.email ?? '' },
    order: { id: order.id, type: 'mercadolibre' },
    payment_type_id: row.payment_type,
  })
}

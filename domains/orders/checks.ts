import { type CallChecks, type CallContext, defineChecks } from '../../http/errors/checks.ts'
import { exists, isParty } from '../shared/checks.ts'
import { listOrders, orderById, orderOfPayment, ordersOfPack, paymentById, paymentsOf } from './queries.ts'

const CHECKS = defineChecks({
  order_exists: [
    'orders.not_found',
    'The order exists, and is not older than twelve months',
    'La venta existe, y tiene como máximo doce meses',
    'A venda existe, e tem no máximo doze meses',
    'order_id',
  ],
  own_order: isParty('orders.not_owned', 'order_id', 'order', 'de la venta', 'da venda'),
  own_sale: [
    'orders.not_owned',
    'The caller is the seller of the order',
    'Quien llama es el vendedor de la venta',
    'Quem chama é o vendedor da venda',
    'order_id',
  ],
  own_orders: [
    'orders.search.caller',
    'seller or buyer is the caller',
    'seller o buyer es quien llama',
    'seller ou buyer é quem chama',
    'seller',
  ],
  has_filter: [
    'orders.search.no_filter',
    'The search has a filter',
    'La búsqueda tiene un filtro',
    'A busca tem um filtro',
  ],
  dates: [
    'http.dates.query',
    'All dates are ISO 8601 date-times',
    'Todas las fechas son fechas y horas ISO 8601',
    'Todas as datas são datas e horas ISO 8601',
  ],
  pack_exists: exists('packs.not_found', 'pack_id', 'pack', 'El carrito', 'O carrinho'),
  own_pack: isParty('packs.not_owned', 'pack_id', 'pack', 'del carrito', 'do carrinho'),
  payment_exists: exists('payments.not_found', 'payment_id', 'payment', 'El pago', 'O pagamento'),
  own_payment: isParty('payments.foreign', 'payment_id', 'payment', 'del pago', 'do pagamento'),
})

const PAGE = { limit: 20, offset: 0 }

/** Orders that the caller has sold, then those that it has bought. */
export async function ownOrders({ q, caller }: CallContext) {
  if (!caller) return []
  const [sold, bought] = [{ seller_id: caller.user_id }, { buyer_id: caller.user_id }]
  return [...(await listOrders(q, sold, PAGE)).rows, ...(await listOrders(q, bought, PAGE)).rows]
}
const orderIds = async (context: CallContext) => (await ownOrders(context)).map(({ id }) => id)

/** The seller and the buyer of the order of a call. */
async function parties({ q, world, sent }: CallContext): Promise<number[]> {
  const order = await orderById(q, world, Number(sent('order_id')))
  return order ? [order.seller_id, order.buyer_id] : []
}

export const READ_ORDER: CallChecks = {
  order: 'orders.order',
  checks: [CHECKS.order_exists, CHECKS.own_order],
  values: { order_id: orderIds },
  callers: parties,
}

export const CHANGE_ORDER: CallChecks = {
  order: 'orders.order',
  checks: [CHECKS.order_exists, CHECKS.own_sale],
  values: { order_id: orderIds },
  callers: async (context) => (await parties(context)).slice(0, 1),
}

export const SEARCH_ORDERS: CallChecks = {
  order: 'orders.search.order',
  checks: [CHECKS.own_orders, CHECKS.has_filter, CHECKS.dates],
  values: { seller: ({ caller }) => (caller ? [String(caller.user_id)] : []) },
}

export const READ_PACK: CallChecks = {
  order: 'orders.order',
  checks: [CHECKS.pack_exists, CHECKS.own_pack],
  values: { pack_id: async (context) => (await ownOrders(context)).map(({ pack_id, id }) => pack_id ?? id) },
  async callers({ q, sent }) {
    const [order] = await ordersOfPack(q, Number(sent('pack_id')))
    return order ? [order.seller_id, order.buyer_id] : []
  },
}

export const READ_PAYMENT: CallChecks = {
  order: 'payments.order',
  checks: [CHECKS.payment_exists, CHECKS.own_payment],
  values: {
    payment_id: async (context) =>
      (await paymentsOf(context.q, await ownOrders(context))).map(({ id }) => id).slice(0, 20),
  },
  async callers({ q, sent }) {
    const payment = await paymentById(q, Number(sent('payment_id')))
    if (!payment) return []
    const order = await orderOfPayment(q, payment)
    return [order.seller_id, order.buyer_id]
  },
}

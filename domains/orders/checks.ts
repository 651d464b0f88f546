import { type CallChecks, type CallContext, defineChecks, ownUser } from '../../http/errors/checks.ts'
import { exists, hasFilter, isOwnList, isParty, isSeller, partiesOf, USERS_EXIST } from '../shared/checks.ts'
import { listUsers } from '../users/queries.ts'
import { feedbackById, opinionOf } from './after_sale_operations.ts'
import { billingInfoId } from './billing.ts'
import { listOrders, notesOf, orderById, orderOfPayment, ordersOfPack, paymentById, paymentsOf } from './queries.ts'

const CHECKS = defineChecks({
  order_exists: [
    'orders.not_found',
    'The order exists, and is not older than twelve months',
    'La venta existe, y tiene como máximo doce meses',
    'A venda existe, e tem no máximo doze meses',
    'order_id',
  ],
  own_order: isParty('orders.not_owned', 'order_id', { en: 'order', es: 'de la venta', pt: 'da venda' }),
  own_sale: isSeller('orders.not_owned', 'order_id', { en: 'order', es: 'de la venta', pt: 'da venda' }),
  own_orders: [
    'orders.search.caller',
    'seller or buyer is the caller',
    'seller o buyer es quien llama',
    'seller ou buyer é quem chama',
    'seller',
  ],
  has_filter: hasFilter('orders.search.no_filter'),
  dates: [
    'http.dates.query',
    'All dates are ISO 8601 date-times',
    'Todas las fechas son fechas y horas ISO 8601',
    'Todas as datas são datas e horas ISO 8601',
  ],
  pack_exists: exists('packs.not_found', 'pack_id', { en: 'pack', es: 'El carrito', pt: 'O carrinho' }),
  own_pack: isParty('packs.not_owned', 'pack_id', { en: 'pack', es: 'del carrito', pt: 'do carrinho' }),
  payment_exists: exists('payments.not_found', 'payment_id', { en: 'payment', es: 'El pago', pt: 'O pagamento' }),
  own_payment: isParty('payments.foreign', 'payment_id', { en: 'payment', es: 'del pago', pt: 'do pagamento' }),
  billing_info_exists: [
    'orders.billing.not_found',
    'The id is that of billing data of the site',
    'El id es el de datos de facturación del sitio',
    'O id é o de dados de faturamento do site',
    'billing_info_id',
  ],
  feedback_exists: exists('orders.feedback.not_found', 'feedback_id', {
    en: 'feedback',
    es: 'La calificación',
    pt: 'A avaliação',
  }),
  party: [
    'orders.feedback.foreign',
    'The caller is the seller or the buyer',
    'Quien llama es el vendedor o el comprador',
    'Quem chama é o vendedor ou o comprador',
    'feedback_id',
  ],
  own_feedback: [
    'orders.feedback.foreign',
    'The caller gave the feedback',
    'Quien llama dio la calificación',
    'Quem chama deu a avaliação',
    'feedback_id',
  ],
  feedback_of_other: [
    'orders.feedback.foreign',
    'The feedback is about the caller',
    'La calificación es sobre quien llama',
    'A avaliação é sobre quem chama',
    'feedback_id',
  ],
  first_feedback: [
    'orders.feedback.once',
    'The caller has not given feedback on the order yet',
    'Quien llama todavía no calificó la venta',
    'Quem chama ainda não avaliou a venda',
    'order_id',
  ],
  has_reason: [
    'orders.feedback.fulfilled',
    'fulfilled is true, or there is a reason',
    'fulfilled es true, o hay un motivo',
    'fulfilled é true, ou há um motivo',
    'reason',
  ],
  in_time: [
    'orders.feedback.expired',
    'fulfilled is true, or the order has not expired',
    'fulfilled es true, o la venta no venció',
    'fulfilled é true, ou a venda não venceu',
    'fulfilled',
  ],
  first_reply: [
    'orders.feedback.reply.once',
    'The feedback has no reply yet',
    'La calificación todavía no tiene respuesta',
    'A avaliação ainda não tem resposta',
    'feedback_id',
  ],
  reply_in_time: [
    'orders.feedback.reply.time',
    'The feedback is at most 14 days old',
    'La calificación tiene como máximo 14 días',
    'A avaliação tem no máximo 14 dias',
    'feedback_id',
  ],
  note_exists: [
    'orders.notes.not_found',
    'The order has the note',
    'La venta tiene la nota',
    'A venda tem a nota',
    'note_id',
  ],
  own_list: isOwnList('orders.blacklist.rights'),
})

const PAGE = { limit: 20, offset: 0 }

/** Orders that the caller has sold, then those that it has bought. */
async function ownOrders({ q, caller }: CallContext) {
  if (!caller) return []
  const [sold, bought] = [{ seller_id: caller.user_id }, { buyer_id: caller.user_id }]
  return [...(await listOrders(q, sold, PAGE)).rows, ...(await listOrders(q, bought, PAGE)).rows]
}
const orderIds = async (context: CallContext) => (await ownOrders(context)).map(({ id }) => id)

/** The seller and the buyer of the order of a call. */
const parties = partiesOf(({ q, world, sent }) => orderById(q, world, Number(sent('order_id'))))

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
  callers: partiesOf(async ({ q, sent }) => (await ordersOfPack(q, Number(sent('pack_id'))))[0]),
}

export const READ_PAYMENT: CallChecks = {
  order: 'payments.order',
  checks: [CHECKS.payment_exists, CHECKS.own_payment],
  values: {
    payment_id: async (context) =>
      (await paymentsOf(context.q, await ownOrders(context))).map(({ id }) => id).slice(0, 20),
  },
  callers: partiesOf(async ({ q, sent }) => {
    const payment = await paymentById(q, Number(sent('payment_id')))
    return payment && orderOfPayment(q, payment)
  }),
}

// Of billing data, feedback, notes and the block list.

/** Feedback of one side on the caller's sales. */
const feedbackIds = (role: 'seller' | 'buyer') => async (context: CallContext) => {
  const ids: number[] = []
  for (const { id } of await ownOrders(context)) {
    const row = await opinionOf(context.q, id, role)
    if (row) ids.push(row.id)
  }
  return ids
}
/** Callers: the author of the feedback that a call names, or else the user whom it is about. */
const partyOfFeedback =
  (isAuthor: boolean) =>
  async ({ q, world, sent }: CallContext) => {
    const row = await feedbackById(q, Number(sent('feedback_id')))
    const order = row && (await orderById(q, world, row.order_id))
    return order ? [(row.role === 'seller') === isAuthor ? order.seller_id : order.buyer_id] : []
  }

export const READ_BILLING_INFO: CallChecks = {
  order: 'orders.order',
  checks: [CHECKS.billing_info_exists, ...READ_ORDER.checks],
  values: { billing_info_id: async (context) => (await ownOrders(context)).map(({ id }) => billingInfoId(id)) },
}

export const GIVE_FEEDBACK: CallChecks = {
  ...READ_ORDER,
  order: 'orders.feedback.order',
  checks: [...READ_ORDER.checks, CHECKS.first_feedback, CHECKS.has_reason, CHECKS.in_time],
  values: { ...READ_ORDER.values, fulfilled: () => [true], reason: () => ['OTHER'] },
}

export const READ_FEEDBACK: CallChecks = {
  order: 'orders.feedback.order',
  checks: [CHECKS.feedback_exists, CHECKS.party],
  values: { feedback_id: feedbackIds('buyer') },
  callers: partyOfFeedback(true),
}

export const CHANGE_FEEDBACK: CallChecks = {
  order: 'orders.feedback.order',
  checks: [CHECKS.feedback_exists, CHECKS.own_feedback, CHECKS.has_reason, CHECKS.in_time],
  values: { feedback_id: feedbackIds('seller'), fulfilled: () => [true], reason: () => ['OTHER'] },
  callers: partyOfFeedback(true),
}

export const REPLY_TO_FEEDBACK: CallChecks = {
  order: 'orders.feedback.order',
  checks: [CHECKS.feedback_exists, CHECKS.feedback_of_other, CHECKS.first_reply, CHECKS.reply_in_time],
  values: { feedback_id: feedbackIds('buyer') },
  callers: partyOfFeedback(false),
}

export const CHANGE_NOTE: CallChecks = {
  ...CHANGE_ORDER,
  checks: [...CHANGE_ORDER.checks, CHECKS.note_exists],
  values: {
    ...CHANGE_ORDER.values,
    note_id: async ({ q, sent }) => (await notesOf(q, [{ id: Number(sent('order_id')) }])).map(({ id }) => id),
  },
}

/** Buyers. */
const otherUsers = async ({ q, caller }: CallContext) =>
  (await listUsers(q, { kind: 'buyer' }, PAGE)).rows.map(({ id }) => id).filter((id) => id !== caller?.user_id)

export const BLOCK_LIST: CallChecks = {
  order: 'http.order',
  checks: [USERS_EXIST, CHECKS.own_list],
  values: { seller_id: ownUser, user_id: otherUsers, buyer_id: otherUsers },
}

import { type CallChecks, type CallContext, defineChecks, ownUser } from '../../http/errors/checks.ts'
import { exists, isOwnList, USERS_EXIST } from '../shared/checks.ts'
import { listUsers } from '../users/queries.ts'
import { billingInfoId } from './billing.ts'
import { CHANGE_ORDER, ownOrders, READ_ORDER } from './checks.ts'
import { feedbackById, opinionOf } from './feedback_operations.ts'
import { notesOf, orderById } from './queries.ts'

// Checks of billing data, feedback, notes and the block list.

const CHECKS = defineChecks({
  billing_info_exists: [
    'orders.billing.not_found',
    'The id is that of billing data of the site',
    'El id es el de datos de facturación del sitio',
    'O id é o de dados de faturamento do site',
    'billing_info_id',
  ],
  feedback_exists: exists('orders.feedback.not_found', 'feedback_id', 'feedback', 'La calificación', 'A avaliação'),
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

/** Feedback of one side on the caller's sales. */
const feedbackIds = (role: 'seller' | 'buyer') => async (context: CallContext) => {
  const ids: number[] = []
  for (const { id } of await ownOrders(context)) {
    const row = await opinionOf(context.q, id, role)
    if (row) ids.push(row.id)
  }
  return ids
}
/** Who has given the feedback of a call, or who has got it. */
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

const PAGE = { limit: 20, offset: 0 }
/** Buyers. */
const otherUsers = async ({ q, caller }: CallContext) =>
  (await listUsers(q, { kind: 'buyer' }, PAGE)).rows.map(({ id }) => id).filter((id) => id !== caller?.user_id)

export const BLOCK_LIST: CallChecks = {
  order: 'http.order',
  checks: [USERS_EXIST, CHECKS.own_list],
  values: { seller_id: ownUser, user_id: otherUsers, buyer_id: otherUsers },
}

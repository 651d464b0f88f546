import type { MessageRow } from '../../domains/messages/tables.ts'
import { isObject } from '../../http/bodies.ts'
import type { Call } from './call.ts'
import type { Case, Finding } from './finding.ts'
import { HANDLING_MS } from './sales.ts'
import { type AuditedDelivery, SENDING, type View } from './view.ts'

const answeredTwice: Finding = {
  id: 'messages.answered_twice',
  severity: 'error',
  text: {
    en: {
      title: 'A message was answered twice',
      why: 'The program wrote the same text again although the buyer had written nothing since, or answered once more when the notification came again. The buyer gets both messages.',
      fix: 'Remember the ids of answered messages, or read the conversation and look at whose the newest message is before writing.',
    },
    es: {
      title: 'Un mensaje se respondió dos veces',
      why: 'El programa escribió otra vez el mismo texto aunque el comprador no había escrito nada desde entonces, o respondió de nuevo cuando la notificación llegó otra vez. Al comprador le llegan los dos mensajes.',
      fix: 'Guarda los ids de los mensajes respondidos, o lee la conversación y mira de quién es el último mensaje antes de escribir.',
    },
    pt: {
      title: 'Uma mensagem foi respondida duas vezes',
      why: 'O programa escreveu o mesmo texto de novo embora o comprador não tivesse escrito nada desde então, ou respondeu mais uma vez quando a notificação chegou de novo. O comprador recebe as duas mensagens.',
      fix: 'Guarde os ids das mensagens respondidas, ou leia a conversa e veja de quem é a última mensagem antes de escrever.',
    },
  },
  find(view) {
    const sent = new Map(
      view.calls.flatMap((call) =>
        call.route === SENDING && call.isSuccess && isObject(call.answer) ? [[call.answer.id, call] as const] : [],
      ),
    )
    return view.conversations.flatMap((messages) => answersTwice(messages, sent, view))
  },
}

/** Messages of a program with which it has answered a message of the buyer once more. */
function answersTwice(messages: readonly MessageRow[], sent: ReadonlyMap<unknown, Call>, view: View): Case[] {
  const cases: Case[] = []
  /** The answers to the buyer's latest message. */
  let given: { row: MessageRow; call: Call }[] = []
  let asked: MessageRow | undefined
  for (const row of messages) {
    if (row.from_id === row.buyer_id) {
      given = []
      asked = row
      continue
    }
    const call = sent.get(row.id)
    if (!call) continue
    const repeated = asked && repeatOf(asked, call, view)
    const first = given.find(
      (one) =>
        one.call.entry.application_id === call.entry.application_id &&
        (one.row.text === row.text || (repeated && one.call.entry.at <= repeated.attempts[1]!.startedAt!)),
    )
    given.push({ row, call })
    const deliveries = repeated ? [repeated.id] : []
    if (first) cases.push({ subject: call.path, requests: [first.call.id, call.id], deliveries })
  }
  return cases
}

/** The notification of a message that had come again shortly before a call. */
const repeatOf = ({ id }: MessageRow, { entry }: Call, { deliveries }: View): AuditedDelivery | undefined =>
  deliveries.find(({ topic, resource, application_id, user_id, attempts: [, again] }) => {
    const isOwn = topic === 'messages' && resource === id && application_id === entry.application_id
    const at = again?.startedAt
    return isOwn && user_id === entry.user_id && at !== undefined && entry.at >= at && entry.at <= at + HANDLING_MS
  })

export const MESSAGES: readonly Finding[] = [answeredTwice]

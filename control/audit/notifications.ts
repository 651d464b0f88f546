import { type Call, nameOf } from './call.ts'
import type { Case, Finding } from './finding.ts'
import { repeatedWrites } from './repeated_writes.ts'
import { topicOfRoute } from './topics.ts'
import type { AuditedDelivery, View } from './view.ts'
import { attemptsOfPrograms, isAccepted } from './webhooks.ts'

/** Different resources that a program does not leave unread by chance. */
const MIN_UNREAD = 3
/** Real or world ms that a program with a queue may take. */
const PROCESSING_MS = 60_000

const unread: Finding = {
  id: 'notifications.unread',
  severity: 'warn',
  text: {
    en: {
      title: 'Notifications were accepted, but the resources that they name were not read',
      why: 'A notification only names what changed. A receiver that answers 200 and reads nothing loses the change: accepted notifications are not sent again.',
      fix: 'Read `resource` of each notification after answering it, or end the subscription.',
    },
    es: {
      title: 'Se aceptaron notificaciones, pero no se leyeron los recursos que nombran',
      why: 'Una notificación solo nombra lo que cambió. Un receptor que responde 200 y no lee nada pierde el cambio: las notificaciones aceptadas no se envían otra vez.',
      fix: 'Lee `resource` de cada notificación después de responderla, o termina la suscripción.',
    },
    pt: {
      title: 'Notificações foram aceitas, mas os recursos que elas nomeiam não foram lidos',
      why: 'Uma notificação só nomeia o que mudou. Um receptor que responde 200 e não lê nada perde a mudança: notificações aceitas não são enviadas de novo.',
      fix: 'Leia `resource` de cada notificação depois de respondê-la, ou encerre a assinatura.',
    },
  },
  find(view) {
    const foreign = view.deliveries.filter(({ isOwn }) => !isOwn)
    const byApplication = Map.groupBy(foreign, ({ application_id }) => application_id)
    return [...byApplication].flatMap(([id, deliveries]) => findUnread(id, deliveries, view))
  },
}

/** The accepted notifications of an application, if nothing that any of them is about was read since the first. */
function findUnread(application: number, deliveries: readonly AuditedDelivery[], { calls, now }: View): Case[] {
  const accepted = deliveries.flatMap((delivery) => {
    const attempt = attemptsOfPrograms(delivery).find(isAccepted)
    return attempt?.startedAt === undefined ? [] : { delivery, sent: attempt.sent, startedAt: attempt.startedAt }
  })
  const due = accepted.filter(
    ({ sent, startedAt }) => Math.max(now.real - startedAt, now.world - sent) >= PROCESSING_MS,
  )
  if (new Set(due.map(({ delivery }) => delivery.resource)).size < MIN_UNREAD) return []
  const topics = new Set(accepted.map(({ delivery }) => delivery.topic))
  const isReading = ({ route, entry }: Call) =>
    entry.application_id === application && topics.has(topicOfRoute(route) ?? '') && entry.at >= accepted[0]!.startedAt
  if (calls.some(isReading)) return []
  return due.map(({ delivery: { id, topic } }) => ({ subject: topic, requests: [], deliveries: [id] }))
}

const notIdempotent: Finding = {
  id: 'notifications.not_idempotent',
  severity: 'error',
  text: {
    en: {
      title: 'A notification that came twice was processed twice',
      why: 'Notifications arrive at least once. The real service repeats them after a slow answer, and sometimes without a reason: the program then answers or creates something a second time.',
      fix: 'Keep the `_id` of processed notifications, or look at the state of the resource before changing it. The profile `hostile` sends duplicates.',
    },
    es: {
      title: 'Una notificación que llegó dos veces se procesó dos veces',
      why: 'Las notificaciones llegan al menos una vez. El servicio real las repite tras una respuesta lenta, y a veces sin motivo: el programa entonces responde o crea algo por segunda vez.',
      fix: 'Guarda el `_id` de las notificaciones procesadas, o mira el estado del recurso antes de cambiarlo. El perfil `hostile` envía duplicados.',
    },
    pt: {
      title: 'Uma notificação que chegou duas vezes foi processada duas vezes',
      why: 'As notificações chegam pelo menos uma vez. O serviço real as repete após uma resposta lenta, e às vezes sem motivo: o programa então responde ou cria algo pela segunda vez.',
      fix: 'Guarde o `_id` das notificações processadas, ou olhe o estado do recurso antes de mudá-lo. O perfil `hostile` envia duplicatas.',
    },
  },
  find: (view) =>
    repeatedWrites(view).map(({ delivery, first, second }) => ({
      subject: nameOf(second),
      requests: [first.id, second.id],
      deliveries: [delivery.id],
    })),
}

const missedNotRead: Finding = {
  id: 'notifications.missed_not_read',
  severity: 'warn',
  text: {
    en: {
      title: 'Missed notifications were never read',
      why: 'A notification that no attempt could deliver is not sent again. It is in the missed feeds for two days, and then it is gone.',
      fix: 'Call `GET /missed_feeds?app_id=…` at the start and then regularly, at least once a day, and process the messages like notifications.',
    },
    es: {
      title: 'Las notificaciones perdidas nunca se leyeron',
      why: 'Una notificación que ningún intento pudo entregar no se envía otra vez. Está dos días en los missed feeds y luego desaparece.',
      fix: 'Llama a `GET /missed_feeds?app_id=…` al iniciar y luego regularmente, al menos una vez por día, y procesa los mensajes como notificaciones.',
    },
    pt: {
      title: 'Notificações perdidas nunca foram lidas',
      why: 'Uma notificação que nenhuma tentativa conseguiu entregar não é enviada de novo. Ela fica dois dias nos missed feeds e depois desaparece.',
      fix: 'Chame `GET /missed_feeds?app_id=…` ao iniciar e depois regularmente, pelo menos uma vez por dia, e processe as mensagens como notificações.',
    },
  },
  find: ({ deliveries, calls, isWhole }) =>
    deliveries
      .filter(({ status, attempts }) => status === 'missed' && attempts.at(-1)?.startedAt !== undefined)
      .filter(({ attempts }) => isWhole || (calls[0]?.entry.at ?? Infinity) <= attempts.at(-1)!.startedAt!)
      .filter(({ application_id }) => !calls.some((call) => isReadOfMissed(call, application_id)))
      .map(({ id, topic }) => ({ subject: topic, requests: [], deliveries: [id] })),
}

const isReadOfMissed = ({ route, isSuccess, entry }: Call, application_id: number): boolean =>
  (route === 'GET /missed_feeds' || route === 'GET /myfeeds') && isSuccess && entry.application_id === application_id

export const NOTIFICATIONS: readonly Finding[] = [unread, notIdempotent, missedNotRead]

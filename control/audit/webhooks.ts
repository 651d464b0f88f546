import { isTimeoutError } from '../../domains/notifications/outbound/post.ts'
import { INBOX_TARGET } from '../../domains/notifications/outbound/targets.ts'
import type { Case, Finding } from './finding.ts'
import type { AuditedAttempt, AuditedDelivery, View } from './view.ts'

/** The attempts that a program answered, or should have; the inbox inside the server is none. */
export const attemptsOfPrograms = ({ attempts }: AuditedDelivery): AuditedAttempt[] =>
  attempts.filter(({ url }) => url !== INBOX_TARGET)

/** Real ms that the real service waits for an answer [spec: notifications.success]. */
const REAL_LIMIT_MS = 500

/** Too slow for the real service, or for the profile of the application. */
const isSlow = ({ ms, error }: AuditedAttempt): boolean => ms > REAL_LIMIT_MS || isTimeoutError(error)

/** The attempts for each application, in the order of time. */
const byApplication = ({ deliveries }: View) =>
  [...Map.groupBy(deliveries, ({ application_id }) => application_id).values()].map((ofOne) =>
    ofOne
      .flatMap((delivery) => attemptsOfPrograms(delivery).map((attempt, n) => ({ delivery, attempt, isRetry: n > 0 })))
      .sort((a, b) => a.attempt.sent - b.attempt.sent),
  )

const toCase = (subject: string, delivery: number): Case => ({ subject, requests: [], deliveries: [delivery] })

/** A machine under load makes some slow answers: fewer than one in ten. */
const MIN_SLOW = { count: 2, share: 0.1 }

const slow: Finding = {
  id: 'webhooks.slow',
  severity: 'error',
  text: {
    en: {
      title: 'Notifications were not answered within 500 ms',
      why: 'The real service waits 500 ms. A later answer counts as a failure: the notification is sent again, and after repeated failures the topic is switched off.',
      fix: 'Store the notification, answer 200 at once, and read the resource afterwards, in a queue or another thread. The profile `realistic` has this limit.',
    },
    es: {
      title: 'Las notificaciones no se respondieron en 500 ms',
      why: 'El servicio real espera 500 ms. Una respuesta posterior cuenta como error: la notificación se envía otra vez y, tras varios errores, el tópico se desactiva.',
      fix: 'Guarda la notificación, responde 200 de inmediato y lee el recurso después, en una cola u otro hilo. El perfil `realistic` tiene este límite.',
    },
    pt: {
      title: 'As notificações não foram respondidas em 500 ms',
      why: 'O serviço real espera 500 ms. Uma resposta posterior conta como falha: a notificação é enviada de novo e, após várias falhas, o tópico é desativado.',
      fix: 'Guarde a notificação, responda 200 imediatamente e leia o recurso depois, em uma fila ou outra thread. O perfil `realistic` tem esse limite.',
    },
  },
  find: (view) =>
    byApplication(view).flatMap((attempts) => {
      const slow = attempts.filter(({ attempt }) => isSlow(attempt))
      const isOften = slow.length >= MIN_SLOW.count && slow.length >= MIN_SLOW.share * attempts.length
      return isOften ? slow.map(({ delivery: { id, topic } }) => toCase(topic, id)) : []
    }),
}

/** A status that receivers take for success, but the service does not. */
const isOtherSuccess = ({ http_code, error }: AuditedAttempt): boolean =>
  http_code !== null && http_code > 200 && http_code < 300 && error === null

const wrongStatus: Finding = {
  id: 'webhooks.wrong_status',
  severity: 'error',
  text: {
    en: {
      title: 'Notifications were answered with a status other than 200',
      why: 'Only 200 counts. 201, 202 and 204 are failures: every notification is sent eight times, and then becomes a missed feed.',
      fix: 'Answer exactly 200. The body does not matter.',
    },
    es: {
      title: 'Las notificaciones se respondieron con un estado distinto de 200',
      why: 'Solo cuenta 200. 201, 202 y 204 son errores: cada notificación se envía ocho veces y luego pasa a ser un missed feed.',
      fix: 'Responde exactamente 200. El cuerpo no importa.',
    },
    pt: {
      title: 'As notificações foram respondidas com um status diferente de 200',
      why: 'Só 200 conta. 201, 202 e 204 são falhas: cada notificação é enviada oito vezes e depois vira um missed feed.',
      fix: 'Responda exatamente 200. O corpo não importa.',
    },
  },
  find: ({ deliveries }) =>
    deliveries.flatMap((delivery) => {
      const wrong = attemptsOfPrograms(delivery).find(isOtherSuccess)
      return wrong ? toCase(`${delivery.topic}: ${wrong.http_code}`, delivery.id) : []
    }),
}

/** A receiver that fails now and then gets the notification again. */
const MIN_FAILURES = 3

const failing: Finding = {
  id: 'webhooks.failing',
  severity: 'error',
  text: {
    en: {
      title: 'The receiver of notifications fails',
      why: 'Its latest answers were errors, or it could not be reached. After eight attempts within an hour a notification becomes a missed feed, and after repeated failures the topic is switched off.',
      fix: 'Look at the answers of the deliveries. Answer 200 as soon as the notification is stored, and keep errors of the processing to your own queue.',
    },
    es: {
      title: 'El receptor de notificaciones falla',
      why: 'Sus últimas respuestas fueron errores, o no se lo pudo alcanzar. Tras ocho intentos en una hora la notificación pasa a ser un missed feed y, tras varios errores, el tópico se desactiva.',
      fix: 'Mira las respuestas de los envíos. Responde 200 en cuanto la notificación esté guardada y trata los errores del procesamiento en tu propia cola.',
    },
    pt: {
      title: 'O receptor de notificações falha',
      why: 'Suas últimas respostas foram erros, ou não foi possível alcançá-lo. Após oito tentativas em uma hora a notificação vira um missed feed e, após várias falhas, o tópico é desativado.',
      fix: 'Olhe as respostas das entregas. Responda 200 assim que a notificação estiver guardada e trate os erros do processamento na sua própria fila.',
    },
  },
  find: (view) =>
    byApplication(view).flatMap((attempts) => {
      const lastAccepted = attempts.findLastIndex(({ attempt }) => isAccepted(attempt))
      const failures = attempts
        .slice(lastAccepted + 1)
        .filter(({ attempt }) => !isSlow(attempt) && !isOtherSuccess(attempt))
        // A program that has not started yet cannot be reached.
        .filter(({ attempt, isRetry }) => isRetry || attempt.http_code !== null)
      if (failures.length < MIN_FAILURES) return []
      return failures.map(({ attempt: { http_code }, delivery: { topic, id } }) =>
        toCase(`${topic}: ${http_code ?? 'no answer'}`, id),
      )
    }),
}

export const isAccepted = ({ http_code, error }: AuditedAttempt): boolean => http_code === 200 && error === null

export const WEBHOOKS: readonly Finding[] = [slow, wrongStatus, failing]

import { type Call, gapBetween, isClientError, nameOf } from './call.ts'
import type { Finding } from './finding.ts'
import { runsOf } from './repetition.ts'

/** Timers may fire a little early. */
const TOLERANCE = 0.9

const ignoredRetryAfter: Finding = {
  id: 'retries.ignored_retry_after',
  severity: 'error',
  text: {
    en: {
      title: 'A call was sent again before `Retry-After` had passed',
      why: 'The answer said how long to wait. The real service keeps refusing until then, and may block an application that does not wait.',
      fix: 'Read `Retry-After` (seconds, or a date) of 429 and 503, and wait that long before the next call. Without it, wait longer after each failure.',
    },
    es: {
      title: 'Se repitió una llamada antes de que pasara `Retry-After`',
      why: 'La respuesta decía cuánto esperar. El servicio real sigue rechazando hasta entonces y puede bloquear una aplicación que no espera.',
      fix: 'Lee `Retry-After` (segundos o una fecha) de 429 y 503, y espera ese tiempo antes de la llamada siguiente. Si no está, espera más después de cada error.',
    },
    pt: {
      title: 'Uma chamada foi repetida antes de passar `Retry-After`',
      why: 'A resposta dizia quanto esperar. O serviço real continua recusando até lá e pode bloquear uma aplicação que não espera.',
      fix: 'Leia `Retry-After` (segundos ou uma data) de 429 e 503 e espere esse tempo antes da próxima chamada. Sem ele, espere mais depois de cada erro.',
    },
  },
  find: ({ calls }) =>
    [...Map.groupBy(calls, ({ key, state }) => `${state} ${key}`).values()].flatMap((same) =>
      same.flatMap((refused, n) => {
        const next = same.slice(n + 1).find(({ entry }) => entry.at > refused.endedAt)
        if (!next || gapBetween(refused, next) >= TOLERANCE * waitOf(refused)) return []
        const { retryAfter } = refused.entry.violation!
        return { subject: `${nameOf(refused)}: Retry-After ${retryAfter}`, requests: [refused.id, next.id] }
      }),
    ),
}

/** Ms that a caller should wait; 0 if the answer does not say. */
function waitOf(call: Call): number {
  const { retryAfter = '' } = call.entry.violation ?? {}
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1000
  const date = Date.parse(retryAfter)
  return Number.isNaN(date) ? 0 : Math.max(0, date - call.endedAt)
}

/** Statuses after which the same call may succeed: a new token, a timeout, a conflict, too early, too many calls. */
const MAY_SUCCEED_LATER = new Set([401, 408, 409, 425, 429])

/** Whether the same call would be refused again. A read of something that does not exist may succeed later. */
function isFinal({ isRead, entry }: Call): boolean {
  const { status, violation } = entry
  return (
    isClientError(status) &&
    !MAY_SUCCEED_LATER.has(status!) &&
    violation?.retryAfter === undefined &&
    !(isRead && status === 404)
  )
}

/** Tests repeat a refused read by chance; a program that retries does it more than once. */
const MIN_CALLS = { read: 3, write: 2 }

const retriedClientError: Finding = {
  id: 'retries.client_error',
  severity: 'warn',
  text: {
    en: {
      title: 'A refused call was sent again unchanged',
      why: 'A 4xx says that the request is wrong: the same request is refused again. Retries only use up the limit of calls, and hide the error.',
      fix: 'Retry only when there was no answer, and after 408, 429 and 5xx. Report other 4xx, with the message of the answer.',
    },
    es: {
      title: 'Se repitió sin cambios una llamada rechazada',
      why: 'Un 4xx dice que la llamada está mal: la misma llamada se vuelve a rechazar. Los reintentos solo gastan el límite de llamadas y ocultan el error.',
      fix: 'Reintenta solo si no hubo respuesta y después de 408, 429 y 5xx. Informa los demás 4xx con el mensaje de la respuesta.',
    },
    pt: {
      title: 'Uma chamada recusada foi repetida sem mudanças',
      why: 'Um 4xx diz que a chamada está errada: a mesma chamada é recusada de novo. Novas tentativas só gastam o limite de chamadas e escondem o erro.',
      fix: 'Tente de novo só se não houve resposta e depois de 408, 429 e 5xx. Informe os outros 4xx com a mensagem da resposta.',
    },
  },
  find: (view) =>
    runsOf(view).flatMap((run) => {
      const refused = run.filter(isFinal)
      const [first] = refused
      if (!first || refused.length < MIN_CALLS[first.isRead ? 'read' : 'write']) return []
      return { subject: `${nameOf(first)}: ${first.entry.status}`, requests: refused.map(({ id }) => id) }
    }),
}

export const RETRIES: readonly Finding[] = [ignoredRetryAfter, retriedClientError]

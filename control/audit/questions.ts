import { isObject } from '../../http/bodies.ts'
import type { RuleId } from '../../http/rules.ts'
import type { Call } from './call.ts'
import type { Finding } from './finding.ts'
import { repeatedWrites } from './repeated_writes.ts'
import type { View } from './view.ts'

/** The status of a question or listing that a caller has seen in an answer. */
interface Seen {
  call: Call
  status: string
  /** The listing of a question. */
  item_id: string | undefined
}

/** What callers have seen, by the id of the question or listing. */
function whatWasSeen(calls: readonly Call[]): Map<string, Seen[]> {
  const seen = calls.filter(({ isSuccess }) => isSuccess).flatMap(readResources)
  return Map.groupBy(seen, ({ id }) => id)
}

function readResources(call: Call): (Seen & { id: string })[] {
  const { answer } = call
  const members = isObject(answer) ? [answer, answer.questions] : [answer]
  return members
    .flat()
    .map((element) => (isObject(element) && isObject(element.body) ? element.body : element))
    .flatMap((element) =>
      isObject(element) && typeof element.status === 'string'
        ? {
            call,
            id: String(element.id),
            status: element.status.toUpperCase(),
            item_id: typeof element.item_id === 'string' ? element.item_id : undefined,
          }
        : [],
    )
}

/** The latest that the caller of `call` has seen of a resource before it. */
const lastSeen = (seen: readonly Seen[] | undefined, { id, state, entry }: Call): Seen | undefined =>
  seen?.findLast(({ call }) => call.id < id && call.state === state && call.entry.user_id === entry.user_id)

/** Refused answers to questions. */
const refusedAnswers = ({ calls }: View, ...rules: RuleId[]): Call[] =>
  calls.filter(
    ({ route, entry: { violation } }) => route === 'POST /answers' && violation && rules.includes(violation.rule),
  )

/** The same write may have been stored before, but the caller does not know it. */
export const isAfterLostAnswer = (calls: readonly Call[], { id, key }: Call): boolean =>
  calls.some((call) => call.id < id && call.key === key && (call.entry.status === null || call.entry.status >= 500))

const answeredTwice: Finding = {
  id: 'questions.answered_twice',
  severity: 'warn',
  text: {
    en: {
      title: 'A question was answered again',
      why: 'The program had seen that the question has an answer. A question takes one answer: the second one is refused, and counts against the limits of the real service.',
      fix: 'Remember which questions were answered, or look at `status` before answering; search with `status=UNANSWERED`.',
    },
    es: {
      title: 'Se volvió a responder una pregunta',
      why: 'El programa había visto que la pregunta tiene respuesta. Una pregunta admite una sola respuesta: la segunda se rechaza y cuenta para los límites del servicio real.',
      fix: 'Recuerda qué preguntas ya respondiste, o mira `status` antes de responder; busca con `status=UNANSWERED`.',
    },
    pt: {
      title: 'Uma pergunta foi respondida de novo',
      why: 'O programa já tinha visto que a pergunta tem resposta. Uma pergunta aceita uma só resposta: a segunda é recusada e conta para os limites do serviço real.',
      fix: 'Guarde quais perguntas já foram respondidas, ou olhe `status` antes de responder; busque com `status=UNANSWERED`.',
    },
  },
  find(view) {
    const seen = whatWasSeen(view.calls)
    const repeated = new Set(repeatedWrites(view).map(({ second }) => second))
    return refusedAnswers(view, 'questions.error.not_unanswered').flatMap((call) => {
      const question = String(call.body?.question_id)
      const last = lastSeen(seen.get(question), call)
      if (last?.status !== 'ANSWERED' || repeated.has(call) || isAfterLostAnswer(view.calls, call)) return []
      return { subject: `/questions/${question}`, requests: [last.call.id, call.id] }
    })
  },
}

const answeredClosed: Finding = {
  id: 'questions.answered_closed',
  severity: 'warn',
  text: {
    en: {
      title: 'A question on a listing that is not active was answered',
      why: 'The program had seen that the listing is closed, paused or under review, or that the question was closed with it. Such answers are refused.',
      fix: 'Look at the `status` of the listing, subscribe to the topic `items`, and leave out questions with the status CLOSED_UNANSWERED.',
    },
    es: {
      title: 'Se respondió una pregunta de una publicación que no está activa',
      why: 'El programa había visto que la publicación está cerrada, pausada o en revisión, o que la pregunta se cerró con ella. Esas respuestas se rechazan.',
      fix: 'Mira el `status` de la publicación, suscríbete al tópico `items` y omite las preguntas con estado CLOSED_UNANSWERED.',
    },
    pt: {
      title: 'Uma pergunta de um anúncio que não está ativo foi respondida',
      why: 'O programa já tinha visto que o anúncio está fechado, pausado ou em revisão, ou que a pergunta foi encerrada com ele. Essas respostas são recusadas.',
      fix: 'Olhe o `status` do anúncio, assine o tópico `items` e deixe de fora as perguntas com status CLOSED_UNANSWERED.',
    },
  },
  find(view) {
    const seen = whatWasSeen(view.calls)
    return refusedAnswers(view, 'questions.error.not_active_item', 'questions.error.closed').flatMap((call) => {
      const question = String(call.body?.question_id)
      const last = lastSeen(seen.get(question), call)
      const item = last?.item_id === undefined ? undefined : lastSeen(seen.get(last.item_id), call)
      const reason = last?.status === 'CLOSED_UNANSWERED' ? last : item && item.status !== 'ACTIVE' ? item : undefined
      return reason ? { subject: `/questions/${question}`, requests: [reason.call.id, call.id] } : []
    })
  },
}

export const QUESTIONS: readonly Finding[] = [answeredTwice, answeredClosed]

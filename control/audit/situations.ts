import type { Language } from '../../http/errors/checks.ts'
import type { RuleId } from '../../http/rules.ts'
import type { Call } from './call.ts'
import type { AuditedDelivery, View } from './view.ts'

/** What a program meets in production sooner or later, and a test may not have shown it yet. */
interface Situation {
  id: string
  /** `how`: what brings it about here. */
  text: Record<Language, { title: string; how: string }>
  /** Whether programs that make such calls can meet it; default: all. */
  concerns?(view: View): boolean
  /** How often they have met it. */
  count(view: View): number
}

const calls = (matches: (call: Call) => boolean) => (view: View) => view.calls.filter(matches).length
const status = (matches: (status: number | null) => boolean) => calls(({ entry }) => matches(entry.status))
const refusedBy = (...rules: RuleId[]) =>
  calls(({ entry: { violation } }) => violation !== undefined && rules.includes(violation.rule))
const uses =
  (...routes: string[]) =>
  (view: View) =>
    view.calls.some(({ route = '' }) => routes.includes(route))

const getsNotifications = ({ deliveries }: View): boolean => deliveries.length > 0
const isRepeated = ({ attempts }: AuditedDelivery): boolean =>
  attempts.filter(({ http_code }) => http_code !== null && http_code < 300).length > 1
const hasPages = ({ schemas: { query } }: Call): boolean => query.properties?.offset !== undefined
const isLaterPage = (call: Call): boolean =>
  Number(call.parameter('offset') ?? 0) > 0 || call.parameter('scroll_id') !== undefined

export const SITUATIONS: readonly Situation[] = [
  {
    id: 'token_refused',
    text: {
      en: {
        title: 'An access token has expired or was revoked: 401',
        how: '`mercadito drill run refresh-race -- PROGRAM`',
      },
      es: {
        title: 'Un access token venció o fue revocado: 401',
        how: '`mercadito drill run refresh-race -- PROGRAMA`',
      },
      pt: {
        title: 'Um access token venceu ou foi revogado: 401',
        how: '`mercadito drill run refresh-race -- PROGRAMA`',
      },
    },
    count: status((code) => code === 401),
  },
  {
    id: 'rate_limited',
    text: {
      en: { title: 'There were too many calls: 429', how: '`mercadito fault add --status 429 --times 1`' },
      es: { title: 'Hubo demasiadas llamadas: 429', how: '`mercadito fault add --status 429 --times 1`' },
      pt: { title: 'Houve chamadas demais: 429', how: '`mercadito fault add --status 429 --times 1`' },
    },
    count: status((code) => code === 429),
  },
  {
    id: 'server_error',
    text: {
      en: { title: 'The service fails: 5xx', how: '`mercadito fault add --status 503 --times 1`' },
      es: { title: 'El servicio falla: 5xx', how: '`mercadito fault add --status 503 --times 1`' },
      pt: { title: 'O serviço falha: 5xx', how: '`mercadito fault add --status 503 --times 1`' },
    },
    count: status((code) => code !== null && code >= 500),
  },
  {
    id: 'no_answer',
    text: {
      en: { title: 'The connection ends without an answer', how: '`mercadito fault add --drop --times 1`' },
      es: { title: 'La conexión termina sin respuesta', how: '`mercadito fault add --drop --times 1`' },
      pt: { title: 'A conexão termina sem resposta', how: '`mercadito fault add --drop --times 1`' },
    },
    count: status((code) => code === null),
  },
  {
    id: 'later_page',
    text: {
      en: { title: 'A list has a page after the first', how: '`mercadito simulate --days 30 --profile busy`' },
      es: { title: 'Una lista tiene más páginas que la primera', how: '`mercadito simulate --days 30 --profile busy`' },
      pt: { title: 'Uma lista tem páginas além da primeira', how: '`mercadito simulate --days 30 --profile busy`' },
    },
    concerns: (view) => view.calls.some(hasPages),
    count: calls(isLaterPage),
  },
  {
    id: 'notification_repeated',
    text: {
      en: { title: 'A notification arrives twice', how: '`mercadito webhooks resend ID`' },
      es: { title: 'Una notificación llega dos veces', how: '`mercadito webhooks resend ID`' },
      pt: { title: 'Uma notificação chega duas vezes', how: '`mercadito webhooks resend ID`' },
    },
    concerns: getsNotifications,
    count: ({ deliveries }) => deliveries.filter(isRepeated).length,
  },
  {
    id: 'notifications_missed',
    text: {
      en: {
        title: 'Missed notifications are read: `GET /missed_feeds`',
        how: '`mercadito drill run topic-off -- PROGRAM`',
      },
      es: {
        title: 'Se leen las notificaciones perdidas: `GET /missed_feeds`',
        how: '`mercadito drill run topic-off -- PROGRAMA`',
      },
      pt: {
        title: 'As notificações perdidas são lidas: `GET /missed_feeds`',
        how: '`mercadito drill run topic-off -- PROGRAMA`',
      },
    },
    concerns: getsNotifications,
    count: calls(({ route }) => route === 'GET /missed_feeds' || route === 'GET /myfeeds'),
  },
  {
    id: 'question_answered',
    text: {
      en: { title: 'The question has an answer already', how: '`mercadito question answer QUESTION TEXT`' },
      es: { title: 'La pregunta ya tiene respuesta', how: '`mercadito question answer PREGUNTA TEXTO`' },
      pt: { title: 'A pergunta já tem resposta', how: '`mercadito question answer PERGUNTA TEXTO`' },
    },
    concerns: uses('POST /answers'),
    count: refusedBy('questions.error.not_unanswered'),
  },
  {
    id: 'question_gone',
    text: {
      en: {
        title: 'The question was deleted or banned',
        how: '`mercadito question moderate QUESTION ban`',
      },
      es: {
        title: 'La pregunta se borró o se bloqueó',
        how: '`mercadito question moderate PREGUNTA ban`',
      },
      pt: {
        title: 'A pergunta foi excluída ou banida',
        how: '`mercadito question moderate PERGUNTA ban`',
      },
    },
    concerns: uses('POST /answers', 'GET /questions/:question_id'),
    count: refusedBy('questions.not_found', 'questions.error.invalid_question'),
  },
  {
    id: 'listing_closed',
    text: {
      en: { title: 'The listing has closed', how: '`PUT /items/ID` with `{"status":"closed"}`' },
      es: { title: 'La publicación se cerró', how: '`PUT /items/ID` con `{"status":"closed"}`' },
      pt: { title: 'O anúncio foi encerrado', how: '`PUT /items/ID` com `{"status":"closed"}`' },
    },
    concerns: uses('POST /answers', 'GET /items/:item_id', 'PUT /items/:item_id'),
    count: refusedBy('questions.error.closed', 'questions.error.not_active_item', 'items.change.closed'),
  },
]

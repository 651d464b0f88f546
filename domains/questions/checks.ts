import { type CallChecks, defineChecks, ownUser } from '../../http/errors/checks.ts'
import { exists, isActiveListing, isCaller, isOwnList, scanChecks, USERS_EXIST } from '../shared/checks.ts'
import {
  answerableQuestions,
  askableItems,
  deletableQuestions,
  otherUsers,
  ownQuestions,
  readableQuestions,
  sellerOfQuestion,
} from './call_values.ts'

const CHECKS = defineChecks({
  answer_body: [
    'questions.error.invalid_post_body',
    'The body is a JSON object with question_id and text, and no other member',
    'El cuerpo es un objeto JSON con question_id y text, y sin otro miembro',
    'O corpo é um objeto JSON com question_id e text, e sem outro membro',
  ],
  question_body: [
    'questions.error.invalid_post_body',
    'The body is a JSON object with item_id and text, and no other member',
    'El cuerpo es un objeto JSON con item_id y text, y sin otro miembro',
    'O corpo é um objeto JSON com item_id e text, e sem outro membro',
  ],
  question_id: [
    'questions.error.invalid_question',
    'question_id is an integer',
    'question_id es un entero',
    'question_id é um inteiro',
    'question_id',
  ],
  text: [
    ['questions.error.text_is_null', 'questions.error.invalid_post_body', 'questions.error.text_too_long'],
    'text is a text of 1 to 2,000 characters',
    'text es un texto de 1 a 2.000 caracteres',
    'text é um texto de 1 a 2.000 caracteres',
    'text',
  ],
  question_exists: [
    'questions.not_found',
    'The question exists, and the caller can see it',
    'La pregunta existe, y quien llama puede verla',
    'A pergunta existe, e quem chama pode vê-la',
    'question_id',
  ],
  own_question: [
    'questions.foreign',
    'The question is about a listing of the caller',
    'La pregunta es sobre una publicación de quien llama',
    'A pergunta é sobre um anúncio de quem chama',
    'question_id',
  ],
  question_answerable: [
    'questions.error.invalid_question',
    'The question is not banned, deleted or under review',
    'La pregunta no está bloqueada, borrada ni en revisión',
    'A pergunta não está banida, excluída nem em revisão',
    'question_id',
  ],
  listing_of_question_active: [
    'questions.error.not_active_item',
    'The listing of the question is active',
    'La publicación de la pregunta está activa',
    'O anúncio da pergunta está ativo',
    'question_id',
  ],
  question_open: [
    'questions.error.closed',
    'The question was not closed with its listing',
    'La pregunta no se cerró con su publicación',
    'A pergunta não foi encerrada com seu anúncio',
    'question_id',
  ],
  question_unanswered: [
    'questions.error.not_unanswered',
    'The question has no answer yet',
    'La pregunta todavía no tiene respuesta',
    'A pergunta ainda não tem resposta',
    'question_id',
  ],
  buyer_not_blocked: [
    'questions.blocked_answer',
    'The buyer who asked is not blocked, or blocked buyers’ questions can be answered',
    'El comprador que preguntó no está bloqueado, o se pueden responder las preguntas de compradores bloqueados',
    'O comprador que perguntou não está bloqueado, ou as perguntas de compradores bloqueados podem ser respondidas',
    'question_id',
  ],
  question_deletable: [
    'questions.error.must_be_unanswered',
    'The question has no answer',
    'La pregunta no tiene respuesta',
    'A pergunta não tem resposta',
    'question_id',
  ],
  listing_exists: exists('questions.item_not_found', 'item_id', {
    en: 'listing',
    es: 'La publicación',
    pt: 'O anúncio',
  }),
  not_own_listing: [
    'questions.own_item',
    'The listing is not one of the caller',
    'La publicación no es de quien llama',
    'O anúncio não é de quem chama',
    'item_id',
  ],
  not_blocked: [
    'questions.blocked',
    'The seller has not blocked the caller',
    'El vendedor no bloqueó a quien llama',
    'O vendedor não bloqueou quem chama',
    'item_id',
  ],
  listing_active: isActiveListing('questions.error.not_active_item'),
  ...scanChecks('questions.search'),
  sort: [
    'questions.search.sort_lists',
    'sort_fields and sort_types are known, and fit each other',
    'sort_fields y sort_types son conocidos, y se corresponden',
    'sort_fields e sort_types são conhecidos, e se correspondem',
  ],
  period: [
    ['http.dates.query', 'questions.search.period'],
    'date_created.from and date_created.to are dates, the first not after the second',
    'date_created.from y date_created.to son fechas, la primera no posterior a la segunda',
    'date_created.from e date_created.to são datas, a primeira não posterior à segunda',
  ],
  own_search: [
    'questions.search.rights',
    'seller_id is the caller',
    'seller_id es quien llama',
    'seller_id é quem chama',
    'seller_id',
  ],
  question_ids: [
    'questions.hidden',
    'The body has question_ids',
    'El cuerpo tiene question_ids',
    'O corpo tem question_ids',
    'question_ids',
  ],
  own_questions: [
    'questions.hidden.rights',
    'All questions are about listings of the caller',
    'Todas las preguntas son sobre publicaciones de quien llama',
    'Todas as perguntas são sobre anúncios de quem chama',
    'question_ids',
  ],
  own_list: isOwnList('questions.blacklist.rights'),
  user_exists: ['response_time.not_found', 'The user exists', 'El usuario existe', 'O usuário existe', 'user_id'],
  own_report: isCaller('response_time.foreign'),
  has_questions: [
    'response_time.not_found',
    'The user received a question that counts in the last 14 days',
    'El usuario recibió en los últimos 14 días una pregunta que cuenta',
    'O usuário recebeu nos últimos 14 dias uma pergunta que conta',
    'user_id',
  ],
})

export const ANSWER: CallChecks = {
  order: 'questions.answer.order',
  checks: [
    CHECKS.answer_body,
    CHECKS.question_id,
    CHECKS.text,
    CHECKS.question_exists,
    CHECKS.own_question,
    CHECKS.question_answerable,
    CHECKS.listing_of_question_active,
    CHECKS.question_open,
    CHECKS.buyer_not_blocked,
    CHECKS.question_unanswered,
  ],
  values: { question_id: answerableQuestions },
  callers: sellerOfQuestion,
}

export const ASK: CallChecks = {
  order: 'questions.ask.order',
  checks: [
    CHECKS.question_body,
    CHECKS.text,
    CHECKS.listing_exists,
    CHECKS.not_own_listing,
    CHECKS.not_blocked,
    CHECKS.listing_active,
  ],
  values: { item_id: askableItems },
}

/** The listing is in the path, under the name that other methods have there. */
export const ASK_IN_PATH: CallChecks = {
  ...ASK,
  checks: ASK.checks.map((check) => (check.field === 'item_id' ? { ...check, field: 'question_id' } : check)),
  values: { question_id: askableItems, item_id: askableItems },
}

export const READ_QUESTION: CallChecks = {
  order: 'http.order',
  checks: [CHECKS.question_exists],
  values: { question_id: readableQuestions },
  callers: sellerOfQuestion,
}

export const DELETE_QUESTION: CallChecks = {
  order: 'questions.delete.order',
  checks: [CHECKS.question_exists, CHECKS.own_question, CHECKS.buyer_not_blocked, CHECKS.question_deletable],
  values: { question_id: deletableQuestions },
  callers: sellerOfQuestion,
}

export const SEARCH: CallChecks = {
  order: 'http.order',
  checks: [CHECKS.scan_offset, CHECKS.depth, CHECKS.sort, CHECKS.period, CHECKS.own_search, CHECKS.scroll_id],
  values: {
    seller_id: ownUser,
    // A period may be empty.
    'date_created.from': ({ sent }) => [sent('date_created.to')],
    'date_created.to': ({ sent }) => [sent('date_created.from')],
  },
}

export const SEARCH_RECEIVED: CallChecks = {
  ...SEARCH,
  checks: SEARCH.checks.filter((check) => check !== CHECKS.own_search),
}

export const HIDE: CallChecks = {
  order: 'http.order',
  checks: [CHECKS.question_ids, CHECKS.own_questions],
  values: { question_ids: async (context) => [await ownQuestions(context)] },
}

export const BLOCK_LIST: CallChecks = {
  order: 'http.order',
  checks: [USERS_EXIST, CHECKS.own_list],
  values: { seller_id: ownUser, user_id: otherUsers, buyer_id: otherUsers },
}

export const RESPONSE_TIME: CallChecks = {
  order: 'http.order',
  checks: [CHECKS.user_exists, CHECKS.own_report, CHECKS.has_questions],
  values: { user_id: ownUser },
}

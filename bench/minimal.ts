import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { presentMe } from '../domains/users/present.ts'
import { Me } from '../domains/users/schemas.ts'
import { serializerCompiler } from '../http/serialization.ts'
import {
  answeredQuestions,
  blocked,
  countContact,
  countReceived,
  DAY,
  dailySums,
  db,
  insertQuestion,
  itemById,
  OFFSET,
  publishEvent,
  type QuestionRow,
  questionById,
  received,
  setHold,
  tokenOwner,
  userById,
  userExists,
} from './minimal_queries.ts'

// The minimal Fastify + better-sqlite3 program with the same answers, on a copy of the same world, with the fastest
// choice everywhere: one connection, raw prepared statements, synchronous handlers, the token read in the transaction
// (3 % on a question), and only one response schema (JSON.stringify was 8 % faster on the page).

const httpError = (statusCode: number) => Object.assign(new Error('rejected'), { statusCode })

function callerOf({ headers: { authorization } }: Pick<FastifyRequest, 'headers'>): number {
  if (!authorization?.startsWith('Bearer ')) throw httpError(401)
  const row = tokenOwner.get(authorization.slice(7))
  if (!row || (row.expires_at !== null && row.expires_at <= Date.now())) throw httpError(401)
  return row.user_id
}

const atMinusFour = (ms: number) => `${new Date(ms + OFFSET).toISOString().slice(0, 19)}.000-04:00`
const utcSeconds = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`

const answerOf = ({ answer_text, answer_status, answered_at }: QuestionRow) =>
  answered_at === null ? null : { text: answer_text, status: answer_status, date_created: atMinusFour(answered_at) }

const presentQuestion = (row: QuestionRow) => ({
  id: row.id,
  answer: answerOf(row),
  date_created: atMinusFour(row.date_created),
  deleted_from_listing: row.deleted_from_listing === 1,
  hold: row.hold === 1,
  item_id: row.item_id,
  seller_id: row.seller_id,
  status: row.status,
  text: row.text,
  from: { id: row.from_id, answered_questions: answeredQuestions.get(row.from_id, row.seller_id)!.n },
})

const presentFound = (row: QuestionRow) => ({
  date_created: atMinusFour(row.date_created),
  item_id: row.item_id,
  seller_id: row.seller_id,
  status: row.status,
  text: row.text,
  id: row.id,
  deleted_from_listing: row.deleted_from_listing === 1,
  hold: row.hold === 1,
  suspected_spam: row.suspected_spam === 1,
  answer: answerOf(row),
  from: { id: row.from_id },
})

const STATUSES = ['ANSWERED', 'BANNED', 'CLOSED_UNANSWERED', 'DELETED', 'DISABLED', 'UNANSWERED', 'UNDER_REVIEW']
const available_filters = [
  { id: 'from', name: 'From user id', type: 'number' },
  { id: 'item', name: 'Item', type: 'text' },
  { id: 'status', name: 'Status', type: 'text', values: STATUSES },
]
const available_sorts = ['item_id', 'from_id', 'date_created', 'seller_id']

const integer = (more: object = {}) => ({ type: 'integer', minimum: 0, ...more })
const object = (properties: object, required = Object.keys(properties)) => ({ type: 'object', properties, required })
const text = { type: 'string', minLength: 1, maxLength: 2000 }

const app = Fastify()
// Our server sends it too.
app.addHook('onRequest', (_request, reply, done) => {
  reply.header('access-control-allow-origin', '*')
  done()
})

app.get(
  '/questions/:id',
  { schema: { params: object({ id: integer() }) } },
  db.transaction((request: FastifyRequest<{ Params: { id: number } }>, reply: FastifyReply) => {
    const caller = callerOf(request)
    const { id } = request.params
    const row = questionById.get(id)
    if (row && ((row.status !== 'DELETED' && row.status !== 'BANNED') || row.seller_id === caller))
      return presentQuestion(row)
    reply.code(404)
    return { message: `Question with id ${id} not found`, error: 'not_found', status: 404, cause: [] }
  }),
)

const NO_SALES = {
  ...{ completed: 0, canceled: 0, positive: 0, neutral: 0, negative: 0 },
  ...{ sales: 0, cancellations: 0, delayed: 0, claims: 0 },
}
app.get(
  '/users/me',
  // The schema decides the order of the members.
  { schema: { response: { 200: Me } }, serializerCompiler },
  db.transaction((request: FastifyRequest) => presentMe(userById.get(callerOf(request))!, NO_SALES)),
)

app.get(
  '/questions/search',
  {
    schema: {
      querystring: object(
        { seller_id: integer(), limit: integer({ maximum: 100, default: 50 }), offset: integer({ default: 0 }) },
        ['seller_id'],
      ),
    },
  },
  db.transaction((request: FastifyRequest<{ Querystring: { seller_id: number; limit: number; offset: number } }>) => {
    const caller = callerOf(request)
    const { seller_id, limit, offset } = request.query
    if (seller_id !== caller) throw httpError(403)
    return {
      total: countReceived.get(seller_id)!.n,
      limit,
      questions: received.all(seller_id, limit, offset).map(presentFound),
      filters: { limit, offset, api_version: '4', is_admin: false, sorts: [], caller, seller: seller_id },
      available_filters,
      available_sorts,
    }
  }),
)

app.get(
  '/users/:user_id/contacts/phone_views/time_window',
  {
    schema: {
      params: object({ user_id: integer() }),
      querystring: object({ last: integer({ minimum: 1, maximum: 1000 }), unit: { enum: ['day'] } }),
    },
  },
  db.transaction(
    (request: FastifyRequest<{ Params: { user_id: number }; Querystring: { last: number; unit: 'day' } }>) => {
      callerOf(request)
      const { user_id } = request.params
      const { last, unit } = request.query
      if (!userExists.get(user_id)) throw httpError(404)
      const to = Math.floor((Date.now() + OFFSET) / DAY) * DAY - OFFSET + DAY
      const from = to - last * DAY
      const counts = dailySums(user_id, 'phone_views', from, last)
      const results = []
      let total = 0
      for (let n = 0; n < last; n++) {
        total += counts[n]!
        results.push({ date: utcSeconds(from + n * DAY), total: counts[n] })
      }
      return {
        user_id: String(user_id),
        total,
        date_from: utcSeconds(from),
        date_to: utcSeconds(to),
        last,
        unit,
        results,
      }
    },
  ),
)

app.post(
  '/questions',
  { schema: { body: object({ item_id: { type: 'string' }, text }) } },
  db.transaction((request: FastifyRequest<{ Body: { item_id: string; text: string } }>, reply: FastifyReply) => {
    const from_id = callerOf(request)
    const { item_id, text } = request.body
    const item = itemById.get(item_id)
    if (!item) throw httpError(404)
    const { seller_id } = item
    if (seller_id === from_id) throw httpError(400)
    if (blocked.get(seller_id, from_id)) throw httpError(403)
    if (item.status !== 'active') throw httpError(400)
    const now = Date.now()
    const row = insertQuestion.get(seller_id, item_id, from_id, text, now, from_id, item_id)!
    countContact(seller_id, 'questions', { item: item_id, buyer: from_id }, now)
    publishEvent(row, now)
    reply.code(201)
    return {
      id: row.id,
      answer: null,
      date_created: atMinusFour(row.date_created),
      item_id: row.item_id,
      seller_id: row.seller_id,
      status: row.status,
      text: row.text,
      from: { id: row.from_id },
    }
  }).immediate,
)

// Writes that change the answers of reads: a search shows `hold`, a series counts phone views.

app.patch(
  '/_sandbox/questions/:id',
  { schema: { params: object({ id: integer() }), body: object({ flags: object({ hold: { type: 'boolean' } }) }) } },
  db.transaction((request: FastifyRequest<{ Params: { id: number }; Body: { flags: { hold: boolean } } }>) => {
    const row = setHold.get(request.body.flags.hold ? 1 : 0, request.params.id)
    if (!row) throw httpError(404)
    publishEvent(row, Date.now())
    return presentFound(row)
  }).immediate,
)

app.post(
  '/_sandbox/contacts',
  { schema: { body: object({ kind: { enum: ['phone_view'] }, item_id: { type: 'string' } }) } },
  db.transaction((request: FastifyRequest<{ Body: { kind: string; item_id: string } }>, reply: FastifyReply) => {
    const { kind, item_id } = request.body
    const item = itemById.get(item_id)
    if (!item) throw httpError(404)
    const now = Date.now()
    countContact(item.seller_id, 'phone_views', { item: item_id, buyer: null }, now)
    reply.code(201)
    return { kind, item_id, seller_id: item.seller_id, buyer_id: null, at: new Date(now).toISOString(), count: 1 }
  }).immediate,
)

process.on('SIGTERM', () => process.exit(0))
const url = await app.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`${JSON.stringify({ url })}\n`)

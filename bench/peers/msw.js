import { readFileSync } from 'node:fs'
import { createServer } from '@mswjs/http-middleware'
import { HttpResponse, http } from 'msw'

// MSW behind its middleware, with handlers that really look up, filter, count and sum, over arrays in memory.

const { rows, fixed, seller } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const { questions, found, hours } = rows
const { questions: _, total: __, ...envelope } = JSON.parse(fixed.find(({ row }) => row === 'page').body)
const users = new Set([seller])
const buyerOf = new Map(rows.buyers.map(({ id, token }) => [`Bearer ${token}`, id]))
const sellerOf = new Map(rows.items.map(({ id, seller_id }) => [id, seller_id]))
const asked = []

const HOUR = 3_600_000
const DAY = 24 * HOUR
const OFFSET = -4 * HOUR
const utc = (ms) => `${new Date(ms).toISOString().slice(0, 19)}Z`

const handlers = [
  // Before the next, which it would fit as well.
  http.get('*/questions/search', ({ request }) => {
    const query = new URL(request.url).searchParams
    const [seller_id, limit] = [Number(query.get('seller_id')), Number(query.get('limit'))]
    const all = found.filter((question) => question.seller_id === seller_id)
    return HttpResponse.json({ total: all.length, limit, questions: all.slice(0, limit), ...envelope })
  }),
  http.get('*/questions/:id', ({ params }) => {
    const id = Number(params.id)
    const question = questions.find((question) => question.id === id)
    return question ? HttpResponse.json(question) : new HttpResponse(null, { status: 404 })
  }),
  http.get('*/users/:user_id/contacts/phone_views/time_window', ({ request, params }) => {
    if (!users.has(Number(params.user_id))) return new HttpResponse(null, { status: 404 })
    const query = new URL(request.url).searchParams
    const last = Number(query.get('last'))
    const to = Math.floor((Date.now() + OFFSET) / DAY) * DAY - OFFSET + DAY
    const from = to - last * DAY
    const results = Array.from({ length: last }, (_, n) => ({ date: utc(from + n * DAY), total: 0 }))
    let total = 0
    for (const [at, n] of hours) {
      if (at < from || at >= to) continue
      results[Math.floor((at - from) / DAY)].total += n
      total += n
    }
    const { user_id } = params
    const unit = query.get('unit')
    return HttpResponse.json({ user_id, total, date_from: utc(from), date_to: utc(to), last, unit, results })
  }),
  http.post('*/questions', async ({ request }) => {
    const { item_id, text } = await request.json()
    const question = {
      id: 1 + asked.length,
      answer: null,
      date_created: `${new Date(Date.now() + OFFSET).toISOString().slice(0, 19)}.000-04:00`,
      item_id,
      seller_id: sellerOf.get(item_id),
      status: 'UNANSWERED',
      text,
      from: { id: buyerOf.get(request.headers.get('authorization')) },
    }
    asked.push(question)
    return HttpResponse.json(question, { status: 201 })
  }),
]

const server = createServer(...handlers).listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })}\n`)
})
process.on('SIGTERM', () => process.exit(0))
process.on('SIGUSR2', () => {
  asked.length = 0
})

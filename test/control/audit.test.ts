import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import t, { type Test } from 'tap'
import { FINDINGS } from '../../control/audit/audit_world.ts'
import { parsePartialJson } from '../../control/audit/call.ts'
import { ROUTES_WITH_TOPIC } from '../../control/audit/topics.ts'
import { ASSUMPTIONS } from '../../domains/assumptions.ts'
import { LANGUAGES } from '../../http/errors/checks.ts'
import { matchesPattern } from '../../http/patterns.ts'
import document from '../../openapi.json' with { type: 'json' }
import { ITEM, start, valuesOf } from '../support/app.ts'
import { createProgramWorld, type ProgramWorld, stopTime } from '../support/audit.ts'
import fc from '../support/property.ts'
import { receiver } from '../support/receiver.ts'

const app = await start(t)
stopTime(t)
const reference = readFileSync(new URL('../../docs/reference/control-plane.md', import.meta.url), 'utf8')

type Program = (world: ProgramWorld, t: Test) => Promise<unknown>

const search = ({ seller }: ProgramWorld, more = '') => `/questions/search?seller_id=${seller.id}&api_version=4${more}`
const answer = ({ call }: ProgramWorld, question_id: number, text = 'Sí') =>
  call('POST', '/answers', { question_id, text })

/** Does something `count` times. */
const repeat = async (count: number, run: (n: number) => unknown): Promise<void> => {
  for (let n = 0; n < count; n++) await run(n)
}

const findingsOfPrograms = new Set<string>()
/** A program with a mistake, and the finding that it gives, which must be the only one. */
function wrong(finding: string, what: string, program: Program): void {
  findingsOfPrograms.add(finding)
  t.test(`${finding}: ${what}`, async (t) => {
    const world = await createProgramWorld(t, app)
    await program(world, t)
    const { findings } = await world.audit()
    const ids = valuesOf(findings, 'id')
    t.strictSame(ids, [finding], JSON.stringify(findings))
  })
}
/** A program without a mistake. */
const right = (what: string, program: Program) =>
  t.test(`no finding: ${what}`, async (t) => {
    const world = await createProgramWorld(t, app)
    await program(world, t)
    t.strictSame((await world.audit()).findings, [])
  })

wrong('paging.first_page_only', 'reads the first page of a longer list', async (w) => {
  await w.ask(60)
  await w.get(search(w))
})
wrong('paging.first_page_only', 'reads only the first of the largest pages, again and again', async (w) => {
  await w.ask(101)
  await repeat(3, async () => {
    await w.get(search(w, '&limit=100'))
    await w.advance('PT1H')
  })
})
wrong('paging.beyond_offset', 'pages with offset to the refusal', async (w) => {
  await w.get(search(w, '&limit=100&offset=900'))
  await w.get(search(w, '&limit=100&offset=1000'))
})
wrong('questions.answered_twice', 'answers what it has answered', async (w) => {
  const [id] = await w.ask()
  await answer(w, id!)
  await answer(w, id!)
})
wrong('questions.answered_twice', 'answers what it has seen answered', async (w) => {
  const [id] = await w.ask()
  await w.call('POST', '/answers', { question_id: id, text: 'Sí' })
  await w.get(search(w))
  await answer(w, id!, 'Claro')
})
wrong('questions.answered_closed', 'closes a listing and answers its question', async (w) => {
  const [id] = await w.ask()
  await w.get(`/questions/${id}`)
  await w.call('PUT', `/items/${ITEM}`, { status: 'closed' })
  await answer(w, id!)
})
wrong('questions.answered_closed', 'answers a question that it has seen closed', async (w) => {
  const [id] = await w.ask()
  await w.control(`PATCH /items/${ITEM}`, { status: 'closed' })
  await w.get(`/questions/${id}`)
  await answer(w, id!)
})
wrong(
  'questions.answered_closed',
  'answers a question that it has seen closed, on a listing that is active again',
  async (w) => {
    const [id] = await w.ask()
    await w.control(`PATCH /items/${ITEM}`, { status: 'closed' })
    await w.control(`PATCH /items/${ITEM}`, { status: 'active' })
    await w.get(`/questions/${id}`)
    await answer(w, id!)
  },
)
wrong('orders.handled_twice', 'fetches the label for each notification that came', async (w, t) => {
  const { order, shipment } = await receiveSaleTwice(w, t)
  for (const _ of [1, 2]) {
    await w.get(`/orders/${order}`)
    await w.get(`/shipment_labels?shipment_ids=${shipment}&response_type=zpl2`)
  }
})
wrong('orders.handled_twice', 'gives feedback that it has given', async (w) => {
  const { order } = await sell(w)
  await w.call('POST', `/orders/${order}/feedback`, { fulfilled: true, rating: 'positive' })
  await w.call('POST', `/orders/${order}/feedback`, { fulfilled: true, rating: 'neutral' })
})
right('fetches a label once for a notification that came twice, and again when a person asks', async (w, t) => {
  const { order, shipment } = await receiveSaleTwice(w, t)
  await w.get(`/orders/${order}`)
  await w.get(`/orders/${order}`)
  await w.get(`/shipment_labels?shipment_ids=${shipment}`)
  w.wait(90_000)
  await w.get(`/shipment_labels?shipment_ids=${shipment}`)
})
right('fetches a label twice without a repeated notification', async (w) => {
  const { shipment } = await sell(w)
  for (const _ of [1, 2]) await w.get(`/shipment_labels?shipment_ids=${shipment}`)
})
wrong('messages.answered_twice', 'writes what it has written, without a message of the buyer since', async (w) => {
  const write = await converse(w)
  await write('Sale mañana.')
  await write('Sale mañana.')
})
wrong('messages.answered_twice', 'answers in other words for each notification that came', async (w, t) => {
  const { url, received } = await receiver(t)
  await w.subscribe(url, { topics: ['messages'], overrides: { duplicates: 1 } })
  const write = await converse(w)
  await write('Sale mañana.')
  await w.advance('PT10M')
  t.ok(received.filter(({ user_id }) => user_id === w.seller.id).length > 1)
  await write('El envío sale mañana.')
})
right('answers in two parts, and the same to the same question later', async (w) => {
  const write = await converse(w)
  await write('Hola, gracias por tu compra.')
  await write('Sale mañana.')
  await write.asBuyer('¿Cuándo sale?')
  await write('Sale mañana.')
})
wrong('items.stale_stock', 'writes the stock that it has read before a sale', async (w) => {
  const { variations } = (await w.get(`/items/${ITEM}`)).body
  await sell(w, { variation_id: variations[0].id })
  await w.call('PUT', `/items/${ITEM}`, { variations: variations.map(stockOf) })
})
right('writes another stock, or the same after it has read the listing or the sale', async (w) => {
  const read = async () => (await w.get(`/items/${ITEM}`)).body.variations as Stock[]
  const write = (variations: Stock[]) => w.call('PUT', `/items/${ITEM}`, { variations: variations.map(stockOf) })
  const before = await read()
  const { id: variation_id, available_quantity } = before[0]!
  await sell(w, { variation_id })
  await write([{ id: variation_id, available_quantity: available_quantity + 7 }, ...before.slice(1)])
  await sell(w, { variation_id })
  await w.get('/orders/search?seller=me&sort=date_desc')
  await write([{ id: variation_id, available_quantity: available_quantity + 7 }, ...before.slice(1)])
  await sell(w, { variation_id })
  await write(await read())
})
const labelOf = ({ shipment }: { shipment: number }) => `/shipment_labels?shipment_ids=${shipment}`
wrong('shipments.shipped_late', 'prints a label after the day of the promise', async (w) => {
  const label = labelOf(await sell(w))
  await w.get('/users/me')
  await w.advance('2d')
  await w.get(label)
})
right('prints a label in time, and once more later', async (w) => {
  const label = labelOf(await sell(w))
  await w.advance('1d')
  await w.get(label)
  await w.advance('3d')
  await w.get(label)
})
right('prints a label that was late before its first call', async (w) => {
  const label = labelOf(await sell(w))
  await w.advance('4d')
  await w.get(label)
})
wrong('calls.without_state', 'calls a path that is not emulated', async (w) => {
  await w.get('/users/me/bookmarks')
})
wrong('faults.never_applied', 'is not called where a fault waits for it', async (w) => {
  await w.control('POST /faults', { match: { method: 'POST', path: '/answers' }, action: { status: 503 } })
  await w.get(`/items/${ITEM}`)
})
wrong('faults.never_applied', 'meets an earlier rule', async (w) => {
  for (const path of ['*', '/items/*']) await w.control('POST /faults', { match: { path }, action: { status: 404 } })
  await w.get(`/items/${ITEM}`)
})
right('fault rules that are off, or that chance or a limit decides', async (w) => {
  const rules = [
    { action: { status: 503 }, enabled: false },
    { action: { limits: 'published' } },
    { action: { rate_limit: { limit: 10, window: 60 } } },
    { match: { path: '/items/*' }, action: { drop: true }, probability: 0 },
  ]
  for (const rule of rules) await w.control('POST /faults', rule)
  await w.get(`/items/${ITEM}`)
})
right('a fault rule before the first call', (w) => w.control('POST /faults', { action: { drop: true } }))
wrong('retries.ignored_retry_after', 'repeats a call at once after a 503', async (w) => {
  const action = { status: 503, headers: { 'Retry-After': '30' } }
  await w.control('POST /faults', { match: { path: '/users/me' }, action, times: 1 })
  await w.get('/users/me')
  w.wait(1000)
  await w.get('/users/me')
})
wrong('retries.ignored_retry_after', 'repeats a call within the window of a rate limit', async (w) => {
  await w.control('POST /faults', { action: { rate_limit: { limit: 1, window: 60 } } })
  await w.get('/currencies')
  await w.get('/users/me')
  w.wait(5000)
  await w.get('/users/me')
})
wrong('retries.ignored_retry_after', 'comes before the date of Retry-After', async (w) => {
  const date = new Date(Date.now() + 60_000).toUTCString()
  const action = { status: 503, body: 'Vuelva pronto', headers: { 'retry-after': date } }
  await w.control('POST /faults', { match: { path: '/users/me' }, action, times: 1 })
  await w.get('/users/me')
  w.wait(1000)
  await w.get('/users/me')
})
wrong('retries.client_error', 'sends a refused answer again', async (w) => {
  const [id] = await w.ask()
  await answer(w, id!, ' ')
  w.wait(1000)
  await answer(w, id!, ' ')
})
wrong('retries.client_error', 'sends a refused search three times', (w) =>
  repeat(3, () => w.get(search(w, '&limit=101'))),
)
wrong('calls.tight_loop', 'asks who it is in a loop', (w) => repeat(12, () => w.get('/users/me')))
wrong('calls.tight_loop', 'repeats a failing call without a pause', async (w) => {
  await w.control('POST /faults', { match: { path: '/users/me' }, action: { status: 500 } })
  await repeat(10, () => w.get('/users/me'))
})
wrong('calls.polled', 'searches every minute of world time', async (w) => {
  await repeat(6, async () => {
    await w.get(search(w, '&status=UNANSWERED'))
    await w.advance('PT1M')
  })
})
wrong('calls.polled', 'waits for a driver, every five seconds of real time, with other calls between', async (w) => {
  await repeat(7, async () => {
    await w.get('/flex/sites/MLA/shipments/43000000001/assignment/v1')
    w.wait(5000)
    await w.get('/users/me')
  })
})
wrong('tokens.in_query', 'sends the token in the address', (w) =>
  w.get(`/users/me?access_token=${w.seller.token}`, { as: null }),
)
wrong('tokens.foreign', 'searches as another seller', (w) => w.get(search(w), { as: w.otherSeller }))
wrong('tokens.foreign', 'reads the leads of another seller', (w) =>
  w.get(`/vis/loans/search?seller_id=${w.seller.id}&date_from=2026-02-01T00:00:00&date_to=2026-03-01T00:00:00`, {
    as: w.otherSeller,
  }),
)
wrong('tokens.refresh_reused', 'keeps the first refresh token', async (w) => {
  const { body } = await w.control('POST /tokens', { user_id: w.seller.id, refresh: true })
  const { refresh_token } = body
  await w.token({ grant_type: 'refresh_token', refresh_token })
  await w.advance('PT6H')
  await w.token({ grant_type: 'refresh_token', refresh_token })
})
wrong('tokens.refreshed_early', 'refreshes before each call', async (w) => {
  const { body } = await w.control('POST /tokens', { user_id: w.seller.id, refresh: true })
  let { refresh_token } = body
  await repeat(4, async () => {
    ;({ refresh_token } = (await w.token({ grant_type: 'refresh_token', refresh_token })).body)
    await w.get('/users/me')
    await w.advance('PT1M')
  })
})
wrong('webhooks.slow', 'answers after 600 ms, in time for this server only', async (w, t) => {
  const { url } = await receiver(t, (response) => setTimeout(() => response.end(), 600))
  await w.subscribe(url)
  await w.ask(2)
})
wrong('webhooks.slow', 'is too late for its profile', async (w, t) => {
  const { url } = await receiver(t, (response, _, nth) => (nth > 2 ? response.end() : undefined))
  await w.subscribe(url, { topics: ['questions'], overrides: { limit_ms: 100 } })
  await w.ask()
  await w.advance('PT1M')
})
wrong('webhooks.wrong_status', 'answers 204 once', async (w, t) => {
  const { url } = await receiver(t, (response, _, nth) => response.writeHead(nth > 1 ? 200 : 204).end())
  await w.subscribe(url)
  await w.ask()
  await w.advance('PT1M')
})
wrong('webhooks.failing', 'answers 500', async (w, t) => {
  const { url } = await receiver(t, (response) => response.writeHead(500).end())
  await w.subscribe(url)
  await w.ask(3)
})
wrong('webhooks.failing', 'is not reachable for long', async (w) => {
  await w.subscribe('http://127.0.0.1:9/hook')
  await w.ask()
  await w.advance('PT5M')
})
wrong('notifications.unread', 'answers 200 and reads nothing', async (w, t) => {
  const { url } = await receiver(t)
  await w.subscribe(url)
  await w.ask(3)
  await w.get('/users/me')
  await w.advance('PT10M')
})
wrong('notifications.not_idempotent', 'answers once for each notification that came', async (w, t) => {
  const ids = await receiveDuplicates(w, t)
  for (const id of ids) await w.get(`/questions/${id}`)
  for (const id of ids) await answer(w, id)
})
wrong('notifications.missed_not_read', 'does not read the missed feeds', async (w) => {
  await w.subscribe('inbox:')
  await w.control('PUT /inbox', { status: 500 })
  await w.ask()
  await w.advance('PT2H')
  await w.get('/users/me')
})
wrong('parameters.misspelled', 'writes seler_id', (w) => w.get(`/questions/search?seler_id=${w.seller.id}`))
wrong('parameters.misspelled', 'writes available_quantities', (w) =>
  w.call('PUT', `/items/${ITEM}`, { available_quantiti: 5 }),
)
wrong('parameters.unknown', 'sends a parameter that no call has', (w) => w.get('/users/me?verbosity=full'))
wrong('parameters.unknown', 'sends members that are not changed', (w) =>
  w.call('PUT', `/items/${ITEM}`, { warranty: 'Sin garantía', colour: 'rojo' }),
)
wrong('assumptions.used', 'reads a window without its end', (w) =>
  w.get(`/items/${ITEM}/contacts/phone_views/time_window?last=2&unit=hour`),
)
wrong('assumptions.used', 'reads statistics without a token', (w) =>
  w.get(`/items/${ITEM}/contacts/questions?date_from=2026-03-01T00:00:00Z&date_to=2026-03-02T00:00:00Z`, {
    as: null,
  }),
)

interface Stock {
  id: number
  available_quantity: number
}
function stockOf({ id, available_quantity }: Stock): Stock {
  return { id, available_quantity }
}

/** A buyer buys. */
async function sell(w: ProgramWorld, more: object = {}): Promise<{ order: number; shipment: number }> {
  const { order, shipment } = (await w.control('POST /orders', { item_id: ITEM, buyer: w.buyer.id, ...more })).body
  return { order: order.id, shipment: shipment.id }
}

/** A sale whose buyer has written; returns how the seller writes. */
async function converse(w: ProgramWorld) {
  const { order, pack_id = order.pack_id } = (await w.control('POST /orders', { item_id: ITEM, buyer: w.buyer.id }))
    .body
  const asBuyer = (text: string) => w.control('POST /messages', { pack_id, from: 'buyer', text })
  await asBuyer('¿Cuándo llega?')
  const [from, to] = [w.seller, w.buyer].map(({ id }) => ({ user_id: id }))
  const path = `/messages/packs/${pack_id}/sellers/${w.seller.id}?tag=post_sale`
  return Object.assign((text: string) => w.call('POST', path, { from, to, text }), { asBuyer })
}

/** A sale whose notification comes twice. */
async function receiveSaleTwice(w: ProgramWorld, t: Test) {
  const { url, received } = await receiver(t)
  await w.subscribe(url, { topics: ['orders_v2'], overrides: { duplicates: 1 } })
  const sold = await sell(w)
  await w.advance('PT10M')
  t.ok(received.filter(({ user_id }) => user_id === w.seller.id).length > 1)
  return sold
}

/** A question whose notification comes twice; answers its id for each. */
async function receiveDuplicates(w: ProgramWorld, t: Test): Promise<number[]> {
  const { url, received } = await receiver(t)
  await w.subscribe(url, { topics: ['questions'], overrides: { duplicates: 1 } })
  await w.ask()
  await w.advance('PT10M')
  const own = received.filter(({ user_id }) => user_id === w.seller.id)
  t.strictSame(
    own.map(({ attempts, _id }) => [attempts, _id === own[0]!._id]),
    [
      [1, true],
      [2, true],
    ],
  )
  return own.map(({ resource }) => Number(resource.split('/').at(-1)))
}

right('reads a list page by page', async (w) => {
  await w.ask(120)
  for (let offset = 0, total = 1; offset < total; offset += 50)
    ({ total } = (await w.get(search(w, `&offset=${offset}`))).body)
})
right('reads a list with a scan, whose first call has an empty scroll_id', async (w) => {
  await w.ask(120)
  for (let id: string | null = ''; id !== null; )
    id = (await w.get(search(w, `&search_type=scan&limit=100&scroll_id=${id}`))).body.scroll_id
})
right('changes to a scan when offset ends', async (w) => {
  await w.get(search(w, '&limit=100&offset=1000'))
  await w.get(search(w, '&limit=100&search_type=scan'))
})
right('shows the newest ten, and the first page of the newest', async (w) => {
  await w.ask(60)
  await w.get(search(w, '&limit=10'))
  await w.get(search(w, '&sort_fields=date_created&sort_types=DESC'))
})
right('reads a long list by listing', async (w) => {
  await w.ask(60)
  const { body } = await w.get(search(w))
  for (const item of new Set(valuesOf(body.questions, 'item_id')))
    for (const offset of [0, 50]) await w.get(search(w, `&item=${item}&offset=${offset}`))
})
right('answers the first page of the open questions, and the next one', async (w, t) => {
  await w.ask(60)
  for (const left of [50, 10]) {
    const { body } = await w.get(search(w, '&status=UNANSWERED'))
    t.equal(body.questions.length, left)
    for (const { id } of body.questions) await answer(w, id)
  }
})
right('has answered only the first page of the open questions so far', async (w) => {
  await w.ask(60)
  const { body } = await w.get(search(w, '&status=UNANSWERED'))
  for (const { id } of body.questions) await answer(w, id)
})
right('answers a question that another program has just answered', async (w, t) => {
  const [id] = await w.ask()
  await w.get(`/questions/${id}`)
  await w.control(`PATCH /questions/${id}`, { answer: { text: 'Ya está' } })
  t.equal((await answer(w, id!)).body.error, 'not_unanswered_question')
})
right('answers a question whose listing was closed a moment ago', async (w, t) => {
  const [id] = await w.ask()
  await w.get(`/items/${ITEM}`)
  await w.get(`/questions/${id}`)
  await w.control(`PATCH /items/${ITEM}`, { status: 'closed' })
  t.equal((await answer(w, id!)).body.error, 'not_active_item')
})
right('answers again after a reset that kept the requests', async (w, t) => {
  await w.control('POST /snapshots', { name: 'antes' })
  const [id] = await w.ask()
  await answer(w, id!)
  await w.control('POST /snapshots/antes/restore', { keep_requests: true })
  const asked = await w.control('POST /questions', { item_id: ITEM, text: '¿Hay?', id, answer: { text: 'Sí' } })
  t.equal((await answer(w, asked.body.id)).status, 400)
})
right('waits as long as Retry-After of a 503 says', async (w) => {
  const action = { status: 503, headers: { 'retry-after': '30' } }
  await w.control('POST /faults', { match: { path: '/users/me' }, action, times: 2 })
  await repeat(3, async () => {
    await w.get('/users/me')
    w.wait(30_000)
  })
})
right('waits for a rate limit, and for the world’s clock', async (w) => {
  await w.control('POST /faults', { action: { rate_limit: { limit: 1, window: 60 } } })
  await w.get('/currencies')
  await w.get('/users/me')
  w.wait(60_000)
  await w.get('/users/me')
  await w.get('/sites')
  await w.advance('PT1M')
  await w.get('/sites')
})
right('has other work while it waits', async (w) => {
  const action = { status: 503, headers: { 'retry-after': '30' } }
  await w.control('POST /faults', { match: { path: '/users/me' }, action, times: 1 })
  await w.get('/users/me')
  await w.get('/sites')
  await w.get(search(w))
})
right('waits longer after each failure, and after a connection that broke', async (w) => {
  for (const action of [{ status: 500 }, { status: 502 }])
    await w.control('POST /faults', { match: { path: '/answers' }, action, times: 1 })
  const [id] = await w.ask()
  for (const pause of [1000, 2000, 4000]) {
    await answer(w, id!)
    w.wait(pause)
  }
})
right('refreshes when a call says that the token has expired', async (w, t) => {
  const { body } = await w.control('POST /tokens', { user_id: w.seller.id, expires_in: 21_600, refresh: true })
  let { token, refresh_token } = body
  await repeat(3, async () => {
    const me = () => w.get('/users/me', { as: { id: w.seller.id, token } })
    await me()
    await w.advance('PT6H')
    t.equal((await me()).status, 401)
    const answered = await w.token({ grant_type: 'refresh_token', refresh_token })
    ;({ access_token: token, refresh_token } = answered.body)
    t.equal((await me()).status, 200)
  })
})
right('refreshes ten minutes before the token expires', async (w) => {
  let { refresh_token } = (await w.control('POST /tokens', { user_id: w.seller.id, refresh: true })).body
  await repeat(3, async () => {
    ;({ refresh_token } = (await w.token({ grant_type: 'refresh_token', refresh_token })).body)
    await w.advance('PT5H50M')
  })
})
right('refreshes early when its tokens were revoked, and twice to see that it works', async (w, t) => {
  let { refresh_token } = (await w.control('POST /tokens', { user_id: w.seller.id, refresh: true })).body
  let token = ''
  const refresh = async () => {
    ;({ access_token: token, refresh_token } = (await w.token({ grant_type: 'refresh_token', refresh_token })).body)
  }
  await repeat(3, refresh)
  await repeat(4, async () => {
    await w.control(`DELETE /tokens/${token}`)
    t.equal((await w.get('/users/me', { as: { id: w.seller.id, token } })).status, 401)
    await refresh()
  })
})
right('works for two sellers with their own tokens', async (w) => {
  for (const as of [w.seller, w.otherSeller]) {
    await w.get(`/questions/search?seller_id=${as.id}`, { as })
    await w.get(`/users/${as.id}/items/search`, { as })
    await w.get(`/users/${as.id}/questions/response_time`, { as })
  }
})
right('reads each notified question, and answers it once although notifications come twice', async (w, t) => {
  for (const id of await receiveDuplicates(w, t)) {
    const { body } = await w.get(`/questions/${id}`)
    if (body.status === 'UNANSWERED') await answer(w, id)
  }
})
right('searches again after each notification', async (w, t) => {
  const { url } = await receiver(t)
  await w.subscribe(url)
  await repeat(8, async () => {
    await w.ask()
    await w.get(search(w, '&status=ANSWERED'))
    await w.advance('PT1M')
  })
})
right('answers 500 while its store is down, and 200 to the next attempt', async (w, t) => {
  const { url } = await receiver(t, (response, { attempts }) => response.writeHead(attempts > 1 ? 200 : 500).end())
  await w.subscribe(url)
  const ids = await w.ask(3)
  await w.advance('PT1M')
  for (const id of ids) await w.get(`/questions/${id}`)
})
right('starts after the first notifications', async (w, t) => {
  await w.subscribe('http://127.0.0.1:9/hook')
  const ids = await w.ask(3)
  const { url } = await receiver(t)
  await w.subscribe(url)
  for (const id of ids) await w.get(`/questions/${id}`)
})
right('has no use for one of its topics', async (w, t) => {
  const { url } = await receiver(t)
  await w.subscribe(url, { topics: ['items', 'questions'] })
  for (const id of ['MLA1400000001', 'MLA1400000002', 'MLA1400000003'])
    await w.control(`PATCH /items/${id}`, { status: 'paused' })
  for (const id of await w.ask(3)) await w.get(`/questions/${id}`)
  await w.advance('PT10M')
})
right('reads the same list for each of many notifications', async (w, t) => {
  const { url } = await receiver(t, async (response) => {
    response.end()
    await w.get(search(w, '&status=ANSWERED'))
  })
  await w.subscribe(url)
  await w.ask(15)
})
right('has one slow answer', async (w, t) => {
  const { url } = await receiver(t, (response, _, nth) => setTimeout(() => response.end(), nth === 1 ? 600 : 0))
  await w.subscribe(url)
  for (const id of await w.ask(3)) await w.get(`/questions/${id}`)
})
right('ignores the notifications of what it has done itself, and of topics that it has only just got', async (w, t) => {
  const { url } = await receiver(t)
  await w.subscribe(url, { topics: ['items', 'questions'] })
  for (const status of ['paused', 'active', 'paused', 'active']) await w.call('PUT', `/items/${ITEM}`, { status })
  await w.control('POST /settle')
  await w.advance('PT1H')
  await w.ask(5)
})
right('reads the missed feeds', async (w, t) => {
  await w.subscribe('inbox:')
  await w.control('PUT /inbox', { status: 500 })
  await w.ask()
  await w.advance('PT2H')
  t.equal((await w.get(`/missed_feeds?app_id=${w.application.id}`)).body.messages.length, 2)
})
right('makes sure every hour that it has missed nothing', (w) =>
  repeat(8, async () => {
    await w.get(search(w, '&status=UNANSWERED'))
    await w.advance('PT1H')
  }),
)
right('reads a list again after each of its changes', async (w) => {
  await repeat(8, async (n) => {
    await w.get(`/users/${w.seller.id}/items/search?status=closed`)
    await w.call('PUT', `/items/${ITEM}`, { warranty: `${n} meses` })
    w.wait(1000)
  })
})
right('makes the same call twenty times at once', (w) =>
  Promise.all(Array.from({ length: 20 }, () => w.get('/users/me'))),
)
right('waits for a question that is not there yet', async (w, t) => {
  const id = 77
  await repeat(4, async () => {
    t.equal((await w.get(`/questions/${id}`)).status, 404)
    w.wait(1000)
  })
  await w.control('POST /questions', { item_id: ITEM, text: '¿Hay?', id })
  t.equal((await w.get(`/questions/${id}`)).status, 200)
})
right('corrects a refused call', async (w) => {
  const [id] = await w.ask()
  await answer(w, id!, '')
  await answer(w, id!, 'Sí')
  await w.get(search(w, '&limit=101'))
  await w.get(search(w, '&limit=100'))
})
right('is tested with the same refused call for each of several states', async (w, t) => {
  await w.control('POST /questions', { item_id: ITEM, text: '¿Hay?', id: 77 })
  for (const status of ['DELETED', 'UNDER_REVIEW', 'DELETED']) {
    await w.control(`PATCH /questions/77`, { status })
    t.equal((await answer(w, 77)).status, 400)
  }
})
right('reads statistics with a token, offsets and an end', async (w) => {
  const range = 'date_from=2026-03-01T00:00:00Z&date_to=2026-03-02T00:00:00-04:00'
  await w.get(`/items/${ITEM}/contacts/questions?${range}`)
  await w.get(`/users/${w.seller.id}/contacts/phone_views?${range}`)
  await w.get(`/items/${ITEM}/contacts/whatsapp/time_window?last=7&unit=day&ending=2026-03-02T00:00:00Z`)
})
right('reads leads, and members of listings', async (w) => {
  const range = 'date_from=2026-02-01T00:00:00&date_to=2026-03-01T00:00:00'
  await w.get(`/vis/loans/search?seller_id=${w.seller.id}&${range}&status=all&limit=100`)
  await w.call('PUT', `/items?ids=${ITEM}&attributes=status`)
  await w.get(`/items/${ITEM}?attributes=id,status&callback=jQuery17&_=1772452800000`)
})
right('changes the settings of Flex', async (w, t) => {
  const { body } = await w.get(`/shipping/flex/sites/MLA/users/${w.seller.id}/subscriptions/v1`)
  const { service_id } = body[0]
  const query = `{configuration(user_id: ${w.seller.id}, service_id: ${service_id}) {zones {id}}}`
  await w.call('POST', '/shipping/flex/sites/MLA/configuration/v3', { query })
  const path = `/shipping/flex/sites/MLA/users/${w.seller.id}/services/${service_id}/configuration`
  const { status } = await w.call('PUT', `${path}/coverage/zone/v3`, { zones: [{ id: 'CABA' }] })
  t.equal(status, 200)
})
right('gets tokens with a code', async (w, t) => {
  const { id, redirect_uri } = w.application
  const fields = { response_type: 'code', client_id: String(id), redirect_uri }
  await w.get(`/authorization?${new URLSearchParams(fields)}`, { as: null })
  const form = new URLSearchParams({ ...fields, user_id: String(w.seller.id) }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const answered = await w.call('POST', '/authorization', form, { as: null, headers })
  const code = new URL(String(answered.headers.location)).searchParams.get('code')!
  const { status, body } = await w.token({ grant_type: 'authorization_code', code, redirect_uri })
  t.equal(status, 200)
  await w.get('/users/me', { as: { id: body.user_id, token: body.access_token } })
})

t.test('answers all that it knows of a finding, in three languages', async (t) => {
  const world = await createProgramWorld(t, app)
  const { body: whole } = await world.control('GET /audit')
  t.strictSame(
    { ...whole, checks: whole.checks.length },
    { audited: { requests: 0, dropped: 0, deliveries: 0 }, findings: [], unknown: [], checks: FINDINGS.length },
  )
  await world.get(`/questions/search?seler_id=${world.seller.id}`)
  await world.get(`/questions/search?limite=1&seller_id=${world.seller.id}`)
  const { checks, ...answered } = await world.audit()
  t.strictSame(answered, {
    audited: { requests: 2, dropped: 0, deliveries: 0 },
    findings: [
      {
        id: 'parameters.misspelled',
        severity: 'warn',
        title: 'A parameter or member has a name that is almost right',
        why: 'Unknown names are ignored without an error. A filter with a wrong name filters nothing, so that the answer has more than the program expects.',
        fix: 'Correct the name; the evidence has the one that is probably meant.',
        evidence: {
          count: 2,
          subjects: [
            'GET /questions/search: query seler_id (seller_id?)',
            'GET /questions/search: query limite (limit?)',
          ],
          requests: [1, 2],
          deliveries: [],
        },
      },
    ],
    unknown: [],
  })
  t.strictSame(checks[0], {
    id: 'tokens.foreign',
    severity: 'error',
    title: 'Data of a seller were requested with the token of another',
  })
  const titles: [query: string, header: string, title: string][] = [
    ['?lang=es', 'pt', 'Un parámetro o miembro tiene un nombre casi correcto'],
    ['?lang=pt', 'es', 'Um parâmetro ou membro tem um nome quase certo'],
    ['', 'es-AR,es;q=0.9,en;q=0.8', 'Un parámetro o miembro tiene un nombre casi correcto'],
    ['', 'fr, en;q=0.3 ,pt-BR; q=0.7', 'Um parâmetro ou membro tem um nome quase certo'],
    ['', 'pt;q=0, de', 'A parameter or member has a name that is almost right'],
  ]
  for (const [query, header, title] of titles) {
    const { body } = await app.call({
      url: `${world.base}/_sandbox/audit${query}`,
      headers: { 'accept-language': header },
    })
    t.equal(body.findings[0].title, title, `${query} ${header}`)
    t.equal(body.checks.find(({ id }: { id: string }) => id === 'parameters.misspelled').title, title)
  }
  t.strictSame((await app.control('GET /audit?lang=fr')).body, {
    message: 'lang: must be one of en, es, pt',
    error: 'bad_request',
    status: 400,
    cause: [],
  })
})

t.test('bounds the evidence, and counts all of it', async (t) => {
  const world = await createProgramWorld(t, app)
  await repeat(25, (n) => world.get(`/users/me?otro_${n}=1`))
  const [{ evidence }] = (await world.audit()).findings
  t.equal(evidence.count, 25)
  t.strictSame(
    evidence.requests,
    Array.from({ length: 20 }, (_, n) => n + 1),
  )
  t.equal(evidence.subjects.length, 20)
})

t.test('says what it does not know', async (t) => {
  const world = await createProgramWorld(t, app)
  await world.ask(60)
  await world.get(search(world))
  t.strictSame((await world.audit()).unknown, [
    {
      id: 'bodies_cut',
      count: 1,
      text: 'Bodies or answers were cut to 8 KiB: what comes after is not known.',
    },
  ])
  // The other pages may have been read by a call that was dropped.
  await repeat(1001, (n) => world.get(`/currencies/${n}`))
  await world.get(search(world))
  const { audited, findings, unknown } = await world.audit('?lang=es')
  t.strictSame([audited, findings], [{ requests: 1000, dropped: 3, deliveries: 0 }, []])
  t.strictSame(unknown, [
    {
      id: 'requests_dropped',
      count: 3,
      text: 'Las llamadas anteriores ya no están guardadas: no se sabe qué hicieron ni qué resultó de ellas.',
    },
    {
      id: 'bodies_cut',
      count: 1,
      text: 'Cuerpos o respuestas se cortaron a 8 KiB: lo que sigue no se conoce.',
    },
  ])
})

t.test('shows no secret, and long names in part', async (t) => {
  const world = await createProgramWorld(t, app)
  await world.get(`/users/me?${world.seller.token}=1&${'x'.repeat(100)}=1&access_token=${world.seller.token}`)
  const text = JSON.stringify((await world.audit()).findings)
  t.notOk(text.includes(world.seller.token))
  t.match(text, 'query ***')
  t.match(text, `query ${'x'.repeat(60)}"`)
})

t.test('has each finding in each language, about routes that exist', async (t) => {
  t.strictSame(
    [...new Set(FINDINGS.map(({ id }) => id))],
    FINDINGS.map(({ id }) => id),
  )
  t.strictSame([...findingsOfPrograms].sort(), FINDINGS.map(({ id }) => id).sort(), 'each has a program that gives it')
  const texts = FINDINGS.flatMap(({ text }) => LANGUAGES.flatMap((language) => Object.values(text[language])))
  t.equal(texts.length, FINDINGS.length * LANGUAGES.length * 3)
  t.equal(new Set(texts).size, texts.length)
  const rows = [...reference.matchAll(/^\| `(\w+\.\w+)` \| `(error|warn|info)` \|/gm)].map(([, ...cells]) => cells)
  t.strictSame(
    rows,
    FINDINGS.map(({ id, severity }) => [id, severity]),
    'the reference lists them in this order',
  )
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  )
  t.strictSame(
    ROUTES_WITH_TOPIC.filter((route) => !routes.includes(route)),
    [],
  )
  const patterns = Object.values(ASSUMPTIONS).flatMap(({ uses = [] }) => uses.flatMap(({ route }) => route ?? []))
  t.ok(patterns.length > 8)
  t.strictSame(
    patterns.filter((pattern) => !routes.some((route) => matchesPattern(pattern, route))),
    [],
  )
})

t.test('reads the beginning of a JSON text', async (t) => {
  const rows: [text: string, value: unknown][] = [
    [
      '{"total":3,"questions":[{"id":1,"text":"a \\" }, b"},{"id":2,"te',
      { total: 3, questions: [{ id: 1, text: 'a " }, b' }, { id: 2 }] },
    ],
    ['{"a":{"b":[1,2],"c":nul', { a: { b: [1, 2] } }],
    ['[1,[', [1, []]],
    ['{"a', {}],
    ['"ab', undefined],
    ['12', 12],
    ['', undefined],
    ['}', undefined],
    ['f([200', undefined],
  ]
  for (const [text, value] of rows) t.strictSame(parsePartialJson(text), value, text)
  fc.assert(
    fc.property(fc.json(), fc.nat(), (json, cut) => {
      const text = `[${json}]`
      const beginning = parsePartialJson(text.slice(0, cut % (text.length + 1)))
      return beginning === undefined || isBeginning(beginning, JSON.parse(text))
    }),
  )
})

/** Whether a value has the first members or elements of another one; only the last may be incomplete. */
function isBeginning(part: unknown, whole: unknown): boolean {
  if (typeof part !== 'object' || part === null) return isDeepStrictEqual(part, whole)
  const members = Object.entries(part)
  return (
    typeof whole === 'object' &&
    Array.isArray(part) === Array.isArray(whole) &&
    members.every(([name, value], n) => {
      const other = (whole as Record<string, unknown>)[name]
      return n + 1 < members.length ? isDeepStrictEqual(value, other) : isBeginning(value, other)
    })
  )
}

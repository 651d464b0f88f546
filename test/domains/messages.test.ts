import { eq } from 'drizzle-orm'
import t from 'tap'
import { claim } from '../../domains/claims/tables.ts'
import { sale_order } from '../../domains/orders/tables.ts'
import { shipment, shipment_step } from '../../domains/shipments/tables.ts'
import { DAY, NOW, type Person, start } from '../support/app.ts'
import { takeOutbox } from '../support/outbox.ts'
import { badRequest, errorBody, expectAnswer, notFound, questionFixtures } from '../support/questions.ts'

const app = await start(t)
const { world, call, control, application } = app
const { createParties, createUser, createListing, setClock } = questionFixtures(app)
t.beforeEach(() => setClock(NOW))

const AT_NOW = '2026-03-07T15:00:00.000Z'
const forbidden = (message: string) => errorBody(403, 'forbidden', message)

/** A sale of a new seller to a new buyer. */
async function createSale(body: object = {}) {
  const parties = await createParties()
  const answer = await control('POST /orders', { item_id: parties.item, buyer: parties.buyer.id, ...body })
  if (answer.status !== 201) throw new Error(answer.text)
  const { order, pack } = answer.body
  const id = (pack?.id ?? order.id) as number
  const path = `/messages/packs/${id}/sellers/${parties.seller.id}`
  return { ...parties, order: order.id as number, pack: id, path }
}
type Sale = Awaited<ReturnType<typeof createSale>>

const writeAsBuyer = async ({ pack }: Pick<Sale, 'pack'>, text = '¿Cuándo llega?', more: object = {}) => {
  const { status, body, text: raw } = await control('POST /messages', { pack_id: pack, from: 'buyer', text, ...more })
  if (status !== 201) throw new Error(raw)
  return body
}
const bodyOf = ({ seller, buyer }: Sale, text = 'Mañana.', more: object = {}) => ({
  ...{ from: { user_id: seller.id }, to: { user_id: buyer.id }, text },
  ...more,
})
const send = (sale: Sale, body: unknown = bodyOf(sale), who: Person = sale.seller, query = '?tag=post_sale') =>
  who.post(`${sale.path}${query}`, body as object)
const read = async (who: Person, { path }: Sale, query = '?mark_as_read=false') =>
  (await who.get(`${path}${query}`)).body
const substatusOf = async (sale: Sale) => (await read(sale.seller, sale)).conversation_status.substatus

/** The events of messages since the last call. */
const takeEvents = async () =>
  (await takeOutbox(world))
    .filter(({ topic }) => topic === 'messages')
    .map(({ resource, user_ids, actions }) => [resource, JSON.parse(actions!), JSON.parse(user_ids)])

/** A message as answers show it. */
const shown = (sale: Sale, row: { id: string; from: number; to: number; text: string }, more: object = {}) => ({
  id: row.id,
  site_id: 'MLA',
  client_id: null,
  from: { user_id: row.from },
  to: { user_id: row.to },
  status: 'available',
  subject: null,
  text: row.text,
  message_date: { received: AT_NOW, available: AT_NOW, notified: AT_NOW, created: AT_NOW, read: null },
  message_moderation: { status: 'clean', reason: null, source: 'online', moderation_date: AT_NOW },
  message_attachments: null,
  message_resources: [
    { id: String(sale.pack), name: 'packs' },
    { id: String(sale.seller.id), name: 'sellers' },
  ],
  conversation_first_message: true,
  ...more,
})

t.test('a conversation: the buyer writes, the seller reads and answers [spec: messages.conversation]', async (t) => {
  const sale = await createSale()
  const { seller, buyer, pack, path } = sale
  await takeEvents()
  const { id } = await writeAsBuyer(sale)
  t.match(id, /^[0-9a-f]{32}$/)
  const first = shown(sale, { id, from: buyer.id, to: seller.id, text: '¿Cuándo llega?' })
  const status = {
    ...{ path: `/packs/${pack}/sellers/${seller.id}`, status: 'active', substatus: null, status_date: AT_NOW },
    ...{ status_update_allowed: false, claim_id: null, claim_ids: null },
  }
  const answer = await seller.get(path)
  const { shipping_id } = answer.body.conversation_status
  const whole = (total: number, messages: object[], { limit = 10, offset = 0 } = {}) => ({
    paging: { limit, offset, total },
    conversation_status: { ...status, shipping_id },
    messages,
    seller_max_message_length: 350,
    buyer_max_message_length: 3500,
  })
  const seen = { ...first, message_date: { ...first.message_date, read: AT_NOW } }
  expectAnswer(t, answer, 200, whole(1, [seen]))
  const sent = await send(sale)
  const second = shown(
    sale,
    { id: sent.body.id, from: seller.id, to: buyer.id, text: 'Mañana.' },
    { client_id: application.id, conversation_first_message: false },
  )
  // `client_id` keeps its place.
  expectAnswer(t, sent, 201, { ...shown(sale, { ...second, from: seller.id, to: buyer.id }), ...second })
  const both = [seller.id, buyer.id]
  t.strictSame(await takeEvents(), [
    [id, ['created'], both],
    [id, ['read'], both],
    [sent.body.id, ['created'], both],
  ])
  expectAnswer(t, await buyer.get(`${path}?tag=post_sale&mark_as_read=false`), 200, whole(2, [second, seen]))
  const page = { limit: 1, offset: 1 }
  expectAnswer(t, await seller.get(`${path}?limit=1&offset=1`), 200, whole(2, [seen], page))
  expectAnswer(t, await seller.get(`/messages/${id}?tag=post_sale`), 200, {
    ...{ paging: null, conversation_status: null },
    messages: [seen],
  })
})

t.test('who reads a conversation, and the errors of its parameters [spec: messages.order]', async (t) => {
  const sale = await createSale()
  const { seller, path, pack } = sale
  const stranger = await createUser()
  const unknown = notFound(`The pack with id: ${pack} could not be retrieved from storage`)
  expectAnswer(t, await seller.get(`/messages/packs/${pack}/sellers/${stranger.id}`), 404, unknown)
  expectAnswer(t, await seller.get(`/messages/packs/1x/sellers/${seller.id}`), 404, {
    ...notFound('The pack with id: 1x could not be retrieved from storage'),
  })
  expectAnswer(t, await stranger.get(path), 403, forbidden(`User access token invalid for resource ${pack}`))
  expectAnswer(t, await seller.get(`${path}?limit=0`), 400, badRequest('The limit param must be greater than 0'))
  expectAnswer(t, await seller.get(`${path}?limit=51`), 400, badRequest('Invalid limit param'))
  expectAnswer(t, await seller.get(`${path}?offset=-1`), 400, badRequest('Invalid offset param'))
})

t.test('an order without a pack has a conversation under its own id [spec: packs.without]', async (t) => {
  await control('PATCH /assumptions/orders.pack_of_single', { value: 'never' })
  const sale = await createSale()
  await control('PATCH /assumptions/orders.pack_of_single', { value: 'always' })
  t.equal(sale.pack, sale.order)
  await writeAsBuyer(sale)
  t.equal((await read(sale.seller, sale)).paging.total, 1)
})

t.test('reading marks, unless it is asked not to [spec: messages.mark_as_read]', async (t) => {
  const sale = await createSale()
  const { seller, buyer, path, pack } = sale
  const first = await writeAsBuyer(sale)
  const last = await writeAsBuyer(sale, 'Es para un regalo.')
  await takeEvents()
  const dates = async () =>
    (await read(seller, sale)).messages.map(
      ({ message_date }: { message_date: { read: string | null } }) => message_date.read,
    )
  await call({ method: 'HEAD', url: path, headers: { authorization: `Bearer ${seller.token}` } })
  await seller.get(`/messages/${first.id}`)
  await seller.get('/messages/unread?role=seller')
  t.strictSame(await dates(), [null, null])
  t.equal((await seller.get(path)).body.messages[0].message_date.read, AT_NOW)
  t.strictSame(await dates(), [AT_NOW, AT_NOW])
  await seller.get(path)
  t.strictSame(await takeEvents(), [[last.id, ['read'], [seller.id, buyer.id]]], 'once a call')
  const resource = `/packs/${pack}/sellers/${seller.id}`
  expectAnswer(t, await seller.get('/messages/unread?role=seller'), 200, { user_id: seller.id, results: [] })
  expectAnswer(t, await seller.get(`/messages/unread${resource}`), 200, {
    ...{ user_id: seller.id, results: [{ resource, count: 0 }] },
  })
})

t.test('unread messages of both sides, the newest first [spec: messages.unread, messages.unread.role]', async (t) => {
  const one = await createSale()
  const { seller, buyer } = one
  const { body } = await control('POST /orders', { item_id: await createListing(seller), buyer: buyer.id })
  const other = { ...one, pack: body.pack.id as number }
  for (const sale of [one, other, other]) await writeAsBuyer(sale)
  await send(one)
  const resource = ({ pack }: { pack: number }) => `/packs/${pack}/sellers/${seller.id}`
  const results = [
    { resource: resource(other), count: 2 },
    { resource: resource(one), count: 1 },
  ]
  expectAnswer(t, await seller.get('/messages/unread'), 200, { user_id: seller.id, results })
  expectAnswer(t, await seller.get('/messages/unread?role=seller&tag=post_sale'), 200, { user_id: seller.id, results })
  const ofBuyer = { user_id: buyer.id, results: [{ resource: resource(one), count: 1 }] }
  expectAnswer(t, await buyer.get('/messages/unread?role=buyer'), 200, ofBuyer)
  expectAnswer(t, await buyer.get(`/messages/unread${resource(one)}`), 200, ofBuyer)
  expectAnswer(
    t,
    await seller.get('/messages/unread?role=agent'),
    400,
    badRequest('role: must be one of seller, buyer'),
  )
  const stranger = await createUser()
  expectAnswer(t, await stranger.get(`/messages/unread${resource(one)}`), 403, {
    ...forbidden(`User access token invalid for resource ${one.pack}`),
  })
})

t.test('errors of one message [spec: messages.not_found, messages.foreign_message]', async (t) => {
  const sale = await createSale()
  const { id } = await writeAsBuyer(sale)
  const stranger = await createUser()
  const message = `Access denied for user ${stranger.id} to message with id ${id}`
  expectAnswer(t, await stranger.get(`/messages/${id}`), 403, forbidden(message))
  const unknown = (id: string) => notFound(`The message with id: ${id} could not be retrieved from storage`)
  expectAnswer(t, await stranger.get('/messages/abc'), 404, unknown('abc'))
  await control(`PATCH /messages/${id}`, { moderation: { status: 'rejected', reason: 'PERSONAL_DATA' } })
  expectAnswer(t, await sale.seller.get(`/messages/${id}`), 404, unknown(id))
  t.equal((await sale.buyer.get(`/messages/${id}`)).body.messages[0].status, 'moderated')
})

t.test('old paths are gone [spec: messages.old_paths]', async (t) => {
  const { seller, order } = await createSale()
  const gone = errorBody(404, 'resource not found', 'Resource not found.')
  expectAnswer(t, await seller.get(`/messages/orders/${order}`), 404, gone)
  expectAnswer(t, await seller.post('/messages', [{}]), 404, gone)
})

t.test('errors of a new message, in their order [spec: messages.send.order]', async (t) => {
  const sale = await createSale()
  const { seller, buyer, pack } = sale
  await writeAsBuyer(sale)
  const stranger = await createUser()
  const good = bodyOf(sale)
  const long = 'ñ'.repeat(351)
  const access = (id: number) => forbidden(`Access denied for user ${id} to order ${pack}`)
  const noTag = errorBody(404, 'resource not found', 'resource not found')
  const refusals: [name: string, body: unknown, status: number, error: object, who?: Person][] = [
    ['no JSON', 'x', 400, badRequest('A JSON body is required')],
    ['an array', [good], 400, badRequest('A JSON body is required')],
    ['an object as text', { text: { plain: 'x' } }, 400, badRequest('Unexpected exception parsing json string')],
    ['no sender', { ...good, from: {} }, 400, badRequest("The field 'from' is required")],
    ['no receiver', { ...good, to: undefined }, 400, badRequest("The field 'to.user_id' is required")],
    ['a receiver that is no id', { ...good, to: { user_id: 'x' } }, 400, badRequest("Invalid 'to' user id")],
    ['another sender', { ...good, from: { user_id: 7 }, to: { user_id: 7 } }, 403, access(7)],
    ['a stranger', { ...good, from: { user_id: stranger.id } }, 403, access(stranger.id), stranger],
    ['the buyer', { ...good, from: { user_id: buyer.id }, text: long }, 403, access(buyer.id), buyer],
    [
      'another receiver',
      { ...good, to: { user_id: 7 }, text: long },
      403,
      forbidden(`Receiver does not belong to order ${pack}`),
    ],
    ['oneself', { ...good, to: { user_id: seller.id } }, 400, badRequest('Sender and received must not be equals')],
    ['no text', { ...good, text: undefined }, 400, badRequest("The field 'text' is required")],
    ['a blank text', { ...good, text: ' \n' }, 400, badRequest("The field 'text' is required")],
    [
      'a long text',
      { ...good, text: `${long}Ω` },
      400,
      badRequest('The message content is too long, max characters allowed are 350'),
    ],
    [
      'Greek',
      { ...good, text: 'Ω', attachments: ['x'] },
      400,
      badRequest('The text has character/s that is/are not supported.'),
    ],
    [
      'an unknown attachment',
      { ...good, attachments: ['x'] },
      422,
      errorBody(422, 'unprocessable_entity', 'Attachment key is invalid or not found'),
    ],
  ]
  for (const [name, body, status, error, who] of refusals)
    await t.test(name, async (t) => expectAnswer(t, await send(sale, body, who), status, error))
  expectAnswer(t, await send(sale, 'x', seller, ''), 404, noTag)
  expectAnswer(t, await send(sale, good, seller, '?tag=x'), 404, noTag)
  const unknown = { ...sale, path: `/messages/packs/1/sellers/${seller.id}` }
  expectAnswer(t, await send(unknown, good), 404, notFound('The pack with id: 1 could not be retrieved from storage'))
  t.equal((await read(seller, sale)).paging.total, 1)
})

t.test(
  'what is accepted: ids as text, the agent of the site, emoji, 350 characters [spec: messages.send]',
  async (t) => {
    const sale = await createSale()
    await writeAsBuyer(sale)
    const { seller, buyer } = sale
    for (const text of ['😀'.repeat(350), 'Aquí está 👩🏽‍🔧 🇦🇷 ❤️ 1️⃣', '<a href="https://example.com">seguimiento</a>']) {
      const from = { user_id: String(seller.id) }
      const { status, body } = await send(sale, { from, to: { user_id: '3037674934' }, text })
      t.equal(status, 201)
      t.strictSame([body.text, body.to], [text, { user_id: buyer.id }])
    }
  },
)

t.test('a short link is held back [spec: messages.moderation, messages.hidden]', async (t) => {
  const sale = await createSale()
  const { seller, buyer } = sale
  await writeAsBuyer(sale)
  await takeEvents()
  const { status, body } = await send(sale, bodyOf(sale, 'Mirá https://bit.ly/3xYz'))
  t.equal(status, 201)
  t.equal(body.status, 'moderated')
  t.strictSame(body.message_date, { received: AT_NOW, available: null, notified: null, created: AT_NOW, read: null })
  t.strictSame(body.message_moderation, {
    ...{ status: 'rejected', reason: 'LINK_SHORT_URL', source: 'online', moderation_date: AT_NOW },
  })
  t.strictSame(await takeEvents(), [[body.id, ['created'], [seller.id]]])
  t.equal((await read(seller, sale)).paging.total, 2)
  t.equal((await read(buyer, sale)).paging.total, 1)
  t.strictSame((await buyer.get('/messages/unread?role=buyer')).body.results, [])
  for (const text of ['habit.ly/x', 'bit.lyx', 'https://example.com/bit-ly'])
    t.equal((await send(sale, bodyOf(sale, text))).body.status, 'available', text)
  const held = await writeAsBuyer(sale, 'x', { moderation: { status: 'pending' } })
  t.equal((await read(seller, sale)).messages[0].text === 'x', false)
  await takeEvents()
  await control(`PATCH /messages/${held.id}`, { moderation: { status: 'clean' } })
  t.strictSame(await takeEvents(), [[held.id, ['created'], [seller.id, buyer.id]]])
  t.equal((await read(seller, sale)).paging.total, 6)
})

t.test('blocks, the first that holds [spec: messages.blocks]', async (t) => {
  const setOrder = ({ order }: Sale, values: object) =>
    world.tx(async (q) => q.db.update(sale_order).set(values).where(eq(sale_order.id, order)).run())
  const blocked = async (sale: Sale, substatus: string) => {
    t.equal(await substatusOf(sale), substatus)
    const error = 'blocked_conversation_send_message_forbidden'
    expectAnswer(t, await send(sale), 403, {
      ...errorBody(403, error, error),
      cause: [{ code: substatus, message: 'blocked' }],
      ...{ status_code: 403, code: 'forbidden' },
    })
  }
  await t.test('nobody has written, a message of the buyer, 30 days', async () => {
    const sale = await createSale()
    await blocked(sale, 'blocked_by_conversation_initiated_by_seller_limited')
    await writeAsBuyer(sale)
    t.equal(await substatusOf(sale), null)
    setClock(NOW + 30 * DAY)
    await blocked(sale, 'blocked_by_time')
    t.equal((await read(sale.seller, sale)).conversation_status.status_date, '2026-04-06T15:00:00.000Z')
    await writeAsBuyer(sale)
    t.equal(await substatusOf(sale), null)
    setClock(NOW)
  })
  await t.test('the switch, and sales without Mercado Envíos [spec: messages.seller_may_start]', async () => {
    const sale = await createSale()
    await control('PATCH /assumptions/messages.seller_may_start', { value: 'yes' })
    t.equal((await send(sale)).status, 201)
    await control('PATCH /assumptions/messages.seller_may_start', { value: 'no' })
    t.equal((await send(await createSale({ shipping: 'none' }))).status, 201)
  })
  await t.test('cancelled, not paid, refunded', async () => {
    const sale = await createSale()
    await writeAsBuyer(sale)
    setClock(NOW + 1000)
    await control(`POST /orders/${sale.order}/refund`, { amount: 10 })
    await blocked(sale, 'blocked_by_refund')
    setClock(NOW + 2000)
    await writeAsBuyer(sale)
    t.equal(await substatusOf(sale), null)
    await control(`POST /orders/${sale.order}/cancel`, {})
    await blocked(sale, 'blocked_by_cancelled_order')
    await blocked(await createSale({ status: 'payment_required' }), 'blocked_by_payment')
    setClock(NOW)
  })
  await t.test('a dispute, what control calls set', async () => {
    const sale = await createSale()
    const { seller, buyer, order, pack } = sale
    await writeAsBuyer(sale)
    const set = (substatus: string | null) => control(`POST /conversations/${pack}/block`, { substatus })
    t.equal((await set('blocked_by_buyer')).body.substatus, 'blocked_by_buyer')
    await blocked(sale, 'blocked_by_buyer')
    await set('blocked_by_ai_assistant')
    await blocked(sale, 'blocked_by_ai_assistant')
    const row = { site_id: 'MLA', order_id: order, seller_id: seller.id, buyer_id: buyer.id, reason_id: 'PNR1' }
    const id = await world.tx(
      async (q) =>
        q.db
          .insert(claim)
          .values({
            ...{ ...row, type: 'mediations', stage: 'dispute', status: 'opened' },
            ...{ date_created: NOW, last_updated: NOW },
          })
          .returning({ id: claim.id })
          .get().id,
    )
    await blocked(sale, 'blocked_by_mediation')
    const { claim_id, claim_ids } = (await read(seller, sale)).conversation_status
    t.strictSame([claim_id, claim_ids], [id, [id]])
    await world.tx(async (q) => q.db.update(claim).set({ status: 'closed' }).where(eq(claim.id, id)).run())
    t.equal((await set(null)).body.status, 'active')
    t.equal((await control('POST /conversations/1/block', { substatus: null })).status, 404)
    t.equal((await set('x')).status, 400)
  })
  await t.test('fulfillment until it is delivered, and 18 months', async () => {
    const sale = await createSale()
    const { seller, buyer, order } = sale
    const shipment_id = await world.tx(async (q) => {
      const { id } = q.db
        .insert(shipment)
        .values({
          ...{ site_id: 'MLA', seller_id: seller.id, buyer_id: buyer.id, order_id: order },
          ...{ logistic_type: 'fulfillment', date_created: NOW },
        })
        .returning({ id: shipment.id })
        .get()
      for (const [n, status] of ['ready_to_ship', 'delivered'].entries())
        q.db
          .insert(shipment_step)
          .values({ shipment_id: id, n, status, at: NOW + n * DAY })
          .run()
      return id
    })
    await setOrder(sale, { shipment_id })
    await writeAsBuyer(sale)
    await blocked(sale, 'blocked_by_fulfillment')
    t.equal((await read(seller, sale)).conversation_status.shipping_id, shipment_id)
    setClock(NOW + DAY)
    t.equal(await substatusOf(sale), null)
    await setOrder(sale, { date_created: Date.UTC(2024, 8, 7, 15) })
    setClock(NOW)
    await world.tx(async (q) => q.db.delete(shipment_step).where(eq(shipment_step.shipment_id, shipment_id)).run())
    await setOrder(sale, { shipment_id: null })
    await blocked(sale, 'blocked_by_conversation_expired')
    t.strictSame([(await read(seller, sale)).messages, (await read(seller, sale)).paging.total], [[], 0])
  })
})

t.test('a pack of two orders is blocked only as a whole [spec: messages.blocks]', async (t) => {
  const { seller, buyer, item } = await createParties()
  const items = [{ item_id: item }, { item_id: await createListing(seller) }]
  const { body } = await control('POST /orders', { items, buyer: buyer.id })
  const pack = body.pack.id as number
  const sale = { seller, buyer, item, pack, order: body.order.id, path: `/messages/packs/${pack}/sellers/${seller.id}` }
  await writeAsBuyer(sale)
  await control(`POST /orders/${sale.order}/cancel`, {})
  await writeAsBuyer(sale)
  t.equal(await substatusOf(sale), null)
})

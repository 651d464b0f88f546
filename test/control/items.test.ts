import t from 'tap'
import { outbox } from '../../db/tables.ts'
import { start } from '../support/app.ts'

const app = await start(t)
const { control, call, sellers, buyers, world } = app
const [seller, brazilian] = sellers as [(typeof sellers)[0], (typeof sellers)[0]]
const [buyer] = buyers as [(typeof buyers)[0]]

const error = (status: number, code: string, message: string) => ({ message, error: code, status, cause: [] })
/** What was told since it was last asked: resource and users. */
const facts = async () =>
  (await world.tx(async (q) => q.db.delete(outbox).returning().all())).map(({ topic, resource, user_ids }) => [
    topic,
    resource,
    JSON.parse(user_ids),
  ])
const told = (id: string, by = seller) => ['items', `/items/${id}`, [by.id]]

t.test('a listing is all that it was told to be', async (t) => {
  await facts()
  const { status, body } = await control('POST /items', {
    seller_id: seller.id,
    id: 'MLA900000001',
    title: 'Mate "de\ud800 calabaza"',
    price: 129.5,
    currency_id: 'USD',
    status: 'paused',
    shipping_mode: 'custom',
    in_flex: false,
  })
  t.equal(status, 201)
  const item = {
    id: 'MLA900000001',
    site_id: 'MLA',
    title: 'Mate "de\ufffd calabaza"',
    seller_id: seller.id,
    price: 129.5,
    currency_id: 'USD',
    status: 'paused',
    permalink: 'https://articulo.example.com/MLA900000001',
    shipping: { mode: 'custom', tags: ['self_service_out'], logistic_type: 'default' },
    date_created: '2026-03-07T15:00:00.000Z',
    last_updated: '2026-03-07T15:00:00.000Z',
  }
  t.strictSame(body, { ...item, in_flex: false })
  t.strictSame((await call('/items/MLA900000001')).body, item, 'the public API says the same')
  t.strictSame((await control('GET /items/MLA900000001')).body, body)
  t.strictSame(await facts(), [told('MLA900000001')])
})

t.test('what is not told is made up; ids go on from those of the site', async (t) => {
  const made = async (seller_id: number) => (await control('POST /items', { seller_id })).body
  const first = await made(brazilian.id)
  t.strictSame(
    [first.id, first.title, first.price, first.currency_id, first.status, first.shipping.mode, first.in_flex],
    ['MLB1400000026', 'Produto de teste', 1000, 'BRL', 'active', 'me2', false],
  )
  t.strictSame([(await made(seller.id)).id, (await made(seller.id)).id], ['MLA1400000026', 'MLA1400000027'])
  const { id: venezuelan } = (await control('POST /users', { site_id: 'MLV' })).body
  const others = await made(venezuelan)
  t.strictSame([others.id, others.currency_id, others.title], ['MLV1400000001', 'VEF', 'Producto de prueba'])
  for (const id of ['MLV9999999999', 'MLV9999999998', 'MLV99999999999999999999', 'MLV01', 'MLV1400000003'])
    t.equal((await control('POST /items', { seller_id: venezuelan, id })).body.id, id)
  t.strictSame(
    [(await made(venezuelan)).id, (await made(venezuelan)).id],
    ['MLV1400000004', 'MLV1400000005'],
    'the last of ten digits leave no room above them',
  )
  t.equal((await call(`/items?ids=MLV01,MLV99999999999999999999`)).body.length, 2)
})

t.test('what is refused', async (t) => {
  const before = (await control('GET /items?limit=0')).body
  await facts()
  const title = 'title: must be a text of at most 255 characters, not blank, without U+0000'
  const price = 'price: must be a number above 0, at most 1000000000000'
  const id = 'id: must be a site followed by 1 to 20 digits'
  const facts_: [member: object, message: string][] = [
    [{ title: '' }, title],
    [{ title: 'a\u0000' }, title],
    [{ title: 'ñ'.repeat(256) }, title],
    [{ price: 0 }, price],
    [{ price: -5 }, price],
    [{ price: '12' }, price],
    [{ price: 1e12 + 1 }, price],
    [{ status: 'gone' }, 'status: must be one of active, paused, closed, under_review, inactive'],
    [{ shipping_mode: 'me3' }, 'shipping_mode: must be one of me2, me1, custom, not_specified'],
    [{ in_flex: 1 }, 'in_flex: must be true or false'],
    [{ category_id: 'MLA1' }, 'category_id: is not known here'],
  ]
  for (const [member, message] of facts_) {
    const refused = error(400, 'bad_request', message)
    t.strictSame((await control('POST /items', { seller_id: seller.id, ...member })).body, refused)
    t.strictSame((await control('PATCH /items/MLA1400000001', member)).body, refused)
  }
  const rows: [member: object, status: number, code: string, message: string][] = [
    [{ seller_id: 'x' }, 400, 'bad_request', 'seller_id: must be an integer'],
    [{ seller_id: 5 }, 404, 'not_found', 'User with id 5 not found'],
    [{ id: 'MLA' }, 400, 'bad_request', id],
    [{ id: 1400000001 }, 400, 'bad_request', id],
    [{ id: `MLA${'1'.repeat(21)}` }, 400, 'bad_request', id],
    [{ id: 'MLB77' }, 400, 'bad_request', 'id: must begin with the site of the seller, MLA'],
    [{ id: 'MLA1400000001' }, 409, 'conflict', 'id: listing MLA1400000001 exists already'],
    [{ in_flex: true, shipping_mode: 'me1' }, 403, 'forbidden', 'item down'],
    [{ in_flex: true, status: 'paused' }, 403, 'forbidden', 'item down'],
  ]
  for (const [member, status, code, message] of rows) {
    const refused = await control('POST /items', { seller_id: seller.id, ...member })
    t.strictSame([refused.status, refused.body], [status, error(status, code, message)])
  }
  t.match(
    (await control('POST /items', { seller_id: seller.id, currency_id: 'XXX' })).body.message,
    /^currency_id: must be one of ARS, BRL, /,
  )
  t.strictSame((await control('POST /items', {})).body.message, 'seller_id: is required, must be an integer')
  t.strictSame((await control('PATCH /items/MLA1400000001', { id: 'MLA5' })).body.message, 'id: is not known here')
  for (const id of ['MLA5', 'x', `MLA${'1'.repeat(21)}`]) {
    const missing = error(404, 'not_found', `Item with id ${id} not found`)
    t.strictSame((await control(`GET /items/${id}`)).body, missing)
    t.strictSame((await control(`PATCH /items/${id}`, { price: 5 })).body, missing)
  }
  t.strictSame((await control('GET /items?limit=0')).body, before, 'none was made')
  t.strictSame(await facts(), [], 'and none was told of')
})

t.test('the list, by id, filtered and paged', async (t) => {
  const all = (await control('GET /items?limit=1000')).body
  t.equal(all.paging.total, all.results.length)
  const ids = all.results.map(({ id }: { id: string }) => id)
  t.strictSame(ids, [...ids].sort())
  for (const by of ['', `seller_id=${brazilian.id}`])
    for (const status of ['', 'closed']) {
      const those = all.results.filter(
        (item: { seller_id: number; status: string }) =>
          (by === '' || item.seller_id === brazilian.id) && (status === '' || item.status === status),
      )
      t.ok(those.length > 2)
      t.strictSame((await control(`GET /items?${by}${status && `&status=${status}`}&limit=2&offset=1`)).body, {
        paging: { total: those.length, limit: 2, offset: 1 },
        results: those.slice(1, 3),
      })
    }
  t.equal((await control('GET /items?seller_id=x')).body.message, 'seller_id: must be an integer')
  t.equal(
    (await control('GET /items?status=sold')).body.message,
    'status: must be one of active, paused, closed, under_review, inactive',
  )
})

t.test('what a change changes, and what is told of it', async (t) => {
  const { id } = (await control('POST /items', { seller_id: seller.id })).body
  await facts()
  await control('POST /clock/advance', { by: 'PT1H' })
  const before = (await control(`GET /items/${id}`)).body
  const same = { title: before.title, price: before.price, status: 'active', shipping_mode: 'me2', in_flex: false }
  for (const change of [{}, same]) t.strictSame((await control(`PATCH /items/${id}`, change)).body, before)
  const now = '2026-03-07T16:00:00.000Z'
  const other = await control(`PATCH /items/${id}`, { title: 'Otro', price: 0.5 })
  t.strictSame(other.body, { ...before, title: 'Otro', price: 0.5, last_updated: now })
  t.strictSame(await facts(), [], 'neither its state nor Flex has changed')

  const offered = await control(`PATCH /items/${id}`, { in_flex: true })
  const inFlex = { mode: 'me2', tags: ['self_service_in'], logistic_type: 'self_service' }
  t.strictSame(offered.body, { ...other.body, shipping: inFlex, in_flex: true })
  t.equal((await seller.get(`/sites/MLA/shipping/selfservice/items/${id}`)).status, 204)
  t.strictSame(await facts(), [told(id)])
  t.strictSame((await control(`PATCH /items/${id}`, { in_flex: true })).body, offered.body)
  t.strictSame(await facts(), [])

  const left = await control(`PATCH /items/${id}`, { shipping_mode: 'me1' })
  t.strictSame(left.body.shipping, { mode: 'me1', tags: ['self_service_out'], logistic_type: 'default' })
  t.strictSame(await facts(), [told(id)], 'it has left Flex')
  const refused = await control(`PATCH /items/${id}`, { title: 'No', status: 'paused', in_flex: true })
  t.strictSame(refused.body, error(403, 'forbidden', 'item down'))
  t.strictSame((await control(`GET /items/${id}`)).body, left.body, 'nothing half written')
  t.strictSame(await facts(), [])

  const all = await control(`PATCH /items/${id}`, { shipping_mode: 'me2', status: 'active', in_flex: true })
  t.strictSame(all.body, offered.body)
  await facts()
  t.strictSame((await control(`PATCH /items/${id}`, { in_flex: false, status: 'closed' })).body, {
    ...other.body,
    status: 'closed',
  })
  t.strictSame(await facts(), [told(id), told(id)])
  const made = (await control('POST /items', { seller_id: seller.id, in_flex: true })).body
  t.strictSame(made.shipping, inFlex)
  t.strictSame(await facts(), [told(made.id), told(made.id)], 'listed, and offered with Flex')
})

t.test('questions follow their listing, as the public search shows', async (t) => {
  const { id } = (await control('POST /items', { seller_id: seller.id })).body
  const ask = async (text: string) => (await buyer.post('/questions', { item_id: id, text })).body.id
  const answered = await ask('¿Tiene garantía?')
  await seller.post('/answers', { question_id: answered, text: 'Sí, doce meses.' })
  const open = await ask('¿Hacen factura?')
  await facts()
  const states = async () => {
    const { questions } = (await seller.get(`/questions/search?item=${id}&sort_fields=date_created&sort_types=ASC`))
      .body
    return questions.map((question: { id: number; status: string }) => [question.id, question.status])
  }
  const move = async (status: string) => {
    t.equal((await control(`PATCH /items/${id}`, { status })).body.status, status)
    t.equal((await call(`/items/${id}`)).body.status, status)
    return states()
  }
  const asked = async () => (await buyer.post('/questions', { item_id: id, text: '¿Sigue disponible?' })).body.error
  const following = ['questions', `/questions/${open}`, [seller.id, buyer.id]]

  t.strictSame(await states(), [
    [answered, 'ANSWERED'],
    [open, 'UNANSWERED'],
  ])
  for (const status of ['paused', 'inactive']) {
    t.strictSame((await move(status)).at(1), [open, 'UNANSWERED'], `${status} leaves them as they are`)
    t.equal(await asked(), 'not_active_item')
    t.strictSame(await facts(), [told(id)])
  }
  t.strictSame(await move('under_review'), [
    [answered, 'ANSWERED'],
    [open, 'UNDER_REVIEW'],
  ])
  t.strictSame(await facts(), [following, told(id)])
  t.equal((await seller.post('/answers', { question_id: open, text: 'Sí.' })).body.error, 'invalid_question')
  t.strictSame(await move('under_review'), [
    [answered, 'ANSWERED'],
    [open, 'UNDER_REVIEW'],
  ])
  t.strictSame(await facts(), [], 'a move that is none')
  t.strictSame((await move('active')).at(1), [open, 'UNANSWERED'])
  t.strictSame(await facts(), [following, told(id)])
  t.strictSame(await move('closed'), [
    [answered, 'ANSWERED'],
    [open, 'CLOSED_UNANSWERED'],
  ])
  t.strictSame(await facts(), [following, told(id)])
  t.equal((await seller.post('/answers', { question_id: open, text: 'Sí.' })).body.error, 'not_active_item')
  t.strictSame((await move('active')).at(1), [open, 'CLOSED_UNANSWERED'], 'what was closed stays so')
  t.equal(await asked(), undefined, 'and new ones may come')
})

t.test('nothing went wrong unseen', async (t) => {
  t.strictSame(app.faults, [])
})

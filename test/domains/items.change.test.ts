import type { InjectOptions } from 'fastify'
import t from 'tap'
import { changeDetails, moveStock } from '../../domains/items/operations.ts'
import { itemById } from '../../domains/items/queries.ts'
import { MINUTE, NOW, type Person, start } from '../support/app.ts'
import { plainItem } from '../support/items.ts'
import { takeOutbox } from '../support/outbox.ts'
import { badRequest, errorBody, expectAnswer, notFound, questionFixtures } from '../support/questions.ts'

// PUT /items/{item_id} [spec: items.change].

const app = await start(t)
const { world, call, control } = app
const { createUser, createListing, createParties, moveListing, ask, setClock } = questionFixtures(app)
t.beforeEach(() => setClock(NOW))

const put = ({ token }: Pick<Person, 'token'>, id: string, body: unknown, more: InjectOptions = {}) =>
  call({
    method: 'PUT',
    url: `/items/${id}`,
    payload: typeof body === 'string' ? body : JSON.stringify(body),
    ...more,
    headers: { authorization: `Bearer ${token}`, ...more.headers },
  })
/** The answer about members that cannot be changed [spec: items.change.refused]. */
const refused = (id: string, state: string, ...names: string[]) => ({
  ...errorBody(400, 'validation_error', `Cannot update item ${id} [${state}]`),
  cause: names.map((name) => ({
    ...{ department: 'items', cause_id: 0, type: 'error', code: 'field_not_updatable' },
    ...{ references: [`item.${name}`], message: `${name} is not modifiable.` },
  })),
})
const isFinal = (id: string, ...names: string[]) => refused(id, 'status:closed, has_bids:false', ...names)

/** The resources of the events published since the last call. */
const takeEvents = async () => (await takeTopics()).map(([, resource]) => resource)
const takeTopics = async () => (await takeOutbox(world)).map(({ topic, resource }) => [topic, resource])

t.test('ignores a member that is nested deeply', async (t) => {
  const seller = await createUser()
  const id = await createListing(seller)
  const nested = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`
  const { status, body } = await put(seller, id, `{"other":${nested},"title":"Otro título"}`)
  t.match({ status, title: body.title }, { status: 200, title: 'Otro título' })
})

t.test('changes all members at once and answers the item', async (t) => {
  const seller = await createUser()
  const id = await createListing(seller)
  await takeEvents()
  setClock(NOW + MINUTE)
  const item = plainItem({
    id,
    title: 'Silla "alta"\ufffd',
    seller_id: seller.id,
    price: 1999.5,
    status: 'paused',
    sub_status: ['paused_by_seller'],
    date_created: '2026-03-07T15:00:00.000Z',
    last_updated: '2026-03-07T15:01:00.000Z',
    available_quantity: 12,
    initial_quantity: 12,
    warranty: 'Un año',
  })
  const body = {
    id: 'MLA1',
    seller_id: 1,
    currency_id: 'USD',
    video_id: null,
    warranty: 'Un año',
    title: 'Silla "alta"\ud800',
    price: 1999.5,
    status: 'paused',
    available_quantity: '12',
  }
  expectAnswer(t, await put(seller, id, body), 200, item, 'other members are ignored')
  expectAnswer(t, await call(`/items/${id}`), 200, item)
  t.strictSame((await call(`/items?ids=${id}`)).body, [{ code: 200, body: item }])
  t.strictSame(await takeTopics(), [
    ['items', `/items/${id}`],
    ['items_prices', `/items/${id}`],
  ])
  setClock(NOW + 2 * MINUTE)
  expectAnswer(t, await put(seller, id, body), 200, item, 'nothing changes the second time')
  expectAnswer(t, await put(seller, id, { other: 'no', deleted: false }), 200, item, 'nor without a known member')
  t.strictSame(await takeEvents(), [])
})

t.test('publishes an event for each change, and another one for prices', async (t) => {
  const seller = await createUser()
  const id = await createListing(seller)
  await takeEvents()
  const changed = [['items', `/items/${id}`]]
  for (const [change, events] of [
    [{ status: 'paused' }, changed],
    [{ status: 'paused' }, []],
    [{ status: 'active' }, changed],
    [{ title: 'Mesa', available_quantity: 2 }, changed],
    [{ price: 5, warranty: 'Un año' }, [...changed, ['items_prices', `/items/${id}`]]],
    [{ price: 5 }, []],
    [{ status: 'closed' }, changed],
  ] as const) {
    t.match((await put(seller, id, change)).body, change)
    t.strictSame(await takeTopics(), events, JSON.stringify(change))
  }
})

t.test('closing moves the questions of the listing, and is final', async (t) => {
  const { seller, buyer, item } = await createParties()
  const question = await ask(buyer, item)
  const statusOf = async () => (await buyer.get(`/questions/${question}`)).body.status
  await takeEvents()
  t.equal((await put(seller, item, { status: 'closed' })).body.status, 'closed')
  t.equal(await statusOf(), 'CLOSED_UNANSWERED')
  t.strictSame((await takeEvents()).sort(), [`/items/${item}`, `/questions/${question}`])
  const before = (await call(`/items/${item}`)).body
  for (const body of [
    { status: 'active' },
    { status: 'closed' },
    { title: 'x' },
    { price: 1 },
    { available_quantity: 1 },
  ])
    expectAnswer(t, await put(seller, item, body), 400, isFinal(item, ...Object.keys(body)), JSON.stringify(body))
  t.strictSame((await call(`/items/${item}`)).body, before)
  t.strictSame(await takeEvents(), [])

  t.equal((await control(`PATCH /items/${item}`, { status: 'active' })).status, 200, 'a control call reopens it')
  t.equal(await statusOf(), 'CLOSED_UNANSWERED', 'its closed questions stay')
  t.equal((await put(seller, item, { title: 'x' })).body.title, 'x')
})

t.test('a seller cannot leave under_review', async (t) => {
  const seller = await createUser()
  const id = await createListing(seller)
  await moveListing(id, 'under_review')
  for (const status of ['active', 'paused', 'closed'])
    expectAnswer(
      t,
      await put(seller, id, { status, title: 'x' }),
      400,
      refused(id, 'status:under_review, has_bids:false', 'status'),
      status,
    )
  t.equal((await call(`/items/${id}`)).body.title, 'Silla', 'all or nothing')
  t.match((await put(seller, id, { title: 'x', price: 7 })).body, { status: 'under_review', title: 'x', price: 7 })
})

t.test('rejects invalid bodies and changes nothing', async (t) => {
  const seller = await createUser()
  const id = await createListing(seller)
  const before = (await call(`/items/${id}`)).body
  const title = 'title: must be a string of at most 255 characters, not blank, without U+0000'
  const price = 'price: must be a number above 0, at most 1000000000000'
  const status = 'status: must be one of active, paused, closed'
  const quantity = 'available_quantity: must be an integer from 0 to 999999999'
  const rows: [body: unknown, message: string][] = [
    ['', 'body: must be JSON'],
    ['{', 'body: must be JSON'],
    ['null', 'body: must be a JSON object'],
    ['[]', 'body: must be a JSON object'],
    ['7', 'body: must be a JSON object'],
    ...['under_review', 'inactive', 'ACTIVE', '', null, 1].map(
      (value) => [{ status: value }, status] as [unknown, string],
    ),
    ...['', ' ', 'a\u0000', 'ñ'.repeat(256), 7, null].map((value) => [{ title: value }, title] as [unknown, string]),
    ...[0, -1, 1e12 + 1, '12', null].map((value) => [{ price: value }, price] as [unknown, string]),
    ...[-1, 1.5, 1e9, 'x', null].map((value) => [{ available_quantity: value }, quantity] as [unknown, string]),
    [{ title: 'x', price: 0 }, price],
  ]
  for (const [body, message] of rows)
    expectAnswer(t, await put(seller, id, body), 400, badRequest(message), JSON.stringify(body))
  t.strictSame((await call(`/items/${id}`)).body, before)
})

t.test('a changed title has at most 60 characters, as a new one [spec: items.causes.title]', async (t) => {
  const seller = await createUser()
  const id = await createListing(seller)
  expectAnswer(t, await put(seller, id, { title: 'x'.repeat(61), price: 7 }), 400, {
    ...{ message: 'Validation error', error: 'validation_error', status: 400 },
    cause: [
      {
        ...{ department: 'items', cause_id: 3706, type: 'error', code: 'item.title.length.invalid' },
        ...{ references: ['item.title'], message: 'The title must have at most 60 characters' },
      },
    ],
  })
  const { body } = await put(seller, id, { title: 'x'.repeat(60) })
  t.match(body, { title: 'x'.repeat(60), price: 1000 }, 'all or nothing')
})

t.test('stock decides the state, and a pause of the seller stays [spec: items.stock]', async (t) => {
  const seller = await createUser()
  const id = await createListing(seller)
  const steps: [change: object, status: string, sub_status: string[]][] = [
    [{ available_quantity: 0 }, 'paused', ['out_of_stock']],
    [{ title: 'Mesa' }, 'paused', ['out_of_stock']],
    [{ status: 'active' }, 'paused', ['out_of_stock']],
    [{ available_quantity: 3 }, 'active', []],
    [{ status: 'paused' }, 'paused', ['paused_by_seller']],
    [{ available_quantity: 0 }, 'paused', ['paused_by_seller']],
    [{ available_quantity: 4 }, 'paused', ['paused_by_seller']],
    [{ status: 'active' }, 'active', []],
    [{ status: 'active', available_quantity: 0 }, 'paused', ['out_of_stock']],
    [{ status: 'paused', available_quantity: 0 }, 'paused', ['paused_by_seller']],
    [{ status: 'closed' }, 'closed', []],
    [{ deleted: 'true' }, 'closed', ['deleted']],
    [{ deleted: true }, 'closed', ['deleted']],
  ]
  for (const [change, status, sub_status] of steps)
    t.match((await put(seller, id, change)).body, { status, sub_status }, JSON.stringify(change))
  expectAnswer(t, await put(seller, id, { deleted: 'true', title: 'x' }), 400, isFinal(id, 'title', 'deleted'))
  const { initial_quantity } = (await seller.get(`/items/${id}`)).body
  t.equal(initial_quantity, 1 + 3 + 4, 'every increase')

  const open = await createListing(seller)
  const isOpen = refused(open, 'status:active, has_bids:false', 'deleted')
  expectAnswer(t, await put(seller, open, { deleted: 'true' }), 400, isOpen, 'only a closed one is removed')
})

t.test('sold units move the stock, and with it the state', async (t) => {
  const seller = await createUser()
  const id = await createListing(seller)
  await put(seller, id, { available_quantity: 2 })
  await takeEvents()
  const move = (quantity: number, sold?: number) =>
    world.tx((q) => moveStock(q, world, { id, variation_id: null, quantity, ...(sold !== undefined && { sold }) }))
  const members = async () => {
    const { status, sub_status, available_quantity, sold_quantity } = (await seller.get(`/items/${id}`)).body
    return [status, sub_status, available_quantity, sold_quantity]
  }
  await move(2)
  t.strictSame(await members(), ['paused', ['out_of_stock'], 0, 2])
  t.strictSame(await takeEvents(), [`/items/${id}`])
  await move(-1)
  t.strictSame(await members(), ['active', [], 1, 1])
  await move(0, -5)
  t.strictSame(await members(), ['active', [], 1, 0])
})

t.test('title, condition and buying_mode stay after a sale [spec: items.change.sold]', async (t) => {
  const seller = await createUser()
  const id = await createListing(seller)
  await world.tx((q) => moveStock(q, world, { id, variation_id: null, quantity: 0, sold: 1 }))
  await takeEvents()
  const change = { price: 7, buying_mode: 'auction', condition: 'used', title: 'Mesa' }
  const isSold = refused(id, 'status:active, has_bids:true', 'buying_mode', 'condition', 'title')
  expectAnswer(t, await put(seller, id, change), 400, isSold)
  t.match((await call(`/items/${id}`)).body, { price: 1000, title: 'Silla' }, 'all or nothing')
  t.strictSame(await takeEvents(), [])
  t.equal((await put(seller, id, { price: 7 })).body.price, 7)
  await put(seller, id, { status: 'closed' })
  const isClosed = refused(id, 'status:closed, has_bids:true', 'price')
  expectAnswer(t, await put(seller, id, { price: 8 }), 400, isClosed)
})

t.test('changes pictures, attributes, terms, shipping and texts [spec: items.change.members]', async (t) => {
  const seller = await createUser()
  const id = await createListing(seller)
  const value = (id: string, value_name: string | null) => ({ id, value_name })
  const first = await put(seller, id, {
    condition: 'used',
    category_id: 'MLA3530',
    listing_type_id: 'gold_pro',
    subtitle: 'Con bombilla',
    video_id: 'abc',
    seller_custom_field: 'S-1',
    pictures: [{ source: 'https://example.com/a.jpg' }, { source: 'https://example.com/b.jpg' }],
    attributes: [value('BRAND', 'Norte'), value('MODEL', 'Uno'), value('SELLER_SKU', 'M-1')],
    sale_terms: [value('WARRANTY_TIME', '6 meses')],
    shipping: { mode: 'custom', free_shipping: true, local_pick_up: true, free_methods: [], other: 1 },
  })
  const { pictures, attributes, sale_terms, shipping, ...members } = first.body
  t.match(members, {
    ...{ condition: 'used', category_id: 'MLA3530', listing_type_id: 'gold_pro', subtitle: 'Con bombilla' },
    ...{ video_id: 'abc', seller_custom_field: 'S-1', thumbnail_id: pictures[0].id },
  })
  t.strictSame(
    attributes.map(({ id, name, value_name }: Record<string, string>) => [id, name, value_name]),
    [
      ['BRAND', 'Marca', 'Norte'],
      ['MODEL', 'Modelo', 'Uno'],
      ['SELLER_SKU', 'SKU', 'M-1'],
      ['ITEM_CONDITION', 'Condición del ítem', 'Usado'],
    ],
  )
  t.match(sale_terms, [{ id: 'WARRANTY_TIME', value_name: '6 meses' }])
  t.match(shipping, { mode: 'custom', free_shipping: true, local_pick_up: true, free_methods: [] })

  const [one, two] = pictures.map(({ id }: { id: string }) => ({ id }))
  const second = await put(seller, id, {
    pictures: [two, one],
    attributes: [value('MODEL', 'Dos'), value('BRAND', null), value('SELLER_SKU', null)],
    sale_terms: [],
    shipping: { free_shipping: false },
    ...{ subtitle: null, video_id: null, seller_custom_field: null },
  })
  t.match(second.body, {
    ...{ thumbnail_id: two.id, subtitle: null, video_id: null, seller_custom_field: null },
    sale_terms: [{ id: 'WARRANTY_TIME' }],
    attributes: [{ id: 'MODEL', value_name: 'Dos' }, { id: 'ITEM_CONDITION' }],
    shipping: { mode: 'custom', free_shipping: false, local_pick_up: true },
  })

  const cause = (code: string, field: string, message: string, cause_id: number) => ({
    ...{ department: 'items', cause_id, type: 'error', code, references: [`item.${field}`], message },
  })
  const body = {
    ...{ price: 0.5, category_id: 'MLA1', title: 'x' },
    pictures: [...Array(12).fill({ source: 'https://example.com/a.jpg' }), { id: 'nope' }],
  }
  expectAnswer(t, await put(seller, id, body), 400, {
    ...errorBody(400, 'validation_error', 'Validation error'),
    cause: [
      cause(
        'item.category_id.invalid',
        'category_id',
        "Is not allowed to post in category MLA1. Make sure you're posting in a leaf category.",
        126,
      ),
      cause('item.pictures.max', 'pictures', 'The maximum number of pictures is 12', 201),
    ],
  })
  for (const [price, message, cause_id] of [
    [0.5, 'The category MLA3530 requires a minimum price of 1', 109],
    [9_999_999_999, 'The price must be less than 9999999999', 129],
  ] as const)
    t.strictSame((await put(seller, id, { price })).body.cause, [
      cause('item.price.invalid', 'price', message, cause_id),
    ])
  t.strictSame((await seller.get(`/items/${id}`)).body, second.body, 'all or nothing')
})

t.test('variations of a listing change together [spec: items.change.variations]', async (t) => {
  const seller = await createUser()
  const id = await createListing(seller)
  const colour = (value_name: string) => [{ id: 'COLOR', value_name }]
  const created = await put(seller, id, {
    variations: [
      { price: 900, available_quantity: 2, attribute_combinations: colour('Azul') },
      { price: 800, available_quantity: 3, attribute_combinations: colour('Rojo') },
    ],
  })
  const { variations } = created.body
  t.match(created.body, { price: 800, available_quantity: 5, initial_quantity: 5 })
  const [blue, red] = variations.map(({ id }: { id: number }) => id)
  await takeTopics()

  const refusedRoot = refused(id, 'status:active, has_bids:false', 'price', 'available_quantity')
  expectAnswer(t, await put(seller, id, { price: 5, available_quantity: 5 }), 400, refusedRoot)
  const unknown = notFound('Variation with id 7 not found')
  expectAnswer(t, await put(seller, id, { variations: [{ id: 7 }] }), 404, unknown)
  const isLast = errorBody(400, 'validation_error', 'The last variation of an item cannot be removed')
  expectAnswer(t, await put(seller, id, { variations: [] }), 400, isLast)
  t.strictSame(await takeTopics(), [])

  const changed = await put(seller, id, {
    variations: [
      { id: blue, price: 950 },
      { id: red, available_quantity: 0 },
    ],
  })
  t.match(changed.body, { price: 800, available_quantity: 2, variations: [{ price: 950 }, { available_quantity: 0 }] })
  t.strictSame(await takeTopics(), [
    ['items', `/items/${id}`],
    ['items_prices', `/items/${id}`],
  ])
  const left = await put(seller, id, { variations: [{ id: red }] })
  t.strictSame(
    left.body.variations.map(({ id }: { id: number }) => id),
    [red],
    'others are removed',
  )
  t.match(left.body, { status: 'paused', sub_status: ['out_of_stock'], available_quantity: 0 })
  await world.tx((q) => moveStock(q, world, { id, variation_id: red, quantity: -2 }))
  t.match((await seller.get(`/items/${id}`)).body, {
    ...{ status: 'active', available_quantity: 2 },
    variations: [{ available_quantity: 2, sold_quantity: 0 }],
  })
})

t.test('a rule can own the price [spec: items.change.automation]', async (t) => {
  const seller = await createUser()
  const id = await createListing(seller)
  await world.tx(async (q) => changeDetails(q, world, (await itemById(q, id))!, { price_automation: true }))
  expectAnswer(t, await put(seller, id, { price: 5, title: 'Mesa' }), 400, {
    ...errorBody(400, 'validation_error', 'Validation error'),
    cause: [
      {
        ...{ department: 'items', cause_id: 0, type: 'error', code: 'item.price.not_modifiable' },
        ...{ references: ['item.price'], message: 'The price is not modifiable: it has an active automation.' },
      },
    ],
  })
  t.equal((await put(seller, id, { title: 'Mesa' })).body.title, 'Mesa')
})

t.test('another price ends a promotion', async (t) => {
  const seller = await createUser()
  const id = await createListing(seller)
  await world.tx(async (q) => changeDetails(q, world, (await itemById(q, id))!, { original_price: 1500 }))
  t.match((await seller.get(`/items/${id}`)).body, { price: 1000, original_price: 1500 })
  t.match((await put(seller, id, { price: 1200 })).body, { price: 1200, original_price: null, base_price: 1200 })
})

t.test('two writes at once collide only by a fault rule [spec: items.change.lock]', async (t) => {
  const seller = await createUser()
  const id = await createListing(seller)
  const rule = { match: { method: 'PUT', path: '/items/*' }, action: { optimistic_lock: true }, times: 1 }
  const { status, body } = await control('POST /faults', rule)
  t.match({ status, body }, { status: 201, body: { action: { optimistic_lock: true } } })
  const conflict = errorBody(409, 'conflict', 'item optimistic locking error')
  expectAnswer(t, await put(seller, id, { title: 'Mesa' }), 409, conflict)
  t.equal((await put(seller, id, { title: 'Mesa' })).body.title, 'Mesa')
})

import t, { type Test } from 'tap'
import { NOW, type Person, start } from '../support/app.ts'
import { plainItem } from '../support/items.ts'
import { takeOutbox } from '../support/outbox.ts'
import { badRequest, errorBody, expectAnswer, NO_TOKEN, notFound, questionFixtures } from '../support/questions.ts'

// POST /items, what belongs to a listing, and relisting [spec: items.create].

const app = await start(t)
const { world, call } = app
const { createUser, createListing, setClock } = questionFixtures(app)
t.beforeEach(() => setClock(NOW))

const SOURCE = { source: 'https://example.com/a.jpg' }
const BODY = {
  ...{ title: 'Mate de calabaza', category_id: 'MLA3530', price: 12999, currency_id: 'ARS', available_quantity: 5 },
  ...{ buying_mode: 'buy_it_now', listing_type_id: 'gold_special', pictures: [SOURCE] },
}
const send = (method: 'POST' | 'PUT', seller: Person, path: string, body: object) => seller.post(path, body, { method })

const takeEvents = async () => (await takeOutbox(world)).map(({ topic, resource }) => [topic, resource])

const cause = (cause_id: number, code: string, references: string[], message: string, more: object = {}) => ({
  ...{ department: 'items', cause_id, type: 'error', code, references, message },
  ...more,
})
const refusal = (...causes: object[]) => ({
  ...errorBody(400, 'validation_error', 'Validation error'),
  cause: causes,
})

t.test('creates a listing with all members and answers it whole', async (t) => {
  const seller = await createUser()
  await takeEvents()
  const created = await seller.post('/items', {
    ...BODY,
    family_name: 'Mates',
    subtitle: 'Con bombilla',
    condition: 'used',
    description: { plain_text: 'Calabaza curada.' },
    attributes: [
      { id: 'BRAND', value_name: 'Norte' },
      { id: 'SELLER_SKU', value_name: 'MATE-1' },
    ],
    sale_terms: [{ id: 'WARRANTY_TIME', name: 'Garantía', value_name: '6 meses', value_id: null, other: {} }],
    shipping: { mode: 'me2', free_shipping: true, dimensions: '10x10x20,500', tags: ['other'] },
    ...{ video_id: 'abc', warranty: '6 meses', seller_custom_field: 'S-1', official_store_id: 7 },
    ...{ catalog_product_id: 'MLA100', catalog_listing: true },
    ...{ id: 'MLA5', seller_id: 1, sold_quantity: 9, other: { more: 1 } },
  })
  const { id, thumbnail_id } = created.body
  t.match(thumbnail_id, /^600\d\d\d-MLA80000\d{6}_032026$/)
  const value = (id: string, name: string, value_name: string, value_id: string | null = null) => ({
    ...{ id, name, value_id, value_name, values: [{ id: value_id, name: value_name }] },
  })
  const thumbnail = `http://http2.example.com/D_${thumbnail_id}-I.jpg`
  const url = `http://http2.example.com/D_${thumbnail_id}-O.jpg`
  const item = plainItem({
    ...{ id, title: BODY.title, seller_id: seller.id, price: 12999, date_created: '2026-03-07T15:00:00.000Z' },
    ...{ family_name: 'Mates', subtitle: 'Con bombilla', condition: 'used', available_quantity: 5 },
    initial_quantity: 5,
    sale_terms: [value('WARRANTY_TIME', 'Garantía', '6 meses')],
    ...{ thumbnail_id, thumbnail, secure_thumbnail: thumbnail.replace('http:', 'https:') },
    pictures: [
      {
        ...{ id: thumbnail_id, url, secure_url: url.replace('http:', 'https:') },
        ...{ size: '500x500', max_size: '1200x1200', quality: '' },
      },
    ],
    shipping: {
      ...{ mode: 'me2', tags: ['self_service_out'], dimensions: '10x10x20,500', local_pick_up: false },
      ...{ free_shipping: true, logistic_type: 'drop_off', store_pick_up: false },
    },
    attributes: [
      { ...value('BRAND', 'Marca', 'Norte'), value_type: 'string' },
      { ...value('SELLER_SKU', 'SKU', 'MATE-1'), value_type: 'string' },
      { ...value('ITEM_CONDITION', 'Condición del ítem', 'Usado', '2230581'), value_type: 'list' },
    ],
    ...{ video_id: 'abc', warranty: '6 meses', seller_custom_field: 'S-1', official_store_id: 7 },
    ...{ catalog_product_id: 'MLA100', catalog_listing: true },
  })
  expectAnswer(t, created, 201, item)
  expectAnswer(t, await call(`/items/${id}`), 200, item)
  t.strictSame(await takeEvents(), [['items', `/items/${id}`]])
  t.strictSame((await seller.get(`/users/${seller.id}/items/search?seller_sku=MATE-1`)).body.results, [id])
  const described = await send('PUT', seller, `/items/${id}/description`, { plain_text: 'Calabaza curada.' })
  t.equal(described.status, 200, 'it has a description')
})

t.test('stock and status decide the state of a new listing', async (t) => {
  const seller = await createUser()
  for (const [more, status, sub_status] of [
    [{ available_quantity: 0 }, 'paused', ['out_of_stock']],
    [{ status: 'paused' }, 'paused', ['paused_by_seller']],
    [{ status: 'active', available_quantity: '7' }, 'active', []],
  ] as const) {
    const { body } = await seller.post('/items', { ...BODY, ...more })
    t.match(body, { status, sub_status, initial_quantity: Number(more.available_quantity ?? 5) })
  }
})

t.test('a listing with variations has their sum and their lowest price', async (t) => {
  const seller = await createUser()
  const { price: _, available_quantity: __, ...rest } = BODY
  const of = (price: number, available_quantity: number) => ({
    ...{ price, available_quantity, seller_custom_field: null, other: 1 },
    attribute_combinations: [{ name: 'Diseño', value_name: 'Liso' }],
  })
  const { status, body } = await seller.post('/items', { ...rest, variations: [of(900, 2), of(800, 1)] })
  t.match({ status, body }, { status: 201, body: { price: 800, available_quantity: 3, initial_quantity: 3 } })
  const [{ id }, other] = body.variations
  t.not(id, other.id)
  t.strictSame(body.variations[0], {
    ...{ id, price: 900 },
    attribute_combinations: [{ id: 'Diseño', name: 'Diseño', value_id: null, value_name: 'Liso' }],
    ...{ available_quantity: 2, sold_quantity: 0, sale_terms: [], picture_ids: [] },
    ...{ seller_custom_field: null, catalog_product_id: null },
  })
})

t.test('each cause has its row, and a refused call writes nothing [spec: items.causes]', async (t) => {
  const seller = await createUser()
  const names = ['title', 'category_id', 'price', 'currency_id', 'available_quantity', 'buying_mode', 'listing_type_id']
  const required = (...names: string[]) =>
    cause(
      0,
      'body.required_fields',
      names.map((name) => `item.${name}`),
      `The fields [${names.join(', ')}] are required for requested call`,
    )
  const types = (...names: string[]) =>
    cause(
      101,
      'body.invalid_field_types',
      names.map((name) => `item.${name}`),
      `The fields [${names.join(', ')}] have an invalid type`,
    )
  const price = (cause_id: number, message: string) => cause(cause_id, 'item.price.invalid', ['item.price'], message)
  const pictures = (cause_id: number, code: string, message: string) =>
    cause(cause_id, code, ['item.pictures'], message)
  const title = (cause_id: number, code: string, message: string) => cause(cause_id, code, ['item.title'], message)
  const notPlain = (at: number) =>
    cause(398, 'item.description.type.invalid', [`plain_text[${at}]`], 'The description must be in plain text')
  const rows: [more: object, ...causes: object[]][] = [
    [Object.fromEntries(names.map((name) => [name, undefined])), required(...names)],
    [{ price: '12', title: 7, pictures: 'x' }, types('pictures', 'price', 'title')],
    [{ variations: [{ price: 0 }], price: null }, types('price', 'variations')],
    [{ buying_mode: 'other', status: 'closed' }, types('buying_mode', 'status')],
    [{ price: 0.5 }, price(109, 'The category MLA3530 requires a minimum price of 1')],
    [{ price: 9_999_999_999 }, price(129, 'The price must be less than 9999999999')],
    [
      { category_id: 'MLB3530' },
      cause(
        126,
        'item.category_id.invalid',
        ['item.category_id'],
        "Is not allowed to post in category MLB3530. Make sure you're posting in a leaf category.",
      ),
    ],
    [
      { category_id: 'MLA7001', attributes: [{ id: 'BRAND', value_name: 'Norte' }] },
      cause(
        147,
        'item.attributes.missing_required',
        ['item.attributes'],
        'The attributes [MODEL] are required for category [MLA7001]',
        { department: 'structured-data' },
      ),
    ],
    [
      { pictures: undefined },
      pictures(173, 'item.listing_type_id.requiresPictures', 'Listing type gold_special requires at least one picture'),
    ],
    [{ pictures: Array(13).fill(SOURCE) }, pictures(201, 'item.pictures.max', 'The maximum number of pictures is 12')],
    [
      { pictures: [{ id: 'none' }, SOURCE, { id: 'no' }] },
      pictures(204, 'item.pictures.picture_not_found', 'Picture with id none not found'),
      pictures(204, 'item.pictures.picture_not_found', 'Picture with id no not found'),
    ],
    [{ title: ' ab ' }, title(3705, 'item.title.minimum_length', 'The title must have at least 3 characters')],
    [{ title: 'x'.repeat(61) }, title(3706, 'item.title.length.invalid', 'The title must have at most 60 characters')],
    [{ description: 'a < b <b>' }, notPlain(6)],
    [{ description: { plain_text: 'á😀' } }, notPlain(1)],
    [
      { description: 'x'.repeat(50_001) },
      cause(
        3707,
        'item.descriptions.length_exceeded',
        ['plain_text'],
        'The description must have at most 50000 characters',
      ),
    ],
    [
      { price: 0.5, title: 'x', shipping: { mode: 'custom' } },
      price(109, 'The category MLA3530 requires a minimum price of 1'),
      title(3705, 'item.title.minimum_length', 'The title must have at least 3 characters'),
      cause(
        4029,
        'shipping.me2_adoption_mandatory',
        ['item.shipping.mode'],
        'The seller must offer the shipping mode me2',
        { department: 'shipping', type: 'warning' },
      ),
    ],
  ]
  await takeEvents()
  for (const [more, ...causes] of rows)
    for (const path of ['/items', '/items/validate'])
      expectAnswer(t, await seller.post(path, { ...BODY, ...more }), 400, refusal(...causes), JSON.stringify(more))
  t.strictSame(await takeEvents(), [])
  t.equal((await seller.get(`/users/${seller.id}/items/search`)).body.paging.total, 0)
})

t.test('bodies that are none, and warnings', async (t) => {
  const seller = await createUser()
  const noBody = { message: 'body.invalid', error: 'A body is expected. (B)', status: 400, cause: [] }
  for (const path of ['/items', '/items/validate']) {
    expectAnswer(t, await seller.post(path), 400, noBody)
    expectAnswer(t, await seller.post(path, '{'), 400, badRequest('body: must be JSON'))
    for (const body of ['[]', 'null', '7'])
      expectAnswer(t, await seller.post(path, body), 400, badRequest('body: must be a JSON object'))
    expectAnswer(t, await call({ method: 'POST', url: path, payload: '{' }), 401, NO_TOKEN)
  }
  const nested = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`
  const deep = JSON.stringify({ ...BODY, shipping: { mode: 'me2' } }).replace('{', `{"other":${nested},`)
  t.equal((await seller.post('/items', deep)).status, 201, 'an ignored member is nested deeply')

  const valid = await seller.post('/items/validate', { ...BODY, shipping: { mode: 'custom' } })
  t.match(valid, { status: 204, text: '' })
  const { body } = await seller.post('/items', { ...BODY, shipping: { mode: 'custom' } })
  t.equal(Object.keys(body).at(-1), 'warnings')
  t.match(body.warnings, [{ cause_id: 4029, type: 'warning' }])
  t.notOk('warnings' in (await call(`/items/${body.id}`)).body)
  const classified = await seller.post('/items', { ...BODY, buying_mode: 'classified', shipping: { mode: 'custom' } })
  t.notOk('warnings' in classified.body)
})

t.test('a closed listing is relisted once [spec: items.relist]', async (t) => {
  const seller = await createUser()
  const { id } = (await seller.post('/items', { ...BODY, description: 'Curada.', seller_custom_field: 'S-1' })).body
  expectAnswer(
    t,
    await seller.post(`/items/${id}/relist`, {}),
    400,
    errorBody(400, 'validation_error', `Item ${id} cannot be relisted`),
  )
  const closed = (await send('PUT', seller, `/items/${id}`, { status: 'closed' })).body
  await takeEvents()
  setClock(NOW + 60_000)
  const relisted = await seller.post(`/items/${id}/relist`, { price: 500, quantity: 2, listing_type_id: 'gold_pro' })
  const { id: newId, user_product_id } = relisted.body
  const date_created = '2026-03-07T15:01:00.000Z'
  const stop = '2026-05-06T15:01:00.000Z'
  expectAnswer(t, relisted, 201, {
    ...closed,
    ...{ id: newId, user_product_id, price: 500, base_price: 500, listing_type_id: 'gold_pro', parent_item_id: id },
    ...{ initial_quantity: 2, available_quantity: 2, status: 'active', sub_status: [] },
    permalink: `https://articulo.example.com/${newId}`,
    ...{ date_created, last_updated: date_created, start_time: date_created },
    ...{ stop_time: stop, end_time: stop, expiration_time: stop },
  })
  t.strictSame(await takeEvents(), [
    ['items', `/items/${newId}`],
    ['items', `/items/${id}`],
  ])
  t.equal(
    (await seller.post(`/items/${newId}/description`, { plain_text: 'x' })).status,
    400,
    'it has that description',
  )
  expectAnswer(
    t,
    await seller.post(`/items/${id}/relist`),
    400,
    errorBody(400, 'validation_error', `Item ${id} was already relisted`),
  )
})

t.test('writes a description once, and replaces it [spec: items.description.write]', async (t) => {
  const seller = await createUser()
  const id = await createListing(seller)
  const path = `/items/${id}/description`
  await takeEvents()
  const missing = notFound(`Description of item ${id} not found`)
  expectAnswer(t, await send('PUT', seller, path, { plain_text: 'Hola' }), 404, missing)
  const text = (plain_text: string, last_updated: string) => ({
    ...{ text: '', plain_text, last_updated, date_created: '2026-03-07T15:00:00.000Z' },
    snapshot: { url: '', width: 0, height: 0, status: '' },
  })
  expectAnswer(t, await seller.post(path, { plain_text: 'Hola' }), 201, text('Hola', '2026-03-07T15:00:00.000Z'))
  expectAnswer(t, await seller.post(path, { plain_text: 'x' }), 400, badRequest('Item already has a description'))
  t.strictSame(await takeEvents(), [['items', `/items/${id}`]])
  setClock(NOW + 60_000)
  const replaced = await send('PUT', seller, `${path}?api_version=2`, { plain_text: 'Chau' })
  expectAnswer(t, replaced, 200, text('Chau', '2026-03-07T15:01:00.000Z'))
  const refused = await send('PUT', seller, path, { plain_text: 'Hola <b>' })
  t.strictSame(refused.body, {
    ...errorBody(400, 'validation_error', 'Validation error'),
    cause: [cause(398, 'item.description.type.invalid', ['plain_text[5]'], 'The description must be in plain text')],
  })
  t.equal(
    (await send('PUT', seller, path, { plain_text: 7 })).body.message,
    'plain_text: must be a string without U+0000',
  )
  t.strictSame(await takeEvents(), [['items', `/items/${id}`]])
})

t.test('adds, changes and removes single variations [spec: items.variations.write]', async (t) => {
  const seller = await createUser()
  const id = await createListing(seller)
  const path = `/items/${id}/variations`
  await takeEvents()
  const colour = (name: string) => [{ id: 'COLOR', value_name: name }]
  const added = await seller.post(path, { available_quantity: 2, attribute_combinations: colour('Azul') })
  const first = {
    ...{ id: added.body.id, price: 1000 },
    attribute_combinations: [{ id: 'COLOR', name: 'Color', value_id: null, value_name: 'Azul' }],
    ...{ available_quantity: 2, sold_quantity: 0, sale_terms: [], picture_ids: [] },
    ...{ seller_custom_field: null, catalog_product_id: null },
  }
  expectAnswer(t, added, 201, first)
  const isLast = errorBody(400, 'validation_error', 'The last variation of an item cannot be removed')
  expectAnswer(t, await seller.delete(`${path}/${first.id}`), 400, isLast)
  const second = (await seller.post(path, { price: 700, available_quantity: 4 })).body
  const members = async (t: Test, expected: object) => t.match((await seller.get(`/items/${id}`)).body, expected)
  await members(t, { price: 700, available_quantity: 6, initial_quantity: 6 })
  await takeEvents()
  const changed = await send('PUT', seller, `${path}/${first.id}`, { price: 600, available_quantity: 0 })
  expectAnswer(t, changed, 200, { ...first, price: 600, available_quantity: 0 })
  t.strictSame(await takeEvents(), [
    ['items', `/items/${id}`],
    ['items_prices', `/items/${id}`],
  ])
  await members(t, { price: 600, available_quantity: 4 })
  expectAnswer(t, await seller.delete(`${path}/${second.id}`), 200, [{ ...first, price: 600, available_quantity: 0 }])
  await members(t, { status: 'paused', sub_status: ['out_of_stock'], available_quantity: 0 })
  const unknown = notFound(`Variation with id ${second.id} not found`)
  expectAnswer(t, await send('PUT', seller, `${path}/${second.id}`, {}), 404, unknown)
  expectAnswer(t, await seller.delete(`${path}/x`), 404, notFound('Variation with id x not found'))
})

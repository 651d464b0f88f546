import { eq } from 'drizzle-orm'
import t, { type Test } from 'tap'
import type { ItemDetails } from '../../domains/items/details.ts'
import { readBack } from '../../domains/items/read_back.ts'
import type { Item } from '../../domains/items/schemas.ts'
import { item, item_description } from '../../domains/items/tables.ts'
import { DAY, NOW, start } from '../support/app.ts'
import { plainItem } from '../support/items.ts'
import { errorBody, expectAnswer, questionFixtures } from '../support/questions.ts'

// What a listing answers [spec: items.read].

const app = await start(t)
const { world, call, control } = app
const { createUser, createListing, setClock } = questionFixtures(app)
t.beforeEach(() => setClock(NOW))

const DATE = '2026-03-07T15:00:00.000Z'

/** Replaces columns of a listing; `details` as an object. */
const store = (
  id: string,
  { details = {}, ...columns }: Omit<Partial<typeof item.$inferInsert>, 'details'> & { details?: ItemDetails },
) =>
  world.tx(async (q) =>
    q.db
      .update(item)
      .set({ ...columns, details: JSON.stringify(details) })
      .where(eq(item.id, id))
      .run(),
  )
const assume = async (t: Test, name: string, value: string, usual: string) => {
  t.equal((await control(`PATCH /assumptions/${name}`, { value })).status, 200)
  t.teardown(() => control(`PATCH /assumptions/${name}`, { value: usual }))
}

t.test('answers 52 members of a listing of which nothing was said', async (t) => {
  const seller = await createUser()
  const id = await createListing(seller)
  const whole = plainItem({ id, title: 'Silla', seller_id: seller.id, price: 1000, date_created: DATE })
  const answer = await call(`/items/${id}`)
  expectAnswer(t, answer, 200, whole)
  t.equal(Object.keys(answer.body).length, 52)
  t.strictSame((await call(`/items?ids=${id},MLA5`)).body[0], { code: 200, body: whole })
})

const value = (id: string, name: string, value_name: string, value_id: string | null = null) => ({
  ...{ id, name, value_id, value_name },
})

t.test('shows quantities to the owner only where a world says so', async (t) => {
  const seller = await createUser()
  const other = await createUser()
  const id = await createListing(seller)
  const variation = { id: 7, price: 5, attribute_combinations: [], picture_ids: [] }
  await store(id, { details: { variations: [{ ...variation, available_quantity: 2, sold_quantity: 1 }] } })
  await assume(t, 'items.private_quantities', 'owner_only', 'shown')
  const hidden = [undefined, undefined, undefined, undefined, undefined]
  const quantities = ({ initial_quantity, available_quantity, sold_quantity, variations: [one] }: Item) => [
    ...[initial_quantity, available_quantity, sold_quantity, one!.available_quantity, one!.sold_quantity],
  ]
  const listing = `/items/${id}`
  t.strictSame(quantities((await seller.get(listing)).body), [1, 1, 0, 2, 1])
  t.strictSame(quantities((await other.get(listing)).body), hidden)
  const { body, text } = await call(listing)
  t.strictSame(quantities(body), hidden)
  t.notMatch(text, 'quantity')
  t.equal(Object.keys(body).length, 49)
  t.strictSame(quantities((await seller.get(`/items?ids=${id}`)).body[0].body), [1, 1, 0, 2, 1])
  t.strictSame(quantities((await call(`/items?ids=${id}`)).body[0].body), hidden)
  t.strictSame(quantities((await control(`GET ${listing}`)).body), [1, 1, 0, 2, 1])
})

t.test('stops a new article after twenty years where a world says so, and the search follows', async (t) => {
  const seller = await createUser()
  const ids = [await createListing(seller), await createListing(seller), await createListing(seller)]
  const [first, second, third] = ids as [string, string, string]
  for (const [n, id] of ids.entries()) await store(id, { date_created: NOW + n * DAY })
  await store(second, { date_created: NOW + DAY, details: { condition: 'used' } })
  const stops = async () =>
    (await call(`/items?ids=${ids}&attributes=stop_time,end_time`)).body.map(({ body }: { body: Item }) => {
      t.equal(body.end_time, body.stop_time)
      return body.stop_time
    })
  const found = async (query: string) => (await seller.get(`/users/${seller.id}/items/search?${query}`)).body
  t.strictSame(await stops(), ['2026-05-06T15:00:00.000Z', '2026-05-07T15:00:00.000Z', '2026-05-08T15:00:00.000Z'])
  t.strictSame((await found('orders=stop_time_asc')).results, ids)
  await assume(t, 'items.search.stop_time', '20 years', '60 days')
  t.strictSame(await stops(), ['2046-03-07T15:00:00.000Z', '2026-05-07T15:00:00.000Z', '2046-03-09T15:00:00.000Z'])
  t.strictSame((await found('orders=stop_time_asc')).results, [second, first, third])
  t.strictSame((await found('orders=stop_time_desc')).results, [third, first, second])
  t.strictSame((await found('orders=start_time_asc')).results, ids)
  const scanned: string[] = []
  let page = await found('search_type=scan&limit=1')
  for (; page.results.length > 0; page = await found(`search_type=scan&limit=1&scroll_id=${page.scroll_id}`))
    scanned.push(...page.results)
  t.strictSame(scanned, [second, first, third], 'a scan, too')
})

t.test('a promotion ends by the clock of the world', async (t) => {
  const seller = await createUser()
  const id = await createListing(seller)
  const variation = { id: 7, price: 1000, attribute_combinations: [], picture_ids: [] }
  const variations = [{ ...variation, available_quantity: 1, sold_quantity: 0 }]
  await store(id, { price: 800, promotion_until: NOW + DAY, details: { original_price: 1000, variations } })
  const prices = async () => {
    const { price, base_price, original_price, variations } = (await call(`/items/${id}`)).body
    return [price, base_price, original_price, variations[0].price]
  }
  t.strictSame(await prices(), [800, 1000, 1000, 800])
  setClock(NOW + DAY - 1)
  t.strictSame(await prices(), [800, 1000, 1000, 800])
  setClock(NOW + DAY)
  t.strictSame(await prices(), [1000, 1000, null, 1000])
  setClock(NOW)
  t.strictSame(await prices(), [800, 1000, 1000, 800], 'and begins again with it')
})

const DESCRIPTION = {
  text: '',
  plain_text: 'Silla de madera.\nSin clavos.',
  last_updated: '2026-03-08T15:00:00.000Z',
  date_created: DATE,
  snapshot: { url: '', width: 0, height: 0, status: '' },
}

t.test('answers the description of a listing', async (t) => {
  const id = await createListing(await createUser())
  const missing = errorBody(404, 'not_found', `Description of item ${id} not found`)
  expectAnswer(t, await call(`/items/${id}/description`), 404, missing)
  expectAnswer(t, await call(`/items/${id}/descriptions`), 200, [])
  const { plain_text } = DESCRIPTION
  const row = { item_id: id, plain_text, date_created: NOW, last_updated: NOW + DAY }
  await world.tx(async (q) => q.db.insert(item_description).values(row).run())
  expectAnswer(t, await call(`/items/${id}/description`), 200, DESCRIPTION)
  expectAnswer(t, await call(`/items/${id}/descriptions`), 200, [DESCRIPTION])
  t.strictSame((await call(`/items/${id}/description?attributes=plain_text`)).body, { plain_text })
})

t.test('reads back what a listing was stored with', async (t) => {
  const seller = await createUser()
  const id = await createListing(seller)
  const value = { id: 'COLOR', name: 'Color', value_id: '52049', value_name: 'Negro' }
  const details: ItemDetails = {
    ...{ family_name: 'Mate', subtitle: 'Grande', condition: 'used', listing_type_id: 'gold_pro', initial_quantity: 9 },
    ...{ buying_mode: 'buy_it_now', pictures: ['1-A', '2-B'], video_id: 'v1', warranty: 'Un mes', sale_terms: [value] },
    attributes: [value, { id: 'ITEM_CONDITION', name: 'Condición', value_id: null, value_name: 'Usado' }],
    variations: [
      {
        ...{ id: 5, price: 800, available_quantity: 1, sold_quantity: 2, attribute_combinations: [value] },
        ...{ picture_ids: ['1-A'], attributes: [value], seller_custom_field: 'a', catalog_product_id: 'MLA1' },
      },
    ],
    shipping: {
      ...{ local_pick_up: true, free_shipping: true, dimensions: '1x2x3,4', logistic_type: 'fulfillment' },
      free_methods: [{ id: 73328, rule: { free_mode: 'country', value: null } }],
    },
    ...{ sub_status: ['held'], tags: ['test_item'], original_price: 1000, catalog_product_id: 'MLA1' },
    ...{ catalog_listing: true, domain_id: 'MLA-MATES', official_store_id: 3, seller_custom_field: 'a' },
    ...{ parent_item_id: 'MLA2', health: 0.5 },
  }
  await store(id, { price: 800, details })
  const answer = (await call(`/items/${id}?include_attributes=all`)).body
  const { details: read, ...columns } = readBack(answer)
  t.strictSame(columns, { price: 800, shipping_mode: 'me2', in_flex: false })
  const { store_pick_up: _, ...shipping } = read.shipping as { store_pick_up: boolean }
  t.strictSame({ ...read, shipping }, details)
  await store(id, { price: 800, details: { ...read, shipping } as ItemDetails })
  t.strictSame((await call(`/items/${id}?include_attributes=all`)).body, answer)
  t.strictSame(readBack({ base_price: 5, variations: 'x', shipping: null }).price, 5)
})

t.test('answers the variations of a listing', async (t) => {
  const id = await createListing(await createUser())
  const variation = (n: number, colour: string) => ({
    id: n,
    price: 1000,
    attribute_combinations: [value('COLOR', 'Color', colour, '52049')],
    available_quantity: n,
    sold_quantity: 0,
    sale_terms: [],
    picture_ids: [`10000${n}-MLA77_032026`],
    seller_custom_field: n === 1 ? 'AZUL' : null,
    catalog_product_id: null,
  })
  const stored = [variation(1, 'Azul'), variation(2, 'Rojo')].map(
    ({ sale_terms: _, seller_custom_field, catalog_product_id: __, ...one }) => ({
      ...one,
      ...(seller_custom_field && { seller_custom_field }),
      attributes: [value('SELLER_SKU', 'SKU', 'A-1')],
    }),
  )
  await store(id, { details: { variations: stored } })
  const plain = [variation(1, 'Azul'), variation(2, 'Rojo')]
  expectAnswer(t, await call(`/items/${id}/variations`), 200, plain)
  expectAnswer(t, await call(`/items/${id}/variations/2`), 200, plain[1]!)
  t.strictSame((await call(`/items/${id}`)).body.variations, plain)
  const sku = value('SELLER_SKU', 'SKU', 'A-1')
  const attributes = [{ ...sku, values: [{ id: null, name: 'A-1' }], value_type: 'string' }]
  const whole = plain.map((one) => ({ ...one, attributes }))
  expectAnswer(t, await call(`/items/${id}/variations?include_attributes=all`), 200, whole)
  expectAnswer(t, await call(`/items/${id}/variations/1?include_attributes=all`), 200, whole[0]!)
  t.strictSame((await call(`/items/${id}?include_attributes=all`)).body.variations, whole)
  t.strictSame((await call(`/items?ids=${id}&include_attributes=all`)).body[0].body.variations, whole)
  for (const n of ['3', 'x'])
    expectAnswer(
      t,
      await call(`/items/${id}/variations/${n}`),
      404,
      errorBody(404, 'not_found', `Variation with id ${n} not found`),
    )
})

t.test('answers the prices of a listing, and what buyers pay', async (t) => {
  const id = await createListing(await createUser())
  const conditions = { context_restrictions: [], start_time: null, end_time: null }
  const standard = { id: '1', type: 'standard', amount: 1000, regular_amount: null }
  const common = { currency_id: 'ARS', last_updated: DATE, conditions }
  expectAnswer(t, await call(`/items/${id}/prices`), 200, { id, prices: [{ ...standard, ...common }] })
  const paid = { currency_id: 'ARS', reference_date: DATE, metadata: {} }
  const usual = { price_id: '1', amount: 1000, regular_amount: null, ...paid }
  expectAnswer(t, await call(`/items/${id}/sale_price`), 200, usual)
  await store(id, { price: 800, promotion_until: NOW + DAY, details: { original_price: 1000 } })
  const promotion = { id: '2', type: 'promotion', amount: 800, regular_amount: 1000, ...common }
  const until = { ...conditions, end_time: '2026-03-08T15:00:00.000Z' }
  expectAnswer(t, await call(`/items/${id}/prices`), 200, {
    id,
    prices: [
      { ...standard, ...common },
      { ...promotion, conditions: until },
    ],
  })
  expectAnswer(t, await call(`/items/${id}/sale_price`), 200, {
    price_id: '2',
    amount: 800,
    regular_amount: 1000,
    ...paid,
  })
  setClock(NOW + DAY)
  const later = { ...usual, reference_date: '2026-03-08T15:00:00.000Z' }
  expectAnswer(t, await call(`/items/${id}/sale_price`), 200, later)
})

t.test('a deleted listing is there for its seller only', async (t) => {
  const seller = await createUser()
  const id = await createListing(seller, 'closed')
  await store(id, { details: { sub_status: ['deleted'] } })
  const missing = errorBody(404, 'not_found', `Item with id ${id} not found`)
  for (const part of ['', '/descriptions', '/variations', '/prices', '/sale_price']) {
    expectAnswer(t, await call(`/items/${id}${part}`), 404, missing, part)
    expectAnswer(t, await (await createUser()).get(`/items/${id}${part}`), 404, missing, part)
    t.equal((await seller.get(`/items/${id}${part}`)).status, 200, part)
  }
  t.strictSame((await call(`/items?ids=${id}`)).body, [{ code: 404, body: missing }])
  t.strictSame((await seller.get(`/items/${id}`)).body.sub_status, ['deleted'])
})

import t from 'tap'
import { bearer, start } from '../support/app.ts'
import { JPG, MULTIPART_TYPE, multipart } from '../support/multipart.ts'

const { sellers, buyers, call, control } = await start(t, { scenario: 'demo' })
const [seller, other] = sellers as [(typeof sellers)[0], (typeof sellers)[0]]
const [buyer] = buyers as [(typeof buyers)[0]]
const ITEM = 'MLA1400000001'
/** The marketplace has it in store. */
const STORED = 'MLA1400000013'
const error = (status: number, code: string, message: string) => ({ message, error: code, status, cause: [] })
const NOT_FOUND = error(404, 'not_found', 'Not found')
const FORBIDDEN = error(403, 'access_denied', 'access to the requested resource is forbidden')
const read = async (url: string) => (await seller.get(url)).body
const paging = { total: 0, offset: 0, limit: 50 }
const item = await read(`/items/${ITEM}`)
const stored = await read(`/items/${STORED}`)
const { available_quantity: units } = stored
const { order, pack } = (await control('POST /orders', { item_id: ITEM, buyer: buyer.id })).body
const fiscal = `/packs/${pack.id}/fiscal_documents`

t.test('answers with the members that programs read [spec: fallback.no_state]', async (t) => {
  const { id, nickname } = seller
  const unit = { user_id: id, id: item.user_product_id }
  const rows: [string, unknown][] = [
    [
      '/advertising/advertisers?product_id=PADS',
      { advertisers: [{ advertiser_id: id, site_id: 'MLA', advertiser_name: nickname, account_name: nickname }] },
    ],
    ['/advertising/advertisers/1/product_ads/campaigns/search', { paging, results: [] }],
    [`/seller-promotions/users/${id}?limit=3&offset=7`, { results: [], paging: { total: 0, offset: 7, limit: 3 } }],
    [
      `/user-products/${item.user_product_id}/stock`,
      { locations: [{ type: 'selling_address', quantity: item.available_quantity - 1 }], ...unit },
    ],
    [
      `/inventories/${stored.inventory_id}/stock/fulfillment`,
      {
        ...{ inventory_id: stored.inventory_id, total: units, available_quantity: units, not_available_quantity: 0 },
        ...{ not_available_detail: [], external_references: [{ type: 'item', id: STORED, variation_id: null }] },
      },
    ],
    ['/billing/integration/periods/key/2026-03-01/documents', { offset: 0, limit: 50, total: 0, results: [] }],
    [`/items/${ITEM}/listing_type`, { id: item.listing_type_id }],
    [
      '/highlights/MLA/category/MLA7001',
      { query_data: { highlight_type: 'BEST_SELLER', criteria: 'CATEGORY', id: 'MLA7001' }, content: [] },
    ],
    [`/users/${id}/brands`, { cust_id: id, brands: [] }],
    [
      `/users/${id}/mercadopago_account/balance`,
      { user_id: id, total_amount: 0, available_balance: 0, unavailable_balance: 0, currency_id: 'ARS' },
    ],
    ['/users/me/bookmarks', []],
    ['/catalog/charts/search', { charts: [], paging }],
    [
      '/sites/MPY/identification_types',
      [{ id: 'OTHER', name: 'OTHER', type: 'number', min_length: 1, max_length: 20 }],
    ],
    [fiscal, NOT_FOUND],
    ['/vis/leads/1', NOT_FOUND],
    ['/suggestions/items/MLA1/details', NOT_FOUND],
    ['/marketplace/orders/search', FORBIDDEN],
    ['/global/items/MLA1', FORBIDDEN],
  ]
  for (const [path, body] of rows) t.equal((await seller.get(path)).text, JSON.stringify(body), path)
  const product = await read(`/user-products/${item.user_product_id}`)
  t.strictSame([product.name, product.user_id, product.domain_id], [item.title, id, item.domain_id])
  t.equal((await seller.get(`/user-products/${item.user_product_id}/stock`)).headers['x-version'], '1')
  const [period] = (await read('/billing/integration/monthly/periods')).results
  t.strictSame([period.period, period.key], [{ date_from: '2026-03-01', date_to: '2026-03-31' }, '2026-03-01'])
  t.strictSame((await read('/billing/integration/monthly/periods?offset=1')).results, [])
  const trends = (await call('/trends/MLB')).body
  t.strictSame([trends.length, trends[0].keyword], [10, 'eletrônicos, áudio e vídeo'], 'without a token')
})

t.test('is about things of the world, and the caller [spec: fallback.subjects]', async (t) => {
  const rows: [string, unknown][] = [
    ['/users/999/brands', FORBIDDEN],
    [`/users/${other.id}/brands`, FORBIDDEN],
    ['/users/x/brands', FORBIDDEN],
    ['/items/MLA1499999999/listing_type', error(404, 'not_found', 'Item with id MLA1499999999 not found')],
    ['/reviews/item/MLA1499999999', error(404, 'not_found', 'Item with id MLA1499999999 not found')],
    ['/user-products/MLAU1499999999', error(404, 'not_found', 'Item with id MLA1499999999 not found')],
    // Only what the marketplace stores has an inventory.
    [`/inventories/MLAI${ITEM.slice(3)}/stock/fulfillment`, error(404, 'not_found', `Item with id ${ITEM} not found`)],
    ['/trends/XXX', error(404, 'not_found', 'Site with id XXX not found')],
    ['/trends/MLA/MLB7001', error(404, 'not_found', 'Category not found: MLB7001')],
    ['/packs/1/fiscal_documents', error(404, 'not_found', 'Order do not exists')],
    ['/catalog/charts/search?limit=x', error(400, 'bad_request', 'limit: must be an integer from 0 to 1000')],
  ]
  for (const [path, body] of rows) t.strictSame(await read(path), body, path)
  t.equal((await other.get(`/reviews/item/${ITEM}`)).status, 200, 'of a listing of another')
  t.strictSame((await other.get(`/items/${ITEM}/listing_type`)).body, FORBIDDEN)
  t.equal((await buyer.get(fiscal)).status, 403, 'only the seller of a pack')
  t.equal((await call(`/users/${seller.id}/brands`)).status, 401)
})

t.test('has attributes, JSONP, OPTIONS, HEAD and faults as every call', async (t) => {
  const path = `/users/${seller.id}/brands`
  t.strictSame(await read(`${path}?attributes=brands`), { brands: [] })
  t.match((await seller.get(`${path}?callback=f`)).text, /^f\(\[200,/)
  const options = await call({ method: 'OPTIONS', url: '/marketplace/a/b' })
  t.equal(options.headers.allow, 'DELETE, GET, HEAD, OPTIONS, POST, PUT')
  t.equal(options.body.name, 'Answers without state')
  t.equal((await call({ method: 'PATCH', url: '/marketplace/a/b' })).status, 405)
  t.equal((await call('/marketplace')).status, 404)
  t.equal((await seller.get(path, { headers: { 'x-sandbox-fault': '503' } })).status, 503)
})

t.test('answers an upload once, and keeps nothing [spec: fallback.fiscal_documents]', async (t) => {
  const upload = async (payload: string | Buffer | undefined, type = MULTIPART_TYPE) => {
    const headers = { ...bearer(seller.token), 'content-type': type }
    return call({ method: 'POST', url: fiscal, headers, ...(payload !== undefined && { payload }) })
  }
  const { status, body } = await upload(multipart(JPG, { name: 'fiscal_document' }))
  t.equal(status, 201)
  t.match(body.ids, [/^[0-9a-f]{32}$/])
  t.strictSame((await upload(multipart(JPG))).body, body, 'the same file has the same id')
  const refused = error(400, 'bad_request', 'The body must be multipart/form-data with a file')
  for (const one of [await upload('x', 'text/plain'), await upload(undefined)]) t.strictSame(one.body, refused)
  t.strictSame(await read(`${fiscal}/${body.ids[0]}`), NOT_FOUND)
})

t.test('a stub of the same path replaces the answer [spec: fallback.stubs]', async (t) => {
  const path = `/reviews/item/${ITEM}`
  const usual = await read(path)
  const stub = { match: { path: '/reviews/item/{id}', query: { full: '1' } }, answer: { body: { reviews: [1] } } }
  const { id } = (await control('POST /stubs', stub)).body
  for (const answer of [await seller.get(`${path}?full=1`), await call(`${path}?full=1`)])
    t.strictSame(answer.body, { reviews: [1] })
  t.strictSame(await read(path), usual, 'another query is not its')
  t.equal((await call(path)).status, 401, 'which needs a token')
  t.equal((await call('/users/x/brands')).status, 401, 'before anything else')
  await control(`PATCH /stubs/${id}`, { access: 'token' })
  t.equal((await call(`${path}?full=1`)).status, 401)
  await control('DELETE /stubs')
})

t.test('says everywhere that it has no state', async (t) => {
  const { paging: page, results } = (await control('GET /stubs/built_in?limit=1000')).body
  t.equal(page.total, results.length)
  t.strictSame(
    results.find(({ path }: { path: string }) => path === '/vis/leads/{lead_id}'),
    { method: 'GET', path: '/vis/leads/{lead_id}', status: 404, summary: 'Read a lead: none' },
  )
  t.equal(new Set(results.map((one: object) => JSON.stringify(one))).size, results.length)

  await control('DELETE /requests')
  await read(`/users/${seller.id}/brands`)
  await read('/marketplace/items/MLA1')
  const text = async (n: number, lang: string) => {
    const { id } = (await control('GET /requests?limit=2')).body.results[n]
    return (await control(`GET /requests/${id}/explain?lang=${lang}`)).body.text as string
  }
  const said = { en: /its answer is built in and has no state/, es: /no tiene estado/, pt: /não tem estado/ }
  for (const [lang, words] of Object.entries(said)) for (const n of [0, 1]) t.match(await text(n, lang), words)
  const { findings } = (await control('GET /audit')).body
  t.strictSame(
    findings.map(({ id, evidence }: { id: string; evidence: { subjects: string[] } }) => [id, evidence.subjects]),
    [['calls.without_state', ['GET /users/:user_id/brands', 'GET /marketplace/*']]],
  )
  const { operations, other: others } = (await control('GET /coverage')).body
  const typed = operations.filter((one: { typed?: boolean }) => one.typed)
  t.strictSame(
    typed.map(({ call, calls }: { call: string; calls: number }) => [call, calls]),
    [
      ['GET /marketplace/*', 1],
      ['GET /users/:user_id/brands', 1],
    ],
    'those that were not called are not missing',
  )
  t.equal(others, 0)
})

t.test('a promotion lowers the price of the listing [spec: items.promotions, items.promotion.price]', async (t) => {
  const url = `/seller-promotions/items/${ITEM}`
  t.strictSame(await read(url), [])
  const set = await seller.post(url, {
    deal_price: item.price - 1,
    promotion_type: 'PRICE_DISCOUNT',
    finish_date: '2026-03-09T12:00:00Z',
  })
  t.strictSame([set.status, set.body], [201, { price: item.price - 1, original_price: item.price }])
  t.strictSame(await read(url), [
    { type: 'PRICE_DISCOUNT', status: 'started', ...set.body, finish_date: '2026-03-09T12:00:00.000Z' },
  ])
  t.equal((await read(`/items/${ITEM}`)).price, item.price - 1)
  t.strictSame(
    (await seller.post(url, { deal_price: item.price })).body,
    error(400, 'bad_request', `deal_price: must be below the price of the listing, ${item.price}`),
  )
  const lifted = await seller.delete(url)
  t.strictSame([lifted.status, lifted.body], [200, { price: item.price, original_price: null }])
  t.equal((await read(`/items/${ITEM}`)).price, item.price)
})

t.test(
  'reads parts of other answers [spec: claims.players, users.reputation.path, items.catalog_listings]',
  async (t) => {
    const { id } = (await control('POST /claims', { order_id: order.id })).body
    const { players } = await read(`/post-purchase/v1/claims/${id}`)
    t.strictSame(await read(`/post-purchase/v1/claims/${id}/actions`), players)
    t.strictSame(
      (await call(`/users/${seller.id}/reputation`)).body,
      (await call(`/users/${seller.id}`)).body.seller_reputation,
    )
    const listed = await seller.post('/items/catalog_listings', { item_id: ITEM, catalog_product_id: 'MLA9' })
    t.equal(listed.status, 201)
    t.strictSame(listed.body, await read(`/items/${ITEM}`))
    t.strictSame([listed.body.catalog_product_id, listed.body.catalog_listing], ['MLA9', true])
  },
)

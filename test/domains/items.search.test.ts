import { eq } from 'drizzle-orm'
import t from 'tap'
import { item } from '../../domains/items/tables.ts'
import { user } from '../../domains/users/tables.ts'
import { MINUTE, NOW, type Person, start } from '../support/app.ts'
import { badRequest, expectAnswer, FOREIGN, INVALID_TOKEN, notFound, questionFixtures } from '../support/questions.ts'

// GET /users/{user_id}/items/search [spec: items.search].

const app = await start(t)
const { world, call, control, sellers } = app
const { createUser, moveListing, setClock } = questionFixtures(app)
t.beforeEach(() => setClock(NOW))

const ORDERS = [
  { id: 'stop_time_asc', name: 'Order by stop time ascending' },
  { id: 'stop_time_desc', name: 'Order by stop time descending' },
  { id: 'start_time_asc', name: 'Order by start time ascending' },
  { id: 'start_time_desc', name: 'Order by start time descending' },
  { id: 'price_asc', name: 'Order by price ascending' },
  { id: 'price_desc', name: 'Order by price descending' },
]

interface Page {
  paging: { limit: number; offset: number; total: number }
  results: string[]
  scroll_id?: string | null
}
const search = (seller: Person, query = '') => seller.get(`/users/${seller.id}/items/search${query && `?${query}`}`)
const pageOf = async (seller: Person, query = ''): Promise<Page> => (await search(seller, query)).body
const idsOf = async (seller: Person, query = '') => {
  const { results, paging } = await pageOf(seller, query)
  return [paging.total, ...results]
}

/** Listings `n` minutes after NOW, in order. */
async function createListings(seller: Person, rows: Partial<typeof item.$inferInsert>[]): Promise<string[]> {
  const ids = rows.map((_, n) => `MLA88${String(seller.id).slice(-4)}${String(n).padStart(4, '0')}`)
  const values = rows.map((row, n) => ({
    id: ids[n]!,
    site_id: 'MLA',
    title: 'Silla',
    seller_id: seller.id,
    price: 1000,
    currency_id: 'ARS',
    status: 'active' as const,
    shipping_mode: 'me2' as const,
    in_flex: 0,
    date_created: NOW + n * MINUTE,
    last_updated: NOW,
    ...row,
  }))
  await world.tx(async (q) => void q.db.insert(item).values(values).run())
  return ids
}

t.test('answers a complete page', async (t) => {
  const seller = await createUser()
  const [first, second] = await createListings(seller, [{}, {}])
  const answer = {
    seller_id: String(seller.id),
    query: null,
    paging: { limit: 50, offset: 0, total: 2 },
    results: [first, second],
    orders: [ORDERS[0]],
    available_orders: ORDERS,
  }
  expectAnswer(t, await search(seller), 200, answer)
  expectAnswer(t, await search(seller, 'q=silla&limit=1&offset=1&orders=price_desc'), 200, {
    ...answer,
    query: 'silla',
    paging: { limit: 1, offset: 1, total: 2 },
    results: [first],
    orders: [ORDERS[5]],
  })
  expectAnswer(t, await search(seller, 'attributes=results'), 200, { results: [first, second] })
  expectAnswer(t, await search(await createUser()), 200, {
    ...answer,
    seller_id: String((await createUser()).id - 1),
    paging: { limit: 50, offset: 0, total: 0 },
    results: [],
  })
  const demo = await search(sellers[0]!)
  t.equal(demo.body.results.length, 25)
  t.strictSame(demo.body.results.toSorted(), demo.body.results, 'newer listings of the demo have higher ids')
})

t.test('filters by status and by a text of the title', async (t) => {
  const seller = await createUser()
  const statuses = ['active', 'paused', 'closed', 'under_review', 'inactive'] as const
  const ids = await createListings(
    seller,
    statuses.map((status, n) => ({ status, title: n % 2 ? 'Mesa de PINO ñandú' : 'Mesa 100%_roble' })),
  )
  t.strictSame(await idsOf(seller), [5, ...ids])
  for (const [n, status] of statuses.slice(0, 4).entries())
    t.strictSame(await idsOf(seller, `status=${status}`), [1, ids[n]], status)
  const even = [ids[0], ids[2], ids[4]]
  const odd = [ids[1], ids[3]]
  const rows: [q: string, found: unknown[]][] = [
    ['mesa', ids],
    ['pino', odd],
    ['DE P', odd],
    ['ñandú', odd],
    ['%_r', even],
    ['_', even],
    ['silla', []],
    ["'", []],
  ]
  for (const [q, found] of rows)
    t.strictSame(await idsOf(seller, `q=${encodeURIComponent(q)}`), [found.length, ...found], q)
  t.strictSame(await idsOf(seller, 'q=pino&status=paused'), [1, ids[1]])
  await moveListing(ids[1]!, 'active')
  t.strictSame(await idsOf(seller, 'status=active'), [2, ids[0], ids[1]], 'the state of now')
})

t.test(
  'filters by what the answer of a listing shows [spec: items.search.filters, items.search.include_filters]',
  async (t) => {
    const seller = await createUser()
    const details = (more: object) => ({ details: JSON.stringify(more) })
    const [a, b, c, d] = await createListings(seller, [
      { category_id: 'MLA7001', in_flex: 1, ...details({ seller_custom_field: 'A-17', catalog_listing: true }) },
      {
        category_id: 'MLA7002',
        ...details({ listing_type_id: 'gold_pro', shipping: { logistic_type: 'cross_docking' } }),
      },
      { shipping_mode: 'custom', ...details({ tags: ['brand_verified'] }) },
      { ...details({ buying_mode: 'classified' }) },
    ])
    const rows: [query: string, found: unknown[]][] = [
      ['seller_custom_field=A-17', [a]],
      ['seller_custom_field=a-17', []],
      ['seller_custom_field=null', []],
      [`user_product_id=MLAU${b!.slice(3)}`, [b]],
      ['catalog_listing=true', [a]],
      ['catalog_listing=false', [b, c, d]],
      ['listing_type_id=gold_special', [a, c, d]],
      ['listing_type_id=gold_pro', [b]],
      ['category=MLA7001', [a]],
      ['category=MLA1000', [a, b]],
      ['category=MLA3530', [c, d]],
      ['category=MLB7001', []],
      ['tags=brand_verified', [c]],
      ['tags=good_quality_picture', [a, b, d]],
      ['tags=cart_eligible', [a, b]],
      ['tags=test_item', [a, b, c, d]],
      ['logistic_type=self_service', [a]],
      ['logistic_type=cross_docking', [b]],
      ['logistic_type=drop_off', [d]],
      ['logistic_type=default', [c]],
      ['category=MLA1000&logistic_type=cross_docking&q=silla&status=active', [b]],
      ['category=&tags=', [a, b, c, d]],
    ]
    for (const [query, found] of rows) t.strictSame(await idsOf(seller, query), [found.length, ...found], query)
    expectAnswer(
      t,
      await search(seller, 'catalog_listing=yes'),
      400,
      badRequest('catalog_listing: must be one of true, false'),
    )
    const first = await pageOf(seller, 'category=MLA1000&limit=1&search_type=scan&include_filters=true')
    t.strictSame(Object.entries(first).slice(-3), [
      ['filters', []],
      ['available_filters', []],
      ['scroll_id', first.scroll_id],
    ])
    t.strictSame(await idsOf(seller, `scroll_id=${first.scroll_id}`), [2, b], 'a scan goes on with its filters')
    t.notOk('filters' in (await pageOf(seller, 'include_filters=false')))

    await world.tx(async (q) => q.db.update(user).set({ tags: '[]' }).where(eq(user.id, seller.id)).run())
    t.strictSame(await idsOf(seller, 'tags=test_item'), [0], 'only listings of test users have that tag')
  },
)

t.test('orders by time and price, ties by id', async (t) => {
  const seller = await createUser()
  const [a, b, c, d] = await createListings(seller, [
    { price: 20 },
    { price: 10, date_created: NOW + 5 * MINUTE },
    { price: 20, date_created: NOW + 5 * MINUTE },
    { price: 15, date_created: NOW - MINUTE },
  ])
  const rows: [order: string, ids: unknown[]][] = [
    ['stop_time_asc', [d, a, b, c]],
    ['stop_time_desc', [c, b, a, d]],
    ['start_time_asc', [d, a, b, c]],
    ['start_time_desc', [c, b, a, d]],
    ['price_asc', [b, d, a, c]],
    ['price_desc', [c, a, d, b]],
  ]
  for (const [orders, ids] of rows) {
    t.strictSame(await idsOf(seller, `orders=${orders}`), [4, ...ids], orders)
    t.strictSame(await idsOf(seller, `orders=${orders}&limit=2&offset=1`), [4, ...ids.slice(1, 3)])
    for (const limit of [1, 2, 3]) {
      const scanned: string[] = []
      for (let scroll: string | null | undefined = ''; scroll !== null; ) {
        const query = `search_type=scan&orders=${orders}&limit=${limit}&scroll_id=${scroll}`
        const page: Page = await pageOf(seller, query)
        scanned.push(...page.results)
        scroll = page.scroll_id
      }
      t.strictSame(scanned, ids, `${orders}, scan with limit ${limit}`)
    }
  }
})

t.test('a scroll_id has no offset beside it [spec: items.search.scan_offset]', async (t) => {
  const seller = await createUser()
  const [, second] = await createListings(seller, [{}, {}])
  const { scroll_id } = await pageOf(seller, 'search_type=scan&limit=1')
  const combined = badRequest('offset: cannot be combined with scroll_id')
  expectAnswer(t, await search(seller, `scroll_id=${scroll_id}&offset=0`), 400, combined)
  await control('PATCH /assumptions/questions.scan_offset', { value: 'ignore' })
  t.strictSame((await pageOf(seller, `scroll_id=${scroll_id}&offset=5000`)).results, [second])
  await control('PATCH /assumptions/questions.scan_offset', { value: 'reject' })
})

t.test('a scan ends with an answer without listings [spec: items.search.scan]', async (t) => {
  const seller = await createUser()
  t.equal((await pageOf(seller, 'search_type=scan')).scroll_id, null, 'at once without listings')
  const [a, b] = await createListings(seller, [{}, {}])
  const full = await search(seller, 'search_type=scan&limit=2&offset=5000')
  t.strictSame(Object.keys(full.body).at(-1), 'scroll_id')
  t.strictSame([full.body.results, full.body.paging.offset], [[a, b], 0], 'a scan has no offset')
  const last = await pageOf(seller, `search_type=scan&scroll_id=${full.body.scroll_id}`)
  t.strictSame([last.results, last.scroll_id, last.paging.total], [[], null, 2])
  const start = await pageOf(seller, 'search_type=scan&limit=0')
  t.strictSame(start.results, [])
  t.strictSame(
    (await pageOf(seller, `limit=1&scroll_id=${start.scroll_id}`)).results,
    [a],
    'limit=0 stays at its place',
  )
  const end = await pageOf(seller, `limit=0&scroll_id=${full.body.scroll_id}`)
  t.equal(end.scroll_id, null, 'nothing remains')
})

t.test('a scroll_id lasts five minutes, for its caller and its search', async (t) => {
  const [seller, other] = [await createUser(), await createUser()]
  const ids = await createListings(seller, [{}, {}, {}])
  const first = await pageOf(seller, 'search_type=scan&limit=1&status=active&orders=stop_time_desc')
  t.strictSame(first.results, [ids[2]])
  setClock(NOW + 5 * MINUTE - 1)
  const second = await pageOf(seller, `scroll_id=${first.scroll_id}&limit=1&status=paused&orders=price_asc`)
  t.strictSame(second.results, [ids[1]], 'it keeps filters and order of its first call')
  const expired = badRequest('scroll_id: is unknown or has expired; begin again with search_type=scan')
  expectAnswer(t, await search(other, `scroll_id=${second.scroll_id}`), 400, expired, 'another caller')
  expectAnswer(t, await search(seller, `scroll_id=${second.scroll_id}x`), 400, expired, 'a modified one')
  expectAnswer(t, await search(seller, 'scroll_id=x.y'), 400, expired)
  const questions = await seller.get(`/questions/search?scroll_id=${second.scroll_id}`)
  expectAnswer(t, questions, 400, expired, 'another search')
  setClock(NOW + 5 * MINUTE)
  expectAnswer(t, await search(seller, `scroll_id=${first.scroll_id}`), 400, expired)
})

t.test('a scan goes beyond the limit of pages', async (t) => {
  const seller = await createUser()
  const ids = await createListings(
    seller,
    Array.from({ length: 1234 }, (_, n) => ({ date_created: NOW + Math.floor(n / 7) })),
  )
  t.strictSame((await pageOf(seller, 'offset=900&limit=100')).results, ids.slice(900, 1000))
  const tooDeep = badRequest('offset + limit must be at most 1000; use search_type=scan')
  expectAnswer(t, await search(seller, 'offset=901&limit=100'), 400, tooDeep)
  expectAnswer(t, await search(seller, 'offset=1001&limit=0'), 400, tooDeep)
  const scanned: string[] = []
  for (let scroll: string | null | undefined = ''; scroll !== null; ) {
    const page: Page = await pageOf(seller, `search_type=scan&limit=100&scroll_id=${scroll}`)
    t.equal(page.paging.total, 1234)
    scanned.push(...page.results)
    scroll = page.scroll_id
  }
  t.strictSame(scanned, ids)
})

t.test('rejects invalid parameters, other callers and unknown users', async (t) => {
  const [seller, other] = [await createUser(), await createUser()]
  const limit = badRequest('limit: must be an integer from 0 to 100')
  const rows: [query: string, body: object][] = [
    ['limit=101', limit],
    ['limit=-1', limit],
    ['limit=x', limit],
    ['offset=-1', badRequest('offset: must be an integer, 0 or more')],
    ['status=inactive', badRequest('status: must be one of active, paused, closed, under_review')],
    ['status=ACTIVE', badRequest('status: must be one of active, paused, closed, under_review')],
    ['orders=id_asc', badRequest(`orders: must be one of ${ORDERS.map(({ id }) => id).join(', ')}`)],
    ['search_type=all', badRequest('search_type: must be one of scan')],
  ]
  for (const [query, body] of rows) expectAnswer(t, await search(seller, query), 400, body, query)
  const url = (id: unknown) => `/users/${id}/items/search`
  expectAnswer(t, await call({ url: url(seller.id), headers: { authorization: 'Bearer x' } }), 401, INVALID_TOKEN)
  expectAnswer(t, await other.get(url(seller.id)), 403, FOREIGN)
  for (const id of ['5', 'me', '1.5', '9007199254740993'])
    expectAnswer(t, await seller.get(url(id)), 404, notFound(`User with id ${id} not found`))
})

t.test('finds a listing by the code of its seller [spec: items.search.sku]', async (t) => {
  const seller = await createUser()
  const listing = async (seller_sku?: string | null): Promise<string> => {
    const created = (
      await control('POST /items', {
        seller_id: seller.id,
        title: 'Mate',
        ...(seller_sku !== undefined && { seller_sku }),
      })
    ).body
    t.equal(created.seller_sku, seller_sku ?? null)
    return created.id
  }
  const [a, b, none] = [await listing('MATE-001'), await listing('MATE-0011'), await listing()]
  for (const [query, found] of [
    ['seller_sku=MATE-001', [a]],
    ['sku=MATE-001', [a]],
    ['sku=mate-001', []],
    ['sku=MATE', []],
    ['sku=null', []],
    ['seller_sku=MATE-001&sku=MATE-0011', []],
    ['seller_sku=MATE-0011&sku=MATE-0011&status=active&q=mate', [b]],
    ['search_type=scan&sku=MATE-001', [a]],
  ] as const)
    t.strictSame((await pageOf(seller, query)).results, found, query)
  await control(`PATCH /items/${a}`, { seller_sku: null })
  await control(`PATCH /items/${none}`, { seller_sku: 'MATE-001' })
  t.strictSame((await pageOf(seller, 'sku=MATE-001')).results, [none])
})

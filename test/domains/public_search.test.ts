import t from 'tap'
import { bearer, start } from '../support/app.ts'

// GET /sites/:site_id/search [spec: search.public].

const { sellers, call, control } = await start(t, { scenario: 'demo' })
const [seller, other] = sellers as [(typeof sellers)[0], (typeof sellers)[0]]
const FORBIDDEN = '{"message":"forbidden","error":"forbidden","status":403,"cause":[]}'
const open = (value: 'open' | 'closed') => control('PATCH /assumptions/search.public', { value })
const found = async (query: string) => (await call(`/sites/MLA/search?${query}`)).body

t.test('is closed to everyone', async (t) => {
  for (const url of ['/sites/MLA/search', '/sites/MLA/search?q=mate', '/sites/XXX/search'])
    for (const send of [call, seller.get]) {
      const answer = await send(url)
      t.strictSame([answer.status, answer.text], [403, FORBIDDEN], url)
    }
})

t.test('searches the active listings of a site where a world opens it', async (t) => {
  await open('open')
  const item = (await call('/items/MLA1400000001')).body
  const page = await call('/sites/MLA/search?limit=1')
  t.equal(
    page.text,
    JSON.stringify({
      site_id: 'MLA',
      query: null,
      paging: { total: 17, primary_results: 17, offset: 0, limit: 1 },
      results: [
        {
          id: item.id,
          title: item.title,
          price: item.price,
          currency_id: 'ARS',
          condition: item.condition,
          thumbnail: item.thumbnail,
          permalink: item.permalink,
          category_id: item.category_id,
          seller: { id: seller.id, nickname: 'VENDEDOR_MLA' },
          shipping: item.shipping,
          available_quantity: item.available_quantity,
          sold_quantity: item.sold_quantity,
          attributes: item.attributes,
          installments: null,
        },
      ],
      sort: { id: 'relevance', name: 'More relevant' },
      available_sorts: [
        { id: 'price_asc', name: 'Lower price' },
        { id: 'price_desc', name: 'Higher price' },
      ],
      filters: [],
      available_filters: [],
    }),
  )
  const prices = (await found('sort=price_asc')).results.map(({ price }: { price: number }) => price)
  t.strictSame(
    prices,
    [...prices].sort((a, b) => a - b),
  )
  t.equal((await found('sort=price_desc&limit=1')).results[0].price, prices.at(-1))
  t.equal((await found('offset=16')).results.length, 1)
  t.strictSame((await found('limit=0')).results, [])
  const { body: roots } = await call('/sites/MLA/categories')
  const totals = []
  for (const { id } of roots) totals.push((await found(`category=${id}`)).paging.total)
  t.equal(
    totals.reduce((sum, n) => sum + n, 0),
    17,
    'each listing is below one root',
  )
  const headers = bearer(seller.token)
  await call({ method: 'PUT', url: `/items/${item.id}`, headers, payload: { listing_type_id: 'gold_pro' } })
  t.strictSame((await found(`q=${encodeURIComponent(item.title)}`)).results[0].installments, {
    ...{ quantity: 6, amount: Math.round((item.price / 6) * 100) / 100, rate: 0, currency_id: 'ARS' },
  })
  const word = item.title.split(' ')[0].toUpperCase()
  const { query, results } = await found(`q=${encodeURIComponent(word)}`)
  t.equal(query, word)
  t.ok(results.some(({ id }: { id: string }) => id === item.id))
  for (const [filter, total] of [
    [`seller_id=${seller.id}`, 17],
    [`seller_id=${other.id}`, 0],
    ['nickname=VENDEDOR_MLA', 17],
    ['nickname=VENDEDOR_MLB', 0],
    [`category=${item.category_id}`, 1],
    ['category=MLA0', 0],
  ] as const)
    t.equal((await found(filter)).paging.total, total, filter)
})

t.test('rejects what it cannot search', async (t) => {
  const error = (status: number, error: string, message: string) => ({ message, error, status, cause: [] })
  t.strictSame((await call('/sites/XXX/search')).body, error(404, 'not_found', 'Site with id XXX not found'))
  for (const [query, message] of [
    ['limit=51', 'limit: must be an integer from 0 to 50'],
    ['sort=new', 'sort: must be one of relevance, price_asc, price_desc'],
    ['offset=1000&limit=1', 'offset + limit must be at most 1000'],
  ] as const)
    t.strictSame(await found(query), error(400, 'bad_request', message), query)
  await open('closed')
})

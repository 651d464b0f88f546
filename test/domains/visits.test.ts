import t from 'tap'
import { start } from '../support/app.ts'
import { questionFixtures } from '../support/questions.ts'

// Visits of listings: a kind of contact.

const app = await start(t)
const { call, control } = app
const { seller, buyer, item } = await questionFixtures(app).createParties()
const visit = (at: string, count = 1) => control('POST /contacts', { kind: 'visit', item_id: item, at, count })
const read = async (url: string) => (await buyer.get(url)).body
const error = (code: string, message: string) => ({ code, message })
const detail = (quantity: number) => (quantity > 0 ? [{ company: 'mercadolibre', quantity }] : [])
const day = (date: string, total: number) => ({ date: `${date}T00:00:00Z`, total, visits_detail: detail(total) })
const window = {
  ...{ date_from: '2026-03-05T00:00:00Z', date_to: '2026-03-08T00:00:00Z', total_visits: 9, last: 3, unit: 'day' },
  results: [day('2026-03-05', 5), day('2026-03-06', 0), day('2026-03-07', 4)],
}

t.test('a control call creates visits [spec: visits.window]', async (t) => {
  for (const [at, count] of [
    ['2026-03-05T00:00:00.000Z', 2],
    ['2026-03-05T23:59:59.999Z', 3],
    ['2026-03-07T14:30:00.000Z', 4],
    ['2024-02-01T00:00:00.000Z', 7],
  ] as const)
    t.equal((await visit(at, count)).status, 201)
})

t.test('counts them by day and hour [spec: visits.window, visits.access]', async (t) => {
  const { text } = await buyer.get(`/items/${item}/visits/time_window?last=3&unit=day`)
  t.equal(text, JSON.stringify({ item_id: item, ...window }))
  t.strictSame(await read(`/items/${item}/visits?last=3&unit=day`), { item_id: item, ...window })
  t.strictSame(await read(`/items/visits/time_window?ids=${item}&last=3&unit=day`), [{ item_id: item, ...window }])
  const ofSeller = { user_id: seller.id, ...window }
  t.strictSame(await read(`/users/${seller.id}/items_visits/time_window?last=3&unit=day`), ofSeller)
  t.strictSame((await seller.get('/users/me/items_visits/time_window?last=3&unit=day')).body, ofSeller)
  t.strictSame(await read(`/items/${item}/visits/time_window?last=1&unit=day&ending=2026-03-05`), {
    ...{ item_id: item, date_from: '2026-03-05T00:00:00Z', date_to: '2026-03-06T00:00:00Z' },
    ...{ total_visits: 5, last: 1, unit: 'day', results: [day('2026-03-05', 5)] },
  })
  const { results } = await read(`/items/${item}/visits/time_window?last=2&unit=hour`)
  t.strictSame(results, [
    { date: '2026-03-07T14:00:00Z', total: 4, visits_detail: detail(4) },
    { date: '2026-03-07T15:00:00Z', total: 0, visits_detail: [] },
  ])
})

t.test('counts them in a range and in two years [spec: visits.range, visits.two_years]', async (t) => {
  const total = {
    ...{ date_from: '2026-03-05T00:00:00Z', date_to: '2026-03-07T14:30:00Z' },
    ...{ total_visits: 5, visits_detail: detail(5) },
  }
  const range = 'date_from=2026-03-05&date_to=2026-03-07T14:30:00Z'
  t.strictSame(await read(`/items/visits?ids=${item}&${range}`), { item_id: item, ...total })
  t.strictSame(await read(`/users/${seller.id}/items_visits?${range}`), { user_id: seller.id, ...total })
  t.strictSame((await seller.get(`/users/me/items_visits?${range}`)).body, { user_id: seller.id, ...total })
  t.strictSame(await read(`/visits/items?ids=${item}`), { [item]: 9 })
})

t.test('refuses [spec: visits.ids, visits.range, visits.window, visits.order]', async (t) => {
  const one = error('bad_request', 'ids: must be one listing identifier')
  const table: [url: string, status: number, body: object][] = [
    [`/visits/items?ids=${item},${item}`, 400, one],
    ['/visits/items', 400, error('bad_request', 'ids: is required, must be one listing identifier')],
    ['/visits/items?ids=MLA9999999999', 404, error('not_found', 'Item not found')],
    ['/users/999/items_visits?date_from=2026-01-01&date_to=2026-01-02', 404, error('not_found', 'User not found')],
    [
      `/items/visits?ids=${item}&date_from=2026-01-01&date_to=2026-07-01`,
      400,
      error('bad_request', 'date_to: must be at most 150 days later'),
    ],
    [
      `/items/visits?ids=${item}&date_from=2026-02-01&date_to=2026-01-01`,
      400,
      error('bad_request', 'date_from: must not be after date_to'),
    ],
    [
      `/items/visits?ids=${item}&date_from=2026-02-01`,
      400,
      error('bad_request', 'date_to: is required, must be a date'),
    ],
    [
      `/items/visits?ids=${item}&date_from=0999-12-30&date_to=1000-01-02`,
      400,
      error('bad_request', 'date_from: must be in the years 1000 to 9999'),
    ],
    [
      `/items/${item}/visits/time_window?last=1&unit=day&ending=9999-12-31`,
      400,
      error('bad_request', 'ending: must leave the window between the years 1000 and 9999'),
    ],
    [`/items/${item}/visits?last=151&unit=day`, 400, error('bad_request', 'last: must be an integer from 1 to 150')],
  ]
  for (const [url, status, body] of table) {
    const answer = await buyer.get(url)
    t.strictSame([answer.status, answer.body], [status, body], url)
  }
  const { status, body } = await call(`/visits/items?ids=${item}`)
  t.strictSame([status, body], [401, error('unauthorized', 'authorization value not present')])
})

t.test('control calls count, set and export them', async (t) => {
  const series = `GET /contacts/series?kind=visit&item_id=${item}&unit=day&from=2026-03-05&to=2026-03-06`
  const total = async () => (await control(series)).body.points[0].total
  const before = await total()
  const at = '2026-03-05T04:00:00.000Z'
  const set = { kind: 'visit', item_id: item, unit: 'day', points: [{ at, total: 6 }] }
  t.equal((await control('PUT /contacts/series', set)).status, 200)
  t.strictSame([before, await total()], [2, 2], 'the day before')
  const { text } = await control('GET /world')
  t.match(text, /"kind":"visit"/)
})

import t from 'tap'
import { start } from '../support/app.ts'
import { atTime, countEach, countIn, DAY, eventsOf, HOUR } from '../support/contacts.ts'

const noToken = { code: 'unauthorized', message: 'authorization value not present' }
const invalidToken = { code: 'unauthorized', message: 'invalid_token' }
const forbidden = { code: 'access_denied', message: 'access to the requested resource is forbidden' }

t.test('contacts.auth=required and auth.query_token=reject: statistics need a token in the header', async (t) => {
  const { sellers, call } = await start(t, {
    switches: { 'contacts.auth': 'required', 'auth.query_token': 'reject' },
  })
  const { id, token, get } = sellers[0]!
  const range = 'date_from=2026-02-01&date_to=2026-03-01'
  const window = 'last=1&unit=day'
  const urls = [
    `/items/MLA1400000001/contacts/questions?${range}`,
    `/users/${id}/contacts/questions?${range}`,
    `/items/MLA1400000001/contacts/phone_views?${range}`,
    `/users/${id}/contacts/phone_views?${range}`,
    `/items/MLA1400000001/contacts/whatsapp?${range}`,
    `/users/${id}/contacts/whatsapp?${range}`,
    `/items/MLA1400000001/contacts/questions/time_window?${window}`,
    `/items/contacts/questions/time_window?ids=MLA1400000001&${window}`,
    `/users/${id}/contacts/phone_views/time_window?${window}`,
  ]
  for (const url of urls) {
    const noTokenAnswer = await call(url)
    t.same({ status: noTokenAnswer.status, body: noTokenAnswer.body }, { status: 401, body: noToken }, url)
    const inQuery = await call(`${url}&access_token=${token}`)
    t.same({ status: inQuery.status, body: inQuery.body }, { status: 401, body: noToken }, 'rejects a query token')
    t.equal((await get(url)).status, 200)
    t.equal((await get(`${url}&access_token=nonsense`)).status, 200, 'ignores a query token next to a valid header')
  }
  const before = await call('/users/me/contacts/questions')
  t.same({ status: before.status, body: before.body }, { status: 401, body: noToken }, 'checked before the parameters')
  const wrong = await call({ url: urls[0]!, headers: { authorization: 'Bearer nonsense' } })
  t.same({ status: wrong.status, body: wrong.body }, { status: 401, body: invalidToken })
  const described = await call({ method: 'OPTIONS', url: urls[0]! })
  t.equal(described.status, 200, 'a description needs no token')
  t.equal(described.body.name, 'Contact statistics')
  t.equal((await call('/currencies/ARS')).status, 200, 'applies to statistics only')
})

t.test(
  'contacts.current_bucket=exclude and contacts.day_offset: omits the interval in progress and shifts the days',
  async (t) => {
    const { sellers, world, call } = await start(t, {
      switches: { 'contacts.current_bucket': 'exclude', 'contacts.day_offset': '+05:00', 'auth.query_token': 'reject' },
    })
    const { id, token } = sellers[0]!
    const events = eventsOf(world).filter(({ user_id, kind }) => user_id === id && kind === 'phone_views')

    // Midnight at +05:00 is 19:00Z. Now is Saturday, 15:00Z.
    const days = await call(`/users/${id}/contacts/phone_views/time_window?last=3&unit=day`)
    t.equal(
      days.text,
      JSON.stringify({
        user_id: String(id),
        total: countIn(events, Date.UTC(2026, 2, 3, 19), Date.UTC(2026, 2, 6, 19)),
        date_from: '2026-03-03T19:00:00Z',
        date_to: '2026-03-06T19:00:00Z',
        last: 3,
        unit: 'day',
        results: countEach(events, '2026-03-03T19:00:00Z', 3, DAY),
      }),
    )
    t.ok(days.body.total > 0)
    const hours = await call(`/users/${id}/contacts/phone_views/time_window?last=24&unit=hour`)
    t.equal(hours.body.date_from, '2026-03-06T15:00:00Z')
    t.equal(hours.body.date_to, '2026-03-07T15:00:00Z')
    t.same(hours.body.results, countEach(events, '2026-03-06T15:00:00Z', 24, HOUR))

    // A given ending is not affected by the switch.
    const ended = await call(
      `/users/${id}/contacts/phone_views/time_window?last=30&unit=day&ending=2026-03-06T18:59:59.999Z`,
    )
    t.equal(ended.body.date_to, '2026-03-06T19:00:00Z')
    t.same(ended.body.results, countEach(events, '2026-02-04T19:00:00Z', 30, DAY))
    const boundary = await call(
      `/users/${id}/contacts/phone_views/time_window?last=1&unit=day&ending=2026-03-06T19:00:00Z`,
    )
    t.equal(boundary.body.date_from, '2026-03-06T19:00:00Z')
    t.equal(boundary.body.date_to, '2026-03-07T19:00:00Z')

    const span = async (now: string, unit: string) =>
      atTime(world, now, async () => {
        const { body } = await call(`/users/${id}/contacts/questions/time_window?last=1&unit=${unit}`)
        return [body.date_from, body.date_to]
      })
    for (const [now, unit, expected] of [
      ['2026-03-07T15:59:59.999Z', 'hour', ['2026-03-07T14:00:00Z', '2026-03-07T15:00:00Z']],
      ['2026-03-07T16:00:00.000Z', 'hour', ['2026-03-07T15:00:00Z', '2026-03-07T16:00:00Z']],
      ['2026-03-07T18:59:59.999Z', 'day', ['2026-03-05T19:00:00Z', '2026-03-06T19:00:00Z']],
      ['2026-03-07T19:00:00.000Z', 'day', ['2026-03-06T19:00:00Z', '2026-03-07T19:00:00Z']],
    ] as const)
      t.same(await span(now, unit), expected, `${unit} at ${now}`)

    // Tokens in the query: ignored where no token is needed, rejected where one is.
    const range = 'date_from=2026-02-01&date_to=2026-03-01'
    t.equal((await call(`/users/${id}/contacts/phone_views?${range}&access_token=nonsense`)).status, 200)
    const rejected = await call(`/users/${id}/contacts/whatsapp?${range}&access_token=${token}`)
    t.same({ status: rejected.status, body: rejected.body }, { status: 401, body: noToken })
  },
)

t.test('contacts.owner_only=true: answers each seller’s own statistics only', async (t) => {
  const { sellers, buyers, call } = await start(t, { switches: { 'contacts.owner_only': 'true' } })
  const [owner, other] = [sellers[0]!, sellers[1]!]
  const [item, otherItem] = ['MLA1400000001', 'MLB1400000001']
  const range = 'date_from=2026-02-01&date_to=2026-03-01'
  const window = 'last=1&unit=day'
  const urls = [
    `/items/${item}/contacts/questions?${range}`,
    `/users/${owner.id}/contacts/questions?${range}`,
    `/items/${item}/contacts/phone_views?${range}`,
    `/users/${owner.id}/contacts/whatsapp?${range}`,
    `/items/${item}/contacts/whatsapp/time_window?${window}`,
    `/items/${item}/contacts/questions/time_window?${window}`,
    `/items/contacts/phone_views/time_window?ids=${item},MLA1400000002&${window}`,
    `/users/${owner.id}/contacts/phone_views/time_window?${window}`,
  ]
  for (const url of urls) {
    t.equal((await owner.get(url)).status, 200, url)
    for (const stranger of [other, buyers[0]!]) {
      const { status, body } = await stranger.get(url)
      t.same({ status, body }, { status: 403, body: forbidden })
    }
  }
  const table: [url: string, status: number, body: object][] = [
    [`/items/contacts/phone_views/time_window?ids=${item},${otherItem}&${window}`, 403, forbidden],
    [`/items/${item}/contacts/questions/time_window?ids=${otherItem}&${window}`, 403, forbidden],
    // A missing listing or user is reported before a foreign one.
    [`/items/MLA999/contacts/questions?${range}`, 404, { code: 'not_found', message: 'Item not found' }],
    [`/users/999/contacts/questions?${range}`, 404, { code: 'not_found', message: 'User not found' }],
    [
      `/items/contacts/phone_views/time_window?ids=${otherItem},MLA999&${window}`,
      404,
      { code: 'not_found', message: 'Item not found' },
    ],
  ]
  for (const [url, status, body] of table) {
    const answer = await owner.get(url)
    t.same({ status: answer.status, body: answer.body }, { status, body }, url)
  }
  const anonymous = await call(urls[0]!)
  t.same(
    { status: anonymous.status, body: anonymous.body },
    { status: 403, body: forbidden },
    'without a token there is no owner',
  )
})

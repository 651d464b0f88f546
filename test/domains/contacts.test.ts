import { sql } from 'drizzle-orm'
import t from 'tap'
import { recordContact } from '../../domains/contacts/operations.ts'
import type { ContactKind } from '../../domains/contacts/tables.ts'
import { start } from '../support/app.ts'
import { atTime, countEach, countIn, DAY, eventsOf, HOUR, KINDS } from '../support/contacts.ts'

const { sellers, buyers, world, call } = await start(t)

const INSTANT = 'must be an ISO 8601 date-time, for example 2026-03-01T00:00:00.000-04:00'
const LAST = 'must be an integer from 1 to 1000'
const IDS = 'must be 1 to 50 listing identifiers separated by commas'
const badRequest = (message: string) => ({ code: 'bad_request', message })
const ITEM_NOT_FOUND = { code: 'not_found', message: 'Item not found' }
const USER_NOT_FOUND = { code: 'not_found', message: 'User not found' }
const USER_ID = badRequest("error decoding 'user_id'. It must be string or number")

const itemOf = (seller: { site_id: string }, n: number) => `${seller.site_id}${1400000000 + n}`
const reader = buyers[0]!

/**
 * A day in January before the history of the scenario begins. All its contacts are listed here: two listings of the
 * seller of Peru.
 */
const quietSeller = sellers[6]!
const A = itemOf(quietSeller, 1)
const B = itemOf(quietSeller, 2)
const PHONE_VIEWS = [
  [A, '2025-01-15T03:59:59.999Z'], // the last millisecond of the 14th, at -04:00
  [A, '2025-01-15T04:00:00.000Z'],
  [B, '2025-01-15T04:00:00.000Z'],
  [A, '2025-01-15T10:30:00.000Z'],
  [A, '2025-01-15T10:59:59.999Z'],
  [A, '2025-01-15T11:00:00.000Z'],
  [B, '2025-01-16T03:59:59.999Z'],
  [A, '2025-01-16T04:00:00.000Z'],
] as const
const QUESTIONS = PHONE_VIEWS.slice(0, 4)
const CLICKS = [...PHONE_VIEWS.slice(4), [A, '2025-01-15T20:00:00.000Z']] as const

const record = (kind: ContactKind, user_id: number, item_id: string, at: number) =>
  world.tx((q) => recordContact(q, world, { kind, user_id, item_id, buyer_id: null, at }))

for (const [kind, contacts] of [
  ['phone_views', PHONE_VIEWS],
  ['questions', QUESTIONS],
  ['whatsapp', CLICKS],
] as const)
  for (const [item, when] of contacts) await record(kind, quietSeller.id, item, Date.parse(when))

t.test('answers a day of a seller on every path', async (t) => {
  const from = '2025-01-15T00:00:00.000-04:00'
  const to = '2025-01-16T00:00:00.000-04:00'
  const range = `date_from=${from}&date_to=${to}`
  const dates = { date_from: from, date_to: to }
  const user_id = String(quietSeller.id)
  const window = 'last=2&unit=day&ending=2025-01-15T12:00:00Z'
  const span = { date_from: '2025-01-14T04:00:00Z', date_to: '2025-01-16T04:00:00Z' }
  const days = (fourteenth: number, fifteenth: number) => ({
    results: [
      { date: '2025-01-14T04:00:00Z', total: fourteenth },
      { date: '2025-01-15T04:00:00Z', total: fifteenth },
    ],
  })
  const two = { last: 2, unit: 'day' }
  const asText = { last: '2', unit: 'day' }

  const bothQuestions = [
    { item_id: B, total: 1, ...span, ...two, ...days(0, 1) },
    { item_id: A, total: 3, ...span, ...two, ...days(1, 2) },
  ]

  const table: [url: string, body: object][] = [
    [`/items/${A}/contacts/questions?${range}`, { ...dates, item_id: A, total: 2 }],
    [`/users/${user_id}/contacts/questions?${range}`, { ...dates, user_id, total: 3 }],
    [`/items/${A}/contacts/phone_views?${range}`, { ...dates, total: 4, item_id: A }],
    [`/users/${user_id}/contacts/phone_views?${range}`, { ...dates, total: 6, user_id }],
    [`/items/${A}/contacts/whatsapp?${range}`, { total: 3, ...dates, item_id: A }],
    [`/users/${user_id}/contacts/whatsapp?${range}`, { total: 4, ...dates, user_id }],

    [`/items/${A}/contacts/questions/time_window?${window}`, { item_id: A, total: 3, ...span, ...two, ...days(1, 2) }],
    [`/items/${A}/contacts/questions/time_window?${window}&ids=${B},${A}`, bothQuestions],
    [`/items/contacts/questions/time_window?${window}&ids=${B},${A}`, bothQuestions],
    [
      `/users/${user_id}/contacts/questions/time_window?${window}`,
      { user_id, total: 4, ...span, ...two, ...days(1, 3) },
    ],
    [
      `/items/${A}/contacts/phone_views/time_window?${window}`,
      { item_id: A, total: 5, ...span, ...two, ...days(1, 4) },
    ],
    [
      `/items/contacts/phone_views/time_window?ids=${A},${B}&${window}`,
      [
        { item_id: A, total: 5, ...span, ...two, ...days(1, 4) },
        { item_id: B, total: 2, ...span, ...two, ...days(0, 2) },
      ],
    ],
    [
      `/users/${user_id}/contacts/phone_views/time_window?${window}`,
      { user_id, total: 7, ...span, ...two, ...days(1, 6) },
    ],
    [
      `/items/${A}/contacts/whatsapp/time_window?${window}`,
      { total: 3, ...asText, ...span, item_id: A, ...days(0, 3) },
    ],
    [
      `/items/contacts/whatsapp/time_window?ids=${A},${B}&${window}`,
      [
        { total: 3, ...asText, ...span, item_id: A, ...days(0, 3) },
        { total: 1, ...asText, ...span, item_id: B, ...days(0, 1) },
      ],
    ],
    [
      `/users/${user_id}/contacts/whatsapp/time_window?${window}`,
      { total: 4, ...asText, ...span, user_id, ...days(0, 4) },
    ],
  ]
  for (const [url, body] of table) {
    const answer = await reader.get(url)
    t.equal(answer.status, 200, url)
    t.equal(answer.text, JSON.stringify(body), 'the exact body')
    t.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
  }
})

t.test('answers hours as well as days', async (t) => {
  const { text } = await call(
    `/items/${A}/contacts/phone_views/time_window?last=3&unit=hour&ending=2025-01-15T11:00:00Z`,
  )
  t.equal(
    text,
    JSON.stringify({
      item_id: A,
      total: 3,
      date_from: '2025-01-15T09:00:00Z',
      date_to: '2025-01-15T12:00:00Z',
      last: 3,
      unit: 'hour',
      results: [
        { date: '2025-01-15T09:00:00Z', total: 0 },
        { date: '2025-01-15T10:00:00Z', total: 2 },
        { date: '2025-01-15T11:00:00Z', total: 1 },
      ],
    }),
  )
})

t.test('accepts many date formats and echoes them', async (t) => {
  // The date in the query, the date in the answer, and the phone views of A from then on.
  const table: [sent: string, echoed: string, total: number][] = [
    ['2025-01-15', '2025-01-15', 6],
    ['2025-01-15T04:00:00.000Z', '2025-01-15T04:00:00.000Z', 5],
    ['2025-01-15T04:00:00Z', '2025-01-15T04:00:00Z', 5],
    ['2025-01-15T04:00Z', '2025-01-15T04:00Z', 5],
    ['2025-01-15T04:00:00.001Z', '2025-01-15T04:00:00.001Z', 4],
    ['2025-01-15T03:59:59.999Z', '2025-01-15T03:59:59.999Z', 6],
    ['2025-01-15T04:00:00.000', '2025-01-15T04:00:00.000', 5],
    ['2025-01-15T11:00:00', '2025-01-15T11:00:00', 2],
    ['2025-01-15T00:00:00.000-04:00', '2025-01-15T00:00:00.000-04:00', 5],
    ['2025-01-14T23:59:59.999-04:00', '2025-01-14T23:59:59.999-04:00', 6],
    ['2025-01-15T16:30:00.000%2B05:30', '2025-01-15T16:30:00.000+05:30', 2],
    // An unencoded plus is received as a blank; a blank is treated the same.
    ['2025-01-15T16:30:00.000+05:30', '2025-01-15T16:30:00.000+05:30', 2],
    ['2025-01-15T16:30:00.000%2005:30', '2025-01-15T16:30:00.000+05:30', 2],
    ['2025-01-15T16:30:00%2B0530', '2025-01-15T16:30:00+0530', 2],
    ['2025-01-15%2011:00:00', '2025-01-15 11:00:00', 2],
    ['2025-01-15%2011:00', '2025-01-15 11:00', 2],
    ['2025-01-15%2016:30:00%2005:30', '2025-01-15 16:30:00+05:30', 2],
    ['2025-01-15T16:30%2005:30', '2025-01-15T16:30+05:30', 2],
  ]
  for (const [sent, echoed, total] of table)
    t.same(
      (await call(`/items/${A}/contacts/phone_views?date_from=${sent}&date_to=2025-01-17`)).body,
      { date_from: echoed, date_to: '2025-01-17', total, item_id: A },
      `from ${sent}`,
    )
  // As an end the same instants leave the rest.
  for (const [sent, echoed, total] of table)
    t.same(
      (await call(`/items/${A}/contacts/phone_views?date_from=2025-01-01&date_to=${sent}`)).body,
      { date_from: '2025-01-01', date_to: echoed, total: 6 - total, item_id: A },
      `to ${sent}`,
    )
})

t.test('ends a window with the interval that contains `ending`', async (t) => {
  const table: [ending: string, unit: string, from: string, to: string, total: number][] = [
    ['2025-01-15T03:59:59.999Z', 'day', '2025-01-14T04:00:00Z', '2025-01-15T04:00:00Z', 1],
    ['2025-01-15T04:00:00.000Z', 'day', '2025-01-15T04:00:00Z', '2025-01-16T04:00:00Z', 4],
    ['2025-01-15T04:00:00.001Z', 'day', '2025-01-15T04:00:00Z', '2025-01-16T04:00:00Z', 4],
    ['2025-01-16T03:59:59.999Z', 'day', '2025-01-15T04:00:00Z', '2025-01-16T04:00:00Z', 4],
    ['2025-01-16T04:00:00.000Z', 'day', '2025-01-16T04:00:00Z', '2025-01-17T04:00:00Z', 1],
    ['2025-01-15T00:00:00.000-04:00', 'day', '2025-01-15T04:00:00Z', '2025-01-16T04:00:00Z', 4],
    ['2025-01-14T23:59:59.999-04:00', 'day', '2025-01-14T04:00:00Z', '2025-01-15T04:00:00Z', 1],
    ['2025-01-15', 'day', '2025-01-14T04:00:00Z', '2025-01-15T04:00:00Z', 1],
    ['2025-01-15T00:00:00', 'day', '2025-01-14T04:00:00Z', '2025-01-15T04:00:00Z', 1],
    ['2025-01-15T09:00:00+05:00', 'day', '2025-01-15T04:00:00Z', '2025-01-16T04:00:00Z', 4],
    // Contacts after the ending within the last interval count.
    ['2025-01-15T10:00:00.000Z', 'hour', '2025-01-15T10:00:00Z', '2025-01-15T11:00:00Z', 2],
    ['2025-01-15T10:59:59.999Z', 'hour', '2025-01-15T10:00:00Z', '2025-01-15T11:00:00Z', 2],
    ['2025-01-15T11:00:00.000Z', 'hour', '2025-01-15T11:00:00Z', '2025-01-15T12:00:00Z', 1],
    ['2025-01-15T09:59:59.999Z', 'hour', '2025-01-15T09:00:00Z', '2025-01-15T10:00:00Z', 0],
    ['2025-01-15T06:00:00.000-04:00', 'hour', '2025-01-15T10:00:00Z', '2025-01-15T11:00:00Z', 2],
    // Full hours of UTC, also with an offset of half an hour.
    ['2025-01-15T16:00:00.000+05:30', 'hour', '2025-01-15T10:00:00Z', '2025-01-15T11:00:00Z', 2],
    ['2025-01-15T03:59:59.999', 'hour', '2025-01-15T03:00:00Z', '2025-01-15T04:00:00Z', 1],
  ]
  for (const [ending, unit, date_from, date_to, total] of table)
    t.same(
      (await call(`/items/${A}/contacts/phone_views/time_window?last=1&unit=${unit}&ending=${ending}`)).body,
      { item_id: A, total, date_from, date_to, last: 1, unit, results: [{ date: date_from, total }] },
      `${unit} ${ending}`,
    )
})

t.test('ends with the interval in progress without `ending`', async (t) => {
  const bounds = async (now: string, unit: string) =>
    atTime(world, now, async () => {
      const { date_from, date_to, results } = (
        await call(`/items/${A}/contacts/questions/time_window?last=2&unit=${unit}`)
      ).body
      return [date_from, results[1].date, date_to]
    })
  const table: [now: string, unit: string, bounds: string[]][] = [
    ['2026-03-07T15:00:00.000Z', 'hour', ['2026-03-07T14:00:00Z', '2026-03-07T15:00:00Z', '2026-03-07T16:00:00Z']],
    ['2026-03-07T15:59:59.999Z', 'hour', ['2026-03-07T14:00:00Z', '2026-03-07T15:00:00Z', '2026-03-07T16:00:00Z']],
    ['2026-03-07T16:00:00.000Z', 'hour', ['2026-03-07T15:00:00Z', '2026-03-07T16:00:00Z', '2026-03-07T17:00:00Z']],
    ['2026-03-07T15:00:00.000Z', 'day', ['2026-03-06T04:00:00Z', '2026-03-07T04:00:00Z', '2026-03-08T04:00:00Z']],
    ['2026-03-08T03:59:59.999Z', 'day', ['2026-03-06T04:00:00Z', '2026-03-07T04:00:00Z', '2026-03-08T04:00:00Z']],
    ['2026-03-08T04:00:00.000Z', 'day', ['2026-03-07T04:00:00Z', '2026-03-08T04:00:00Z', '2026-03-09T04:00:00Z']],
    ['2024-02-29T12:00:00.000Z', 'day', ['2024-02-28T04:00:00Z', '2024-02-29T04:00:00Z', '2024-03-01T04:00:00Z']],
  ]
  for (const [now, unit, expected] of table) t.same(await bounds(now, unit), expected, `${unit} at ${now}`)
})

t.test('reverses the intervals with order=desc; ignores limit and offset', async (t) => {
  for (const path of [`/items/${A}/contacts/questions`, `/users/${quietSeller.id}/contacts/phone_views`]) {
    const url = `${path}/time_window?last=3&unit=day&ending=2025-01-16T12:00:00Z`
    const plain = await reader.get(url)
    t.same(
      plain.body.results.map((bucket: { date: string }) => bucket.date),
      ['2025-01-14T04:00:00Z', '2025-01-15T04:00:00Z', '2025-01-16T04:00:00Z'],
    )
    t.equal((await reader.get(`${url}&order=asc`)).text, plain.text)
    t.equal(
      (await reader.get(`${url}&order=desc`)).text,
      JSON.stringify({ ...plain.body, results: plain.body.results.toReversed() }),
    )
    t.equal((await reader.get(`${url}&limit=1&offset=1`)).text, plain.text)
    t.equal((await reader.get(`${url}&limit=many&offset=-1&color=red`)).text, plain.text)
  }
  const { body } = await reader.get(
    `/items/contacts/whatsapp/time_window?ids=${B},${A}&last=2&unit=day&ending=2025-01-16T12:00:00Z&order=desc`,
  )
  const span = { last: '2', unit: 'day', date_from: '2025-01-15T04:00:00Z', date_to: '2025-01-17T04:00:00Z' }
  const series = (total: number, item_id: string, sixteenth: number, fifteenth: number) => ({
    ...{ total, ...span, item_id },
    results: [
      { date: '2025-01-16T04:00:00Z', total: sixteenth },
      { date: '2025-01-15T04:00:00Z', total: fifteenth },
    ],
  })
  t.same(body, [series(1, B, 0, 1), series(4, A, 1, 3)])
})

t.test('accepts 1 to 1000 intervals', async (t) => {
  const ending = 'ending=2025-01-15T12:00:00Z'
  for (const [last, unit, date_from, date_to, total] of [
    [1, 'hour', '2025-01-15T12:00:00Z', '2025-01-15T13:00:00Z', 0],
    [1000, 'hour', '2024-12-04T21:00:00Z', '2025-01-15T13:00:00Z', 5],
    [1, 'day', '2025-01-15T04:00:00Z', '2025-01-16T04:00:00Z', 4],
    [1000, 'day', '2022-04-22T04:00:00Z', '2025-01-16T04:00:00Z', 5],
  ] as const) {
    const { body } = await call(`/items/${A}/contacts/phone_views/time_window?last=${last}&unit=${unit}&${ending}`)
    const { results, ...rest } = body
    t.same(rest, { item_id: A, total, date_from, date_to, last, unit })
    t.equal(results.length, last)
    t.equal(results[0].date, date_from)
  }
  const { body } = await reader.get(
    `/users/${quietSeller.id}/contacts/whatsapp/time_window?last=1000&unit=day&${ending}`,
  )
  t.equal(body.last, '1000')
  t.equal(body.results.length, 1000)
  t.equal(body.total, 4)
})

t.test('answers several listings in one call', async (t) => {
  const window = 'last=2&unit=day&ending=2025-01-15T12:00:00Z'
  const fifty = [sellers[0]!, sellers[1]!].flatMap((seller) =>
    Array.from({ length: 25 }, (_, n) => itemOf(seller, n + 1)),
  )
  const answered = async (path: string, ids: string) => {
    const { status, body } = await reader.get(`${path}/time_window?${ids}&${window}`)
    return status === 200 ? body.map((series: { item_id: string }) => series.item_id) : status
  }
  for (const path of [
    '/items/contacts/questions',
    '/items/contacts/phone_views',
    '/items/contacts/whatsapp',
    // The listing in the path counts only if ids names it [spec: contacts.several.in_path].
    `/items/${A}/contacts/questions`,
  ]) {
    t.same(await answered(path, `ids=${B}`), [B], path)
    t.same(await answered(path, `ids=${B},${A}`), [B, A])
    t.same(await answered(path, `ids=${B}&ids=${A}`), [B, A])
    t.same(await answered(path, `ids=${B}%2C${A}`), [B, A])
    t.same(await answered(path, `ids=${B},%20${A},`), [B, A])
    t.same(await answered(path, `ids=${B},${A}&ids=${itemOf(quietSeller, 3)}`), [B, A, itemOf(quietSeller, 3)])
    t.same(await answered(path, `ids=${A},${B},${A}`), [A, B, A], 'one answer per id')
    t.same(await answered(path, `ids=${fifty}`), fifty)
    t.equal(await answered(path, `ids=${fifty},${A}`), 400)
    t.equal(await answered(path, `ids=${fifty}&ids=${A}`), 400)
    t.equal(await answered(path, `ids=${A},MPE999`), 404, 'one unknown listing rejects the call')
  }
  const { body } = await call(`/items/${A}/contacts/questions/time_window?${window}&ids=`)
  t.equal(body.item_id, A, 'no array without ids')
  const many = await reader.get(`/items/contacts/phone_views/time_window?ids=${A},${B}&${window}`)
  t.same(
    many.body,
    [
      (await call(`/items/${A}/contacts/phone_views/time_window?${window}`)).body,
      (await call(`/items/${B}/contacts/phone_views/time_window?${window}`)).body,
    ],
    'equal to the single answers',
  )
})

t.test('counts totals to the millisecond over the recorded history', async (t) => {
  const seller = sellers[0]!
  const events = eventsOf(world).filter(({ user_id }) => user_id === seller.id)
  const hourOf = (ms: number) => Math.floor(ms / HOUR) * HOUR
  for (const kind of KINDS) {
    const item = itemOf(seller, kind === 'questions' ? 10 : 15)
    for (const [path, of] of [
      [`/users/${seller.id}`, events.filter((event) => event.kind === kind)],
      [`/items/${item}`, events.filter((event) => event.kind === kind && event.item_id === item)],
    ] as const) {
      const first = of[Math.floor(of.length / 3)]!.at
      const second = of[Math.floor((of.length * 2) / 3)]!.at
      t.ok(hourOf(second) - hourOf(first) > 24 * HOUR, `${kind} ${path} has a history`)
      const ranges: [name: string, from: number, to: number][] = [
        ['nothing', first, first],
        ['one millisecond', first, first + 1],
        ['from one event to the other, without the other', first, second],
        ['from one event to the other, with both', first, second + 1],
        ['between them, without both', first + 1, second],
        ['whole hours', hourOf(first), hourOf(second)],
        ['a ragged start', first, hourOf(second)],
        ['a ragged end', hourOf(first), second + 1],
        ['inside one hour', hourOf(first) + 1, hourOf(first) + HOUR - 1],
        ['up to the hour', first, hourOf(first) + HOUR],
        ['over the edge of an hour', first, hourOf(first) + HOUR + 1],
        ['around the edge of an hour', hourOf(second) - 1, hourOf(second) + 1],
        ['just over an hour', hourOf(second) - 1, hourOf(second) + HOUR + 1],
        ['everything', Date.UTC(2000, 0), Date.UTC(2100, 0)],
        ['the years that have four digits', Date.parse('0001-01-01T00:00:00Z'), Date.UTC(9999, 11, 31)],
      ]
      for (const [name, from, to] of ranges) {
        const dates = `date_from=${new Date(from).toISOString()}&date_to=${new Date(to).toISOString()}`
        const { body } = await seller.get(`${path}/contacts/${kind}?${dates}`)
        t.equal(body.total, countIn(of, from, to), `${kind} ${path}: ${name}`)
      }
      // The two counts must differ for the table to prove anything.
      t.ok(countIn(of, first, second + 1) > countIn(of, first + 1, second))
    }
  }
})

t.test('series equal the recorded contacts', async (t) => {
  const windows = [
    ['last=8&unit=day', '2026-02-28T04:00:00Z', 8, DAY],
    ['last=100&unit=day', '2025-11-28T04:00:00Z', 100, DAY],
    ['last=72&unit=hour', '2026-03-04T16:00:00Z', 72, HOUR],
    ['last=30&unit=day&ending=2026-01-31T23:59:59.999-04:00', '2026-01-02T04:00:00Z', 30, DAY],
    ['last=48&unit=hour&ending=2026-03-04T00:00:00Z', '2026-03-02T01:00:00Z', 48, HOUR],
  ] as const
  const events = eventsOf(world)
  for (const seller of sellers.slice(0, 3))
    for (const kind of KINDS)
      for (const [query, from, last, size] of windows) {
        const own = events.filter((event) => event.kind === kind && event.user_id === seller.id)
        const ofUser = await seller.get(`/users/${seller.id}/contacts/${kind}/time_window?${query}`)
        t.same(ofUser.body.results, countEach(own, from, last, size), `${kind} of ${seller.id}, ${query}`)
        t.ok(ofUser.body.total > 0)
        const ids = Array.from({ length: 25 }, (_, n) => itemOf(seller, n + 1))
        const ofItems = await seller.get(`/items/contacts/${kind}/time_window?ids=${ids}&${query}`)
        t.same(
          ofItems.body.map(({ item_id, results }: Record<string, unknown>) => [item_id, results]),
          ids.map((id) => [
            id,
            countEach(
              own.filter((event) => event.item_id === id),
              from,
              last,
              size,
            ),
          ]),
          'and for each listing',
        )
      }
})

t.test('hourly counts equal the events of every seller and listing', async (t) => {
  type Row = { subject: string; kind: string; hour: number; n: number }
  const lines = (rows: Row[]) => rows.map(({ subject, kind, hour, n }) => `${subject} ${kind} ${hour} ${n}`).sort()
  const readRollup = (table: 'item' | 'user') =>
    world.read.db.all<Row>(
      table === 'item'
        ? sql`SELECT item_id AS subject, kind, hour, n FROM contact_item_hour`
        : sql`SELECT user_id AS subject, kind, hour, n FROM contact_user_hour`,
    )
  const counted = (subjectOf: (event: { item_id: string; user_id: number }) => unknown): Row[] => {
    const rows = new Map<string, Row>()
    for (const event of eventsOf(world)) {
      const subject = String(subjectOf(event))
      const hour = Math.floor((event.at - world.origin) / HOUR)
      const key = `${subject} ${event.kind} ${hour}`
      rows.set(key, { subject, kind: event.kind, hour, n: (rows.get(key)?.n ?? 0) + 1 })
    }
    return [...rows.values()]
  }
  const users = { rolled: readRollup('user'), counted: counted((event) => event.user_id) }
  const items = { rolled: readRollup('item'), counted: counted((event) => event.item_id) }
  t.equal(users.rolled.length, users.counted.length)
  t.equal(items.rolled.length, items.counted.length)
  for (const seller of sellers) {
    const of = (rows: Row[], subject: unknown) => lines(rows.filter((row) => String(row.subject) === String(subject)))
    t.ok(of(users.counted, seller.id).length > 500, `${seller.nickname} has a history`)
    t.same(of(users.rolled, seller.id), of(users.counted, seller.id))
    for (let n = 1; n <= 25; n++) {
      const item = itemOf(seller, n)
      t.same(of(items.rolled, item), of(items.counted, item), item)
    }
  }
})

t.test('counts every question, whatever its status', async (t) => {
  for (const { id, get } of sellers.slice(0, 6)) {
    const [questions] = world.read.db.all<{ n: number }>(
      sql`SELECT count(*) AS n FROM question WHERE seller_id = ${id}`,
    )
    const { body } = await get(`/users/${id}/contacts/questions?date_from=2025-06-01&date_to=2026-06-01`)
    t.equal(body.total, questions!.n)
    t.ok(questions!.n > 100)
  }
})

t.test('counts a new question at once, and still after its deletion', async (t) => {
  const seller = sellers[1]!
  const buyer = buyers.find(({ site_id }) => site_id === 'MLB')!
  const item = itemOf(seller, 3)
  const minute = 'date_from=2026-03-07T17:20:00Z&date_to=2026-03-07T17:21:00Z'
  const readTotals = async () => {
    const totals = await Promise.all([
      call(`/items/${item}/contacts/questions?${minute}`),
      call(`/users/${seller.id}/contacts/questions?${minute}`),
      call(`/items/${item}/contacts/questions/time_window?last=1&unit=hour`),
      call(`/users/${seller.id}/contacts/questions/time_window?last=1&unit=hour`),
      call(`/items/contacts/questions/time_window?ids=${item}&last=1&unit=hour`),
    ])
    return totals.map(({ body }) => (Array.isArray(body) ? body[0].total : body.total))
  }
  await atTime(world, '2026-03-07T17:20:30.500Z', async () => {
    t.same(await readTotals(), [0, 0, 0, 0, 0])
    const question = await buyer.post('/questions', { item_id: item, text: 'Serve no modelo 2019?' })
    t.equal(question.status, 201)
    t.same(await readTotals(), [1, 1, 1, 1, 1])
    const rejected = await seller.post('/questions', { item_id: item, text: 'Eu mesmo?' })
    t.equal(rejected.status, 400)
    t.same(await readTotals(), [1, 1, 1, 1, 1], 'a rejected question does not count')
    t.equal((await seller.delete(`/questions/${question.body.id}`)).status, 200)
    t.same(await readTotals(), [1, 1, 1, 1, 1])
  })
})

t.test('records and counts all contacts of one millisecond', async (t) => {
  const seller = sellers[7]!
  const [one, other] = [itemOf(seller, 1), itemOf(seller, 2)]
  const now = '2026-03-07T17:59:59.999Z'
  const click = (item_id: string, buyer_id: number | null) =>
    ({ kind: 'whatsapp', item_id, user_id: seller.id, buyer_id, at: Date.parse(now) }) as const
  const totals = async () => {
    const millisecond = 'date_from=2026-03-07T17:59:59.999Z&date_to=2026-03-07T18:00:00.000Z'
    const answers = await Promise.all(
      [
        `/items/${one}/contacts/whatsapp?${millisecond}`,
        `/items/${other}/contacts/whatsapp?${millisecond}`,
        `/users/${seller.id}/contacts/whatsapp?${millisecond}`,
        `/items/${one}/contacts/whatsapp/time_window?last=1&unit=hour`,
        `/items/${other}/contacts/whatsapp/time_window?last=1&unit=hour`,
        `/users/${seller.id}/contacts/whatsapp/time_window?last=1&unit=hour`,
      ].map((url) => seller.get(url)),
    )
    return answers.map(({ body }) => body.total)
  }
  await atTime(world, now, async () => {
    await world.tx(async (q) => {
      for (const buyer of [reader.id, reader.id, null]) await recordContact(q, world, click(one, buyer))
    })
    t.same(await totals(), [3, 0, 3, 3, 0, 3], 'three in one transaction')
    await Promise.all(
      [one, other, one, other].map((item) => world.tx((q) => recordContact(q, world, click(item, null)))),
    )
    t.same(await totals(), [5, 2, 7, 5, 2, 7], 'four concurrent transactions')

    const failed = world.tx(async (q) => {
      await recordContact(q, world, click(one, null))
      throw new Error('rolled back')
    })
    await t.rejects(failed, { message: 'rolled back' })
    t.same(await totals(), [5, 2, 7, 5, 2, 7], 'the rolled back contact does not count')
  })
  const recorded = eventsOf(world).filter((event) => event.user_id === seller.id && event.at === Date.parse(now))
  t.same(
    recorded.map(({ seq }) => seq),
    [0, 1, 2, 3, 4, 5, 6],
  )
  const { body } = await seller.get(
    `/users/${seller.id}/contacts/phone_views?date_from=${now}&date_to=2026-03-07T18:00:00.000Z`,
  )
  t.equal(body.total, 0, 'clicks are not phone views')
})

t.test('rejects an invalid range and names the parameter', async (t) => {
  const required = (name: string) => badRequest(`${name}: is required, ${INSTANT}`)
  const invalid = (name: string) => badRequest(`${name}: ${INSTANT}`)
  const table: [query: string, body: object][] = [
    ['', required('date_from')],
    ['date_from=2025-01-15', required('date_to')],
    ['date_to=2025-01-15', required('date_from')],
    ['date_from=&date_to=2025-01-16', invalid('date_from')],
    ['date_from=2025-01-15&date_to=', invalid('date_to')],
    ['date_from=yesterday&date_to=2025-01-16', invalid('date_from')],
    ['date_from=2025-01-15&date_to=tomorrow', invalid('date_to')],
    ['date_from=2025-02-29&date_to=2025-03-01', invalid('date_from')],
    ['date_from=2025-01-15&date_to=2025-01-32', invalid('date_to')],
    ['date_from=2025-01-15T24:00:00Z&date_to=2025-01-17', invalid('date_from')],
    ['date_from=2025-01-15T10:00:00%2B25:00&date_to=2025-01-17', invalid('date_from')],
    ['date_from=1736899200000&date_to=2025-01-17', invalid('date_from')],
    ['date_from=2025-01-15&date_to=2025-01-16%00', invalid('date_to')],
    [`date_from=2025-01-15&date_to=2025-01-16T00:00:00.${'0'.repeat(100)}Z`, invalid('date_to')],
    ['date_from=2025-01-15&date_from=2025-01-14&date_to=2025-01-16', invalid('date_from')],
    ['date_from=2025-01-16&date_to=2025-01-15', badRequest('date_from: must not be after date_to')],
    [
      'date_from=2025-01-15T00:00:00.001-04:00&date_to=2025-01-15T04:00:00Z',
      badRequest('date_from: must not be after date_to'),
    ],
  ]
  for (const path of [`/items/${A}/contacts/questions`, `/users/${quietSeller.id}/contacts/whatsapp`])
    for (const [query, body] of table) {
      const answer = await reader.get(`${path}?${query}`)
      t.same({ status: answer.status, body: answer.body }, { status: 400, body }, `${path}?${query.slice(0, 80)}`)
    }
  t.equal((await call(`/items/${A}/contacts/questions?${table[0]![0]}`)).text, JSON.stringify(required('date_from')))
})

t.test('rejects an invalid window and names the parameter', async (t) => {
  const last = badRequest(`last: ${LAST}`)
  const year = badRequest('ending: must leave the window between the years 1000 and 9999')
  const table: [query: string, body: object][] = [
    ['', badRequest(`last: is required, ${LAST}`)],
    ['unit=day', badRequest(`last: is required, ${LAST}`)],
    ['last=3', badRequest('unit: is required, must be one of day, hour')],
    ['last=0&unit=day', last],
    ['last=-1&unit=day', last],
    ['last=1001&unit=day', last],
    ['last=1.5&unit=hour', last],
    ['last=many&unit=hour', last],
    ['last=&unit=hour', last],
    ['last=3&last=4&unit=hour', last],
    ['last=3&unit=week', badRequest('unit: must be one of day, hour')],
    ['last=3&unit=DAY', badRequest('unit: must be one of day, hour')],
    ['last=3&unit=', badRequest('unit: must be one of day, hour')],
    ['last=3&unit=day&order=up', badRequest('order: must be one of asc, desc')],
    ['last=3&unit=day&ending=now', badRequest(`ending: ${INSTANT}`)],
    ['last=3&unit=day&ending=2025-02-30', badRequest(`ending: ${INSTANT}`)],
    ['last=3&unit=day&ending=0900-01-01', year],
    ['last=1000&unit=day&ending=1001-01-01', year],
    ['last=3&unit=day&ending=9999-12-31T12:00:00Z', year],
  ]
  for (const path of [
    `/items/${A}/contacts/questions`,
    `/users/${quietSeller.id}/contacts/phone_views`,
    `/items/${A}/contacts/whatsapp`,
  ])
    for (const [query, body] of table) {
      const answer = await reader.get(`${path}/time_window?${query}`)
      t.same({ status: answer.status, body: answer.body }, { status: 400, body }, `${path}: ${query}`)
    }
  const fiftyOne = Array.from({ length: 51 }, () => A)
  for (const path of ['/items/contacts/questions', '/items/contacts/phone_views', '/items/contacts/whatsapp'])
    for (const [query, body] of [
      ['last=3&unit=day', badRequest(`ids: is required, ${IDS}`)],
      ['last=3&unit=day&ids=', badRequest(`ids: ${IDS}`)],
      ['last=3&unit=day&ids=,', badRequest(`ids: ${IDS}`)],
      [`last=3&unit=day&ids=${fiftyOne}`, badRequest(`ids: ${IDS}`)],
      [`last=0&unit=day&ids=${A}`, last],
      [`last=3&unit=week&ids=${A}`, badRequest('unit: must be one of day, hour')],
    ] as const) {
      const answer = await reader.get(`${path}/time_window?${query}`)
      t.same({ status: answer.status, body: answer.body }, { status: 400, body }, `${path}: ${query.slice(0, 60)}`)
    }
  const exceeded = await call(`/items/${A}/contacts/questions/time_window?last=3&unit=day&ids=${fiftyOne}`)
  t.same({ status: exceeded.status, body: exceeded.body }, { status: 400, body: badRequest(`ids: ${IDS}`) })
})

t.test('answers 404 for unknown listings and users, 400 for malformed user ids', async (t) => {
  const range = 'date_from=2025-01-15&date_to=2025-01-16'
  const window = 'last=1&unit=day'
  const table: [url: string, status: number, body: object][] = [
    ...['questions', 'phone_views', 'whatsapp'].flatMap((kind): [string, number, object][] => [
      [`/items/MPE999/contacts/${kind}?${range}`, 404, ITEM_NOT_FOUND],
      [`/items/MPE999/contacts/${kind}/time_window?${window}`, 404, ITEM_NOT_FOUND],
      [`/items/contacts/${kind}/time_window?${window}&ids=${A},MPE999`, 404, ITEM_NOT_FOUND],
      [`/items/contacts/${kind}/time_window?${window}&ids=nothing,${A}`, 404, ITEM_NOT_FOUND],
      [`/users/999/contacts/${kind}?${range}`, 404, USER_NOT_FOUND],
      [`/users/999/contacts/${kind}/time_window?${window}`, 404, USER_NOT_FOUND],
      [`/users/me/contacts/${kind}/time_window?${window}`, 400, USER_ID],
    ]),
    [`/items/${A}/contacts/questions/time_window?${window}&ids=MPE999`, 404, ITEM_NOT_FOUND],
    // Not the form of a listing id.
    [`/items/1400000001/contacts/questions?${range}`, 404, ITEM_NOT_FOUND],
    [`/items/mpe1400000001/contacts/questions?${range}`, 404, ITEM_NOT_FOUND],
    [`/items/${A}%00/contacts/questions?${range}`, 404, ITEM_NOT_FOUND],
    [`/items/MPE${'1'.repeat(200)}/contacts/questions?${range}`, 404, ITEM_NOT_FOUND],
    // A user id is a number.
    [`/users/me/contacts/questions?${range}`, 400, USER_ID],
    [`/users/12x/contacts/phone_views?${range}`, 400, USER_ID],
    [`/users/${A}/contacts/whatsapp?${range}`, 400, USER_ID],
    [`/users/1.5/contacts/questions?${range}`, 400, USER_ID],
    [`/users/${quietSeller.id}.0/contacts/phone_views?${range}`, 400, USER_ID],
    [`/users/1e3/contacts/whatsapp?${range}`, 400, USER_ID],
    [`/users/-1.5/contacts/phone_views/time_window?${window}`, 400, USER_ID],
    // A number outside of the range of ids is still a number.
    [`/users/-1/contacts/questions?${range}`, 404, USER_NOT_FOUND],
    [`/users/9007199254740991/contacts/questions?${range}`, 404, USER_NOT_FOUND],
    [`/users/9007199254740992/contacts/questions?${range}`, 404, USER_NOT_FOUND],
    [`/users/${'1'.repeat(120)}/contacts/questions?${range}`, 404, USER_NOT_FOUND],
    // Parameters are validated first.
    ['/items/MPE999/contacts/questions?date_from=2025-01-15', 400, badRequest(`date_to: is required, ${INSTANT}`)],
    ['/items/MPE999/contacts/questions?date_from=x&date_to=y', 400, badRequest(`date_from: ${INSTANT}`)],
    ['/users/999/contacts/phone_views/time_window?last=0&unit=day', 400, badRequest(`last: ${LAST}`)],
    [
      '/items/contacts/questions/time_window?last=1&unit=day&ids=MPE999&ending=x',
      400,
      badRequest(`ending: ${INSTANT}`),
    ],
  ]
  for (const [url, status, body] of table) {
    const answer = await reader.get(url)
    t.same({ status: answer.status, body: answer.body }, { status, body }, url.slice(0, 100))
  }
  // A buyer is a user as well, without any questions received.
  const { body } = await call(`/users/${reader.id}/contacts/questions?${range}`)
  t.same(body, { date_from: '2025-01-15', date_to: '2025-01-16', user_id: String(reader.id), total: 0 })
})

t.test('errors before a route have two members, too [spec: contacts.errors]', async (t) => {
  const notAllowed = { code: 'method_not_allowed', message: 'Method not allowed. Allowed: GET, HEAD, OPTIONS' }
  const malformed = badRequest('The address is not a well-formed URL.')
  const noWorld = { code: 'resource not found', message: 'Resource not found.' }
  for (const kind of ['questions', 'phone_views', 'whatsapp'])
    for (const path of [
      `/items/${A}/contacts/${kind}`,
      `/users/${quietSeller.id}/contacts/${kind}`,
      `/items/${A}/contacts/${kind}/time_window`,
      `/users/${quietSeller.id}/contacts/${kind}/time_window`,
      `/items/contacts/${kind}/time_window`,
    ]) {
      const broken = path.replace(/M[A-Z]{2}\d+|\d{5,}/, '%zz').replace('time_window', 'time%5Fwindow')
      const rows: [method: string, url: string, status: number, body: object][] = [
        ['POST', path, 405, notAllowed],
        ['PATCH', `${path}/?last=1`, 405, notAllowed],
        ['DELETE', `/w/1${path}`, 405, notAllowed],
        ['GET', `/w/77${path}`, 404, noWorld],
        ['PUT', `/w/77${path}`, 404, noWorld],
        ...(broken.includes('%zz') ? [['GET', `${broken}?last=1`, 400, malformed] as (typeof rows)[0]] : []),
      ]
      for (const [method, url, status, body] of rows) {
        const answer = await call({ method: method as 'GET', url })
        t.strictSame([answer.status, answer.body], [status, body], `${method} ${url}`)
      }
    }
  const script = await call(`/items/%zz/contacts/questions?callback=show`)
  t.match(
    script.text,
    /^show\(\[400,.*,\{"code":"bad_request","message":"The address is not a well-formed URL."\}\]\)$/,
  )
  for (const url of ['/items/%zz', '/items/%zz/contacts/visits', '/items/contacts/questions/%zz'])
    t.strictSame(Object.keys((await call(url)).body), ['message', 'error', 'status', 'cause'], url)
})

t.test('requires a token for the messaging button only; rejects an invalid token everywhere', async (t) => {
  const range = 'date_from=2025-01-15&date_to=2025-01-16'
  const window = 'last=1&unit=day'
  const absent = { code: 'unauthorized', message: 'authorization value not present' }
  const invalid = { code: 'unauthorized', message: 'invalid_token' }
  const addresses = (kind: string) => [
    `/items/${A}/contacts/${kind}?${range}`,
    `/users/${quietSeller.id}/contacts/${kind}?${range}`,
    `/items/${A}/contacts/${kind}/time_window?${window}`,
    `/users/${quietSeller.id}/contacts/${kind}/time_window?${window}`,
    `/items/contacts/${kind}/time_window?ids=${A}&${window}`,
  ]
  const open = ['questions', 'phone_views'].flatMap(addresses)
  const closed = addresses('whatsapp')
  const answerFor = async (url: string, token?: string) => {
    const { status, body } = await call({ url, headers: token ? { authorization: token } : {} })
    return status === 200 ? status : { status, body }
  }
  for (const url of open) t.same(await answerFor(url), 200, url)
  for (const url of closed) t.same(await answerFor(url), { status: 401, body: absent }, url)
  for (const url of [...open, ...closed]) {
    t.equal(await answerFor(url, `Bearer ${quietSeller.token}`), 200, 'the seller of the listing')
    t.equal(await answerFor(url, `Bearer ${reader.token}`), 200, 'another user')
    t.same(await answerFor(url, 'Bearer APP_USR-1-030715-0-1'), { status: 401, body: invalid })
    t.equal(await answerFor(`${url}&access_token=${reader.token}`), 200)
    t.same(await answerFor(`${url}&access_token=nonsense`), { status: 401, body: invalid })
  }
  const url = closed[0]!
  t.equal(await answerFor(`${url}&access_token=nonsense`, `Bearer ${reader.token}`), 200, 'the header takes precedence')
  t.same(await answerFor(`${url}&access_token=${reader.token}`, 'Bearer nonsense'), { status: 401, body: invalid })
  // The token is checked first.
  t.same(await answerFor('/items/MPE999/contacts/whatsapp'), { status: 401, body: absent })
  t.same(await answerFor('/users/me/contacts/questions', 'Bearer nonsense'), { status: 401, body: invalid })
  t.equal((await call(url)).text, JSON.stringify(absent))
})

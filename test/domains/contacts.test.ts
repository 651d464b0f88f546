import { sql } from 'drizzle-orm'
import t from 'tap'
import { recordContact } from '../../domains/contacts/operations.ts'
import type { ContactKind } from '../../domains/contacts/tables.ts'
import { start } from '../support/app.ts'
import { atTime, countIn, eventsOf, HOUR, KINDS } from '../support/contacts.ts'

const { sellers, buyers, world, call } = await start(t)

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

t.test('rejects a window beyond the years, and other than 1 to 50 listings', async (t) => {
  const year = badRequest('ending: must leave the window between the years 1000 and 9999')
  for (const query of [
    'last=3&unit=day&ending=0900-01-01',
    'last=1000&unit=day&ending=1001-01-01',
    'last=3&unit=day&ending=9999-12-31T12:00:00Z',
  ])
    t.same((await reader.get(`/items/${A}/contacts/questions/time_window?${query}`)).body, year, query)
  const fiftyOne = Array.from({ length: 51 }, () => A)
  const several = '/items/contacts/questions'
  for (const [path, ids] of [
    [several, ','],
    [several, fiftyOne],
    [`/items/${A}/contacts/questions`, fiftyOne],
    ['/items/contacts/whatsapp', fiftyOne],
  ])
    t.same((await reader.get(`${path}/time_window?last=3&unit=day&ids=${ids}`)).body, badRequest(`ids: ${IDS}`))
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
    [`/items/${A}%00/contacts/questions?${range}`, 404, ITEM_NOT_FOUND],
    // A user id is a number; one outside of the range of ids is still a number.
    [`/users/${quietSeller.id}.0/contacts/phone_views?${range}`, 400, USER_ID],
    [`/users/-1/contacts/questions?${range}`, 404, USER_NOT_FOUND],
    [`/users/${'1'.repeat(120)}/contacts/questions?${range}`, 404, USER_NOT_FOUND],
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
  const malformed = badRequest('The address is not a well-formed URL.')
  for (const path of ['items/%zz/contacts/questions', 'users/%zz/contacts/whatsapp/time%5Fwindow?last=1'])
    t.strictSame((await call(`/${path}`)).body, malformed, path)
  const script = await call(`/items/%zz/contacts/questions?callback=show`)
  t.match(
    script.text,
    /^show\(\[400,.*,\{"code":"bad_request","message":"The address is not a well-formed URL."\}\]\)$/,
  )
  for (const url of ['/items/%zz', '/items/%zz/contacts/visits', '/items/contacts/questions/%zz'])
    t.strictSame(Object.keys((await call(url)).body), ['message', 'error', 'status', 'cause'], url)
})

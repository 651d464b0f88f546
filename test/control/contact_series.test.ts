import t from 'tap'
import { changeSwitches } from '../../db/world.ts'
import { MAX_CHANGES } from '../../domains/contacts/series_operations.ts'
import { ITEM, iso, NOW, start, valuesOf } from '../support/app.ts'
import { DAY, eventsOf, HOUR } from '../support/contacts.ts'
import { badRequest, expectAnswer, notFound } from '../support/questions.ts'

const app = await start(t, { scenario: 'quiet' })
const { control, call, world } = app
const [seller, other] = app.sellers as [(typeof app.sellers)[0], (typeof app.sellers)[0]]
const SECOND = 'MLA1400000002'

const put = (body: object) => control('PUT /contacts/series', { kind: 'phone_view', item_id: ITEM, ...body })
const series = (query: string) => control(`GET /contacts/series?kind=phone_view&${query}`)
const pointsOf = async (query: string) => (await series(query)).body.points
/** The totals of the emulated API, which are read from the rows of its two tables of hours. */
const shown = async (path: string, last: number, unit: string, ending: number) =>
  valuesOf(
    (await seller.get(`${path}/contacts/phone_views/time_window?last=${last}&unit=${unit}&ending=${iso(ending)}`)).body
      .results,
    'total',
  )
const countRows = async (from: number, to: number, path = `/items/${ITEM}`) =>
  (await seller.get(`${path}/contacts/phone_views?date_from=${iso(from)}&date_to=${iso(to)}`)).body.total

t.test('sets hours to more and to fewer; all statistics show exactly that', async (t) => {
  const start = Date.UTC(2026, 1, 2, 10)
  const points = (...totals: number[]) => totals.map((total, n) => ({ at: iso(start + n * HOUR), total }))
  await control('POST /contacts', { kind: 'phone_view', item_id: SECOND, at: iso(start + 5), count: 7 })
  expectAnswer(t, await put({ points: points(40, 3, 12) }), 200, { changed: 3, added: 55, removed: 0 })
  const query = `item_id=${ITEM}&from=${iso(start)}&to=${iso(start + 3 * HOUR)}`
  // By default phone views by hour.
  expectAnswer(t, await control(`GET /contacts/series?${query}`), 200, {
    kind: 'phone_view',
    unit: 'hour',
    from: iso(start),
    to: iso(start + 3 * HOUR),
    points: points(40, 3, 12),
  })
  expectAnswer(t, await put({ unit: 'hour', points: points(5, 3, 0) }), 200, { changed: 2, added: 0, removed: 47 })
  t.strictSame(await pointsOf(query), points(5, 3, 0))
  t.strictSame(await shown(`/items/${ITEM}`, 3, 'hour', start + 2 * HOUR), [5, 3, 0])
  t.strictSame(await shown(`/users/${seller.id}`, 3, 'hour', start + 2 * HOUR), [12, 3, 0], 'with the other listing')
  t.strictSame(await shown(`/items/${ITEM}`, 1, 'day', start), [8])
  // A range within an hour is counted in the rows of the contacts.
  t.equal(await countRows(start, start + 2 * HOUR - 1), 8)
  t.equal(await countRows(start, start + 2 * HOUR - 1, `/users/${seller.id}`), 15)
  expectAnswer(t, await put({ points: points(5, 3, 0) }), 200, { changed: 0, added: 0, removed: 0 })
  expectAnswer(t, await put({ points: points(0, 0) }), 200, { changed: 2, added: 0, removed: 8 })
  t.notOk(
    eventsOf(world).some(({ item_id }) => item_id === ITEM),
    'no contact of the listing is left',
  )
})

t.test('adds contacts of guests evenly, and removes the newest first', async (t) => {
  const start = Date.UTC(2026, 1, 3, 10)
  const at = iso(start)
  await put({ points: [{ at, total: 4 }] })
  const times = () => eventsOf(world).filter((event) => event.at >= start && event.at < start + HOUR)
  const MINUTE = 60_000
  const minutes = () => times().map((event) => (event.at - start) / MINUTE)
  t.strictSame(minutes(), [7.5, 22.5, 37.5, 52.5])
  t.ok(times().every(({ buyer_id }) => buyer_id === null))
  await put({ points: [{ at, total: 2 }] })
  t.strictSame(minutes(), [7.5, 22.5])
})

t.test('sets days, which begin as the world says', async (t) => {
  const day = Date.UTC(2026, 1, 4, 4)
  await put({ points: [{ at: iso(day + 3 * HOUR), total: 6 }] })
  const points = [
    { at: iso(day), total: 2 },
    { at: iso(day + DAY), total: 48 },
  ]
  expectAnswer(t, await put({ unit: 'day', points }), 200, { changed: 2, added: 48, removed: 4 })
  const query = `item_id=${ITEM}&unit=day&from=${iso(day + HOUR)}&to=${iso(day + DAY + 1)}`
  expectAnswer(t, await series(query), 200, {
    kind: 'phone_view',
    unit: 'day',
    from: iso(day),
    to: iso(day + 2 * DAY),
    points,
  })
  t.strictSame(await shown(`/items/${ITEM}`, 2, 'day', day + DAY), [2, 48])
  t.strictSame(await shown(`/items/${ITEM}`, 24, 'hour', day + 2 * DAY - 1), Array(24).fill(2))
  await changeSwitches(world, (switches) => ({ ...switches, 'contacts.day_offset': '+00:00' }))
  t.teardown(() => changeSwitches(world, () => ({})))
  const midnight = badRequest('points[0].at: must be the start of the day, 2026-02-04T00:00:00.000Z')
  expectAnswer(t, await put({ unit: 'day', points }), 400, midnight)
})

t.test('fills the interval in progress up to now', async (t) => {
  // The demo of the clock is at a full hour: one instant of this hour has passed.
  const at = iso(NOW)
  expectAnswer(t, await put({ points: [{ at, total: 3 }] }), 200, { changed: 1, added: 3, removed: 0 })
  const added = eventsOf(world).filter((event) => event.at >= NOW)
  t.match(
    added,
    [0, 1, 2].map((seq) => ({ at: NOW, seq })),
  )
  t.equal(added.length, 3)
  t.strictSame(await shown(`/items/${ITEM}`, 1, 'hour', NOW), [3])
})

t.test(
  'counts clicks and questions, of a listing or of a seller, by default of the last week or 30 days',
  async (t) => {
    const at = iso(NOW - 3 * HOUR)
    await control('POST /contacts', { kind: 'whatsapp', item_id: ITEM, at, count: 4 })
    await control('POST /contacts', { kind: 'question', item_id: SECOND, at, count: 2 })
    const lastOf = async (query: string) => {
      const { points, from, to } = (await control(`GET /contacts/series?${query}`)).body
      return [points.length, from, to, points.filter(({ total }: { total: number }) => total > 0)]
    }
    const week = [168, iso(NOW + HOUR - 7 * DAY), iso(NOW + HOUR)]
    t.strictSame(await lastOf(`kind=messaging_click&item_id=${ITEM}`), [...week, [{ at, total: 4 }]])
    t.strictSame(await lastOf(`kind=question&user_id=${seller.id}`), [...week, [{ at, total: 2 }]])
    t.strictSame(await lastOf(`kind=question&item_id=${ITEM}`), [...week, []])
    const today = Date.UTC(2026, 2, 7, 4)
    t.strictSame(await lastOf(`kind=messaging_click&user_id=${seller.id}&unit=day`), [
      ...[30, iso(today - 29 * DAY), iso(today + DAY)],
      [{ at: iso(today), total: 4 }],
    ])
    const clicks = await put({ kind: 'messaging_click', points: [{ at, total: 1 }] })
    expectAnswer(t, clicks, 200, { changed: 1, added: 0, removed: 3 })
    t.strictSame(await lastOf(`kind=messaging_click&item_id=${ITEM}`), [...week, [{ at, total: 1 }]])
  },
)

t.test('a cached answer of the statistics is not outdated', async (t) => {
  const at = Date.UTC(2026, 1, 9, 10)
  const url = `/items/${ITEM}/contacts/phone_views/time_window?last=1&unit=hour&ending=${iso(at)}`
  for (const total of [4, 4, 1, 1]) {
    await put({ points: [{ at: iso(at), total }] })
    for (let n = 0; n < 3; n++) t.equal((await seller.get(url)).body.total, total)
  }
})

t.test('rejects invalid queries', async (t) => {
  const INSTANT = 'must be an ISO 8601 date-time, for example 2026-03-01T00:00:00.000-04:00'
  const ONE = 'item_id, user_id: exactly one of them is required'
  const rows: [query: string, message: string][] = [
    ['', ONE],
    ['kind=phone_view', ONE],
    [`kind=phone_view&item_id=${ITEM}&user_id=${seller.id}`, ONE],
    [`kind=phone_view&item_id=${ITEM}&from=x`, `from: ${INSTANT}`],
    [`kind=phone_view&item_id=${ITEM}&to=x`, `to: ${INSTANT}`],
    [`kind=phone_view&item_id=${ITEM}&from=2026-03-02&to=2026-03-02`, 'from: must be before to'],
    [`kind=phone_view&item_id=${ITEM}&from=2026-03-08`, 'from: must be before to'],
    [`kind=phone_view&item_id=${ITEM}&from=2024-03-02`, 'from, to: must be at most 10000 intervals apart'],
    [`kind=phone_view&item_id=${ITEM}&from=1969-12-31`, 'from, to: must be between 1970 and 9999'],
    [`kind=phone_view&item_id=${ITEM}&to=9999-12-31T00:00:01Z`, 'from, to: must be between 1970 and 9999'],
  ]
  for (const [query, message] of rows)
    expectAnswer(t, await control(`GET /contacts/series?${query}`), 400, badRequest(message), query)
  expectAnswer(t, await series('item_id=MLA9'), 404, notFound('Item with id MLA9 not found'))
  expectAnswer(t, await series('user_id=9'), 404, notFound('User with id 9 not found'))
  t.equal((await pointsOf(`user_id=${other.id}&from=2025-01-16T03:00Z&to=2026-03-08T19:00Z`)).length, 10_000)
})

t.test('rejects invalid bodies without any effect', async (t) => {
  const before = eventsOf(world)
  const at = '2026-02-10T10:00:00.000Z'
  const INSTANT = 'must be an ISO 8601 date-time, for example 2026-03-01T00:00:00.000-04:00'
  const PAST = 'must be between 1970 and the world’s present time'
  const hours = (n: number, total: number) =>
    Array.from({ length: n }, (_, i) => ({ at: iso(Date.UTC(2025, 0, 1) + i * HOUR), total }))
  const twice = (second: string) => ({ points: [at, second].map((at) => ({ at, total: 1 })) })
  const rows: [changed: object, message: string][] = [
    [twice('soon'), `points[1].at: ${INSTANT}`],
    [{ points: [{ at: iso(NOW + HOUR), total: 1 }] }, `points[0].at: ${PAST}`],
    [{ points: [{ at: '1969-12-31T23:00:00Z', total: 0 }] }, `points[0].at: ${PAST}`],
    [{ points: [{ at: '2026-02-10T10:00:00.001Z', total: 1 }] }, `points[0].at: must be the start of the hour, ${at}`],
    [
      { unit: 'day', points: [{ at, total: 1 }] },
      'points[0].at: must be the start of the day, 2026-02-10T04:00:00.000Z',
    ],
    [twice('2026-02-10T06:00:00-04:00'), 'points[1].at: is the hour of points[0], too'],
    [{ points: hours(101, 1000) }, `points: must add or remove at most ${MAX_CHANGES} contacts`],
  ]
  for (const [changed, message] of rows)
    expectAnswer(t, await put({ points: [{ at, total: 1 }], ...changed }), 400, badRequest(message))
  const unknown = await put({ item_id: 'MLA9', points: [{ at, total: 1 }] })
  expectAnswer(t, unknown, 404, notFound('Item with id MLA9 not found'))
  t.strictSame(eventsOf(world), before)
})

t.test('the next export has exactly the contacts that were set', async (t) => {
  const at = iso(Date.UTC(2026, 1, 11, 10))
  const item_id = 'MLA1400000005'
  await put({ item_id, points: [{ at, total: 9 }] })
  await put({ item_id, points: [{ at, total: 2 }] })
  const { contacts } = (await call('/_sandbox/world')).body
  const exported = contacts.filter((one: { item_id: string }) => one.item_id === item_id)
  t.match(exported, [{ kind: 'phone_view', at: ['2026-02-11T10:03:20.000Z', '2026-02-11T10:10:00.000Z'] }])
  t.equal(exported.length, 1)
})

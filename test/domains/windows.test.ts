import t from 'tap'
import { presentBuckets, type Unit, windowOf } from '../../domains/contacts/windows.ts'
import { atMinusFour, parseInstant, utcMillis, utcSeconds } from '../../domains/shared/instants.ts'
import { iso, start } from '../support/app.ts'
import { countIn, DAY, eventsOf, HOUR, KINDS } from '../support/contacts.ts'
import fc, { runs } from '../support/property.ts'

t.test('parses the date formats of clients', async (t) => {
  const ten = Date.UTC(2026, 2, 1, 10)
  const table: [text: string, ms: number][] = [
    ['2026-03-01T10:00:00.000Z', ten],
    ['2026-03-01T10:00:00Z', ten],
    ['2026-03-01T10:00Z', ten],
    ['2026-03-01t10:00:00z', ten],
    ['2026-03-01 10:00:00', ten],
    // Without an offset: UTC.
    ['2026-03-01T10:00:00.000', ten],
    ['2026-03-01T10:00', ten],
    // Offsets with and without the colon, and with the blank that a plus in a query turns into.
    ['2026-03-01T06:00:00.000-04:00', ten],
    ['2026-03-01T06:00:00-0400', ten],
    ['2026-03-01T15:30:00+05:30', ten],
    ['2026-03-01T15:30:00 05:30', ten],
    ['2026-03-01 15:30:00 0530', ten],
    ['2026-03-02T00:00:00+14:00', ten],
    ['2026-02-28T22:00:00-12:00', ten],
    ['2026-03-01T10:00:00-00:00', ten],
    // A date alone means its midnight.
    ['2026-03-01', Date.UTC(2026, 2, 1)],
    // Fractions of a second.
    ['2026-03-01T10:00:00.5Z', ten + 500],
    ['2026-03-01T10:00:00.05Z', ten + 50],
    ['2026-03-01T10:00:00,007Z', ten + 7],
    ['2026-03-01T10:00:00.123000Z', ten + 123],
    ['2026-03-01T10:00:00.999999999Z', ten + 999],
    // Leap days and the edges of the calendar.
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    ['2000-02-29T23:59:59.999Z', Date.UTC(2000, 1, 29, 23, 59, 59, 999)],
    ['1970-01-01T00:00:00Z', 0],
    ['1969-12-31T23:59:59.999Z', -1],
    ['1969-12-31T20:00:00-04:00', 0],
    ['0099-01-01', Date.parse('0099-01-01T00:00:00Z')],
    ['9999-12-31T23:59:59.999Z', 253_402_300_799_999],
  ]
  for (const [text, ms] of table) t.equal(parseInstant(text), ms, text)
})

t.test('rejects invalid dates', async (t) => {
  for (const text of [
    '',
    ' ',
    'yesterday',
    '2026',
    '2026-03',
    '2026-3-1',
    '20260301',
    '20260301T100000Z',
    '1772359200000',
    '2026-W09-7',
    '2026-060',
    '+002026-03-01',
    '-2026-03-01',
    // Days that do not exist.
    '2026-02-29',
    '2026-02-30',
    '1900-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    // Times that do not exist.
    '2026-03-01T24:00:00Z',
    '2026-03-01T10:60:00Z',
    '2026-03-01T23:59:60Z',
    '2026-03-01T10:00:00+24:00',
    '2026-03-01T10:00:00-04:60',
    // Missing or surplus parts.
    '2026-03-01T',
    '2026-03-01T10',
    '2026-03-01T10Z',
    '2026-03-01Z',
    '2026-03-01-04:00',
    '2026-03-01T10:00:00.Z',
    '2026-03-01T10:00:00.1234567890Z',
    '2026-03-01T1:00:00Z',
    '2026-03-01T10:00:00+4:00',
    '2026-03-01T10:00:00+04',
    '2026-03-01T10:00:00  04:00',
    '2026-03-01T10:00:00Z+04:00',
    '2026-03-01T10:00:00 UTC',
    ' 2026-03-01T10:00:00Z',
    '2026-03-01T10:00:00Z ',
    '2026-03-01T10:00:00Z\n',
    '2026-03-01T10:00:00Z\u0000',
    '2026/03/01',
    '01-03-2026',
    '２０２６-03-01',
  ])
    t.equal(parseInstant(text), undefined, JSON.stringify(text))
})

t.test('formats dates in three ways', async (t) => {
  for (const [ms, minusFour, seconds, millis] of [
    [
      Date.UTC(2026, 2, 7, 15, 4, 5, 678),
      '2026-03-07T11:04:05.000-04:00',
      '2026-03-07T15:04:05Z',
      '2026-03-07T15:04:05.678Z',
    ],
    [Date.UTC(2026, 0, 1, 4), '2026-01-01T00:00:00.000-04:00', '2026-01-01T04:00:00Z', '2026-01-01T04:00:00.000Z'],
    [
      Date.UTC(2026, 0, 1, 3, 59, 59, 999),
      '2025-12-31T23:59:59.000-04:00',
      '2026-01-01T03:59:59Z',
      '2026-01-01T03:59:59.999Z',
    ],
    [0, '1969-12-31T20:00:00.000-04:00', '1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
  ] as const) {
    t.equal(atMinusFour(ms), minusFour)
    t.equal(utcSeconds(ms), seconds)
    t.equal(utcMillis(ms), millis)
  }
  // More days than the cache of dates, forwards and backwards.
  const day = 24 * 3_600_000
  const many = Array.from({ length: 2500 }, (_, n) => Date.UTC(1999, 11, 25) + n * day + ((n * 7919) % day))
  for (const ms of [...many, ...many.reverse()])
    if (utcSeconds(ms) !== `${iso(ms).slice(0, 19)}Z`) t.fail(`${utcSeconds(ms)} is ${iso(ms)}`)
})

const instant = fc.integer({ min: Date.UTC(1000, 0, 2), max: Date.UTC(9999, 11, 30) })

t.test('property: a formatted date parses to the same instant', async (t) => {
  const two = (n: number) => String(n).padStart(2, '0')
  const offset = fc.record({
    minutes: fc.integer({ min: -(23 * 60 + 59), max: 23 * 60 + 59 }),
    plus: fc.constantFrom('+', ' '),
    colon: fc.constantFrom(':', ''),
  })
  fc.assert(
    fc.property(instant, offset, (ms, { minutes, plus, colon }) => {
      const local = iso(ms + minutes * 60_000).slice(0, 23)
      const hours = Math.floor(Math.abs(minutes) / 60)
      const sign = minutes < 0 ? '-' : plus
      return parseInstant(`${local}${sign}${two(hours)}${colon}${two(Math.abs(minutes) % 60)}`) === ms
    }),
  )
  t.pass('with any offset')
  fc.assert(fc.property(instant, (ms) => parseInstant(utcMillis(ms)) === ms))
  t.pass('with milliseconds')
  const second = (ms: number) => Math.floor(ms / 1000) * 1000
  fc.assert(fc.property(instant, (ms) => parseInstant(utcSeconds(ms)) === second(ms)))
  t.pass('to the second')
  fc.assert(fc.property(instant, (ms) => parseInstant(atMinusFour(ms)) === second(ms)))
  t.pass('at -04:00')
})

t.test('property: the intervals cover the window without gaps, and the last contains the ending', async (t) => {
  const hours = fc.integer({ min: -12, max: 14 })
  const modulo = (a: number, b: number) => ((a % b) + b) % b
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1000 }),
      fc.constantFrom<Unit>('hour', 'day'),
      instant,
      hours,
      fc.boolean(),
      (last, unit, ending, offsetHours, isWhole) => {
        const dayOffset = `${offsetHours < 0 ? '-' : '+'}${String(Math.abs(offsetHours)).padStart(2, '0')}:00`
        const size = unit === 'hour' ? HOUR : DAY
        const window = windowOf(last, unit, ending, { dayOffset, whole: isWhole })
        const starts = presentBuckets(window, Array(last).fill(0), (at) => at)
        const lastInstant = isWhole ? ending - size : ending
        return (
          starts.length === last &&
          starts[0] === window.from &&
          starts.every((start, n) => start === window.from + n * size) &&
          starts.at(-1)! + size === window.to &&
          starts.at(-1)! <= lastInstant &&
          lastInstant < window.to &&
          modulo(window.from + (unit === 'day' ? offsetHours * HOUR : 0), size) === 0
        )
      },
    ),
  )
  t.pass('for any unit, length and offset')
})

const { sellers, world, call } = await start(t)

t.test('property: a series sums up to the total of its range', async (t) => {
  const events = eventsOf(world)
  const subjects = sellers.flatMap(({ id, site_id }) => [
    { path: `/users/${id}`, of: events.filter((event) => event.user_id === id) },
    ...Array.from({ length: 25 }, (_, n) => `${site_id}${1400000001 + n}`).map((item) => ({
      path: `/items/${item}`,
      of: events.filter((event) => event.item_id === item),
    })),
  ])
  const headers = { authorization: `Bearer ${sellers[0]!.token}` }
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...subjects),
      fc.constantFrom(...KINDS),
      fc.constantFrom<Unit>('hour', 'day'),
      fc.integer({ min: 1, max: 200 }),
      fc.integer({ min: Date.UTC(2025, 10, 20), max: Date.UTC(2026, 2, 10) }),
      fc.constantFrom('asc', 'desc'),
      async ({ path, of: events }, kind, unit, last, ending, order) => {
        const contactsPath = `${path}/contacts/${kind}`
        const window = `last=${last}&unit=${unit}&ending=${iso(ending)}&order=${order}`
        const series = await call({ url: `${contactsPath}/time_window?${window}`, headers })
        const { date_from, date_to, results, total } = series.body
        const range = await call({ url: `${contactsPath}?date_from=${date_from}&date_to=${date_to}`, headers })
        const sum = (results as { total: number }[]).reduce((sum, bucket) => sum + bucket.total, 0)
        const kinds = events.filter((event) => event.kind === kind)
        return (
          series.status === 200 &&
          range.status === 200 &&
          results.length === last &&
          total === sum &&
          total === range.body.total &&
          total === countIn(kinds, Date.parse(date_from), Date.parse(date_to))
        )
      },
    ),
    { numRuns: runs(200) },
  )
  t.pass('for listings and sellers, all kinds, both units, both orders')
})

import t from 'tap'
import { addUp, averages as averagesAt, salesIncrease } from '../../domains/questions/averages.ts'
import { DAY, HOUR, MINUTE, NOW, SECOND, start } from '../support/app.ts'
import { errorBody, expectAnswer, notFound, type Parties, questionFixtures } from '../support/questions.ts'

const app = await start(t, { scenario: 'demo' })
const { sellers } = app
const { createUser, createParties, createListing, banQuestion, ask, answer, setClock } = questionFixtures(app)
t.beforeEach(() => setClock(NOW))

const WEEK_OF_MINUTES = 10_080

const path = ({ seller }: Pick<Parties, 'seller'>) => `/users/${seller.id}/questions/response_time`
const notFoundError = (id: unknown) => notFound(`Response time not found for user id: ${id}`)

/** An instant of 2026 in local time at −04:00. NOW is Saturday, 7 March, 11:00. */
const local = (month: number, day: number, hour = 0, minute = 0, second = 0) =>
  Date.UTC(2026, month - 1, day, hour + 4, minute, second)

/** Asks on a new listing at an instant, answers after `minutes` if given, and sets the clock back to NOW. */
async function askAndAnswer(
  { seller, buyer }: Parties,
  instant: number,
  minutes?: number,
): Promise<{ id: number; item: string }> {
  const item = await createListing(seller)
  setClock(instant)
  const id = await ask(buyer, item)
  if (minutes !== undefined) {
    setClock(instant + minutes * MINUTE)
    await answer(seller, id)
  }
  setClock(NOW)
  return { id, item }
}

const averages = (questions: Parameters<typeof addUp>[0], now: number) => averagesAt(addUp(questions, now), now)

/** The four averages: total, weekend, working hours, extra hours. */
const readAverages = async (one: Parties) => {
  const { status, body } = await one.seller.get(path(one))
  if (status !== 200) return status
  const { total, weekend, weekdays_working_hours, weekdays_extra_hours } = body
  return [total, weekend, weekdays_working_hours, weekdays_extra_hours].map(({ response_time }) => response_time)
}

t.test('answers a complete report', async (t) => {
  const one = await createParties()
  await askAndAnswer(one, local(3, 1, 10), 30) // Sunday
  await askAndAnswer(one, local(2, 28, 23, 59), 61) // Saturday: the weekend has (30 + 61) / 2 = 45.5
  await askAndAnswer(one, local(3, 2, 9), 90) // Monday
  await askAndAnswer(one, local(3, 6, 17, 59), 31) // Friday: working hours have (90 + 31) / 2 = 60.5
  await askAndAnswer(one, local(3, 3, 18), 600) // Tuesday evening
  await askAndAnswer(one, local(3, 4), 9) // Wednesday night: only in the total, 821 / 6 = 136.83
  expectAnswer(t, await one.seller.get(path(one)), 200, {
    user_id: one.seller.id,
    total: { response_time: 137 },
    weekend: { response_time: 46, sales_percent_increase: null },
    weekdays_working_hours: { response_time: 61, sales_percent_increase: 5 },
    weekdays_extra_hours: { response_time: 600, sales_percent_increase: 15 },
  })
})

t.test('answers 0 and no forecast for a period without questions', async (t) => {
  const one = await createParties()
  await askAndAnswer(one, local(3, 4, 3), 700)
  expectAnswer(t, await one.seller.get(path(one)), 200, {
    user_id: one.seller.id,
    total: { response_time: 700 },
    weekend: { response_time: 0, sales_percent_increase: null },
    weekdays_working_hours: { response_time: 0, sales_percent_increase: null },
    weekdays_extra_hours: { response_time: 0, sales_percent_increase: null },
  })
})

t.test('counts only the first question of a buyer on a listing', async (t) => {
  const one = await createParties()
  const { seller, buyer } = one
  const { item } = await askAndAnswer(one, local(3, 3, 10), 100)
  const askAgain = async (by: typeof buyer, hour: number, minutes: number) => {
    setClock(local(3, 3, hour))
    const id = await ask(by, item)
    setClock(local(3, 3, hour) + minutes * MINUTE)
    await answer(seller, id)
    setClock(NOW)
  }
  await askAgain(buyer, 13, 5)
  await askAgain(buyer, 14, 10)
  t.strictSame(await readAverages(one), [100, 0, 100, 0])
  await askAgain(await createUser(), 15, 20)
  t.strictSame(await readAverages(one), [60, 0, 60, 0], 'the first question of another buyer counts')
  await askAndAnswer(one, local(3, 3, 16), 30)
  t.strictSame(await readAverages(one), [50, 0, 50, 0], 'the first question on another listing counts')
})

t.test('a question is the first over the whole history', async (t) => {
  const one = await createParties()
  const { seller, buyer } = one
  await askAndAnswer(one, local(3, 3, 10), 7)

  const old = await askAndAnswer(one, NOW - 20 * DAY, 3)
  await answer(seller, await ask(buyer, old.item))
  t.strictSame(await readAverages(one), [7, 0, 7, 0], 'even if the first is older than the report')

  const deleted = await askAndAnswer(one, local(3, 3, 11))
  await seller.delete(`/questions/${deleted.id}`)
  await ask(buyer, deleted.item)
  t.strictSame(await readAverages(one), [7, 0, 7, 0], 'even if the first was deleted')

  const forbidden = await askAndAnswer(one, local(3, 3, 12))
  await ask(buyer, forbidden.item)
  await banQuestion(forbidden.id)
  t.strictSame(await readAverages(one), [7, 0, 7, 0], 'even if the first was banned')
})

t.test('a question asked before the first, after the clock moved back, is the first', async (t) => {
  const one = await createParties()
  const { seller, buyer } = one
  const { item } = await askAndAnswer(one, local(3, 5, 12), 10)
  setClock(local(3, 3, 12))
  const earlier = await ask(buyer, item)
  setClock(local(3, 3, 12, 20))
  await answer(seller, earlier)
  setClock(NOW)
  t.strictSame(await readAverages(one), [20, 0, 20, 0])
})

t.test('reaches back exactly fourteen days', async (t) => {
  const one = await createParties()
  // Saturday, 21 February, 11:00 is fourteen days ago.
  await askAndAnswer(one, NOW - 14 * DAY, 30)
  t.strictSame(await readAverages(one), [30, 30, 0, 0])
  setClock(NOW + 1)
  t.equal(await readAverages(one), 404, 'no question is left a millisecond later')
  await answer(one.seller, (await askAndAnswer(one, NOW - 14 * DAY - 1)).id)
  t.strictSame(await readAverages(one), [30, 30, 0, 0], 'an earlier question does not count, although answered now')
})

t.test('counts only questions received by the seller', async (t) => {
  const [one, other] = [await createParties(), await createParties()]
  await askAndAnswer(one, local(3, 3, 12), 10)
  await askAndAnswer(other, local(3, 3, 12), 20)
  await askAndAnswer({ ...other, buyer: one.seller }, local(3, 3, 12), 30)
  t.strictSame(await readAverages(one), [10, 0, 10, 0])
  t.strictSame(await readAverages(other), [25, 0, 25, 0])
})

t.test('answers 404 without questions and 403 to other callers', async (t) => {
  const one = await createParties()
  expectAnswer(t, await one.seller.get(path(one)), 404, notFoundError(one.seller.id), 'never asked')
  await askAndAnswer(one, NOW - 15 * DAY, 1)
  expectAnswer(t, await one.seller.get(path(one)), 404, notFoundError(one.seller.id), 'no recent question')
  await askAndAnswer(one, NOW - DAY, 1)
  t.equal((await one.seller.get(path(one))).status, 200)

  const { buyer } = one
  const forbidden = (caller: number, id: number) =>
    errorBody(403, 'access_denied', `User ${caller} cannot access data for user ${id}`)
  expectAnswer(t, await buyer.get(path(one)), 403, forbidden(buyer.id, one.seller.id))
  expectAnswer(t, await sellers[0]!.get(path(one)), 403, forbidden(sellers[0]!.id, one.seller.id))
  expectAnswer(
    t,
    await one.seller.get(`/users/${buyer.id}/questions/response_time`),
    403,
    forbidden(one.seller.id, buyer.id),
    'another user without questions',
  )
  for (const id of ['2599999999', 'me', `${one.seller.id}.0`])
    expectAnswer(t, await one.seller.get(`/users/${id}/questions/response_time`), 404, notFoundError(id), id)
})

t.test('assigns each instant of the week to its period', async (t) => {
  const rows: [name: string, instant: number, weekend: number, working: number, extra: number][] = [
    ['Friday, last minute', local(3, 6, 23, 59, 59), 0, 0, 1],
    ['Friday, last millisecond', local(3, 7) - 1, 0, 0, 1],
    ['Saturday, first', local(3, 7), 1, 0, 0],
    ['Saturday, noon', local(3, 7, 12), 1, 0, 0],
    ['Sunday, in the night', local(3, 8, 3), 1, 0, 0],
    ['Sunday, 20:00, Monday by UTC', local(3, 8, 20), 1, 0, 0],
    ['Sunday, last millisecond', local(3, 9) - 1, 1, 0, 0],
    ['Monday, first', local(3, 9), 0, 0, 0],
    ['Monday, 08:59:59', local(3, 9, 8, 59, 59), 0, 0, 0],
    ['Monday, 09:00', local(3, 9, 9), 0, 1, 0],
    ['Wednesday, noon', local(3, 11, 12), 0, 1, 0],
    ['Thursday, 17:59:59', local(3, 12, 17, 59, 59), 0, 1, 0],
    ['Thursday, 18:00', local(3, 12, 18), 0, 0, 1],
    ['Thursday, 20:00, Friday by UTC', local(3, 12, 20), 0, 0, 1],
    ['Friday, 00:00', local(3, 13), 0, 0, 0],
  ]
  for (const [name, date_created, weekend, weekdays_working_hours, weekdays_extra_hours] of rows)
    t.strictSame(
      averages([{ date_created, answered_at: date_created + MINUTE }], date_created + MINUTE),
      { total: 1, weekend, weekdays_working_hours, weekdays_extra_hours },
      name,
    )
})

t.test(
  'response_time.refresh=daily answers the report of the last midnight [spec: response_time.refresh]',
  async (t) => {
    const one = await createParties()
    await askAndAnswer(one, local(3, 6, 10), 30)
    await askAndAnswer(one, local(3, 6, 23), 120) // Answered at 01:00 on Saturday
    await askAndAnswer(one, local(3, 7, 9), 10)
    t.strictSame(await readAverages(one), [53, 10, 30, 120], 'live')
    const setRefresh = (value: string) => app.control('PATCH /assumptions/response_time.refresh', { value })
    t.equal((await setRefresh('daily')).status, 200)
    t.strictSame(await readAverages(one), [45, 0, 30, 60], 'as of midnight: an open question, none of today')
    setClock(local(3, 7, 23, 59, 59))
    t.strictSame(await readAverages(one), [45, 0, 30, 60], 'all day')
    setClock(local(3, 8))
    t.strictSame(await readAverages(one), [53, 10, 30, 120], 'until the next midnight')
    setClock(local(3, 6, 23, 59))
    t.equal(await readAverages(one), 404, 'the first day has no report yet')
    t.equal((await setRefresh('live')).status, 200)
  },
)

t.test('ignores an answer that lies in the future after the clock moved back', async (t) => {
  const noon = local(3, 4, 12)
  const askAndAnswer = { date_created: noon, answered_at: noon + 90 * MINUTE }
  t.equal(averages([askAndAnswer], noon + 30 * MINUTE).total, 30)
})

t.test('the report follows the clock without a write in between', async (t) => {
  const one = await createParties()
  await askAndAnswer(one, local(3, 6, 10), 30) // Friday
  await askAndAnswer(one, local(3, 4, 20), 5 * 24 * 60) // Wednesday, answered on Monday
  await askAndAnswer(one, local(3, 2, 12)) // Monday, never answered
  await askAndAnswer(one, local(3, 14, 12)) // Saturday
  const rows: [name: string, instant: number, expected: number[] | 404][] = [
    ['first', NOW, [Math.round((30 + 63 * 60 + 119 * 60) / 3), 0, (30 + 119 * 60) / 2, 63 * 60]],
    ['an hour later', NOW + HOUR, [Math.round((30 + 64 * 60 + 120 * 60) / 3), 0, (30 + 120 * 60) / 2, 64 * 60]],
    ['an hour earlier', NOW - HOUR, [Math.round((30 + 62 * 60 + 118 * 60) / 3), 0, (30 + 118 * 60) / 2, 62 * 60]],
    [
      'a week after Monday',
      local(3, 9, 12),
      [(30 + 7200 - 8 * 60 + 7 * 1440) / 3, 0, (30 + 7 * 1440) / 2, 7200 - 8 * 60],
    ],
    ['after the answer', local(3, 9, 22), [(30 + 7200 + 7 * 1440) / 3, 0, (30 + 7 * 1440) / 2, 7200]],
    ['Saturday, noon', local(3, 14, 12), [Math.round((30 + 7200 + 7 * 1440) / 4), 0, (30 + 7 * 1440) / 2, 7200]],
    ['last of Monday', local(3, 16, 12), [Math.round((30 + 7200 + 7 * 1440 + 2880) / 4), 2880, 5055, 7200]],
    ['without Monday', local(3, 16, 12) + 1, [(30 + 7200 + 2880) / 3, 2880, 30, 7200]],
    ['without Wednesday', local(3, 18, 20) + 1, [Math.round((30 + 6240) / 2), 6240, 30, 0]],
    ['a week after Saturday', local(3, 27), [7 * 1440, 7 * 1440, 0, 0]],
    ['without questions', local(3, 28, 12) + 1, 404],
    ['first again', NOW, [Math.round((30 + 63 * 60 + 119 * 60) / 3), 0, (30 + 119 * 60) / 2, 63 * 60]],
  ]
  for (const [name, instant, expected] of rows) {
    setClock(instant)
    t.strictSame(await readAverages(one), expected, name)
  }
})

t.test('rounds minutes once, half up', async (t) => {
  const noon = local(3, 4, 12)
  const mean = (...seconds: number[]) =>
    averages(
      seconds.map((after) => ({ date_created: noon, answered_at: noon + after * SECOND })),
      noon + Math.max(0, ...seconds) * SECOND,
    ).weekdays_working_hours
  const rows: [seconds: number[], minutes: number][] = [
    [[], 0],
    [[0], 0],
    [[29], 0],
    [[29.999], 0],
    [[30], 1],
    [[89], 1],
    [[90], 2],
    [[60, 120], 2],
    [[29, 29], 0],
    [[20, 40], 1],
    [[20, 20, 49], 0],
    [[20, 20, 50], 1],
    [[3629], 60],
    [[3630], 61],
    [[7 * 86_400], WEEK_OF_MINUTES],
    [[8 * 86_400], WEEK_OF_MINUTES],
    [[8 * 86_400, 0], 5040],
  ]
  for (const [seconds, minutes] of rows) t.equal(mean(...seconds), minutes, seconds.join(', '))
  t.strictSame(
    averages([{ date_created: noon, answered_at: null }], noon + 90 * SECOND),
    { total: 2, weekend: 0, weekdays_working_hours: 2, weekdays_extra_hours: 0 },
    'an open question',
  )
})

t.test('steps the forecast with the minutes', async (t) => {
  const rows: [minutes: number, percent: number | null][] = [
    [0, null],
    [60, null],
    [61, 5],
    [120, 5],
    [121, 10],
    [480, 10],
    [481, 15],
    [1440, 15],
    [1441, 20],
    [WEEK_OF_MINUTES, 20],
  ]
  for (const [minutes, percent] of rows) t.equal(salesIncrease(minutes), percent, `${minutes}`)
})

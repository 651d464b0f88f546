import t from 'tap'
import { averages, salesIncrease } from '../../domains/questions/averages.ts'
import { NOW, start } from '../support/app.ts'
import {
  errorBody,
  expectAnswer,
  NO_TOKEN,
  notFound,
  type Parties,
  questionFixtures,
  type Status,
} from '../support/questions.ts'

const app = await start(t, { scenario: 'demo' })
const { call, sellers } = app
const { createUser, createParties, createListing, moveListing, banQuestion, ask, answer, insertQuestion, setClock } =
  questionFixtures(app)
t.beforeEach(() => setClock(NOW))

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
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

t.test('assigns a question to the period in which it was asked', async (t) => {
  const one = await createParties()
  await askAndAnswer(one, local(3, 5, 17, 59), 20)
  t.strictSame(await readAverages(one), [20, 0, 20, 0])
  await askAndAnswer(one, local(3, 6, 23, 59), 41)
  t.strictSame(await readAverages(one), [31, 0, 20, 41], '30.5')
})

t.test('answers the forecast of each period', async (t) => {
  const one = await createParties()
  await askAndAnswer(one, local(2, 28, 12), 1441)
  await askAndAnswer(one, local(3, 3, 12), 121)
  await askAndAnswer(one, local(3, 3, 20), 480)
  const { body } = await one.seller.get(path(one))
  t.strictSame(body.weekend, { response_time: 1441, sales_percent_increase: 20 })
  t.strictSame(body.weekdays_working_hours, { response_time: 121, sales_percent_increase: 10 })
  t.strictSame(body.weekdays_extra_hours, { response_time: 480, sales_percent_increase: 10 })
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

t.test('of two questions of one instant the lower id is the first', async (t) => {
  const one = await createParties()
  const { seller, buyer, item } = one
  setClock(local(3, 3, 10))
  const [first, second] = [await ask(buyer, item), await ask(buyer, item)]
  setClock(local(3, 3, 10, 10))
  await answer(seller, second)
  setClock(local(3, 3, 10, 40))
  await answer(seller, first)
  setClock(NOW)
  t.strictSame(await readAverages(one), [40, 0, 40, 0])
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

t.test('counts the elapsed time of an open question, one week at most', async (t) => {
  const one = await createParties()
  const { id } = await askAndAnswer(one, local(3, 6, 12)) // Friday; NOW is 23 hours later.
  t.strictSame(await readAverages(one), [1380, 0, 1380, 0])
  setClock(NOW + 7 * MINUTE)
  t.strictSame(await readAverages(one), [1387, 0, 1387, 0], 'by the clock')
  setClock(local(3, 13, 12) - MINUTE)
  t.strictSame(await readAverages(one), [WEEK_OF_MINUTES - 1, 0, WEEK_OF_MINUTES - 1, 0])
  setClock(local(3, 13, 12))
  t.strictSame(await readAverages(one), [WEEK_OF_MINUTES, 0, WEEK_OF_MINUTES, 0])
  setClock(local(3, 13, 12) + DAY)
  t.strictSame(await readAverages(one), [WEEK_OF_MINUTES, 0, WEEK_OF_MINUTES, 0], 'one week at most')
  await answer(one.seller, id)
  t.strictSame(await readAverages(one), [WEEK_OF_MINUTES, 0, WEEK_OF_MINUTES, 0], 'also for a late answer')
})

t.test('counts an answer at once', async (t) => {
  const one = await createParties()
  const { id } = await askAndAnswer(one, NOW - 3 * HOUR)
  t.strictSame(await readAverages(one), [180, 180, 0, 0])
  await answer(one.seller, id)
  setClock(NOW + HOUR)
  t.strictSame(await readAverages(one), [180, 180, 0, 0], 'and no longer changes')
})

t.test('counts open and answered questions, not deleted or banned ones', async (t) => {
  const instant = local(3, 5, 12) // Thursday; NOW is 47 hours, 2820 minutes later.
  const counts = async (row: { status: Status; answered_at?: number }) => {
    const one = await createParties()
    await insertQuestion(one, { ...row, date_created: instant })
    return readAverages(one)
  }
  const open = [2820, 0, 2820, 0]
  t.strictSame(await counts({ status: 'UNANSWERED' }), open)
  t.strictSame(await counts({ status: 'CLOSED_UNANSWERED' }), open)
  t.strictSame(await counts({ status: 'UNDER_REVIEW' }), open)
  t.strictSame(await counts({ status: 'ANSWERED', answered_at: instant + 5 * MINUTE }), [5, 0, 5, 0])
  t.equal(await counts({ status: 'DELETED' }), 404)
  t.equal(await counts({ status: 'BANNED' }), 404)
  t.equal(await counts({ status: 'BANNED', answered_at: instant + 5 * MINUTE }), 404, 'answered, then banned')

  const one = await createParties()
  const { id, item } = await askAndAnswer(one, instant)
  await moveListing(item, 'closed')
  t.strictSame(await readAverages(one), open, 'closed with its listing')
  await one.seller.post('/my/questions/hidden', { question_ids: [id] })
  t.strictSame(await readAverages(one), open, 'hidden')
  await one.seller.delete(`/questions/${id}`)
  t.equal(await readAverages(one), 404, 'deleted')
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
  expectAnswer(t, await call(path(one)), 401, NO_TOKEN)
  expectAnswer(t, await call('/users/nonsense/questions/response_time'), 401, NO_TOKEN)
  for (const id of [
    '2599999999',
    '0',
    '-1',
    '1.5',
    'me',
    'nonsense',
    '9007199254740992',
    '1'.repeat(150),
    `0x${one.seller.id.toString(16)}`,
    `${one.seller.id}.0`,
  ])
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

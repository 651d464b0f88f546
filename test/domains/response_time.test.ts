import t from 'tap'
import { averages, salesIncrease } from '../../domains/questions/averages.ts'
import { NOW, start } from '../support/app.ts'
import { marketOf, NO_TOKEN, notFound, refused, type Stall, type Status, says } from '../support/questions.ts'

const app = await start(t, { scenario: 'demo' })
const { call, faults, sellers } = app
const { person, stall, listing, move, banned, ask, answer, put, at } = marketOf(app)
t.beforeEach(() => at(NOW))

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const WEEK_OF_MINUTES = 10_080

const path = ({ seller }: Pick<Stall, 'seller'>) => `/users/${seller.id}/questions/response_time`
const none = (id: unknown) => notFound(`Response time not found for user id: ${id}`)

/** An instant of 2026 by the clock at −04:00. NOW is Saturday, 7 March, 11:00. */
const local = (month: number, day: number, hour = 0, minute = 0, second = 0) =>
  Date.UTC(2026, month - 1, day, hour + 4, minute, second)

/** Asks on a listing of its own at an instant; answers after so many minutes, if any. The clock is at NOW again. */
async function asked({ seller, buyer }: Stall, when: number, minutes?: number): Promise<{ id: number; item: string }> {
  const item = await listing(seller)
  at(when)
  const id = await ask(buyer, item)
  if (minutes !== undefined) {
    at(when + minutes * MINUTE)
    await answer(seller, id)
  }
  at(NOW)
  return { id, item }
}

/** The four averages: total, weekend, working hours, extra hours. */
const times = async (one: Stall) => {
  const { status, body } = await one.seller.get(path(one))
  if (status !== 200) return status
  const { total, weekend, weekdays_working_hours, weekdays_extra_hours } = body
  return [total, weekend, weekdays_working_hours, weekdays_extra_hours].map(({ response_time }) => response_time)
}

t.test('a report, whole', async (t) => {
  const one = await stall()
  await asked(one, local(3, 1, 10), 30) // Sunday
  await asked(one, local(2, 28, 23, 59), 61) // Saturday: the weekend has (30 + 61) / 2 = 45.5
  await asked(one, local(3, 2, 9), 90) // Monday
  await asked(one, local(3, 6, 17, 59), 31) // Friday: working hours have (90 + 31) / 2 = 60.5
  await asked(one, local(3, 3, 18), 600) // Tuesday evening
  await asked(one, local(3, 4), 9) // Wednesday night: only in the total, 821 / 6 = 136.83
  says(t, await one.seller.get(path(one)), 200, {
    user_id: one.seller.id,
    total: { response_time: 137 },
    weekend: { response_time: 46, sales_percent_increase: null },
    weekdays_working_hours: { response_time: 61, sales_percent_increase: 5 },
    weekdays_extra_hours: { response_time: 600, sales_percent_increase: 15 },
  })
})

t.test('a period without questions has 0, and no forecast', async (t) => {
  const one = await stall()
  await asked(one, local(3, 4, 3), 700)
  says(t, await one.seller.get(path(one)), 200, {
    user_id: one.seller.id,
    total: { response_time: 700 },
    weekend: { response_time: 0, sales_percent_increase: null },
    weekdays_working_hours: { response_time: 0, sales_percent_increase: null },
    weekdays_extra_hours: { response_time: 0, sales_percent_increase: null },
  })
})

t.test('the period is that in which was asked, not answered', async (t) => {
  const one = await stall()
  await asked(one, local(3, 5, 17, 59), 20)
  t.strictSame(await times(one), [20, 0, 20, 0])
  await asked(one, local(3, 6, 23, 59), 41)
  t.strictSame(await times(one), [31, 0, 20, 41], '30.5')
})

t.test('the forecast of each period', async (t) => {
  const one = await stall()
  await asked(one, local(2, 28, 12), 1441)
  await asked(one, local(3, 3, 12), 121)
  await asked(one, local(3, 3, 20), 480)
  const { body } = await one.seller.get(path(one))
  t.strictSame(body.weekend, { response_time: 1441, sales_percent_increase: 20 })
  t.strictSame(body.weekdays_working_hours, { response_time: 121, sales_percent_increase: 10 })
  t.strictSame(body.weekdays_extra_hours, { response_time: 480, sales_percent_increase: 10 })
})

t.test('of a buyer’s questions on a listing only the first counts', async (t) => {
  const one = await stall()
  const { seller, buyer } = one
  const { item } = await asked(one, local(3, 3, 10), 100)
  const again = async (by: typeof buyer, hour: number, minutes: number) => {
    at(local(3, 3, hour))
    const id = await ask(by, item)
    at(local(3, 3, hour) + minutes * MINUTE)
    await answer(seller, id)
    at(NOW)
  }
  await again(buyer, 13, 5)
  await again(buyer, 14, 10)
  t.strictSame(await times(one), [100, 0, 100, 0])
  await again(await person(), 15, 20)
  t.strictSame(await times(one), [60, 0, 60, 0], 'somebody else’s first counts too')
  await asked(one, local(3, 3, 16), 30)
  t.strictSame(await times(one), [50, 0, 50, 0], 'and the first on another listing')
})

t.test('the first is the first ever', async (t) => {
  const one = await stall()
  const { seller, buyer } = one
  await asked(one, local(3, 3, 10), 7)

  const old = await asked(one, NOW - 20 * DAY, 3)
  await answer(seller, await ask(buyer, old.item))
  t.strictSame(await times(one), [7, 0, 7, 0], 'even if it is older than the report looks')

  const deleted = await asked(one, local(3, 3, 11))
  await seller.delete(`/questions/${deleted.id}`)
  await ask(buyer, deleted.item)
  t.strictSame(await times(one), [7, 0, 7, 0], 'even if it was deleted')

  const forbidden = await asked(one, local(3, 3, 12))
  await ask(buyer, forbidden.item)
  await banned(forbidden.id)
  t.strictSame(await times(one), [7, 0, 7, 0], 'or banned')
})

t.test('of two in one instant the lower id is the first', async (t) => {
  const one = await stall()
  const { seller, buyer, item } = one
  at(local(3, 3, 10))
  const [first, second] = [await ask(buyer, item), await ask(buyer, item)]
  at(local(3, 3, 10, 10))
  await answer(seller, second)
  at(local(3, 3, 10, 40))
  await answer(seller, first)
  at(NOW)
  t.strictSame(await times(one), [40, 0, 40, 0])
})

t.test('a question that is asked before the first, the clock having gone back, is the first', async (t) => {
  const one = await stall()
  const { seller, buyer } = one
  const { item } = await asked(one, local(3, 5, 12), 10)
  at(local(3, 3, 12))
  const earlier = await ask(buyer, item)
  at(local(3, 3, 12, 20))
  await answer(seller, earlier)
  at(NOW)
  t.strictSame(await times(one), [20, 0, 20, 0])
})

t.test('an open question counts the time elapsed so far, a week at most', async (t) => {
  const one = await stall()
  const { id } = await asked(one, local(3, 6, 12)) // Friday; NOW is 23 hours later.
  t.strictSame(await times(one), [1380, 0, 1380, 0])
  at(NOW + 7 * MINUTE)
  t.strictSame(await times(one), [1387, 0, 1387, 0], 'by the clock')
  at(local(3, 13, 12) - MINUTE)
  t.strictSame(await times(one), [WEEK_OF_MINUTES - 1, 0, WEEK_OF_MINUTES - 1, 0])
  at(local(3, 13, 12))
  t.strictSame(await times(one), [WEEK_OF_MINUTES, 0, WEEK_OF_MINUTES, 0])
  at(local(3, 13, 12) + DAY)
  t.strictSame(await times(one), [WEEK_OF_MINUTES, 0, WEEK_OF_MINUTES, 0], 'no more')
  await answer(one.seller, id)
  t.strictSame(await times(one), [WEEK_OF_MINUTES, 0, WEEK_OF_MINUTES, 0], 'nor with a late answer')
})

t.test('an answer shows at once', async (t) => {
  const one = await stall()
  const { id } = await asked(one, NOW - 3 * HOUR)
  t.strictSame(await times(one), [180, 180, 0, 0])
  await answer(one.seller, id)
  at(NOW + HOUR)
  t.strictSame(await times(one), [180, 180, 0, 0], 'and stands still')
})

t.test('which states count', async (t) => {
  const when = local(3, 5, 12) // Thursday; NOW is 47 hours, 2820 minutes later.
  const counts = async (row: { status: Status; answered_at?: number }) => {
    const one = await stall()
    await put(one, { ...row, date_created: when })
    return times(one)
  }
  const open = [2820, 0, 2820, 0]
  t.strictSame(await counts({ status: 'UNANSWERED' }), open)
  t.strictSame(await counts({ status: 'CLOSED_UNANSWERED' }), open)
  t.strictSame(await counts({ status: 'UNDER_REVIEW' }), open)
  t.strictSame(await counts({ status: 'ANSWERED', answered_at: when + 5 * MINUTE }), [5, 0, 5, 0])
  t.equal(await counts({ status: 'DELETED' }), 404)
  t.equal(await counts({ status: 'BANNED' }), 404)
  t.equal(await counts({ status: 'BANNED', answered_at: when + 5 * MINUTE }), 404, 'answered, then banned')

  const one = await stall()
  const { id, item } = await asked(one, when)
  await move(item, 'closed')
  t.strictSame(await times(one), open, 'closed with its listing')
  await one.seller.post('/my/questions/hidden', { question_ids: [id] })
  t.strictSame(await times(one), open, 'hidden')
  await one.seller.delete(`/questions/${id}`)
  t.equal(await times(one), 404, 'deleted')
})

t.test('the report looks back fourteen days, to the instant', async (t) => {
  const one = await stall()
  // Saturday, 21 February, 11:00 is fourteen days ago.
  await asked(one, NOW - 14 * DAY, 30)
  t.strictSame(await times(one), [30, 30, 0, 0])
  at(NOW + 1)
  t.equal(await times(one), 404, 'a millisecond later there is nothing')
  await answer(one.seller, (await asked(one, NOW - 14 * DAY - 1)).id)
  t.strictSame(await times(one), [30, 30, 0, 0], 'asked before counts not, though answered now')
})

t.test('only what the seller received', async (t) => {
  const [one, other] = [await stall(), await stall()]
  await asked(one, local(3, 3, 12), 10)
  await asked(other, local(3, 3, 12), 20)
  await asked({ ...other, buyer: one.seller }, local(3, 3, 12), 30)
  t.strictSame(await times(one), [10, 0, 10, 0])
  t.strictSame(await times(other), [25, 0, 25, 0])
})

t.test('who gets no report', async (t) => {
  const one = await stall()
  says(t, await one.seller.get(path(one)), 404, none(one.seller.id), 'never asked')
  await asked(one, NOW - 15 * DAY, 1)
  says(t, await one.seller.get(path(one)), 404, none(one.seller.id), 'not asked for long')
  await asked(one, NOW - DAY, 1)
  t.equal((await one.seller.get(path(one))).status, 200)

  const { buyer } = one
  const forbidden = (caller: number, id: number) =>
    refused(403, 'access_denied', `User ${caller} cannot access data for user ${id}`)
  says(t, await buyer.get(path(one)), 403, forbidden(buyer.id, one.seller.id))
  says(t, await sellers[0]!.get(path(one)), 403, forbidden(sellers[0]!.id, one.seller.id))
  says(
    t,
    await one.seller.get(`/users/${buyer.id}/questions/response_time`),
    403,
    forbidden(one.seller.id, buyer.id),
    'somebody else without questions',
  )
  says(t, await call(path(one)), 401, NO_TOKEN)
  says(t, await call('/users/nonsense/questions/response_time'), 401, NO_TOKEN)
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
    says(t, await one.seller.get(`/users/${id}/questions/response_time`), 404, none(id), id)
})

t.test('each instant of the week belongs to its period', async (t) => {
  const rows: [name: string, when: number, weekend: number, working: number, extra: number][] = [
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

t.test('an answer that lies ahead, after the clock went back, is none yet', async (t) => {
  const noon = local(3, 4, 12)
  const asked = { date_created: noon, answered_at: noon + 90 * MINUTE }
  t.equal(averages([asked], noon + 30 * MINUTE).total, 30)
})

t.test('minutes are rounded once, half up', async (t) => {
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
    'an open one',
  )
})

t.test('the forecast steps with the minutes', async (t) => {
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

t.test('no fault came to light', async (t) => t.strictSame(faults, []))

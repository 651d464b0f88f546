import t from 'tap'
import {
  changeOf,
  pointsOf,
  type Row,
  rowsOf,
  weeksOf,
  withLine,
  withNumbers,
} from '../../web/screens/statistics/series.ts'

const at = (hour: number) => `2026-03-02T0${hour}:00:00.000Z`
const rows: Row[] = [5, 5, 5, 5].map((total, hour) => ({
  at: at(hour),
  totals: { phone_view: total, messaging_click: 1, question: 0 },
}))

t.test('a drawn line sets all intervals between its ends, in both directions', async (t) => {
  const up = withLine(new Map(), { rows, kind: 'phone_view' }, { index: 0, total: 0 }, { index: 3, total: 9 })
  t.strictSame(
    [...up],
    [0, 3, 6, 9].map((total, hour) => [at(hour), total]),
  )
  const down = withLine(new Map(), { rows, kind: 'phone_view' }, { index: 3, total: 9 }, { index: 0, total: 0 })
  t.strictSame(new Map([...down].reverse()), up)
  t.strictSame(changeOf(up, rows, 'phone_view'), { added: 5, removed: 7 })
})

t.test('a total is a whole number from 0 to 100,000, and intervals outside the chart are ignored', async (t) => {
  const draft = withLine(new Map(), { rows, kind: 'phone_view' }, { index: -1, total: -4 }, { index: 0, total: -4 })
  t.strictSame([...draft], [[at(0), 0]])
  const high = withLine(
    new Map(),
    { rows, kind: 'messaging_click' },
    { index: 3, total: 1e9 },
    { index: 3, total: 1e9 },
  )
  t.strictSame([...high], [[at(3), 100_000]])
  const half = withLine(new Map(), { rows, kind: 'phone_view' }, { index: 1, total: 6.6 }, { index: 1, total: 6.6 })
  t.strictSame([...half], [[at(1), 7]])
})

t.test('an interval that is drawn as it is leaves the draft', async (t) => {
  const draft = withLine(
    new Map([[at(2), 9]]),
    { rows, kind: 'phone_view' },
    { index: 2, total: 5 },
    { index: 2, total: 5 },
  )
  t.equal(draft.size, 0)
})

t.test('rows have the totals of all curves', async (t) => {
  const series = [[1, 2], [3, 4], [5]].map((totals) => ({ points: totals.map((total, n) => ({ at: at(n), total })) }))
  t.strictSame(rowsOf(series), [
    { at: at(0), totals: { phone_view: 1, messaging_click: 3, question: 5 } },
    { at: at(1), totals: { phone_view: 2, messaging_click: 4, question: 0 } },
  ])
})

t.test('numbers are typed for an interval and those after it', async (t) => {
  t.strictSame(
    [...withNumbers(new Map(), { rows, kind: 'phone_view' }, 1, ' 7 5, 9 1 ')!],
    [
      [at(1), 7],
      [at(3), 9],
    ],
  )
  for (const text of ['', 'x', '1 x', '-1', '1.5'])
    t.equal(withNumbers(new Map(), { rows, kind: 'phone_view' }, 0, text), undefined)
})

t.test('weeks end with the last day, and their days share a drawn total as the present one', async (t) => {
  const days: Row[] = Array.from({ length: 15 }, (_, n) => ({
    at: `day ${n}`,
    totals: { phone_view: n % 2, messaging_click: 0, question: 1 },
  }))
  const weeks = weeksOf(days)
  t.strictSame(
    weeks.map(({ at, totals }) => [at, totals.phone_view, totals.question]),
    [
      ['day 1', 4, 7],
      ['day 8', 3, 7],
    ],
  )
  t.strictSame(
    weeksOf(days.slice(0, 2)).map(({ at, totals }) => [at, totals.question]),
    [['day 0', 2]],
  )
  const totals = (kind: 'phone_view' | 'messaging_click') =>
    pointsOf(new Map([['day 8', 10]]), weeks, kind).map(({ total }) => total)
  t.strictSame(totals('phone_view'), [0, 3, 0, 4, 0, 3, 0])
  t.equal(
    totals('messaging_click').reduce((sum, total) => sum + total),
    10,
  )
  t.strictSame(pointsOf(new Map([[at(1), 3]]), rows, 'phone_view'), [{ at: at(1), total: 3 }])
})

import t from 'tap'
import { changeOf, type Row, rowsOf, withLine } from '../../web/screens/statistics/series.ts'

const at = (hour: number) => `2026-03-02T0${hour}:00:00.000Z`
const rows: Row[] = [5, 5, 5, 5].map((total, hour) => ({
  at: at(hour),
  totals: { phone_view: total, messaging_click: 1, question: 0 },
}))

t.test('a drawn line sets all intervals between its ends, in both directions', async (t) => {
  const up = withLine(new Map(), rows, 'phone_view', { index: 0, total: 0 }, { index: 3, total: 9 })
  t.strictSame(
    [...up],
    [0, 3, 6, 9].map((total, hour) => [at(hour), total]),
  )
  const down = withLine(new Map(), rows, 'phone_view', { index: 3, total: 9 }, { index: 0, total: 0 })
  t.strictSame(new Map([...down].reverse()), up)
  t.strictSame(changeOf(up, rows, 'phone_view'), { added: 5, removed: 7 })
})

t.test('a total is a whole number from 0 to 100,000, and intervals outside the chart are ignored', async (t) => {
  const draft = withLine(new Map(), rows, 'phone_view', { index: -1, total: -4 }, { index: 0, total: -4 })
  t.strictSame([...draft], [[at(0), 0]])
  const high = withLine(new Map(), rows, 'messaging_click', { index: 3, total: 1e9 }, { index: 3, total: 1e9 })
  t.strictSame([...high], [[at(3), 100_000]])
  const half = withLine(new Map(), rows, 'phone_view', { index: 1, total: 6.6 }, { index: 1, total: 6.6 })
  t.strictSame([...half], [[at(1), 7]])
})

t.test('an interval that is drawn as it is leaves the draft', async (t) => {
  const draft = withLine(new Map([[at(2), 9]]), rows, 'phone_view', { index: 2, total: 5 }, { index: 2, total: 5 })
  t.equal(draft.size, 0)
})

t.test('rows have the totals of all curves', async (t) => {
  const series = [[1, 2], [3, 4], [5]].map((totals) => ({ points: totals.map((total, n) => ({ at: at(n), total })) }))
  t.strictSame(rowsOf(series), [
    { at: at(0), totals: { phone_view: 1, messaging_click: 3, question: 5 } },
    { at: at(1), totals: { phone_view: 2, messaging_click: 4, question: 0 } },
  ])
})

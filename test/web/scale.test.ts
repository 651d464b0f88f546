import t from 'tap'
import { pathOf, timeTicks, totalTicks } from '../../web/screens/statistics/scale.ts'

const iso = (ticks: number[]) => ticks.map((at) => new Date(at).toISOString().slice(0, 16))

t.test('ticks of totals are round whole numbers up to the largest or more', async (t) => {
  t.strictSame(totalTicks(10, 5), [0, 2, 4, 6, 8, 10])
  t.strictSame(totalTicks(2, 5), [0, 1, 2], 'no halves')
  t.strictSame(totalTicks(61, 5), [0, 20, 40, 60, 80])
  t.strictSame(totalTicks(1000, 5), [0, 200, 400, 600, 800, 1000])
  t.strictSame(totalTicks(125_000, 5), [0, 50_000, 100_000, 150_000])
})

t.test('ticks of time are full hours, midnights or first days of months', async (t) => {
  const noon = Date.UTC(2026, 2, 2, 12, 30)
  const DAY = 86_400_000
  t.strictSame(iso(timeTicks(noon - DAY, noon, 4)), [
    '2026-03-01T18:00',
    '2026-03-02T00:00',
    '2026-03-02T06:00',
    '2026-03-02T12:00',
  ])
  t.strictSame(iso(timeTicks(noon - 7 * DAY, noon, 4)), [
    '2026-02-24T00:00',
    '2026-02-26T00:00',
    '2026-02-28T00:00',
    '2026-03-02T00:00',
  ])
  t.strictSame(iso(timeTicks(noon - 365 * DAY, noon, 5)), [
    '2025-04-01T00:00',
    '2025-07-01T00:00',
    '2025-10-01T00:00',
    '2026-01-01T00:00',
  ])
  t.strictSame(timeTicks(noon, noon + 1000, 0), [], 'no room')
})

const plot = { width: 30, height: 100, top: 10, from: 0, to: 1 }

t.test('a path goes through the middle of each interval', async (t) => {
  t.equal(pathOf([0, 10, 5], plot), 'M5.0 100.0L15.0 0.0L25.0 50.0')
  t.equal(pathOf([undefined, 10, 5, undefined, 2], { ...plot, width: 50 }), 'M15.0 0.0L25.0 50.0M45.0 80.0')
  t.equal(pathOf([], plot), '')
})

t.test('of 10,000 totals a path has the lowest and the highest of each pixel', async (t) => {
  const totals = Array.from({ length: 10_000 }, (_, n) => (n === 4999 ? 10 : n === 5000 ? 0 : 3 + (n % 3)))
  const points = pathOf(totals, { ...plot, width: 500 })
    .split(/[ML]/)
    .slice(1)
    .map((point) => point.split(' ').map(Number) as [number, number])
  t.equal(points.length, 1000)
  t.equal(points.filter(([, y]) => y === 0).length, 1, 'the highest')
  t.equal(points.filter(([, y]) => y === 100).length, 1, 'the lowest')
  t.ok(
    points.every(([x], n) => n === 0 || x >= points[n - 1]![0]),
    'from left to right',
  )
})

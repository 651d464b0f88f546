import t from 'tap'
import { MAX_ROWS, windowOf } from '../../web/parts/window.ts'
import { MAX_ENTRIES, type Page, type Pages, withNewest, withOlder } from '../../web/world/pages.ts'

t.test('only rows in sight are rendered', async (t) => {
  t.strictSame(windowOf(0, 360, 36, 1000), { first: 0, last: 19 })
  t.strictSame(windowOf(3600, 360, 36, 1000), { first: 92, last: 119 })
  t.strictSame(windowOf(36_000, 360, 36, 1000), { first: 981, last: 1000 })
  t.strictSame(windowOf(36_000, 360, 36, 5), { first: 0, last: 5 }, 'the list became shorter')
  t.strictSame(windowOf(0, 360, 36, 0), { first: 0, last: 0 })
  for (const top of [0, 5000, 35_000]) {
    const { first, last } = windowOf(top, 5000, 36, 1000)
    t.ok(last - first <= MAX_ROWS)
  }
})

interface Row {
  id: number
  text?: string
}
const rows = (from: number, to: number): Row[] => Array.from({ length: from - to + 1 }, (_, n) => ({ id: from - n }))
const page = (results: Row[], total: number, limit = 3): Page<Row> => ({ paging: { total, limit }, results })
const ids = ({ rows }: Pages<Row>) => rows.map(({ id }) => id)

t.test('a list grows at both ends', async (t) => {
  let list = withNewest(undefined, page(rows(9, 7), 9))
  t.strictSame(list, { rows: rows(9, 7), total: 9, next: 7 })
  list = withOlder(list, page(rows(6, 4), 9))
  t.strictSame(ids(list), [9, 8, 7, 6, 5, 4])
  list = withNewest(list, page(rows(11, 9), 11))
  t.strictSame([ids(list), list.total], [[11, 10, 9, 8, 7, 6, 5, 4], 11])
  list = withOlder(list, page(rows(3, 1), 11))
  t.equal(list.next, 1, 'a full page may have a successor')
  list = withOlder(list, page([], 11))
  t.strictSame([ids(list).length, list.next], [11, null])
})

t.test('its newest page replaces changed rows, and removes those that left', async (t) => {
  const list = withNewest(undefined, page(rows(9, 7), 9))
  t.strictSame(withNewest(list, page([{ id: 9, text: 'new' }, { id: 7 }, { id: 6 }], 8)).rows, [
    { id: 9, text: 'new' },
    { id: 7 },
    { id: 6 },
  ])
  t.strictSame(withNewest(list, page([], 0)), { rows: [], total: 0, next: null })
})

t.test('after more new rows than a page it begins again', async (t) => {
  const list = withNewest(undefined, page(rows(9, 7), 9))
  t.strictSame(withNewest(list, page(rows(15, 13), 15)), { rows: rows(15, 13), total: 15, next: 13 })
})

t.test('a list has at most 2,000 rows, and ends where the server repeats itself', async (t) => {
  const long = { rows: rows(5000, 3002), total: 5000, next: 3002 }
  const full = withOlder(long, page(rows(3001, 2999), 5000))
  t.equal(full.next, null)
  t.equal(withNewest(full, page(rows(5001, 4999), 5001)).rows.length, MAX_ENTRIES)
  const list = withNewest(undefined, page(rows(9, 7), 9))
  t.strictSame(withOlder(list, page(rows(9, 7), 9)), { ...list, next: null })
})

t.test('a search goes on where the server has stopped', async (t) => {
  const found = (results: Row[], next_before: number | null): Page<Row> => ({
    paging: { total: results.length, limit: 3, next_before },
    results,
  })
  let list = withNewest(undefined, found([{ id: 9 }], 6))
  t.strictSame(list, { rows: [{ id: 9 }], total: 1, next: 6 })
  list = withOlder(list, found([{ id: 2 }], 1))
  t.strictSame(list, { rows: [{ id: 9 }, { id: 2 }], total: 2, next: 1 })
  list = withNewest(list, found([{ id: 10 }, { id: 9 }], 7))
  t.strictSame(list, { rows: [{ id: 10 }, { id: 9 }, { id: 2 }], total: 3, next: 1 })
  t.strictSame(withOlder(list, found([], null)), { ...list, next: null })
})

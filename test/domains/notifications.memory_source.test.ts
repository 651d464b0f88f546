import t from 'tap'
import { Ring, RingBudget } from '../../db/ring.ts'
import { memorySource } from '../../domains/notifications/feed/memory_source.ts'

const open = (ring: Ring<number>) => {
  const source = memorySource('request', ring, (value) => ({ value }))
  return {
    ...source,
    /** The values that it sends, or its gaps. */
    read: () =>
      source
        .read()
        .split('\n\n')
        .filter(Boolean)
        .map((message) => {
          const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(message)!
          return event === 'gap' ? JSON.parse(data!) : JSON.parse(data!).value
        }),
  }
}

t.test('sends what is added from now on, in batches of 100', async (t) => {
  const ring = new Ring<number>(1000)
  ring.append(0)
  const source = open(ring)
  t.strictSame([source.read(), source.hasMore()], [[], false])
  const values = Array.from({ length: 150 }, (_, n) => n + 1)
  for (const value of values) ring.append(value)
  const other = open(ring)
  t.strictSame([source.read(), source.hasMore()], [values.slice(0, 100), true])
  t.strictSame([source.read(), source.hasMore()], [values.slice(100), false])
  ring.append(151)
  t.strictSame([source.read(), other.read()], [[151], [151]])
})

t.test('reports values that were evicted before they were read', async (t) => {
  const ring = new Ring<number>(3)
  const source = open(ring)
  for (let value = 1; value <= 5; value++) ring.append(value)
  t.strictSame(source.read(), [{ kind: 'request', after: 0, first: 3 }, 3, 4, 5])
  ring.skip(10)
  t.strictSame([source.read(), source.hasMore()], [[{ kind: 'request', after: 5, first: 16 }], false])
  ring.append(16)
  ring.clear()
  t.strictSame(source.read(), [{ kind: 'request', after: 15, first: 17 }])
  t.strictSame(source.read(), [])
})

t.test('calls back after each value until it is unwatched', async (t) => {
  const ring = new Ring<number>(3)
  let calls = 0
  const unwatch = open(ring).watch(() => calls++)
  ring.append(1)
  t.strictSame([calls, ring.isWatched], [1, true])
  unwatch()
  ring.append(2)
  t.strictSame([calls, ring.isWatched], [1, false])
})

t.test('rings with one budget drop the values that were added first', async (t) => {
  const budget = new RingBudget(4)
  const [one, two] = [new Ring<number>(3, budget), new Ring<number>(3, budget)]
  for (const value of [1, 2, 3, 4]) one.append(value)
  t.strictSame(one.values(), [2, 3, 4])
  two.append(1)
  t.strictSame([one.values(), two.values()], [[2, 3, 4], [1]])
  two.append(2)
  t.strictSame(
    [one.values(), two.values()],
    [
      [3, 4],
      [1, 2],
    ],
  )
  t.strictSame([one.get(2), one.get(3), one.get(5)], [undefined, 3, undefined])
  t.strictSame(one.values(4), [4])
})

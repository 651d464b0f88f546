import t from 'tap'
import { Ring, RingBudget } from '../../db/ring.ts'
import { memorySource } from '../../domains/notifications/feed/sources.ts'

const entry = (value: number) => ({ value })
const open = (ring: Ring<{ value: number }>) => {
  const source = memorySource('request', ring, (entry) => entry)
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
  const ring = new Ring<{ value: number }>(1000)
  ring.append(entry(0))
  const source = open(ring)
  t.strictSame([source.read(), source.hasMore()], [[], false])
  const values = Array.from({ length: 150 }, (_, n) => n + 1)
  for (const value of values) ring.append(entry(value))
  const other = open(ring)
  t.strictSame([source.read(), source.hasMore()], [values.slice(0, 100), true])
  t.strictSame([source.read(), source.hasMore()], [values.slice(100), false])
  ring.append(entry(151))
  t.strictSame([source.read(), other.read()], [[151], [151]])
})

t.test('reports values that were evicted before they were read', async (t) => {
  const ring = new Ring<{ value: number }>(3)
  const source = open(ring)
  for (let value = 1; value <= 5; value++) ring.append(entry(value))
  t.strictSame(source.read(), [{ kind: 'request', after: 0, first: 3 }, 3, 4, 5])
  ring.skip(10)
  t.strictSame([source.read(), source.hasMore()], [[{ kind: 'request', after: 5, first: 16 }], false])
  ring.append(entry(16))
  ring.clear()
  t.strictSame(source.read(), [{ kind: 'request', after: 15, first: 17 }])
  t.strictSame(source.read(), [])
})

t.test('a ring with sizes drops its oldest values until the rest fits', async (t) => {
  const options = { budget: new RingBudget(12), sizeOf: (value: number) => value, maxSize: 10 }
  const [one, two] = [new Ring<number>(3, options), new Ring<number>(3, options)]
  for (const value of [5, 3, 2]) one.append(value)
  t.strictSame([one.values(), one.dropped], [[5, 3, 2], 0])
  one.append(4)
  t.strictSame(one.values(), [3, 2, 4], 'too many')
  one.append(7)
  t.strictSame([one.values(), one.dropped], [[7], 4])
  two.append(6)
  t.strictSame([one.values(), two.values()], [[], [6]], 'the budget is that of both')
  two.append(11)
  t.strictSame([two.values(), two.isEmpty, two.dropped, two.next], [[], true, 2, 3], 'larger than the limit')
})

t.test('calls back after each value until it is unwatched', async (t) => {
  const ring = new Ring<{ value: number }>(3)
  let calls = 0
  const unwatch = open(ring).watch(() => calls++)
  ring.append(entry(1))
  t.strictSame([calls, ring.isWatched], [1, true])
  unwatch()
  ring.append(entry(2))
  t.strictSame([calls, ring.isWatched], [1, false])
})

t.test('of rings with one budget, the one that was used least recently drops its oldest values', async (t) => {
  const budget = new RingBudget(4)
  const [one, two] = [new Ring<number>(3, { budget }), new Ring<number>(3, { budget })]
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
  one.append(5)
  t.strictSame([one.values(), two.values()], [[3, 4, 5], [2]])
  one.clear()
  for (const value of [3, 4]) two.append(value)
  t.strictSame([one.values(), two.values(), one.dropped, two.dropped], [[], [2, 3, 4], 0, 1])
})

t.test('presents a value once for all streams', async (t) => {
  const ring = new Ring<{ value: number }>(3)
  let calls = 0
  const sources = [1, 2].map(() => memorySource('request', ring, (entry) => ({ ...entry, calls: ++calls })))
  ring.append(entry(7))
  t.strictSame(
    sources.map((source) => source.read()),
    Array(2).fill('event: request\ndata: {"value":7,"calls":1}\n\n'),
  )
})

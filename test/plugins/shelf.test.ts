import t from 'tap'
import { createLruCache } from '../../plugins/lru_cache.ts'

t.test('what was used last stays, in so many bytes', async (t) => {
  const shelf = createLruCache<string>(100)
  for (const key of ['a', 'b', 'c']) shelf.set(key, key.toUpperCase(), 30)
  t.strictSame([shelf.get('a'), shelf.bytes], ['A', 90])
  shelf.set('d', 'D', 30)
  t.strictSame(
    ['a', 'b', 'c', 'd'].map((key) => shelf.get(key)),
    ['A', undefined, 'C', 'D'],
  )
  shelf.set('c', 'more', 60)
  t.strictSame(
    ['a', 'c', 'd'].map((key) => shelf.get(key)),
    [undefined, 'more', 'D'],
    'larger than before',
  )
  t.equal(shelf.bytes, 90)
  shelf.set('d', 'too much', 101)
  t.strictSame([shelf.get('d'), shelf.bytes], [undefined, 60], 'what is larger than all takes no place')
  for (let n = 0; n < 1000; n++) shelf.set(`${n}`, 'x', 7)
  t.equal(shelf.bytes, 98)
})

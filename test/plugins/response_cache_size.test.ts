import type { FastifyRequest } from 'fastify'
import t from 'tap'
import { createClock } from '../../db/clock.ts'
import { createResponseCache } from '../../http/response_cache.ts'

/** An entry takes 200 bytes, and 2 for each character of its key and text: here 200 + 2 × (30 + length). */
const ENTRY = (length: number) => 200 + 2 * (30 + length)

const world = { version: () => 1, switches: {}, clock: createClock({ mode: 'frozen', ms: 0 }) }
const request = (name: string) =>
  ({ world, raw: { url: `/items/${name}` }, caller: undefined, headers: {} }) as unknown as FastifyRequest

t.test('keeps the answers used last, within a number of bytes', async (t) => {
  const cache = createResponseCache(3 * ENTRY(100))
  const store = (name: string, length: number) => {
    for (let n = 0; n < 2; n++) {
      const sent = request(name)
      if (!cache.find(sent, []) && n > 0) cache.store(sent, name.repeat(length))
    }
  }
  const found = (...names: string[]) => names.map((name) => cache.find(request(name), [])?.text?.[0])

  for (const name of ['a', 'b', 'c']) store(name, 100)
  t.strictSame(found('a'), ['a'])
  store('d', 100)
  t.strictSame(found('a', 'c', 'd'), ['a', 'c', 'd'], 'b was used least recently')
  store('e', 200)
  t.strictSame(found('d', 'e'), ['d', 'e'], 'a long answer evicts several')
  t.strictSame(found('a', 'c'), [undefined, undefined])
  store('f', 1000)
  t.strictSame(found('f'), [undefined], 'an answer that is larger than the cache is not stored')
  for (let n = 0; n < 1000; n++) cache.find(request(`${n}`), [])
  t.strictSame(found('d', 'e'), [undefined, undefined], 'notes of single requests take memory too')
})

import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import t from 'tap'
import { createClock } from '../../db/clock.ts'
import { createGeneration, type World } from '../../db/world.ts'
import { openJournals } from '../../http/journal/journals.ts'
import { createResponseCache } from '../../http/response_cache.ts'
import { firstBytes, sentAs } from '../../http/utf8.ts'

const clock = createClock({ mode: 'frozen', ms: 0 })
const world = { id: 1, version: () => 1, switches: {}, faults: [], clock, generation: createGeneration() }
const reply = {
  statusCode: 200,
  getHeader: () => 'application/json; charset=utf-8',
  hasHeader: () => false,
  getHeaders: () => ({}),
} as unknown as FastifyReply

/** An answer takes 2 bytes for each character of its text, the same again in the journal, and 1,408 more. */
const ANSWER = (length: number) => 1408 + 4 * length

function createAsk(maxBytes?: number) {
  const journals = openJournals()
  const cache = createResponseCache(journals, maxBytes)
  return (name: string, length: number, rawHeaders: string[] = []) => {
    const raw = { method: 'GET', httpVersion: '1.1', rawHeaders, headers: {}, url: `/${name}` }
    const request = { raw, world } as unknown as FastifyRequest
    const known = cache.find(raw as unknown as IncomingMessage, raw.url)
    const answer = known && cache.answerOf(known, world as unknown as World, request.raw)
    if (answer) return answer.payload[0]
    const text = name.repeat(length)
    journals.record(request, 200, text)
    cache.note(request, reply, text)
    return undefined
  }
}

t.test('keeps the answers used last, within a number of bytes', async (t) => {
  const ask = createAsk(3 * ANSWER(100))
  const store = (name: string, length: number) => [ask(name, length), ask(name, length)]
  const found = (...names: string[]) => names.map((name) => ask(name, 1e6))

  for (const name of ['a', 'b', 'c']) t.strictSame(store(name, 100), [undefined, undefined])
  t.strictSame(found('a'), ['a'], 'the second answer is stored')
  store('d', 100)
  t.strictSame(found('a', 'c', 'd'), ['a', 'c', 'd'], 'b was used least recently')
  store('e', 500)
  t.strictSame(found('d', 'e'), ['d', 'e'], 'a long answer evicts several')
  t.strictSame(found('a', 'c'), [undefined, undefined])
  store('f', 1500)
  t.strictSame(found('f'), [undefined], 'an answer that is larger than the cache is not stored')
  for (let n = 0; n < 1000; n++) ask(`${n}`, 1)
  t.strictSame(found('d', 'e'), [undefined, undefined], 'notes of single requests take memory too')
})

t.test('keeps the last of the long answers at one address', async (t) => {
  const ask = createAsk(3 * ANSWER(100))
  const asks = (n: number) => ask('a', 500, ['accept', `${n}`])
  for (const n of [1, 2]) t.strictSame([asks(n), asks(n), asks(n)], [undefined, undefined, 'a'])
  t.equal(asks(1), undefined)
})

t.test('keeps the answers to the 32 latest of those who ask at one address', async (t) => {
  const ask = createAsk()
  const asks = (n: number) => ask('a', 1, ['authorization', `Bearer ${n}`, 'accept', '*/*'])
  for (let n = 0; n < 40; n++) t.strictSame([asks(n), asks(n), asks(n)], [undefined, undefined, 'a'])
  const found = Array.from({ length: 32 }, (_, n) => asks(8 + n))
  t.ok(found.every((text) => text === 'a'))
  t.equal(asks(7), undefined)
  t.equal(ask('a', 1, ['authorization', 'Bearer 39']), undefined, 'fewer headers')
})

t.test('a long text is sent as its UTF-8 bytes, half of a character as a replacement character', async (t) => {
  t.equal(sentAs('ñ'), 'ñ')
  const long = 'año '.repeat(2000)
  for (const text of [long, `${long}😊`, `${long}€\ud83d.`]) {
    t.strictSame(sentAs(text), Buffer.from(text))
    for (const most of [5, 9998, 9999, 10_000, 10_001, 10_002, 10_003, 10_004]) {
      const kept = Buffer.from(firstBytes(text, most), 'latin1')
      t.ok(kept.length <= most && Buffer.from(text).indexOf(kept) === 0)
      t.notMatch(kept.toString().slice(0, -1), '\ufffd')
      t.ok(kept.length === Buffer.byteLength(text) || kept.length > most - 4)
    }
  }
  const longer = '😊'.repeat(20_000)
  t.equal(Buffer.from(firstBytes(longer, 8191), 'latin1').toString(), '😊'.repeat(2047))
})

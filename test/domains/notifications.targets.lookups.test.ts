import { stat } from 'node:fs/promises'
import t from 'tap'
import {
  deduplicated,
  type Lookup,
  LookupError,
  lookupWithTimeout,
} from '../../domains/notifications/outbound/connection.ts'

const LONG_TIMEOUT_MS = 60_000
const ADDRESSES = [{ address: '127.0.0.1' }]
const never: Lookup = () => new Promise(() => {})
const open = new AbortController().signal

t.test('returns the addresses, or the error of the lookup', async (t) => {
  const lookup: Lookup = async (name) => {
    if (name === 'receiver') return ADDRESSES
    throw name === 'nowhere' ? Object.assign(new Error(), { code: 'ENOTFOUND' }) : new Error('odd')
  }
  const find = lookupWithTimeout(LONG_TIMEOUT_MS, open, lookup)
  t.strictSame(await find('receiver'), ADDRESSES)
  await t.rejects(find('nowhere'), new LookupError('no address: ENOTFOUND'))
  await t.rejects(find('odd'), new LookupError('no address: unknown'))
})

t.test('gives up at the time limit of the attempt', async (t) => {
  await t.rejects(
    lookupWithTimeout(20, open, never)('receiver'),
    new LookupError('no address of receiver within 20 ms'),
  )
})

t.test('accepts an answer that arrived while the event loop was blocked', async (t) => {
  const answer = lookupWithTimeout(40, open, async () => {
    await stat('.')
    return ADDRESSES
  })('receiver')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 120)
  t.strictSame(await answer, ADDRESSES)
})

t.test('gives up when the server stops', async (t) => {
  const stop = new AbortController()
  const waiting = Array.from({ length: 40 }, () => lookupWithTimeout(LONG_TIMEOUT_MS, stop.signal, never)('receiver'))
  stop.abort()
  for (const one of waiting) await t.rejects(one, new LookupError('the server is stopping'))
  await t.rejects(
    lookupWithTimeout(LONG_TIMEOUT_MS, stop.signal, () => t.fail('no lookup') as never)('receiver'),
    new LookupError('the server is stopping'),
  )
})

t.test('shares one lookup among concurrent callers of a name', async (t) => {
  const names: string[] = []
  const answers = new Map<string, PromiseWithResolvers<typeof ADDRESSES>>()
  const lookup = deduplicated((name) => {
    names.push(name)
    answers.set(name, Promise.withResolvers())
    return answers.get(name)!.promise
  })
  const impatient = Array.from({ length: 20 }, () => lookupWithTimeout(1, open, lookup)('slow'))
  for (const one of impatient) await t.rejects(one, new LookupError('no address of slow within 1 ms'))
  const both = [lookup('slow'), lookup('slow')]
  const other = lookup('other')
  t.strictSame(names, ['slow', 'other'], 'also after all callers gave up')
  answers.get('slow')!.resolve(ADDRESSES)
  t.strictSame(await Promise.all(both), [ADDRESSES, ADDRESSES])
  const second = lookup('slow')
  t.strictSame(names, ['slow', 'other', 'slow'], 'answers are not cached')
  answers.get('slow')!.reject(new Error('gone'))
  await t.rejects(second, new Error('gone'))
  answers.get('other')!.resolve([])
  t.strictSame(await other, [])
})

import { stat } from 'node:fs/promises'
import t from 'tap'
import {
  deduplicated,
  type Lookup,
  LookupError,
  lookupWithTimeout,
} from '../../domains/notifications/outbound/dns_lookups.ts'

const PATIENT = 60_000
const HERE = [{ address: '127.0.0.1' }]
const never: Lookup = () => new Promise(() => {})
const open = new AbortController().signal

t.test('an answer is passed on, and so is what failed', async (t) => {
  const lookup: Lookup = async (name) => {
    if (name === 'receiver') return HERE
    throw name === 'nowhere' ? Object.assign(new Error(), { code: 'ENOTFOUND' }) : new Error('odd')
  }
  const ask = lookupWithTimeout(PATIENT, open, lookup)
  t.strictSame(await ask('receiver'), HERE)
  await t.rejects(ask('nowhere'), new LookupError('no address: ENOTFOUND'))
  await t.rejects(ask('odd'), new LookupError('no address: unknown'))
})

t.test('a lookup that never ends is waited for as long as the attempt may take', async (t) => {
  await t.rejects(
    lookupWithTimeout(20, open, never)('receiver'),
    new LookupError('no address of receiver within 20 ms'),
  )
})

t.test('an answer that came while this process was busy is in time', async (t) => {
  const asked = lookupWithTimeout(40, open, async () => {
    await stat('.')
    return HERE
  })('receiver')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 120)
  t.strictSame(await asked, HERE)
})

t.test('nobody waits for one when the server stops', async (t) => {
  const stop = new AbortController()
  const waiting = Array.from({ length: 40 }, () => lookupWithTimeout(PATIENT, stop.signal, never)('receiver'))
  stop.abort()
  for (const one of waiting) await t.rejects(one, new LookupError('the server is stopping'))
  await t.rejects(
    lookupWithTimeout(PATIENT, stop.signal, () => t.fail('it is not asked') as never)('receiver'),
    new LookupError('the server is stopping'),
  )
})

t.test('a name is asked for once at a time, however many wait for it', async (t) => {
  const asked: string[] = []
  const answers = new Map<string, PromiseWithResolvers<typeof HERE>>()
  const lookup = deduplicated((name) => {
    asked.push(name)
    answers.set(name, Promise.withResolvers())
    return answers.get(name)!.promise
  })
  const impatient = Array.from({ length: 20 }, () => lookupWithTimeout(1, open, lookup)('slow'))
  for (const one of impatient) await t.rejects(one, new LookupError('no address of slow within 1 ms'))
  const both = [lookup('slow'), lookup('slow')]
  const other = lookup('other')
  t.strictSame(asked, ['slow', 'other'], 'also when nobody waits any more')
  answers.get('slow')!.resolve(HERE)
  t.strictSame(await Promise.all(both), [HERE, HERE])
  const again = lookup('slow')
  t.strictSame(asked, ['slow', 'other', 'slow'], 'an answer is not kept')
  answers.get('slow')!.reject(new Error('gone'))
  await t.rejects(again, new Error('gone'))
  answers.get('other')!.resolve([])
  t.strictSame(await other, [])
})

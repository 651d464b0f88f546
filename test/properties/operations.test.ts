import fc from 'fast-check'
import t from 'tap'
import { outbox } from '../../db/tables.ts'
import { contact_event } from '../../domains/contacts/tables.ts'
import { access_token } from '../../domains/oauth/tables.ts'
import { blocked_buyer, question } from '../../domains/questions/tables.ts'
import { operations } from '../support/openapi.ts'
import type { Call } from './answers.ts'
import { badTokens, hostile, NO_TOKENS, nearly, scripted, tame } from './calls.ts'
import { ofAny, volley } from './volley.ts'

const { demo, send, all, cases, seen, world } = await volley(t)
const MEBIBYTE = 1024 * 1024

t.test('what a well-meaning program sends is answered as documented', async () => {
  await all(ofAny(demo, tame), 2_300, send)
})

t.test('one wrong value among good ones is refused', async () => {
  await all(ofAny(demo, nearly), 2_400, send)
})

t.test('anything anywhere is answered as documented', async () => {
  await all(ofAny(demo, hostile), 3_000, send)
})

/** Sends the call with another token, or none; it must be refused for that, and for nothing else. */
const refused = async ({ url, headers: { authorization: _, ...headers }, ...call }: Call, authorization?: string) => {
  const { outcome } = await send({
    ...call,
    url: url.replace(/access_token=[^&]*/, ''),
    headers: authorization === undefined ? headers : { ...headers, authorization },
  })
  if (outcome.status !== 401) throw new Error(`is answered ${outcome.status}`)
}

t.test('without a valid token nothing is told and nothing changes', async (t) => {
  const { db } = world.read
  const counts = () =>
    Promise.all([question, outbox, contact_event, blocked_buyer, access_token].map((table) => db.$count(table)))
  const before = await counts()
  const guarded = operations.filter(({ needsToken }) => needsToken)
  const tokens = fc.constantFrom(...badTokens(demo), ...NO_TOKENS, undefined)
  await all(fc.tuple(ofAny(demo, tame, guarded), tokens, fc.boolean()), 600, ([call, token, viaScript]) =>
    refused(viaScript ? scripted(call, 'show') : call, token),
  )
  t.strictSame(await counts(), before)
})

t.test('a token that is sent must be valid even where none is needed', async () => {
  const open = operations.filter(({ needsToken }) => !needsToken)
  const tokens = fc.constantFrom(...badTokens(demo))
  await all(fc.tuple(ofAny(demo, tame, open), tokens), 300, ([call, token]) => refused(call, token))
})

t.test('a body of one mebibyte is read, one byte more is refused', async (t) => {
  const [calls] = fc.sample(
    fc.tuple(...operations.filter(({ method }) => method !== 'GET').map((one) => tame(demo, one))),
    { seed: 1, numRuns: 1 },
  )
  for (const call of calls!) {
    const body = (call.payload ?? '{}') as string
    const room = MEBIBYTE - Buffer.byteLength(body)
    const { outcome: read } = await send({ ...call, payload: body + ' '.repeat(room) })
    t.not(read.status, 413, `${call.method} ${call.url}`)
    const { outcome: refused } = await send({ ...call, payload: body + ' '.repeat(room + 1) })
    t.equal(refused.status, 413, `${call.method} ${call.url}`)
  }
})

t.test('every operation has answered well, and has refused', async (t) => {
  for (const [{ method, path, responses }, statuses] of seen) {
    const documented = Object.keys(responses).map(Number)
    for (const failed of [false, true]) {
      const wanted = documented.filter((status) => status >= 400 === failed)
      const name = `${method} ${path} has answered one of ${wanted}`
      if (wanted.length > 0)
        t.ok(
          wanted.some((status) => statuses.has(status)),
          name,
        )
    }
  }
  t.ok(cases() >= 8_300, `${cases()} cases`)
})

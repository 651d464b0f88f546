import t from 'tap'
import { outbox } from '../../db/tables.ts'
import { contact_event } from '../../domains/contacts/tables.ts'
import { access_token } from '../../domains/oauth/tables.ts'
import { blocked_buyer, question } from '../../domains/questions/tables.ts'
import { isUpload, operations } from '../support/openapi.ts'
import fc, { TIMES } from '../support/property.ts'
import type { Call } from './answers.ts'
import { anyOperation, createCallRunner } from './call_runner.ts'
import { almostValidCall, arbitraryCall, asJsonp, badTokens, noTokens, validCall, withEmptyParameter } from './calls.ts'

const { demo, send, runAll, cases, statuses, world } = await createCallRunner(t)
const MEBIBYTE = 1024 * 1024

t.test('answers valid calls as documented', async () => {
  await runAll(anyOperation(demo, validCall), 2_300, send)
})

t.test('answers calls with one invalid value as documented', async () => {
  await runAll(anyOperation(demo, almostValidCall), 2_400, send)
})

t.test('answers arbitrary calls as documented', async () => {
  await runAll(anyOperation(demo, arbitraryCall), 3_000, send)
})

/** Sends the call with another token or none; it must be rejected for the token. */
const expectUnauthorized = async (
  { url, headers: { authorization: _, ...headers }, ...call }: Call,
  authorization?: string,
) => {
  const { outcome } = await send({
    ...call,
    url: url.replace(/access_token=[^&]*/, ''),
    headers: authorization === undefined ? headers : { ...headers, authorization },
  })
  if (outcome.status !== 401) throw new Error(`answered ${outcome.status}`)
}

t.test('rejects calls without a valid token and changes nothing', async (t) => {
  const { db } = world.read
  const counts = () =>
    Promise.all([question, outbox, contact_event, blocked_buyer, access_token].map((table) => db.$count(table)))
  const before = await counts()
  const withToken = operations.filter(({ needsToken }) => needsToken)
  const tokens = fc.constantFrom(...badTokens(demo), ...noTokens(demo), undefined)
  await runAll(
    fc.tuple(anyOperation(demo, validCall, withToken), tokens, fc.boolean()),
    600,
    ([call, token, viaScript]) => expectUnauthorized(viaScript ? asJsonp(call, 'show') : call, token),
  )
  t.strictSame(await counts(), before)
})

t.test('rejects an invalid token even where none is required', async () => {
  const withoutToken = operations.filter(({ needsToken }) => !needsToken)
  const tokens = fc.constantFrom(...badTokens(demo))
  await runAll(fc.tuple(anyOperation(demo, validCall, withoutToken), tokens), 300, ([call, token]) =>
    expectUnauthorized(call, token),
  )
})

t.test('an empty optional parameter counts as absent', async (t) => {
  const gets = operations.filter(({ method }) => method === 'GET')
  let succeeded = 0
  const pairs = fc.oneof(...gets.map((operation) => withEmptyParameter(demo, operation)))
  await runAll(pairs, 800, async ([call, withEmpty]) => {
    const { answer } = await send(call)
    const { answer: same } = await send(withEmpty)
    if (same.payload !== answer.payload || same.statusCode !== answer.statusCode)
      throw new Error(`answered ${same.statusCode} ${same.payload}, without it ${answer.statusCode} ${answer.payload}`)
    if (answer.statusCode === 200) succeeded++
  })
  t.ok(succeeded > 300 * TIMES, `${succeeded} with status 200`)
})

t.test('accepts a body of one mebibyte and rejects one byte more', async (t) => {
  const [calls] = fc.sample(
    fc.tuple(...operations.filter((one) => one.method !== 'GET' && !isUpload(one)).map((one) => validCall(demo, one))),
    { numRuns: 1 },
  )
  for (const call of calls!) {
    const body = (call.payload ?? '{}') as string
    const room = MEBIBYTE - Buffer.byteLength(body)
    const { outcome: read } = await send({ ...call, payload: body + ' '.repeat(room) })
    t.not(read.status, 413, `${call.method} ${call.url}`)
    const { outcome: rejected } = await send({ ...call, payload: body + ' '.repeat(room + 1) })
    t.equal(rejected.status, 413, `${call.method} ${call.url}`)
  }
})

t.test('every operation has succeeded and failed', async (t) => {
  for (const [operation, answered] of statuses) {
    const { method, path, responses } = operation
    // Others of the same path may bring back what all calls above have removed.
    const ofPath = operations.filter((one) => one.path === path)
    const documented = Object.keys(responses).map(Number)
    for (const isError of [false, true]) {
      const expected = documented.filter((status) => status >= 400 === isError)
      const name = `${method} ${path} has answered one of ${expected}`
      // Few of the calls above can have been rare cases of this operation.
      if (!expected.some((status) => answered.has(status)))
        await runAll(anyOperation(demo, isError ? almostValidCall : validCall, ofPath), 1_200, send)
      if (expected.length > 0)
        t.ok(
          expected.some((status) => answered.has(status)),
          name,
        )
    }
  }
  t.ok(cases() >= 8_300 * TIMES, `${cases()} cases`)
})

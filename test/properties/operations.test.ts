import t from 'tap'
import { outbox } from '../../db/tables.ts'
import { contact_event } from '../../domains/contacts/tables.ts'
import { access_token } from '../../domains/oauth/tables.ts'
import { blocked_buyer, question } from '../../domains/questions/tables.ts'
import { isUpload, type Operation, operations } from '../support/openapi.ts'
import fc, { runs } from '../support/property.ts'
import type { Call } from './answers.ts'
import { createCallRunner } from './call_runner.ts'
import {
  almostValidCall,
  arbitraryCall,
  asJsonp,
  badTokens,
  noTokens,
  plainCall,
  validCall,
  withEmptyParameter,
} from './calls.ts'

const { demo, send, runEach, statuses, world } = await createCallRunner(t)
const MEBIBYTE = 1024 * 1024
/** Plain calls with which an operation must succeed once: the values of some belong together. */
const MAX_PLAIN_CALLS = 20
/** What is created is read, changed, and then removed. */
const METHODS = ['POST', 'GET', 'PUT', 'DELETE']

const lacksSuccess = (operation: Operation): boolean => {
  const documented = Object.keys(operation.responses)
    .map(Number)
    .filter((status) => status < 400)
  return documented.length > 0 && !documented.some((status) => statuses.get(operation)!.has(status))
}

// Before the others, which use up and remove what these calls need.
t.test('every operation succeeds', async (t) => {
  const ordered = METHODS.flatMap((name) => operations.filter(({ method }) => method === name))
  t.equal(ordered.length, operations.length)
  for (const operation of ordered)
    for (let n = 0; n < MAX_PLAIN_CALLS && lacksSuccess(operation); n++) await send(plainCall(demo, operation, n))
  t.strictSame(
    operations.filter(lacksSuccess).map(({ method, path }) => `${method} ${path}`),
    [],
  )
})

t.test('answers valid calls as documented', () => runEach(operations, validCall, 8, send))

t.test('answers calls with one invalid value as documented', () => runEach(operations, almostValidCall, 9, send))

t.test('answers arbitrary calls as documented', () => runEach(operations, arbitraryCall, 12, send))

/** Where a refused token is answered with other members. */
const FORMS: [path: RegExp, form: (standard: { message: string; status: number }) => object][] = [
  [/^\/vis\/loans/, (standard) => ({ ...standard, message: 'Unauthorized', error: 'unauthorized' })],
  [/^\/(oauth|authorization)/, (standard) => ({ ...standard, error_description: standard.message })],
  [/^[^?]*(\/contacts\/|visits)/, ({ message }) => ({ code: 'unauthorized', message })],
]

/** Sends the call with another token or none; it must be rejected for the token, as every operation documents. */
const expectUnauthorized = async (
  { url, headers: { authorization: _, ...headers }, ...call }: Call,
  authorization?: string,
) => {
  const { outcome, answer } = await send({
    ...call,
    url: url.replace(/access_token=[^&]*/, ''),
    headers: authorization === undefined ? headers : { ...headers, authorization },
  })
  const isMissing = noTokens(demo).includes(authorization ?? '')
  const message = isMissing ? 'authorization value not present' : 'invalid_token'
  const standard = { message, error: isMissing ? 'unauthorized' : 'not_found', status: 401, cause: [] }
  const expected = FORMS.find(([path]) => path.test(url))?.[1](standard) ?? standard
  if (outcome.status !== 401 || JSON.stringify(outcome.body) !== JSON.stringify(expected))
    throw new Error(`${url} answered ${answer.statusCode} ${answer.payload}`)
}

t.test('rejects calls without a valid token and changes nothing', async (t) => {
  const { db } = world.read
  const counts = () =>
    Promise.all([question, outbox, contact_event, blocked_buyer, access_token].map((table) => db.$count(table)))
  const before = await counts()
  const withToken = operations.filter(({ needsToken }) => needsToken)
  const tokens = fc.constantFrom(...badTokens(demo), ...noTokens(demo), undefined)
  await runEach(
    withToken,
    (demo, operation) => fc.tuple(validCall(demo, operation), tokens, fc.boolean()),
    4,
    ([call, token, viaScript]) => expectUnauthorized(viaScript ? asJsonp(call, 'show') : call, token),
  )
  t.strictSame(await counts(), before)
})

t.test('rejects an invalid token even where none is required', async () => {
  const withoutToken = operations.filter(({ needsToken }) => !needsToken)
  const tokens = fc.constantFrom(...badTokens(demo))
  await runEach(
    withoutToken,
    (demo, operation) => fc.tuple(validCall(demo, operation), tokens),
    8,
    ([call, token]) => expectUnauthorized(call, token),
  )
})

t.test('an empty optional parameter counts as absent', async (t) => {
  const gets = operations.filter(({ method }) => method === 'GET')
  let succeeded = 0
  await runEach(gets, withEmptyParameter, 8, async ([call, withEmpty]) => {
    const { answer } = await send(call)
    const { answer: same } = await send(withEmpty)
    if (same.payload !== answer.payload || same.statusCode !== answer.statusCode)
      throw new Error(`answered ${same.statusCode} ${same.payload}, without it ${answer.statusCode} ${answer.payload}`)
    if (answer.statusCode === 200) succeeded++
  })
  t.ok(succeeded > (gets.length * runs(8)) / 3, `${succeeded} with status 200`)
})

t.test('accepts a body of one mebibyte and rejects one byte more', async (t) => {
  const [calls] = fc.sample(
    fc.tuple(...operations.filter((one) => one.method !== 'GET' && !isUpload(one)).map((one) => validCall(demo, one))),
    { numRuns: 1 },
  )
  for (const call of calls!) {
    const bytes = Buffer.alloc(MEBIBYTE + 1, ' ')
    bytes.write((call.payload ?? '{}') as string)
    const { outcome: read } = await send({ ...call, payload: bytes.subarray(0, MEBIBYTE) })
    if (read.status === 413) t.fail(`${call.method} ${call.url}`)
    const { outcome: rejected } = await send({ ...call, payload: bytes })
    t.equal(rejected.status, 413, `${call.method} ${call.url}`)
  }
})

import fc, { type Arbitrary } from 'fast-check'
import t from 'tap'
import { anyCharacter } from '../support/characters.ts'
import { CONFIGURATION_FIELDS } from '../support/flex.ts'
import { TIMES } from '../support/property.ts'
import type { Call } from './answers.ts'
import { type CheckedCall, createCallRunner } from './call_runner.ts'
import {
  blanks,
  broken,
  expensiveQueries,
  expensiveValues,
  fullQuery,
  queriesOf,
  randomTokens,
  textOf,
  tokensOf,
} from './graphql.ts'
import { BODIES, texts } from './values.ts'

const { sellers, send, runAll } = await createCallRunner(t)
const [seller] = sellers as [(typeof sellers)[0]]
const FLEX = 736_230
const TURBO = 736_231
const SERVICES = [FLEX, TURBO]
const MEBIBYTE = 1024 * 1024

let caseCount = 0
/** As `all`, and counts the cases. */
const runCounted = <T>(inputs: Arbitrary<T>, runs: number, run: (input: T) => Promise<unknown>) =>
  runAll(inputs, runs, (input) => {
    caseCount++
    return run(input)
  })

const headers = { authorization: `Bearer ${seller.token}`, 'content-type': 'application/json' }
const ask = (payload: NonNullable<Call['payload']>) =>
  send({ method: 'POST', url: '/shipping/flex/sites/MLA/configuration/v3', headers, payload })
const query = (text: string, more: object = {}) => ask(JSON.stringify({ query: text, ...more }))

const check = (good: boolean, wrong: string): void => {
  if (!good) throw new Error(wrong)
}
const shorten = (text: string) => (text.length > 600 ? `${text.slice(0, 600)}…` : text)

/** Every error of a query with its whole body. */
const ERRORS = Object.fromEntries(
  (
    [
      [400, 'bad_request', 'invalid JSON body'],
      [400, 'bad_request', 'invalid query'],
      [400, 'bad_request', 'failed to create schema in graphql operation'],
      [403, 'access_denied', 'access to the requested resource is forbidden'],
      [404, 'not_found', 'user not found'],
      [404, 'not_found', 'subscriptions not found'],
      [413, 'payload_too_large', 'The body must have at most 1048576 bytes.'],
    ] as const
  ).map(([status, error, message]) => [
    message,
    { status, text: JSON.stringify({ message, error, status, cause: [] }) },
  ]),
)
const JSON_BODY = 'invalid JSON body'
const QUERY = 'invalid query'
const SCHEMA = 'failed to create schema in graphql operation'

/** The message of a documented error; undefined for status 200. */
function errorOf({ answer: { statusCode, payload } }: CheckedCall): string | undefined {
  if (statusCode === 200) return undefined
  const { message } = JSON.parse(payload)
  const documented = ERRORS[message]
  check(
    documented?.status === statusCode && documented.text === payload,
    `not a documented error: ${statusCode} ${shorten(payload)}`,
  )
  return message
}

function expectError(checked: CheckedCall, message: string): void {
  const actualError = errorOf(checked)
  check(actualError === message, `answered ${actualError ?? shorten(checked.answer.payload)}, not ${message}`)
}

const configurationOf = async (service: number) => {
  const { answer } = await query(fullQuery(seller.id, service))
  return JSON.parse(answer.payload).configuration
}

// Queries

t.test('selects the named fields in the order of the query, whatever is between its tokens', async () => {
  const [flex, turbo] = [await configurationOf(FLEX), await configurationOf(TURBO)]
  for (const [name, { text, selects, ...more }] of Object.entries(queriesOf(seller.id, SERVICES))) {
    const expected = JSON.stringify(selects(flex, turbo))
    await runCounted(blanks, 30, async (between) => {
      const { payload } = (await query(textOf(tokensOf(text), between), more)).answer
      check(payload === expected, `${name}: ${shorten(payload)}\nand means ${shorten(expected)}`)
    })
  }
})

const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)

t.test('answers a query that repeats fields up to the limit of tokens', async () => {
  const MAX_REPEATED_TOKENS = 1000 - '{ configuration ( user_id : 1 service_id : 2 ) { } }'.split(' ').length
  const selections = fc.uniqueArray(fc.constantFrom(...CONFIGURATION_FIELDS), { minLength: 1, maxLength: 3 })
  await runCounted(fc.tuple(selections, fc.constantFrom(0, 1)), 150, async ([fields, n]) => {
    const once = fields.join(' ')
    const size = tokensOf(once).length
    const text = (body: string) => `{ configuration(user_id: ${seller.id}, service_id: ${SERVICES[n]}) { ${body} } }`
    const most = Math.floor(MAX_REPEATED_TOKENS / size)
    const { payload } = (await query(text(`${once} `.repeat(most)))).answer
    check(payload === (await query(text(once))).answer.payload, `${most} times ${once} is answered ${shorten(payload)}`)
    check(JSON.parse(payload).configuration !== undefined, shorten(payload))
    expectError(await query(text(`${once} `.repeat(most + 1))), QUERY)
  })
})

t.test('rejects most queries with one changed token, and answers the others', async (t) => {
  const counts = new Map<string, number>()
  await runCounted(broken(seller.id, SERVICES), 1_900, async (body) =>
    count(counts, errorOf(await ask(JSON.stringify(body))) ?? 'well'),
  )
  for (const name of ['well', QUERY, SCHEMA]) t.ok((counts.get(name) ?? 0) > 50 * TIMES, `${counts.get(name)} ${name}`)
})

const anyText = fc.oneof(
  randomTokens,
  texts,
  fc.string({ unit: anyCharacter, maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.string({ maxLength: 60 }).map((text) => `{ configuration(user_id: 1, service_id: 2) { ${text} } }`),
  fc.string({ unit: anyCharacter, maxLength: 60 }).map((text) => `${fullQuery(seller.id, FLEX)} # ${text}`),
)

t.test('parses any text or rejects it as a query', async (t) => {
  const counts = new Map<string, number>()
  await runCounted(anyText, 1_700, async (text) => count(counts, errorOf(await query(text)) ?? 'well'))
  for (const name of ['well', QUERY]) t.ok((counts.get(name) ?? 0) > 50 * TIMES, `${counts.get(name)} ${name}`)
})

const bodies = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.string({ unit: anyCharacter, maxLength: 200 }),
  fc.constantFrom(...BODIES),
  fc.json({ maxDepth: 4 }),
  anyText,
)

t.test('parses any body or rejects it', async () => {
  await runCounted(bodies, 1_700, async (body) => {
    const checked = await ask(body)
    const parsed = parseBody(String(body))
    if (!isObject(parsed) || typeof parsed.query !== 'string') expectError(checked, JSON_BODY)
    else errorOf(checked)
  })
})

/** The parsed body; undefined if it is not JSON. */
function parseBody(body: string): unknown {
  try {
    return JSON.parse(body.replace(/^\ufeff/, ''))
  } catch {
    return undefined
  }
}
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const VARIABLES = 'query Q($u: Int, $s: Int) { configuration(user_id: $u, service_id: $s) { radius } }'
const PLAIN = `{ configuration(user_id: ${seller.id}, service_id: ${FLEX}) { radius } }`

/** Expensive queries that must be answered, and queries just above a limit. */
const ANSWERED = [
  '0 aliases',
  '1 aliases',
  '49 aliases',
  '50 aliases',
  'blanks: spaces',
  'comments: one',
  'comments: many',
  'tokens: 1000',
]
const REJECTED = [
  'tokens: 1001',
  '51 aliases',
  '120 aliases',
  'tokens: as many as a body can hold',
  '9 levels of fields',
]

t.test('limits expensive queries', async (t) => {
  const texts = expensiveQueries(seller.id, FLEX)
  for (const [name, text] of Object.entries(texts)) {
    const body = JSON.stringify({ query: text })
    t.ok(Buffer.byteLength(body) <= MEBIBYTE, `${name} fits`)
    caseCount++
    const message = errorOf(await ask(body))
    if (ANSWERED.includes(name)) t.equal(message, undefined, name)
    if (REJECTED.includes(name)) t.equal(message, QUERY, name)
    if (name === '8 levels of fields') t.equal(message, SCHEMA, name)
    t.not(message, JSON_BODY, name)
  }
  t.ok(Object.keys(texts).length > 60)
})

t.test('limits expensive values', async (t) => {
  for (const [name, value] of Object.entries(expensiveValues()))
    for (const [where, text] of [
      ['a variable that is asked for', VARIABLES],
      ['one that is not', PLAIN],
    ] as const) {
      caseCount++
      const checked = await ask(`{"query":${JSON.stringify(text)},"variables":{"u":${value}}}`)
      t.equal(errorOf(checked), text === PLAIN ? undefined : SCHEMA, `${name} as ${where}`)
    }
  for (const [name, value] of Object.entries(expensiveValues()))
    for (const member of ['query', 'operationName', 'variables', 'extensions']) {
      caseCount++
      const message = errorOf(await ask(`{"query":${JSON.stringify(PLAIN)},"${member}":${value}}`))
      if (member === 'extensions') t.equal(message, undefined, `${name} as ${member}`)
      if (member === 'operationName') t.equal(message, SCHEMA, `${name} as ${member}`)
    }
})

t.test('runs enough cases', async (t) => {
  t.ok(caseCount >= 4_950 * TIMES, `${caseCount} cases`)
})

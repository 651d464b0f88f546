import fc, { type Arbitrary } from 'fast-check'
import t from 'tap'
import { anyCharacter } from '../support/characters.ts'
import { TIMES } from '../support/property.ts'
import { countWrites } from '../support/writes.ts'
import type { Call } from './answers.ts'
import { type CheckedCall, createCallRunner } from './call_runner.ts'
import {
  answerOf,
  broken,
  configurationFields,
  everyField,
  expensiveQueries,
  expensiveValues,
  fullQuery,
  queries,
  randomTokens,
  textOf,
} from './graphql.ts'
import { allowed, applySettings, isAllowed, KINDS, type Kind, oneChange, type State } from './settings.ts'
import { BODIES, texts } from './values.ts'

const { sellers, buyers, send, runAll, world, control } = await createCallRunner(t)
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
const FOREIGN = 'access to the requested resource is forbidden'
const USER = 'user not found'
const PAIR = 'subscriptions not found'

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

t.test('selects the named fields in the order of the query', async (t) => {
  const configurations = [await configurationOf(FLEX), await configurationOf(TURBO)]
  let succeeded = 0
  const counts = new Map<string, number>()
  await runCounted(queries(seller.id, SERVICES), 1_600, async (written) => {
    const { tokens, blanks, aliases, selection: _, ...more } = written
    const text = textOf(tokens, blanks)
    const checked = await query(text, more)
    if (tokens.length > 1000 || aliases > 50) return expectError(checked, QUERY)
    const expected = JSON.stringify(answerOf(written, configurations))
    const { payload } = checked.answer
    check(payload === expected, `${shorten(text)}\nis answered  ${shorten(payload)}\nand means ${shorten(expected)}`)
    succeeded++
    for (const kind of ['...', '@', '$', 'fragment', 'query']) if (tokens.includes(kind)) count(counts, kind)
  })
  t.ok(succeeded > 1_540 * TIMES, `${succeeded} with status 200`)
  for (const [kind, n] of counts) t.ok(n > 300 * TIMES, `${n} have ${kind}`)
  t.equal(counts.size, 5)
})

const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)

t.test('answers a query that repeats fields up to the limit of tokens', async () => {
  const MAX_REPEATED_TOKENS = 1000 - '{ configuration ( user_id : 1 service_id : 2 ) { } }'.split(' ').length
  const selections = fc.uniqueArray(fc.constantFrom(...configurationFields), { minLength: 1, maxLength: 3 })
  await runCounted(fc.tuple(selections, fc.constantFrom(0, 1)), 150, async ([fields, n]) => {
    const once = fields.map(({ text }) => text).join(' ')
    const size = fields.reduce((sum, { tokens }) => sum + tokens, 0)
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
  await runCounted(broken(seller.id, SERVICES), 2_200, async ({ tokens, blanks, operationName, variables }) => {
    const text = textOf(tokens, blanks)
    const message = errorOf(await query(text, { operationName, variables }))
    count(counts, message ?? 'well')
  })
  for (const name of ['well', QUERY, SCHEMA]) t.ok((counts.get(name) ?? 0) > 100 * TIMES, `${counts.get(name)} ${name}`)
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

// Requests with a valid query: the error must be the one of the other members.

const USER_IDS = new Set([...sellers, ...buyers].map(({ id }) => id))
const VARIABLES = 'query Q($u: Int, $s: Int) { configuration(user_id: $u, service_id: $s) { radius } }'
const STRICT = 'query Q($u: Int!, $s: Int!) { configuration(user_id: $u, service_id: $s) { radius } }'
const PLAIN = `{ configuration(user_id: ${seller.id}, service_id: ${FLEX}) { radius } }`

const anyJson = fc.oneof(fc.jsonValue({ maxDepth: 2 }), texts)
const anyId = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom<unknown>(seller.id, seller.id, seller.id, FLEX, TURBO, FLEX + 2, ...USER_IDS),
  },
  { weight: 1, arbitrary: fc.maxSafeInteger() },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(0, -0, -1, 1.5, 2 ** 53, 1e300, String(seller.id), true, null, []) },
  { weight: 1, arbitrary: anyJson },
)
const envelope = fc.record(
  {
    query: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom<unknown>(PLAIN, VARIABLES, VARIABLES, STRICT) },
      { weight: 1, arbitrary: anyJson.filter((value) => typeof value !== 'string') },
    ),
    operationName: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom<unknown>('Q', '', null) },
      { weight: 1, arbitrary: anyJson },
    ),
    variables: fc.oneof(
      { weight: 6, arbitrary: fc.record({ u: anyId, s: anyId, more: anyJson }, { requiredKeys: ['u'] }) },
      { weight: 1, arbitrary: anyJson },
    ),
    extensions: anyJson,
  },
  { requiredKeys: ['query', 'variables'] },
)

/** The expected error of a request with one of the three queries; undefined for an answer. */
function expectedError(sent: Record<string, unknown>): string | undefined {
  const { query: text, operationName, variables } = sent
  if (typeof text !== 'string') return JSON_BODY
  const name = operationName ?? ''
  if (typeof name !== 'string' || (name !== '' && (name !== 'Q' || text === PLAIN))) return SCHEMA
  if ((variables ?? null) !== null && !isObject(variables)) return SCHEMA
  const { u, s } = text === PLAIN ? { u: seller.id, s: FLEX } : ((variables ?? {}) as { u?: unknown; s?: unknown })
  if (!Number.isSafeInteger(u) || !Number.isSafeInteger(s)) return SCHEMA
  if (!USER_IDS.has(u as number)) return USER
  if (u !== seller.id) return FOREIGN
  return SERVICES.includes(s as number) ? undefined : PAIR
}

t.test('rejects a request with the expected error', async (t) => {
  const counts = new Map<string, number>()
  const prefixes = fc.constantFrom('', '', '', '\ufeff', ' \n')
  await runCounted(fc.tuple(envelope, prefixes), 1_600, async ([sent, prefix]) => {
    const checked = await ask(prefix + JSON.stringify(sent))
    const actualError = errorOf(checked)
    const expected = expectedError(JSON.parse(JSON.stringify(sent)))
    check(actualError === expected, `answered ${actualError ?? shorten(checked.answer.payload)}, not ${expected}`)
    count(counts, actualError ?? 'well')
  })
  for (const name of ['well', JSON_BODY, SCHEMA, USER, FOREIGN, PAIR])
    t.ok(counts.has(name), `${counts.get(name)} ${name}`)
})

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
    caseCount++
    const tooLong = body + ' '.repeat(MEBIBYTE + 1 - Buffer.byteLength(body))
    t.equal(errorOf(await ask(tooLong)), 'The body must have at most 1048576 bytes.', `${name}, too long`)
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

// Settings

const BOTH_CONFIGURATIONS = SERVICES.map(
  (service, n) =>
    `${['flex', 'turbo'][n]}: configuration(user_id: ${seller.id}, service_id: ${service}) ${everyField('Configuration')}`,
)
const readState = async () => (await query(`{ ${BOTH_CONFIGURATIONS.join(' ')} }`)).answer.payload

const putSettings = (kind: Kind, payload: NonNullable<Call['payload']>) => {
  const service = kind === 'delivery/custom' || kind === 'coverage/zone' ? FLEX : TURBO
  const url = `/shipping/flex/sites/MLA/users/${seller.id}/services/${service}/configuration/${kind}/v3`
  return send({ method: 'PUT', url, headers, payload })
}

/** An error of a member names it. */
const NAMED_ERROR =
  /^(delivery_window|delivery_ranges(\.(week|saturday|sunday)(\[\d+\](\.(from|to|capacity|cutoff))?)?)?|zones(\[\d+\]\.id)?|radius): .|^delivery_ranges\.[\s\S]*: must be one of week, saturday, sunday$/

let state = await readState()

/** Sends settings. Accepted ones must show in the configuration, rejected ones must not write. */
async function expectSettings(kind: Kind, payload: string | Buffer): Promise<number> {
  const writes = await countWrites(world)
  const { answer } = await putSettings(kind, payload)
  const { statusCode: status, payload: text } = answer
  const sent = parseBody(String(payload))
  const before = JSON.parse(state) as State
  if (!isAllowed(kind, sent, before)) {
    const { message } = JSON.parse(text)
    check(status === 400, `accepts invalid settings: ${shorten(text)}`)
    check(
      text === JSON.stringify({ message, error: 'bad_request', status, cause: [] }),
      `another body: ${shorten(text)}`,
    )
    check(isObject(sent) ? NAMED_ERROR.test(message) : message === JSON_BODY, `says ${message}`)
    check((await countWrites(world)) === writes, 'rejected settings wrote something')
    return status
  }
  check(status === 200, `rejects valid settings: ${status} ${text}`)
  const expected = applySettings(kind, sent as Record<string, unknown>, before)
  check(
    text === JSON.stringify(expected.answer),
    `answers ${shorten(text)}, not ${shorten(JSON.stringify(expected.answer))}`,
  )
  state = await readState()
  check(state === JSON.stringify(expected.after), `shows\n${state}\nnot\n${JSON.stringify(expected.after)}`)
  return status
}

for (const kind of KINDS)
  t.test(`settings: ${kind}`, async (t) => {
    const first = JSON.parse(state) as State
    const count = { 200: 0, 400: 0 } as Record<number, number>
    await runCounted(allowed(kind, first), 200, async (body) => {
      check((await expectSettings(kind, JSON.stringify(body))) === 200, 'rejects a valid body')
    })
    await runCounted(oneChange(kind, first), 600, async (body) => {
      count[await expectSettings(kind, JSON.stringify(body))]!++
    })
    const any = fc.oneof(
      fc.json({ maxDepth: 4 }),
      fc.constantFrom(...BODIES),
      fc.string({ unit: anyCharacter, maxLength: 100 }),
      fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)),
      fc
        .constantFrom('delivery_window', 'delivery_ranges', 'zones', 'radius')
        .chain((name) => anyJson.map((value) => JSON.stringify({ [name]: value }))),
    )
    await runCounted(any, 200, async (body) => {
      count[await expectSettings(kind, body)]!++
    })
    t.equal(await readState(), state, 'the last rejected settings had no effect')
    t.ok(count[200]! > 5 && count[400]! > 200 * TIMES, `${count[200]} accepted, ${count[400]} rejected`)
  })

// Credits

const [, creditSeller] = sellers as [unknown, (typeof sellers)[0]]
const LEAD_ERRORS = {
  seller: 'seller_id must match the value obtained from the token',
  date_from: 'Invalid date_from format, must follow ISO format',
  date_to: 'Invalid date_to format, must follow ISO format',
  order: 'Invalid date range',
  range: 'Date range cannot exceed 3 months',
  item: 'item_id must match the item pattern M[A-Z]{2}[0-9]+',
  status: 'Invalid status',
  entity: 'Invalid financial entity',
  limit: 'limit must be at most 100',
}

const two = (n: number) => String(n).padStart(2, '0')
/** Date-times, including dates that do not exist. */
const second = (years: Arbitrary<number>) =>
  fc
    .tuple(
      years,
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 32 }),
      ...[24, 60, 60].map((n) => fc.nat({ max: n })),
    )
    .map(([y, ...rest]) => {
      const [month, day, hour, minute, s] = rest.map((n) => two(n!))
      return `${String(y).padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${s}`
    })
const recentDate = fc
  .integer({ min: Date.UTC(2025, 9, 1) / 1000, max: Date.UTC(2026, 3, 30) / 1000 })
  .map((s) => new Date(s * 1000).toISOString().slice(0, 19))
const date = fc.oneof(
  { weight: 8, arbitrary: recentDate },
  { weight: 1, arbitrary: second(fc.integer({ min: 2024, max: 2027 })) },
  { weight: 1, arbitrary: second(fc.integer({ min: 0, max: 9999 })) },
  { weight: 1, arbitrary: fc.constantFrom('2025-11-30T10:00:00', '2026-02-28T10:00:00', '2026-02-28T10:00:01') },
  { weight: 1, arbitrary: texts },
)
const mostlyValid = (good: Arbitrary<string>) =>
  fc.oneof({ weight: 9, arbitrary: good }, { weight: 1, arbitrary: texts.map((text) => text.toWellFormed()) })

const search = fc.record(
  {
    seller_id: fc.oneof(
      { weight: 30, arbitrary: fc.constant(String(creditSeller.id)) },
      { weight: 1, arbitrary: texts },
    ),
    date_from: date,
    date_to: date,
    item_id: mostlyValid(fc.constantFrom('', 'MLB1', 'MLB1400000001', 'MXX00')),
    status: mostlyValid(fc.constantFrom('', 'approved', 'rejected', 'in_analysis', 'all', 'all')),
    financial_entity_id: mostlyValid(fc.constantFrom('', 'MERCADO_PAGO', 'VOTORANTIM', 'SANTANDER', 'SCOTIA')),
    limit: mostlyValid(fc.oneof(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 90, max: 110 })).map(String)),
    offset: mostlyValid(fc.integer({ min: 0, max: 9 }).map(String)),
  },
  { requiredKeys: ['date_from', 'date_to'] },
)

const isSecond = (text: string): boolean => {
  if (!/^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(text)) return false
  const ms = Date.parse(`${text}Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 19) === text
}

/** Three calendar months later, or the end of a shorter month. Sorts as text. */
function threeMonthsOn(text: string): string {
  const [year, month, day] = text.slice(0, 10).split('-').map(Number) as [number, number, number]
  const y = month > 9 ? year + 1 : year
  const m = month > 9 ? month - 9 : month + 3
  const isLeap = y % 4 === 0 && (y % 100 !== 0 || y % 400 === 0)
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][m - 1]!
  return `${String(y).padStart(5, '0')}-${two(m)}-${two(Math.min(day, days))}${text.slice(10)}`
}

/** The expected error of a search; undefined for an answer. */
function expectedSearchError(parameters: Record<string, string>): string | undefined {
  const { seller_id, date_from = '', date_to = '', item_id = '', status = '', financial_entity_id = '' } = parameters
  if (seller_id !== String(creditSeller.id)) return LEAD_ERRORS.seller
  if (!isSecond(date_from)) return LEAD_ERRORS.date_from
  if (!isSecond(date_to)) return LEAD_ERRORS.date_to
  if (date_from > date_to) return LEAD_ERRORS.order
  if (`0${date_to}` > threeMonthsOn(date_from)) return LEAD_ERRORS.range
  if (item_id !== '' && !/^M[A-Z]{2}[0-9]+$/.test(item_id)) return LEAD_ERRORS.item
  if (!['', 'approved', 'rejected', 'in_analysis', 'all'].includes(status)) return LEAD_ERRORS.status
  if (!['', 'MERCADO_PAGO', 'VOTORANTIM', 'SANTANDER', 'SCOTIA'].includes(financial_entity_id))
    return LEAD_ERRORS.entity
  const { limit = '', offset = '' } = parameters
  if (!/^(0|[1-9]\d*)?$/.test(limit)) return 'limit'
  if (Number(limit) > 100) return LEAD_ERRORS.limit
  return /^(0|[1-9]\d*)?$/.test(offset) && Number(offset) <= Number.MAX_SAFE_INTEGER ? undefined : 'offset'
}

interface Lead {
  id: string
  date_created: string
}

const getLeads = (path: string, query: object, sandbox: boolean) =>
  send({
    method: 'GET',
    url: `/vis/loans/${path}?${new URLSearchParams(query as Record<string, string>)}`,
    headers: { authorization: `Bearer ${creditSeller.token}`, ...(sandbox && { 'x-sandbox': 'true' }) },
  })

/** Of the seller, as they are stored; searches add those of the sandbox. */
const leads: string[] = []
for (const expired of ['true', 'false']) {
  const { body } = await control(`GET /loans?seller_id=${creditSeller.id}&expired=${expired}&limit=20`)
  leads.push(...body.results.map(({ id }: Lead) => id))
}

t.test('searches leads or rejects the search with the expected error', async (t) => {
  const counts = new Map<string, number>()
  await runCounted(fc.tuple(search, fc.boolean()), 4_400, async ([parameters, sandbox]) => {
    const sent = Object.fromEntries(
      Object.entries({ seller_id: String(creditSeller.id), ...parameters }).map(([name, text]) => [
        name,
        text.toWellFormed(),
      ]),
    )
    const { answer } = await getLeads('search', sent, sandbox)
    const body = JSON.parse(answer.payload)
    const expected = expectedSearchError(sent)
    count(counts, expected ?? 'well')
    if (expected !== undefined) {
      const { message } = body
      const expectedBody = JSON.stringify({ message, error: 'bad_request', status: 400, cause: [] })
      check(answer.payload === expectedBody, `another body: ${shorten(answer.payload)}`)
      const isNamed = (expected === 'limit' || expected === 'offset') && message.startsWith(`${expected}: `)
      return check(message === expected || isNamed, `answered ${message}, not ${expected}`)
    }
    check(answer.statusCode === 200, `rejects a valid search: ${shorten(answer.payload)}`)
    const { date_from, date_to, limit, offset } = sent as Record<string, string>
    check(body.date_from === date_from && body.date_to === date_to, 'answers another range')
    const { results, paging } = body as { results: Lead[]; paging: { total: number; offset: number; limit: number } }
    check(paging.limit === Number(limit || 50) && paging.offset === Number(offset || 0), 'answers another page')
    const expectedCount = Math.max(0, Math.min(paging.limit, paging.total - paging.offset))
    check(results.length === expectedCount, `${results.length} leads, not ${expectedCount}`)
    for (const [n, lead] of results.entries()) {
      check(date_from! <= lead.date_created && lead.date_created <= date_to!, `outside of it: ${lead.date_created}`)
      check(n === 0 || results[n - 1]!.date_created >= lead.date_created, 'not the newest first')
      count(counts, 'leads')
      if (leads.length < 60 && !leads.includes(lead.id)) leads.push(lead.id)
    }
  })
  for (const name of ['well', 'leads', ...Object.values(LEAD_ERRORS), 'limit', 'offset'])
    t.ok(counts.has(name), `${counts.get(name)} ${name}`)
})

t.test('reads leads by any id', async (t) => {
  const counts = new Map<number, number>()
  const id = fc.oneof(
    fc.constantFrom(...leads),
    fc.constantFrom(...leads).map((id) => id.toUpperCase()),
    fc.uuid(),
    fc
      .tuple(fc.constantFrom(...leads), fc.nat({ max: 35 }), fc.constantFrom('', 'g', '-', '0', '00', ' '))
      .map(([id, at, piece]) => id.slice(0, at) + piece + id.slice(at + 1)),
    texts.filter((text) => !['', '.', '..', 'search'].includes(text)),
  )
  await runCounted(fc.tuple(id, fc.boolean(), fc.boolean()), 2_800, async ([id, isOwn, sandbox]) => {
    const sent = id.toWellFormed()
    const seller_id = isOwn ? creditSeller.id : seller.id
    const { answer } = await getLeads(encodeURIComponent(sent), { seller_id }, sandbox)
    const { statusCode: status, payload } = answer
    counts.set(status, (counts.get(status) ?? 0) + 1)
    const isUuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(sent)
    if (isOwn && isUuid && leads.includes(sent.toLowerCase()) && status !== 404)
      return check(status === 410 || JSON.parse(payload).id === sent.toLowerCase(), `another lead: ${payload}`)
    const [message, error, code] = !isOwn
      ? [LEAD_ERRORS.seller, 'bad_request', 400]
      : isUuid
        ? ['Detail not found for credit', 'not_found', 404]
        : ['id must match the UUID pattern', 'bad_request', 400]
    const expected = JSON.stringify({ message, error, status: code, cause: [] })
    check(payload === expected && status === code, `answered ${payload}, not ${expected}`)
  })
  for (const status of [200, 400, 404, 410])
    t.ok((counts.get(status) ?? 0) > 10 * TIMES, `${counts.get(status)} ${status}`)
})

t.test('runs enough cases', async (t) => {
  t.ok(caseCount >= 20_000 * TIMES, `${caseCount} cases`)
})

import fc, { type Arbitrary } from 'fast-check'
import t from 'tap'
import { anyCharacter } from '../support/characters.ts'
import { writesOf } from '../support/writes.ts'
import type { Call } from './answers.ts'
import { answerOf, broken, queries, salad, textOf, whole, wholeQuery, worst, worstValues } from './graphql.ts'
import { allowed, applied, isAllowed, KINDS, type Kind, oneOdd, type State } from './settings.ts'
import { BODIES, texts } from './values.ts'
import { type Shot, volley } from './volley.ts'

const { sellers, buyers, send, all, times, world } = await volley(t)
const [seller] = sellers as [(typeof sellers)[0]]
const FLEX = 736_230
const TURBO = 736_231
const SERVICES = [FLEX, TURBO]
const MEBIBYTE = 1024 * 1024

let thrown = 0
/** As `all`, counting. */
const every = <T>(things: Arbitrary<T>, runs: number, each: (thing: T) => Promise<unknown>) =>
  all(things, runs, (thing) => {
    thrown++
    return each(thing)
  })

const headers = { authorization: `Bearer ${seller.token}`, 'content-type': 'application/json' }
const ask = (payload: NonNullable<Call['payload']>) =>
  send({ method: 'POST', url: '/shipping/flex/sites/MLA/configuration/v3', headers, payload })
const query = (text: string, more: object = {}) => ask(JSON.stringify({ query: text, ...more }))

const must = (good: boolean, wrong: string): void => {
  if (!good) throw new Error(wrong)
}
const brief = (text: string) => (text.length > 600 ? `${text.slice(0, 600)}…` : text)

/** Every refusal of a query, whole. */
const REFUSALS = Object.fromEntries(
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

/** The message of a ruled refusal; undefined when it was answered well. */
function told({ answer: { statusCode, payload } }: Shot): string | undefined {
  if (statusCode === 200) return undefined
  const { message } = JSON.parse(payload)
  const ruled = REFUSALS[message]
  must(ruled?.status === statusCode && ruled.text === payload, `not a ruled refusal: ${statusCode} ${brief(payload)}`)
  return message
}

function refusedWith(shot: Shot, message: string): void {
  const said = told(shot)
  must(said === message, `is answered ${said ?? brief(shot.answer.payload)}, not ${message}`)
}

const configurationOf = async (service: number) => {
  const { answer } = await query(wholeQuery(seller.id, service))
  return JSON.parse(answer.payload).configuration
}

// Queries

t.test('a query selects what it names, in its order', async (t) => {
  const configurations = [await configurationOf(FLEX), await configurationOf(TURBO)]
  let well = 0
  const seen = new Map<string, number>()
  await every(queries(seller.id, SERVICES), 1_600, async (written) => {
    const { tokens, blanks, aliases, selection: _, ...more } = written
    const text = textOf(tokens, blanks)
    const shot = await query(text, more)
    if (tokens.length > 1000 || aliases > 50) return refusedWith(shot, QUERY)
    const expected = JSON.stringify(answerOf(written, configurations))
    const { payload } = shot.answer
    must(payload === expected, `${brief(text)}\nis answered  ${brief(payload)}\nand means ${brief(expected)}`)
    well++
    for (const kind of ['...', '@', '$', 'fragment', 'query']) if (tokens.includes(kind)) count(seen, kind)
  })
  t.ok(well > 1_540 * times, `${well} were answered well`)
  for (const [kind, n] of seen) t.ok(n > 300 * times, `${n} have ${kind}`)
  t.equal(seen.size, 5)
})

const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)

t.test('one token amiss is refused, or means something else', async (t) => {
  const seen = new Map<string, number>()
  await every(broken(seller.id, SERVICES), 2_200, async ({ tokens, blanks, operationName, variables }) => {
    const text = textOf(tokens, blanks)
    const message = told(await query(text, { operationName, variables }))
    count(seen, message ?? 'well')
  })
  for (const name of ['well', QUERY, SCHEMA]) t.ok((seen.get(name) ?? 0) > 100 * times, `${seen.get(name)} ${name}`)
})

const anyText = fc.oneof(
  salad,
  texts,
  fc.string({ unit: anyCharacter, maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.string({ maxLength: 60 }).map((text) => `{ configuration(user_id: 1, service_id: 2) { ${text} } }`),
  fc.string({ unit: anyCharacter, maxLength: 60 }).map((text) => `${wholeQuery(seller.id, FLEX)} # ${text}`),
)

t.test('any text is a query or none', async (t) => {
  const seen = new Map<string, number>()
  await every(anyText, 1_700, async (text) => count(seen, told(await query(text)) ?? 'well'))
  for (const name of ['well', QUERY]) t.ok((seen.get(name) ?? 0) > 50 * times, `${seen.get(name)} ${name}`)
})

const bodies = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.string({ unit: anyCharacter, maxLength: 200 }),
  fc.constantFrom(...BODIES),
  fc.json({ maxDepth: 4 }),
  anyText,
)

t.test('any body is a request or none', async () => {
  await every(bodies, 1_700, async (body) => {
    const shot = await ask(body)
    const parsed = parsedOf(String(body))
    if (!isObject(parsed) || typeof parsed.query !== 'string') refusedWith(shot, JSON_BODY)
    else told(shot)
  })
})

/** The value of a body; undefined where it is not JSON. */
function parsedOf(body: string): unknown {
  try {
    return JSON.parse(body.replace(/^\ufeff/, ''))
  } catch {
    return undefined
  }
}
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

// Requests whose query is good: the refusal must be the one that the rest deserves.

const PEOPLE = new Set([...sellers, ...buyers].map(({ id }) => id))
const VARIABLES = 'query Q($u: Int, $s: Int) { configuration(user_id: $u, service_id: $s) { radius } }'
const STRICT = 'query Q($u: Int!, $s: Int!) { configuration(user_id: $u, service_id: $s) { radius } }'
const PLAIN = `{ configuration(user_id: ${seller.id}, service_id: ${FLEX}) { radius } }`

const anyJson = fc.oneof(fc.jsonValue({ maxDepth: 2 }), texts)
const anyId = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<unknown>(seller.id, seller.id, seller.id, FLEX, TURBO, FLEX + 2, ...PEOPLE) },
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

/** What a request of one of the three queries deserves; undefined when it is to be answered. */
function deserved(sent: Record<string, unknown>): string | undefined {
  const { query: text, operationName, variables } = sent
  if (typeof text !== 'string') return JSON_BODY
  const name = operationName ?? ''
  if (typeof name !== 'string' || (name !== '' && (name !== 'Q' || text === PLAIN))) return SCHEMA
  if ((variables ?? null) !== null && !isObject(variables)) return SCHEMA
  const { u, s } = text === PLAIN ? { u: seller.id, s: FLEX } : ((variables ?? {}) as { u?: unknown; s?: unknown })
  if (!Number.isSafeInteger(u) || !Number.isSafeInteger(s)) return SCHEMA
  if (!PEOPLE.has(u as number)) return USER
  if (u !== seller.id) return FOREIGN
  return SERVICES.includes(s as number) ? undefined : PAIR
}

t.test('a request is refused for what is wrong with it', async (t) => {
  const seen = new Map<string, number>()
  const marks = fc.constantFrom('', '', '', '\ufeff', ' \n')
  await every(fc.tuple(envelope, marks), 1_600, async ([sent, mark]) => {
    const shot = await ask(mark + JSON.stringify(sent))
    const said = told(shot)
    const expected = deserved(JSON.parse(JSON.stringify(sent)))
    must(said === expected, `is answered ${said ?? brief(shot.answer.payload)}, not ${expected}`)
    count(seen, said ?? 'well')
  })
  for (const name of ['well', JSON_BODY, SCHEMA, USER, FOREIGN, PAIR])
    t.ok((seen.get(name) ?? 0) > 40 * times, `${seen.get(name)} ${name}`)
})

/** What of the texts that keep a server busy must be answered well, and what is one too many. */
const WELL = [
  '0 aliases',
  '1 aliases',
  '49 aliases',
  '50 aliases',
  'blanks: spaces',
  'comments: one',
  'comments: many',
  'tokens: 1000',
]
const TOO_MANY = [
  'tokens: 1001',
  '51 aliases',
  '120 aliases',
  'tokens: as many as a body can hold',
  '9 levels of fields',
]

t.test('texts that keep a server busy', async (t) => {
  const texts = worst(seller.id, FLEX)
  for (const [name, text] of Object.entries(texts)) {
    const body = JSON.stringify({ query: text })
    t.ok(Buffer.byteLength(body) <= MEBIBYTE, `${name} fits`)
    thrown++
    const message = told(await ask(body))
    if (WELL.includes(name)) t.equal(message, undefined, name)
    if (TOO_MANY.includes(name)) t.equal(message, QUERY, name)
    if (name === '8 levels of fields') t.equal(message, SCHEMA, name)
    t.not(message, JSON_BODY, name)
    thrown++
    const over = body + ' '.repeat(MEBIBYTE + 1 - Buffer.byteLength(body))
    t.equal(told(await ask(over)), 'The body must have at most 1048576 bytes.', `${name}, too long`)
  }
  t.ok(Object.keys(texts).length > 60)
})

t.test('values that keep a server busy', async (t) => {
  for (const [name, value] of Object.entries(worstValues()))
    for (const [where, text] of [
      ['a variable that is asked for', VARIABLES],
      ['one that is not', PLAIN],
    ] as const) {
      thrown++
      const shot = await ask(`{"query":${JSON.stringify(text)},"variables":{"u":${value}}}`)
      t.equal(told(shot), text === PLAIN ? undefined : SCHEMA, `${name} as ${where}`)
    }
  for (const [name, value] of Object.entries(worstValues()))
    for (const member of ['query', 'operationName', 'variables', 'extensions']) {
      thrown++
      const message = told(await ask(`{"query":${JSON.stringify(PLAIN)},"${member}":${value}}`))
      if (member === 'extensions') t.equal(message, undefined, `${name} as ${member}`)
      if (member === 'operationName') t.equal(message, SCHEMA, `${name} as ${member}`)
    }
})

// Settings

const BOTH = SERVICES.map(
  (service, n) =>
    `${['flex', 'turbo'][n]}: configuration(user_id: ${seller.id}, service_id: ${service}) ${whole('Configuration')}`,
)
const shown = async () => (await query(`{ ${BOTH.join(' ')} }`)).answer.payload

const put = (kind: Kind, payload: NonNullable<Call['payload']>) => {
  const service = kind === 'delivery/custom' || kind === 'coverage/zone' ? FLEX : TURBO
  const url = `/shipping/flex/sites/MLA/users/${seller.id}/services/${service}/configuration/${kind}/v3`
  return send({ method: 'PUT', url, headers, payload })
}

/** A refusal of members: it names the one. */
const NAMED =
  /^(delivery_window|delivery_ranges(\.(week|saturday|sunday)(\[\d+\](\.(from|to|capacity|cutoff))?)?)?|zones(\[\d+\]\.id)?|radius): ./

let state = await shown()

/** Sends settings; what is taken must be what the configuration shows then, what is refused writes nothing. */
async function set(kind: Kind, payload: string | Buffer): Promise<number> {
  const writes = await writesOf(world)
  const { answer } = await put(kind, payload)
  const { statusCode: status, payload: text } = answer
  const sent = parsedOf(String(payload))
  const before = JSON.parse(state) as State
  if (!isAllowed(kind, sent, before)) {
    const { message } = JSON.parse(text)
    must(status === 400, `takes what it must refuse: ${brief(text)}`)
    must(text === JSON.stringify({ message, error: 'bad_request', status, cause: [] }), `another body: ${brief(text)}`)
    must(isObject(sent) ? NAMED.test(message) : message === JSON_BODY, `says ${message}`)
    must((await writesOf(world)) === writes, 'a refusal writes something')
    return status
  }
  must(status === 200, `refuses what it must take: ${status} ${text}`)
  const expected = applied(kind, sent as Record<string, unknown>, before)
  must(
    text === JSON.stringify(expected.answer),
    `answers ${brief(text)}, not ${brief(JSON.stringify(expected.answer))}`,
  )
  state = await shown()
  must(state === JSON.stringify(expected.after), `shows\n${state}\nnot\n${JSON.stringify(expected.after)}`)
  return status
}

for (const kind of KINDS)
  t.test(`settings: ${kind}`, async (t) => {
    const first = JSON.parse(state) as State
    const count = { 200: 0, 400: 0 } as Record<number, number>
    await every(allowed(kind, first), 200, async (body) => {
      must((await set(kind, JSON.stringify(body))) === 200, 'a good body is refused')
    })
    await every(oneOdd(kind, first), 600, async (body) => {
      count[await set(kind, JSON.stringify(body))]!++
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
    await every(any, 200, async (body) => {
      count[await set(kind, body)]!++
    })
    t.equal(await shown(), state, 'what was refused last shows nowhere')
    t.ok(count[200]! > 5 && count[400]! > 200 * times, `${count[200]} taken, ${count[400]} refused`)
  })

// Credits

const [, lender] = sellers as [unknown, (typeof sellers)[0]]
const RULED_LEADS = {
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
/** Seconds of a calendar, with those that it does not have. */
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
const near = fc
  .integer({ min: Date.UTC(2025, 9, 1) / 1000, max: Date.UTC(2026, 3, 30) / 1000 })
  .map((s) => new Date(s * 1000).toISOString().slice(0, 19))
const date = fc.oneof(
  { weight: 8, arbitrary: near },
  { weight: 1, arbitrary: second(fc.integer({ min: 2024, max: 2027 })) },
  { weight: 1, arbitrary: second(fc.integer({ min: 0, max: 9999 })) },
  { weight: 1, arbitrary: fc.constantFrom('2025-11-30T10:00:00', '2026-02-28T10:00:00', '2026-02-28T10:00:01') },
  { weight: 1, arbitrary: texts },
)
const rarely = (good: Arbitrary<string>) =>
  fc.oneof({ weight: 9, arbitrary: good }, { weight: 1, arbitrary: texts.map((text) => text.toWellFormed()) })

const search = fc.record(
  {
    seller_id: fc.oneof({ weight: 30, arbitrary: fc.constant(String(lender.id)) }, { weight: 1, arbitrary: texts }),
    date_from: date,
    date_to: date,
    item_id: rarely(fc.constantFrom('', 'MLB1', 'MLB1400000001', 'MXX00')),
    status: rarely(fc.constantFrom('', 'approved', 'rejected', 'in_analysis', 'all', 'all')),
    financial_entity_id: rarely(fc.constantFrom('', 'MERCADO_PAGO', 'VOTORANTIM', 'SANTANDER', 'SCOTIA')),
    limit: rarely(fc.oneof(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 90, max: 110 })).map(String)),
    offset: rarely(fc.integer({ min: 0, max: 9 }).map(String)),
  },
  { requiredKeys: ['date_from', 'date_to'] },
)

const isSecond = (text: string): boolean => {
  if (!/^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(text)) return false
  const ms = Date.parse(`${text}Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 19) === text
}

/** The same time three calendar months on; the day is the last of a month that has it not. Sorts as texts do. */
function threeMonthsOn(text: string): string {
  const [year, month, day] = text.slice(0, 10).split('-').map(Number) as [number, number, number]
  const y = month > 9 ? year + 1 : year
  const m = month > 9 ? month - 9 : month + 3
  const isLeap = y % 4 === 0 && (y % 100 !== 0 || y % 400 === 0)
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][m - 1]!
  return `${String(y).padStart(5, '0')}-${two(m)}-${two(Math.min(day, days))}${text.slice(10)}`
}

/** What a search deserves; undefined when it is to be answered. */
function searchDeserves(asked: Record<string, string>): string | undefined {
  const { seller_id, date_from = '', date_to = '', item_id = '', status = '', financial_entity_id = '' } = asked
  if (seller_id !== String(lender.id)) return RULED_LEADS.seller
  if (!isSecond(date_from)) return RULED_LEADS.date_from
  if (!isSecond(date_to)) return RULED_LEADS.date_to
  if (date_from > date_to) return RULED_LEADS.order
  if (`0${date_to}` > threeMonthsOn(date_from)) return RULED_LEADS.range
  if (item_id !== '' && !/^M[A-Z]{2}[0-9]+$/.test(item_id)) return RULED_LEADS.item
  if (!['', 'approved', 'rejected', 'in_analysis', 'all'].includes(status)) return RULED_LEADS.status
  if (!['', 'MERCADO_PAGO', 'VOTORANTIM', 'SANTANDER', 'SCOTIA'].includes(financial_entity_id))
    return RULED_LEADS.entity
  const { limit = '', offset = '' } = asked
  if (!/^(0|[1-9]\d*)?$/.test(limit)) return 'limit'
  if (Number(limit) > 100) return RULED_LEADS.limit
  return /^(0|[1-9]\d*)?$/.test(offset) && Number(offset) <= Number.MAX_SAFE_INTEGER ? undefined : 'offset'
}

interface Lead {
  id: string
  date_created: string
}

const lend = (path: string, query: object, sandbox: boolean) =>
  send({
    method: 'GET',
    url: `/vis/loans/${path}?${new URLSearchParams(query as Record<string, string>)}`,
    headers: { authorization: `Bearer ${lender.token}`, ...(sandbox && { 'x-sandbox': 'true' }) },
  })

const leads: string[] = []

t.test('leads of a range', async (t) => {
  const seen = new Map<string, number>()
  await every(fc.tuple(search, fc.boolean()), 4_400, async ([asked, sandbox]) => {
    const sent = Object.fromEntries(
      Object.entries({ seller_id: String(lender.id), ...asked }).map(([name, text]) => [name, text.toWellFormed()]),
    )
    const { answer } = await lend('search', sent, sandbox)
    const body = JSON.parse(answer.payload)
    const expected = searchDeserves(sent)
    count(seen, expected ?? 'well')
    if (expected !== undefined) {
      const { message } = body
      const whole = JSON.stringify({ message, error: 'bad_request', status: 400, cause: [] })
      must(answer.payload === whole, `another body: ${brief(answer.payload)}`)
      const isNamed = (expected === 'limit' || expected === 'offset') && message.startsWith(`${expected}: `)
      return must(message === expected || isNamed, `is answered ${message}, not ${expected}`)
    }
    must(answer.statusCode === 200, `refuses what it must answer: ${brief(answer.payload)}`)
    const { date_from, date_to, limit, offset } = sent as Record<string, string>
    must(body.date_from === date_from && body.date_to === date_to, 'another range is told')
    const { results, paging } = body as { results: Lead[]; paging: { total: number; offset: number; limit: number } }
    must(paging.limit === Number(limit || 50) && paging.offset === Number(offset || 0), 'another page is told')
    const most = Math.max(0, Math.min(paging.limit, paging.total - paging.offset))
    must(results.length === most, `${results.length} leads, not ${most}`)
    for (const [n, lead] of results.entries()) {
      must(date_from! <= lead.date_created && lead.date_created <= date_to!, `outside of it: ${lead.date_created}`)
      must(n === 0 || results[n - 1]!.date_created >= lead.date_created, 'not the newest first')
      count(seen, 'leads')
      if (leads.length < 60 && !leads.includes(lead.id)) leads.push(lead.id)
    }
  })
  for (const name of ['well', 'leads', ...Object.values(RULED_LEADS), 'limit', 'offset'])
    t.ok((seen.get(name) ?? 0) > 5 * times, `${seen.get(name)} ${name}`)
})

t.test('a lead by any id', async (t) => {
  const seen = new Map<number, number>()
  const id = fc.oneof(
    fc.constantFrom(...leads),
    fc.constantFrom(...leads).map((id) => id.toUpperCase()),
    fc.uuid(),
    fc
      .tuple(fc.constantFrom(...leads), fc.nat({ max: 35 }), fc.constantFrom('', 'g', '-', '0', '00', ' '))
      .map(([id, at, piece]) => id.slice(0, at) + piece + id.slice(at + 1)),
    texts.filter((text) => !['', '.', '..', 'search'].includes(text)),
  )
  await every(fc.tuple(id, fc.boolean(), fc.boolean()), 2_800, async ([id, mine, sandbox]) => {
    const sent = id.toWellFormed()
    const seller_id = mine ? lender.id : seller.id
    const { answer } = await lend(encodeURIComponent(sent), { seller_id }, sandbox)
    const { statusCode: status, payload } = answer
    seen.set(status, (seen.get(status) ?? 0) + 1)
    const isUuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(sent)
    if (mine && isUuid && leads.includes(sent.toLowerCase()) && status !== 404)
      return must(status === 410 || JSON.parse(payload).id === sent.toLowerCase(), `another lead: ${payload}`)
    const [message, error, code] = !mine
      ? [RULED_LEADS.seller, 'bad_request', 400]
      : isUuid
        ? ['Detail not found for credit', 'not_found', 404]
        : ['id must match the UUID pattern', 'bad_request', 400]
    const expected = JSON.stringify({ message, error, status: code, cause: [] })
    must(payload === expected && status === code, `is answered ${payload}, not ${expected}`)
  })
  for (const status of [200, 400, 404, 410]) t.ok((seen.get(status) ?? 0) > 10 * times, `${seen.get(status)} ${status}`)
})

t.test('cases', async (t) => {
  t.ok(thrown >= 20_000 * times, `${thrown} cases`)
})

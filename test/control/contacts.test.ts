import { request } from 'node:http'
import { Readable } from 'node:stream'
import t from 'tap'
import { CHUNK_CONTACTS } from '../../domains/contacts/control/import.ts'
import { type Answer, badRequest, errorBody, ITEM, NOW, notFound, start } from '../support/app.ts'
import { countEach, countIn, eventsOf, HOUR, utc } from '../support/contacts.ts'
import { until } from '../support/until.ts'

const app = await start(t)
const { control, call, world, worlds, server, seller, buyer } = app
const OTHER = 'MLB1400000003'

const withCause = (message: string, cause: object) => ({ ...badRequest(message), cause: [cause] })
const ndjson = (contacts: object[], end = '\n') => contacts.map((contact) => JSON.stringify(contact)).join('\n') + end
const send = async (payload: string | Readable, base = ''): Promise<Answer> => {
  const options = { method: 'POST', url: `${base}/_sandbox/contacts`, payload } as const
  return call({ ...options, headers: { 'content-type': 'application/x-ndjson; charset=utf-8' } })
}
const total = async (path: string, from: string, to: string, base = ''): Promise<number> =>
  (await seller.get(`${base}${path}?date_from=${from}&date_to=${to}`)).body.total
const ALL_TIME = ['1970-01-01T00:00:00Z', '2100-01-01T00:00:00Z'] as const
const countContacts = () => eventsOf(world).length

t.test('records a contact with all members and counts it at its instant', async (t) => {
  const hour = ['2025-01-01T10:00:00Z', '2025-01-01T11:00:00Z'] as const
  const { status, body } = await control('POST /contacts', {
    kind: 'phone_view',
    item_id: ITEM,
    at: '2025-01-01T06:59:59.999-04:00',
    buyer_id: buyer.id,
    count: 3,
  })
  t.equal(status, 201)
  t.strictSame(body, {
    kind: 'phone_view',
    item_id: ITEM,
    seller_id: seller.id,
    buyer_id: buyer.id,
    at: '2025-01-01T10:59:59.999Z',
    count: 3,
  })
  t.equal(await total(`/items/${ITEM}/contacts/phone_views`, ...hour), 3)
  t.equal(await total(`/users/${seller.id}/contacts/phone_views`, ...hour), 3)
  t.equal(await total(`/items/${ITEM}/contacts/phone_views`, hour[0], '2025-01-01T10:59:59.999Z'), 0)
  t.equal(await total(`/items/${ITEM}/contacts/whatsapp`, ...hour), 0)
})

t.test('defaults to now, one and a guest, and counts each kind separately', async (t) => {
  const series = (path: string) => seller.get(`/items/MLA1400000009/contacts/${path}/time_window?last=1&unit=hour`)
  for (const [kind, path] of [
    ['phone_view', 'phone_views'],
    ['whatsapp', 'whatsapp'],
    ['question', 'questions'],
  ] as const) {
    const { total: before } = (await series(path)).body
    const { body } = await control('POST /contacts', { kind, item_id: 'MLA1400000009', buyer_id: null })
    t.strictSame(body, {
      kind,
      item_id: 'MLA1400000009',
      seller_id: seller.id,
      buyer_id: null,
      at: new Date(NOW).toISOString(),
      count: 1,
    })
    t.equal((await series(path)).body.total, before + 1, kind)
  }
  const { body } = await control('POST /contacts', {
    kind: 'question',
    item_id: ITEM,
    buyer_id: String(buyer.id),
    count: '2',
  })
  t.strictSame([body.buyer_id, body.count], [buyer.id, 2], 'accepts integers as text')
})

t.test('records an array completely or not at all', async (t) => {
  const at = '2025-02-01T00:00:00Z'
  const before = countContacts()
  const good = [
    { kind: 'whatsapp', item_id: ITEM, at, count: 5 },
    { kind: 'whatsapp', item_id: OTHER, at: '2025-02-01T01:00:00Z' },
    { kind: 'whatsapp', item_id: ITEM, at },
  ]
  t.strictSame((await control('POST /contacts', good)).body, { imported: 7 })
  t.equal(countContacts(), before + 7)
  t.equal(await total(`/items/${ITEM}/contacts/whatsapp`, at, '2025-02-01T00:00:00.001Z'), 6)
  t.strictSame((await control('POST /contacts', [])).body, { imported: 0 })

  const view = { kind: 'phone_view', item_id: ITEM }
  const invalid: [body: unknown, status: number, code: string, message: string][] = [
    [
      [view, { ...view, at: 'soon' }],
      400,
      'bad_request',
      '[1].at: must be an ISO 8601 date-time, for example 2026-03-01T00:00:00.000-04:00',
    ],
    [[view, view, { ...view, item_id: 'MLA9' }], 404, 'not_found', '[2]: Item with id MLA9 not found'],
    [[view, null], 400, 'bad_request', '[1]: must be a JSON object'],
    [
      [
        { ...view, count: 60_000 },
        { ...view, count: 40_001 },
      ],
      400,
      'bad_request',
      'count: must add up to at most 100000; use application/x-ndjson',
    ],
    [Array(10_001).fill(view), 400, 'bad_request', 'body: must have at most 10000 elements; use application/x-ndjson'],
  ]
  for (const [body, status, code, message] of invalid)
    t.strictSame((await control('POST /contacts', body)).body, errorBody(status, code, message))
  t.equal(countContacts(), before + 7, 'no contact was recorded')
})

t.test('rejects invalid contacts', async (t) => {
  const before = countContacts()
  const INSTANT = 'must be an ISO 8601 date-time, for example 2026-03-01T00:00:00.000-04:00'
  const past = badRequest('at: must be between 1970 and the world’s present time')
  const rows: [changed: object, answer: ReturnType<typeof badRequest>][] = [
    [{ at: '2026-02-30T00:00:00Z' }, badRequest(`at: ${INSTANT}`)],
    [{ at: new Date(NOW + 1).toISOString() }, past],
    [{ at: '1969-12-31T23:59:59.999Z' }, past],
    [{ buyer_id: seller.id }, badRequest('buyer_id: must not be the seller of the listing')],
    [{ item_id: 'MLA9' }, notFound('Item with id MLA9 not found')],
    [{ buyer_id: 12 }, notFound('User with id 12 not found')],
  ]
  for (const [changed, expected] of rows) {
    const { status, body } = await control('POST /contacts', { kind: 'phone_view', item_id: ITEM, ...changed })
    t.strictSame([status, body], [expected.status, expected], JSON.stringify(changed))
  }
  for (const [text, message] of [
    ['{', 'body: must be JSON'],
    ['"x"', 'body: must be a JSON object'],
  ] as const)
    t.strictSame((await control('POST /contacts', text)).body, badRequest(message))
  t.equal((await call({ method: 'POST', url: '/_sandbox/contacts' })).status, 400)
  t.equal((await control('POST /contacts', JSON.stringify('x'.repeat(1024 * 1024)))).status, 413)
  t.equal(countContacts(), before)
})

t.test('imports lines, and the statistics count exactly those', async (t) => {
  // Three days without other contacts: unordered, many at the same instant and at full hours.
  const first = Date.UTC(2024, 5, 1, 3, 30)
  const items = [ITEM, 'MLA1400000002', OTHER]
  const kinds = ['phone_view', 'whatsapp', 'question']
  const sent = Array.from({ length: 2 * CHUNK_CONTACTS + 321 }, (_, n) => ({
    kind: kinds[(n * 7) % 3]!,
    item_id: items[((n * 11) % 7) % 3]!,
    at: new Date(first + ((n * 7919) % 500) * 0.5 * HOUR - (n % 5 === 0 ? 1 : 0)).toISOString(),
    buyer_id: n % 4 === 0 ? buyer.id : null,
    ...(n % 50 === 0 && { count: 3 }),
  }))
  const events = sent.flatMap(({ count = 1, ...event }) => Array<typeof event>(count).fill(event))
  const half = Math.floor(sent.length / 2)
  t.strictSame((await send(ndjson(sent.slice(0, half)))).body, {
    imported: sent.slice(0, half).reduce((sum, { count = 1 }) => sum + count, 0),
  })
  t.equal((await send(ndjson(sent.slice(half)))).status, 201)

  const recorded = eventsOf(world).filter(({ at }) => at >= first - HOUR && at < first + 260 * HOUR)
  const key = (event: { item_id: string; at: number; buyer_id: number | null }, kind: string) =>
    `${kind} ${event.item_id} ${event.at} ${event.buyer_id}`
  const PATHS: Record<string, string> = { phone_view: 'phone_views', whatsapp: 'whatsapp', question: 'questions' }
  t.strictSame(
    recorded.map((event) => key(event, event.kind)).sort(),
    events.map((event) => key({ ...event, at: Date.parse(event.at) }, PATHS[event.kind]!)).sort(),
  )
  for (const [kind, path] of Object.entries(PATHS))
    for (const item_id of items) {
      const matching = recorded.filter((event) => event.kind === path && event.item_id === item_id)
      const ending = utc(first + 250 * HOUR)
      const { body } = await seller.get(
        `/items/${item_id}/contacts/${path}/time_window?last=260&unit=hour&ending=${ending}`,
      )
      t.strictSame(body.results, countEach(matching, body.date_from, 260, HOUR), `${kind} ${item_id}`)
      t.equal(body.total, matching.length)
      for (const [from, to] of [
        [first, first + HOUR],
        [first - 1, first + 3 * HOUR + 1],
        [first + 0.5 * HOUR, first + 100 * HOUR],
      ] as const) {
        const range = [new Date(from).toISOString(), new Date(to).toISOString()] as const
        t.equal(await total(`/items/${item_id}/contacts/${path}`, ...range), countIn(matching, from, to))
      }
    }
})

t.test('reads lines from any chunks, with blank lines, CRLF, a byte order mark and no final newline', async (t) => {
  const text = `\ufeff{"kind":"whatsapp","item_id":"${ITEM}","at":"2023-01-01T00:00:00Z"}\r\n\r\n  \n{"kind":"whatsapp","item_id":"${OTHER}","at":"2023-01-01T00:00:00Z","count":2}\n{"kind":"ñandú"}`
  const bytes = Buffer.from(text)
  const pieces = Array.from({ length: Math.ceil(bytes.length / 3) }, (_, n) => bytes.subarray(3 * n, 3 * n + 3))
  const message = `line 5: kind: must be one of phone_view, whatsapp, question, visit; nothing was imported`
  t.strictSame(
    (await send(Readable.from(pieces))).body,
    withCause(message, { line: 5, imported: 0, imported_lines: 0 }),
  )
  const good = bytes.subarray(0, text.lastIndexOf('\n') + 2)
  t.strictSame((await send(Readable.from([good]))).body, { imported: 3 })
  t.strictSame((await send('')).body, { imported: 0 })
  t.strictSame((await send('\n\n')).body, { imported: 0 })
})

t.test('names an invalid line and keeps the complete chunks before it', async (t) => {
  const at = '2022-05-05T05:00:00Z'
  const view = { kind: 'phone_view', item_id: ITEM, at }
  const lines = Array(CHUNK_CONTACTS + 10).fill(view)
  const { status, body } = await send(ndjson([...lines, { ...view, item_id: 'MLA9' }, ...lines]))
  const line = CHUNK_CONTACTS + 11
  const message = `line ${line}: item_id: Item with id MLA9 not found; lines 1 to ${CHUNK_CONTACTS} were imported`
  const cause = { line, imported: CHUNK_CONTACTS, imported_lines: CHUNK_CONTACTS }
  t.strictSame([status, body], [400, withCause(message, cause)])
  t.equal(await total(`/items/${ITEM}/contacts/phone_views`, at, '2022-05-05T06:00:00Z'), CHUNK_CONTACTS)

  const nothing = '; nothing was imported'
  for (const [text, message] of [
    ['nonsense', 'line 1: must be a JSON object'],
    ['[]', 'line 1: must be a JSON object'],
    [`\n{"kind":"question","item_id":"${ITEM}","buyer_id":12}`, 'line 2: buyer_id: User with id 12 not found'],
    [`{"kind":"${'x'.repeat(64 * 1024)}"}\n`, 'line 1: must have at most 65536 bytes'],
    ['x'.repeat(3 * 1024 * 1024), 'line 1: must have at most 65536 bytes'],
  ] as const)
    t.equal((await send(text)).body.message, message + nothing)
})

t.test('accepts a body of any length and 100,000 contacts of one instant in one line', async (t) => {
  const at = '2021-01-01T00:00:00.000Z'
  const line = `${JSON.stringify({ kind: 'whatsapp', item_id: OTHER, at })}${' '.repeat(1000)}\n`
  t.strictSame((await send(line.repeat(2000))).body, { imported: 2000 })
  t.strictSame((await send(ndjson([{ kind: 'whatsapp', item_id: OTHER, at, count: 100_000 }]))).body, {
    imported: 100_000,
  })
  t.equal(await total(`/items/${OTHER}/contacts/whatsapp`, at, '2021-01-01T00:00:00.001Z'), 102_000)
})

t.test('does not affect another world', async (t) => {
  const { base } = await app.createWorld({ from: 1 })
  const before = countContacts()
  t.strictSame((await send(ndjson([{ kind: 'whatsapp', item_id: ITEM }]), base)).body, { imported: 1 })
  t.equal(countContacts(), before)
})

t.test('keeps complete chunks when the client disconnects, and releases the world', async (t) => {
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as { port: number }
  const view = { kind: 'phone_view', item_id: ITEM, at: '2020-01-01T00:00:00Z' }
  const recorded = () => total(`/items/${ITEM}/contacts/phone_views`, ALL_TIME[0], '2020-01-02T00:00:00Z')
  const idle = world.refCount
  const headers = { 'content-type': 'application/x-ndjson' }
  const sending = request({ port, method: 'POST', path: '/_sandbox/contacts', headers })
  sending.on('error', () => {})
  sending.write(ndjson(Array(2 * CHUNK_CONTACTS + 100).fill(view)))
  await until('two chunks', async () => (await recorded()) >= 2 * CHUNK_CONTACTS)
  sending.destroy()
  await new Promise((resolve) => sending.on('close', resolve))
  await until('the release of the world', () => world.refCount === idle)
  t.equal(await recorded(), 2 * CHUNK_CONTACTS)
})

t.test('no call has left a world behind', async (t) => t.strictSame(worlds.ids(), [1, 2]))

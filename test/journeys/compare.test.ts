import { writeFileSync } from 'node:fs'
import { mock } from 'node:test'
import t from 'tap'
import { readCall } from '../../compare/calls.ts'
import { ruleOfDifference } from '../../compare/rules.ts'
import type { CallLine, HeaderLine } from '../../control/recording/format.ts'
import { readAsset } from '../../db/assets.ts'
import { SWITCHES as DEFAULTS } from '../../domains/assumptions.ts'
import { NOW } from '../support/app.ts'
import { inProcess, startCommandServer } from '../support/commands.ts'
import { type ReadCall, readCalls } from '../support/compared_calls.ts'
import { readsOfSale, sell } from '../support/compared_sale.ts'
import { type Change, recordAndCompare, recordCalls, startChanging } from '../support/compared_server.ts'
import { linesOf, recordingFolder } from '../support/recordings.ts'

const folder = recordingFolder(t)
// The clock runs, as that of the real service, but only by what each call takes: otherwise it depends on this machine which
// questions of the demo's week are asked between a recording and its comparison.
mock.timers.enable({ apis: ['Date'], now: NOW })
t.teardown(() => mock.timers.reset())
const CALL_MS = 3
const app = await startCommandServer(t, { now: null })
const [seller, other] = app.sellers as [(typeof app.sellers)[0], (typeof app.sellers)[0]]
const ITEM = `${seller.site_id}1400000001`
const upstream = await startChanging(t, app, () => mock.timers.tick(CALL_MS))
const calls = await readCalls(app, Date.now())
let files = 0
const compareCalls = (some: readonly ReadCall[], options = {}) =>
  recordAndCompare(`${folder}/${++files}.jsonl`, upstream.url, app, some, options)

t.test('finds nothing where nothing differs, in every read of every domain', async (t) => {
  const { different, differences, proposals, not_emulated, not_compared, ...counts } = await compareCalls(calls)
  t.strictSame([different, differences, proposals, not_compared], [0, [], [], {}])
  t.strictSame(not_emulated, [{ method: 'GET', path: '/nothing/here', calls: 1 }])
  t.equal(counts.compared, calls.length - 1)
})

const startOf = (report: object) => ({ ...report, upstream: '', created_at: '' })
/** The report of the program that sells. */
const SOLD = {
  ...{ upstream: '', created_at: '', calls: 129, compared: 127, different: 0, differences: [], proposals: [] },
  ...{ not_compared: { 'bills, pictures and files are not learned': 2 }, not_emulated: [], ended_because: null },
}

t.test('finds nothing where a program lists, sells, ships, writes, and gives money back', async (t) => {
  const report = await recordAndCompare(
    `${folder}/sale.jsonl`,
    upstream.url,
    app,
    sell(app, () => mock.timers.tick(1000)),
    { allowWrites: true },
  )
  t.strictSame(startOf(report), SOLD)
})

const set =
  (name: string, toValue: (present: unknown) => unknown): Change =>
  (body) => {
    body[name] = toValue(body[name])
  }
const remove =
  (name: string): Change =>
  (body) => {
    delete body[name]
  }
/** Changes each element of a list. */
const each =
  (list: string, change: Change): Change =>
  (body, answer) => {
    for (const element of body[list]) change(element, answer)
  }
const lastFirst: Change = (body) => {
  const entries = Object.entries(body)
  return { text: JSON.stringify(Object.fromEntries([entries.pop()!, ...entries])) }
}
const toUtc = (date: unknown) => new Date(String(date)).toISOString()

type Paths = [string, string, string, string, string]
/** Of different things, so that several can change at once. */
const [ITEM_1, ITEM_2, ITEM_3, ITEM_4, ITEM_5] = [1, 2, 3, 4, 5].map(
  (n) => `/items/${seller.site_id}140000000${n}`,
) as Paths
const [QUESTIONS_1, QUESTIONS_2, QUESTIONS_3] = [1, 2, 3].map(
  (n) => `/questions/search?limit=3&item=${seller.site_id}140000000${n}`,
) as Paths
const WINDOW = `/items/${ITEM}/contacts/phone_views/time_window?last=3&unit=day`
/** Changed answers: path, change, and the difference. */
const CHANGES: [path: string, change: Change, expected: object][] = [
  [ITEM_1, remove('price'), { kind: 'missing', place: 'price', recorded: null, rule: 'items.read' }],
  [ITEM_2, set('rating', () => 'yes'), { kind: 'new', place: 'rating', recorded: '"yes"' }],
  [ITEM_3, set('health', () => 2), { kind: 'value', place: 'health', recorded: '2', rule: 'items.read' }],
  [ITEM_4, remove('variations'), { kind: 'missing', place: 'variations', recorded: null }],
  [ITEM_5, each('attributes', remove('name')), { kind: 'missing', place: 'attributes[].name' }],
  [ITEM_1, set('price', String), { kind: 'type', place: 'price', rule: 'items.read' }],
  [ITEM_2, lastFirst, { kind: 'order', place: '{}', rule: 'items.read' }],
  [ITEM_3, () => ({ status: 206 }), { kind: 'status', recorded: '206', answered: '200' }],
  [ITEM_4, () => ({ type: 'text/plain' }), { kind: 'header', place: 'content-type', recorded: 'text/plain' }],
  ['/items/MLA1', set('message', () => 'No item'), { kind: 'text', place: 'message', rule: 'items.not_found' }],
  [
    '/items/MLA1',
    () => ({ status: 410 }),
    { kind: 'status', recorded: /^410/, answered: /^404/, rule: 'items.not_found' },
  ],
  ['/items/MLA1', remove('cause'), { kind: 'missing', place: 'cause', rule: 'items.not_found' }],
  [QUESTIONS_1, each('questions', set('date_created', toUtc)), { kind: 'format', place: 'questions[].date_created' }],
  [
    QUESTIONS_2,
    each('questions', set('id', String)),
    { kind: 'type', place: 'questions[].id', rule: 'questions.element' },
  ],
  [
    QUESTIONS_3,
    each('questions', remove('id')),
    { kind: 'missing', place: 'questions[].id', rule: 'questions.element' },
  ],
  [QUESTIONS_1, each('questions', remove('hold')), { kind: 'missing', place: 'questions[].hold' }],
  [QUESTIONS_2, set('questions', (all) => (all as []).toReversed()), { kind: 'order', place: 'questions[]' }],
  [QUESTIONS_3, set('paging', () => ({})), { kind: 'new', place: 'paging', rule: 'questions.search' }],
  [WINDOW, set('last', String), { kind: 'type', place: 'last', recorded: '"3"', answered: '3' }],
  [
    WINDOW,
    each(
      'results',
      set('date', (date) => String(date).replace('Z', '.000Z')),
    ),
    { kind: 'format', place: 'results[].date', rule: 'contacts.windows.buckets' },
  ],
  ['/users/me', remove('address'), { kind: 'missing', place: 'address', rule: 'users.me' }],
  ['/sites/MLA', set('name', () => 'Otra'), { kind: 'value', place: 'name', recorded: '"Otra"', rule: 'sites.read' }],
]

t.test('finds nothing where programs write and read what they have written', async (t) => {
  const buyer = app.buyers[0]!
  const asBuyer = { authorization: `Bearer ${buyer.token}` }
  const json = (value: unknown) => JSON.stringify(value)
  const asked = (await buyer.post('/questions', { item_id: ITEM, text: '¿Hay stock?' })).body.id
  const deleted = (await buyer.post('/questions', { item_id: ITEM, text: '¿Y envío?' })).body.id
  const list = `/users/${seller.id}/questions_blacklist`
  const flex = `/flex/sites/MLA/items/${seller.site_id}1400000002/v2`
  const post = { method: 'POST' }
  const listings = await seller.get(`/users/${seller.id}/items/search?status=active`)
  const several = (await seller.get(`/items?ids=${listings.body.results.slice(0, 20)}`)).body
  const plain = several.find(({ body }: { body: { variations: [] } }) => body.variations.length === 0).body.id
  const written: ReadCall[] = [
    { path: '/questions', ...post, headers: asBuyer, body: json({ item_id: ITEM, text: '¿Tiene garantía?' }) },
    { path: '/questions', ...post, headers: asBuyer, body: json({ item_id: ITEM }) },
    { path: '/questions/search?limit=4' },
    { path: '/answers', ...post, body: json({ question_id: asked, text: 'Sí, un año.' }) },
    { path: '/answers', ...post, body: json({ question_id: asked, text: 'Otra vez' }) },
    { path: '/answers', ...post, headers: asBuyer, body: json({ question_id: asked, text: 'No es mía' }) },
    { path: `/questions/${asked}` },
    { path: `/questions/${deleted}`, method: 'DELETE' },
    { path: `/questions/${deleted}` },
    { path: '/my/questions/hidden', ...post, body: json({ question_ids: [asked] }) },
    { path: '/my/questions/hidden' },
    { path: list, ...post, body: json({ user_id: buyer.id }) },
    { path: list },
    { path: `${list}/${buyer.id}`, method: 'DELETE' },
    { path: list },
    { path: `/items/${ITEM}`, method: 'PUT', body: json({ price: 777, status: 'paused' }) },
    { path: `/items/${ITEM}` },
    { path: `/items/${plain}`, method: 'PUT', body: json({ price: 777, status: 'paused' }) },
    { path: `/items/${plain}` },
    { path: `/items/${plain}`, method: 'PUT', body: json({ price: -1 }) },
    { path: `/items/${plain}`, method: 'PUT', body: json({ status: 'active' }) },
    { path: flex },
    { path: flex, method: 'DELETE' },
    { path: flex },
    { path: flex, ...post },
  ]
  const report = await compareCalls(written, { allowWrites: true })
  t.strictSame([report.different, report.differences, report.not_compared], [0, [], {}])
  t.equal(report.compared, written.length)
})

t.test('finds each changed answer, and nothing else', async (t) => {
  // One changed answer for each path in a round: what one answer shows of a thing, the others are expected to show.
  const seen: Record<string, number> = {}
  const rounds = Map.groupBy(CHANGES, ([path]) => (seen[path] = (seen[path] ?? 0) + 1))
  for (const round of rounds.values()) {
    const left = round.map(([, change]) => change)
    upstream.change(/./, (body, answer) => left.shift()!(body, answer))
    const { different, differences, proposals } = await compareCalls(round.map(([path]) => ({ path })))
    upstream.change(/./, undefined)
    t.strictSame([different, differences.length, proposals], [round.length, round.length, []])
    for (const [n, [path, , expected]] of round.entries())
      t.match(
        differences.filter(({ examples }) => examples[0]!.n === n + 1),
        [{ ...expected, calls: 1, proposal: null }],
        path,
      )
  }
})

/** One call of each kind that shows a switch: others like it would show the same. */
const kinds = new Map(
  calls
    .filter(({ path }) => /contacts|users\/me|questions\/search/.test(path))
    .map((call) => {
      const kind = call.path.replace(/\d+|[A-Z]{3}|=[^&]*|\/(questions|phone_views|whatsapp)(?=[?/]|$)/g, '')
      return [`${kind} ${call.seller === null}`, call]
    }),
)

t.test('finds a changed answer among others, and says in which calls', async (t) => {
  upstream.change(/^\/items\/[A-Z]+14\d+$/, (body, answer) =>
    typeof body?.price === 'number' ? set('price', String)(body, answer) : undefined,
  )
  const items = calls.filter(({ path }) => path.startsWith('/items/'))
  const { different, differences } = await compareCalls([
    ...kinds.values(),
    ...items.filter(({ path }) => !path.includes('contacts')),
  ])
  upstream.change(/./, undefined)
  t.match(differences, [{ kind: 'type', place: 'price', route: 'GET /items/{item_id}', calls: 6, rule: 'items.read' }])
  t.strictSame([different, differences.length, differences[0]!.examples.length], [6, 1, 3])
})

t.test('finds a changed answer of each part of a sale, and nothing else', async (t) => {
  const read = (await readsOfSale(seller)).slice(0, 7)
  const planted: [path: string, place: string, rule: string][] = [
    ['/orders/{order_id}', 'total_amount', 'orders.read'],
    ['/packs/{pack_id}', 'status', 'packs.read'],
    ['/collections/{payment_id}', 'net_received_amount', 'payments.collection'],
    ['/shipments/{shipment_id}', 'order_cost', 'shipments.read'],
    ['/messages/packs/{pack_id}/sellers/{seller_id}', 'seller_max_message_length', 'messages.conversation'],
    ['/post-purchase/v1/claims/{claim_id}', 'claim_version', 'claims.read'],
    ['/post-purchase/v2/claims/{claim_id}/returns', 'subtype', 'claims.returns'],
  ]
  const shown: unknown[] = []
  upstream.change(/./, (body) => {
    const [, place] = planted[shown.length]!
    const value = body[place]
    shown.push(value)
    body[place] = typeof value === 'string' ? 'other' : 7
  })
  const { different, differences, proposals, not_compared } = await compareCalls(read)
  upstream.change(/./, undefined)
  t.strictSame([different, differences.length, proposals, not_compared], [7, 7, [], {}])
  for (const [n, [template, place, rule]] of planted.entries()) {
    const values = { recorded: typeof shown[n] === 'string' ? '"other"' : '7', answered: JSON.stringify(shown[n]) }
    const named = { kind: 'value', place, ...values, route: `GET ${template}`, rule, assumptions: [], proposal: null }
    t.match(
      differences.filter(({ examples }) => examples[0]!.n === n + 1),
      [{ ...named, calls: 1, examples: [{ n: n + 1, method: 'GET' }] }],
      template,
    )
  }
})

const window = { path: WINDOW }
/** Switches, and calls that show their value. */
const SWITCHES: [name: string, value: string, calls: () => Promise<ReadCall[]>][] = [
  ['auth.query_token', 'reject', async () => [{ path: `/users/me?access_token=${seller.token}`, seller: null }]],
  ['calls.empty_parameter', 'reject', async () => [{ path: '/questions/search?limit=' }]],
  ['contacts.auth', 'required', async () => [{ ...window, seller: null }]],
  [
    'contacts.owner_only',
    'true',
    async () => [{ path: `/users/${other.id}/contacts/questions/time_window?last=2&unit=hour` }],
  ],
  ['contacts.current_bucket', 'exclude', async () => [window]],
  ['contacts.day_offset', '-12:00', async () => [{ path: `${WINDOW}&ending=2026-03-02` }]],
  [
    'questions.unanswered_life',
    'forever',
    async () => {
      const date_created = new Date(Date.now() - 300 * 86_400_000).toISOString()
      const asked = await app.control('POST /questions', { item_id: ITEM, text: '¿Hay?', date_created })
      return [{ path: `/questions/${asked.body.id}` }, { path: '/questions/search?sort_types=ASC&limit=2' }]
    },
  ],
  [
    'flex.activation_needs_subscription',
    'false',
    async () => {
      const seller_id = (await app.control('POST /users', { site_id: 'MLA' })).body.id
      const token = (await app.control('POST /tokens', { user_id: seller_id })).body.token
      const { id } = (await app.control('POST /items', { seller_id, title: 'Mate', price: 10 })).body
      const headers = { authorization: `Bearer ${token}` }
      return [
        { path: `/flex/sites/MLA/items/${id}/v2`, method: 'POST', headers },
        { path: `/flex/sites/MLA/users/${seller_id}/subscriptions/v1`, headers },
      ]
    },
  ],
]

t.test('proposes each changed assumption, and nothing else', async (t) => {
  const shown: [calls: ReadCall[], assumption: string][] = []
  for (const [name, value, prepare] of SWITCHES) shown.push([await prepare(), `${name}=${value}`])
  for (const [name, value] of SWITCHES) await app.control(`PATCH /assumptions/${name}`, { value })
  const all = [...shown.flatMap(([calls]) => calls), ...kinds.values()]
  const { proposals, differences } = await compareCalls(all, { allowWrites: true })
  for (const [name] of SWITCHES) await app.control(`PATCH /assumptions/${name}`, { value: DEFAULTS[name]![0] })
  t.strictSame(proposals.map(({ name, value }) => `${name}=${value}`).sort(), shown.map(([, one]) => one).sort())
  t.strictSame(
    differences.filter(({ proposal }) => proposal === null),
    [],
  )
  for (const [[call], assumption] of shown) {
    const proposal = proposals.find(({ name, value }) => `${name}=${value}` === assumption)
    t.ok(proposal?.calls.includes(all.indexOf(call!) + 1), assumption)
  }
})

t.test('finds an answer that a stub overrides; answers of other paths become stubs', async (t) => {
  const claim = '/claims/2000001'
  const { price: _, ...item } = (await app.call(`/items/${ITEM}`)).body
  const buyer = { id: 2500009999, nickname: 'ANA_PEREZ', first_name: 'Ana' }
  const stub = (path: string, body: object, override = false) =>
    app.control('POST /stubs', { match: { method: 'GET', path }, answer: { body }, override })
  await stub(`/items/${ITEM}`, item, true)
  await stub(claim, { id: 2000001, status: 'paid', buyer, date_created: '2026-03-07T15:00:00.000Z' })
  const file = `${folder}/stubs.jsonl`
  const report = await recordAndCompare(file, app.url, app, [{ path: `/items/${ITEM}` }, { path: claim }])
  await app.control('DELETE /stubs')
  t.match(report.differences, [{ kind: 'missing', place: 'price' }])
  t.strictSame(
    [report.differences.length, report.not_emulated],
    [1, [{ method: 'GET', path: '/claims/{id}', calls: 1 }]],
  )
  t.equal((await app.call(claim)).status, 404)
  t.match(await app.run(`stub import ${file}`), { code: 0 })
  const { status, body } = await app.call(claim)
  t.strictSame([status, body.status, body.date_created], [200, 'paid', '2026-03-07T15:00:00.000Z'])
  t.match(body.buyer, { nickname: /^[A-Z]{3}_[A-Z]{5}$/, first_name: /^[A-Z][a-z]{2}$/ })
  t.notOk(body.buyer.nickname === buyer.nickname || body.buyer.id === buyer.id)
  t.type((await app.call(`/items/${ITEM}`)).body.price, 'number')
  await app.control('DELETE /stubs')
})

t.test('proposes an assumption where something else differs, too', async (t) => {
  await app.control('PATCH /assumptions/contacts.current_bucket', { value: 'exclude' })
  await app.control('PATCH /assumptions/contacts.auth', { value: 'required' })
  upstream.change(/contacts/, (body) => {
    body.currency = 'none'
  })
  const report = await compareCalls([window, { ...window, seller: null }])
  upstream.change(/./, undefined)
  for (const name of ['contacts.current_bucket', 'contacts.auth'])
    await app.control(`PATCH /assumptions/${name}`, { value: DEFAULTS[name]![0] })
  t.strictSame(
    report.differences.map(({ kind, place, proposal }) => [kind, place, proposal]).sort(),
    [
      ['elements', 'results[]', 'contacts.current_bucket=exclude'],
      ['new', 'currency', null],
      ['status', 'status', 'contacts.auth=required'],
      ['value', 'date_from', 'contacts.current_bucket=exclude'],
      ['value', 'date_to', 'contacts.current_bucket=exclude'],
    ].sort(),
  )
})

t.test('proposes no assumption with which other answers would differ', async (t) => {
  const assume = (value: string) => app.control('PATCH /assumptions/contacts.current_bucket', { value })
  const { different, proposals } = await recordAndCompare(`${folder}/mixed.jsonl`, upstream.url, app, async (send) => {
    await assume('exclude')
    await send(window)
    await assume('include')
    await send({ path: WINDOW.replace('last=3', 'last=2') })
  })
  t.strictSame([different, proposals], [1, []])
})

t.test('names a rule for each route', async (t) => {
  const { paths } = JSON.parse(readAsset('openapi.json').toString()) as { paths: Record<string, object> }
  const difference = { kind: 'new' as const, place: 'x', recorded: '1', answered: null }
  const unnamed = Object.entries(paths).flatMap(([template, operations]) =>
    Object.keys(operations)
      .filter((method) => ['get', 'post', 'put', 'delete'].includes(method) && template !== '/openapi.json')
      .filter((method) => {
        const line = {
          method: method.toUpperCase(),
          target: template.replace(/\{\w+\}/g, '1'),
          headers: {},
          status: 200,
        }
        const call = readCall({ ...line, at: '2026-03-07T15:00:00.000Z' } as CallLine, app.server.paths)!
        return call.template === template && ruleOfDifference(call, difference) === 'http.order'
      })
      .map((method) => `${method} ${template}`),
  )
  t.strictSame(unnamed, [])
})

t.test('prints the report, and exits with 1 if an answer differs', async (t) => {
  const anonymous = { ...window, seller: null }
  await app.control('PATCH /assumptions/contacts.auth', { value: 'required' })
  const file = `${folder}/printed.jsonl`
  await recordCalls(file, upstream.url, app, [anonymous, { path: '/sites/MLA' }, { path: '/claims/2000001/items' }])
  await app.control('PATCH /assumptions/contacts.auth', { value: 'optional' })
  const [header] = linesOf(file) as [HeaderLine]
  const hint = `\`mercadito stub import ${file}\` makes stubs that answer these`
  const end = `compared 2 of 3 calls to ${upstream.url.slice(7)} of ${header.created_at}\n`
  t.strictSame(await inProcess('compare', file), {
    code: 1,
    output: `GET /items/{item_id}/contacts/phone_views/time_window  status: another status  (1 call)
  recorded    401 authorization value not present
  mercadito   200
  rule        contacts.auth, assumption contacts.auth
  agrees with --assume contacts.auth=required
  call 1  GET ${WINDOW}

not emulated: 1 × GET /claims/{id}/items
${hint}
--assume contacts.auth=required: differences of 1 call vanish
${end}1 answer differs
`,
    errors: '',
  })
  t.strictSame(await inProcess('compare', file, '--assume', 'contacts.auth=required'), {
    code: 0,
    output: `not emulated: 1 × GET /claims/{id}/items\n${hint}\n${end}no answer differs\n`,
    errors: '',
  })
  const report = JSON.parse((await inProcess('compare', file, '--json')).output)
  t.match(report, {
    calls: 3,
    compared: 2,
    different: 1,
    proposals: [{ name: 'contacts.auth', value: 'required', calls: [1] }],
  })
})

t.test('reports a file that is not valid', async (t) => {
  const failure = async (lines: unknown[]) => {
    const file = `${folder}/invalid.jsonl`
    writeFileSync(file, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''))
    const { code, errors } = await inProcess('compare', file)
    return [code, errors.replace(file, 'FILE').trim()]
  }
  const header = linesOf(`${folder}/printed.jsonl`)[0] as HeaderLine
  t.strictSame(await failure(['x']), [2, 'mercadito: FILE: is not a recording of this version (line 1: is not JSON)'])
  t.strictSame(await failure([{ ...header, source: 'recording' }]), [
    2,
    'mercadito: FILE: is a recording of mercadito itself, with states: send its calls again with `mercadito requests replay`',
  ])
  t.match(await failure([header, { kind: 'call', n: 0 }]), [2, /^mercadito: FILE: line 2: n: must be an integer/])
  t.match(await inProcess('compare', `${folder}/none`), { code: 2, errors: /there is no such file/ })
  t.match(await inProcess('compare', `${folder}/printed.jsonl`, '--assume', 'contacts.auth=no'), {
    code: 2,
    errors: /must be one of optional, required/,
  })
})

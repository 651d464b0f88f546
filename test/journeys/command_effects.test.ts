import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { latestPosition } from '../../domains/notifications/feed/queries.ts'
import { inProcess, startCommandServer } from '../support/commands.ts'

// The effects of the commands, seen through the public API.

const app = await startCommandServer(t)
const { run, runJson, sellers, buyers, call } = app
const [seller, buyer] = [sellers[0]!, buyers[0]!]
const brazilian = sellers.find(({ site_id }) => site_id === 'MLB')!
const ITEM = 'MLA1400000001'

const failed = (code: number, line: string) => ({ code, output: '', errors: `mercadito: ${line}\n` })
/** The server refuses a value: wrong usage, unless another exit code is given. */
const expectErrors = async (t: Test, rows: [line: string, words: string[], message: string, code?: number][]) => {
  for (const [line, words, message, code = 2] of rows)
    t.strictSame(await run(line, ...words), failed(code, message), [line, ...words].join(' '))
}

t.test('overview and server describe the world and the server', async (t) => {
  const { output } = await run('status')
  t.match(output, /^world +1 {2}\(demo, seed 1, temporary\)$/m)
  t.match(output, /^time +2026-03-07T15:00:00.000Z {2}\(world time, frozen\)$/m)
  t.match(output, /^faults +none$/m)
  const { server, ...world } = await runJson('status')
  t.strictSame(world, (await app.control('GET /overview')).body)
  t.match((await run('status')).output, /^requests_in_flight +2000$/m)
  t.match(server, { mode: 'temporary', flags: [] })
})

t.test('clock due lists what is due, and clock next moves there', async (t) => {
  const { body } = await app.control('POST /worlds', { scenario: 'empty', now: '2026-03-02T12:00:00Z' })
  const world = (line: string) => inProcess(...line.split(' '), '--url', `${app.url}/w/${body.world.id}`)
  t.strictSame(await world('clock next'), failed(1, 'to: nothing is due in this world'))
  for (const lifetime of ['1h', '2h', '3h']) await world(`token ${body.buyers[0].id} --expires-in ${lifetime}`)
  const due = (await world('clock due --limit 2')).output.split('\n')
  t.strictSame(due.length, 5)
  t.match(due[1]!.replace(/ {2,}/g, '|'), /^2026-03-02T13:00:00.000Z\|token expires\|/)
  t.equal(due[3], '1 more')
  t.match(
    (await world('clock next')).output,
    /^2026-03-02T13:00:00.000Z {2}\(world time, frozen\)\n\n.*\n.*token expires/,
  )
  t.equal((await world('clock due --until 2026-03-02T14:00:00Z --json')).output.match(/"at"/g)!.length, 1)
  await app.control(`DELETE /worlds/${body.world.id}`)
})

t.test('fault off and on switch a rule', async (t) => {
  const { id } = await runJson('fault add --status 503 --path /users/me --id 50')
  const status = async () => (await seller.get('/users/me')).status
  t.equal(await status(), 503)
  t.match((await run(`fault off ${id}`)).output, /^enabled +false$/m)
  t.equal(await status(), 200)
  t.match((await run('fault list')).output, / no$/m)
  t.match(await runJson(`fault on ${id}`), { id, enabled: true, applied: 1 })
  t.equal(await status(), 503)
  await run('fault clear')
  await expectErrors(t, [['fault off 99', [], 'Fault 99 not found', 1]])
})

t.test('token prints only the token', async (t) => {
  const { code, output, errors } = await run(`token ${buyer.id}`)
  t.match({ code, errors }, { code: 0, errors: '' })
  const me = await call({ url: '/users/me', headers: { authorization: `Bearer ${output.trim()}` } })
  t.equal(me.body.id, buyer.id)
  const short = await runJson(`token ${seller.id} --token LLAVE-DE-PRUEBA --expires-in 1h30m --refresh`)
  t.match(short, { token: 'LLAVE-DE-PRUEBA', user_id: seller.id, expires_at: '2026-03-07T16:30:00.000Z' })
  t.type(short.refresh_token, 'string')
  t.equal((await run(`token ${seller.id} --refresh`)).output.split('\n').length, 3)
  await expectErrors(t, [['token 99', [], 'User with id 99 not found', 1]])
})

t.test('world app and world user change applications and users', async (t) => {
  const { body: own } = await app.control('POST /applications', { redirect_uri: 'http://localhost:3000/' })
  const { body: user } = await app.control('POST /users', { site_id: 'MLA' })
  t.match(await runJson(`world app ${own.id} --use-pkce on --blocked on`), { use_pkce: true, blocked: true })
  t.match((await run(`world app ${own.id} --blocked off`)).output, /^use_pkce +true\nblocked +false$/m)
  t.match((await run(`world app ${own.id}`)).output, 'redirect_uri  http://localhost:3000/\n')
  const callback = 'https://example.com/callback'
  t.equal((await runJson(`world app ${own.id} --redirect-uri ${callback}`)).redirect_uri, callback)
  t.strictSame(await runJson('world app'), (await app.control('GET /applications')).body.results[0])
  t.match(await runJson(`world user ${user.id} --operator on`), { operator: true, token: user.token })
  t.match(
    (await run(`world user ${user.id} --password otra`)).output,
    /^operator +true\ntoken that does not expire +none$/m,
  )
  await expectErrors(t, [
    [
      `world app ${own.id} --redirect-uri ftp://x`,
      [],
      '--redirect-uri: must be an absolute http or https URL without a fragment, at most 2048 characters',
    ],
    ['world app 99', [], 'Application with id 99 not found', 1],
    ['world user 99', [], 'User with id 99 not found', 1],
  ])
})

t.test('ask, answer and moderate change questions', async (t) => {
  const question = await runJson(`ask ${ITEM}`, '¿Tiene garantía?', '--from', String(buyer.id))
  t.match(question, { status: 'UNANSWERED', text: '¿Tiene garantía?', from: { id: buyer.id } })
  t.match((await run(`question answer ${question.id}`, 'Sí, un año.')).output, /^answer {4}Sí, un año\.$/m)
  t.match((await buyer.get(`/questions/${question.id}`)).body, { status: 'ANSWERED', answer: { text: 'Sí, un año.' } })

  const past = await runJson(
    `ask ${ITEM} --from guest --at 2026-03-01T10:00:00Z --id 77 --answer`,
    'Quedan dos.',
    'hola',
  )
  t.match(past, { id: 77, date_created: '2026-03-01T06:00:00.000-04:00', answer: { text: 'Quedan dos.' } })
  t.not(past.from.id, buyer.id)

  const { output } = await run(`ask ${ITEM}`, 'una\n\u001b[31mroja')
  t.match(output, /^text {6}una↵\\u001b\[31mroja$/m, 'control characters do not reach the terminal')
  const id = Number(/^question {2}(\d+)$/m.exec(output)![1])
  const rows: [action: string, effect: object][] = [
    ['hold', { hold: true }],
    ['release', { hold: false }],
    ['spam', { suspected_spam: true }],
    ['not-spam', { suspected_spam: false }],
    ['hide', { hidden: true }],
    ['show', { hidden: false }],
    ['review', { status: 'UNDER_REVIEW' }],
    ['disable', { status: 'DISABLED' }],
    ['delete', { status: 'DELETED', deleted_from_listing: true }],
    ['ban', { status: 'BANNED', text: '' }],
  ]
  for (const [action, effect] of rows) t.match(await runJson(`question moderate ${id} ${action}`), effect, action)
  t.equal((await buyer.get(`/questions/${id}`)).status, 404, 'banned for the buyer')
  t.equal((await run(`question moderate ${id} burn`)).code, 2)
  await expectErrors(t, [
    ['ask MLA9', ['¿Hay?'], 'Item with id MLA9 not found', 1],
    [`ask ${ITEM} --from ${seller.id}`, ['¿Hay?'], 'You cannot ask on your own item'],
    ['question answer 1', ['Sí'], 'Question with id 1 not found', 1],
  ])
})

const views = async (path: string) =>
  (await call(`/items/${ITEM}/contacts/${path}?date_from=2026-03-07&date_to=2026-03-08`)).body.total
const clicks = async () =>
  (await seller.get(`/items/${ITEM}/contacts/whatsapp?date_from=2026-03-07&date_to=2026-03-08`)).body.total

t.test('view-phone and click-message show in the statistics', async (t) => {
  const before = [await views('phone_views'), await clicks()] as const
  t.strictSame(await run(`contacts view-phone ${ITEM} --count 20 --at 2026-03-07T12:00:00Z`), {
    code: 0,
    output: `20 phone views of ${ITEM} at 2026-03-07T12:00:00.000Z\n`,
    errors: '',
  })
  t.match(await runJson(`contacts click-message ${ITEM} --buyer ${buyer.id}`), { count: 1, buyer_id: buyer.id })
  t.strictSame([await views('phone_views'), await clicks()], [before[0] + 20, before[1] + 1])
  t.match(await run(`contacts view-phone ${ITEM} --at 2030-01-01`), {
    code: 2,
    errors: 'mercadito: --at: must be between 1970 and the world’s present time\n',
  })
})

t.test('contacts shows and sets the statistics', async (t) => {
  t.strictSame(await run(`contacts set ${ITEM} 2026-03-07T10:00:00Z=40 2026-03-07T07:00:00-04:00=0`), {
    code: 0,
    output: '1 changed: 40 contacts added, 0 removed\n',
    errors: '',
  })
  const range = '--from 2026-03-07T10:00:00Z --to 2026-03-07T12:00:00Z'
  t.strictSame(await run(`contacts --item ${ITEM} ${range}`), {
    code: 0,
    output: 'from                      contacts\n2026-03-07T10:00:00.000Z  40\n2026-03-07T11:00:00.000Z  0\n',
    errors: '',
  })
  t.strictSame(await runJson(`contacts set ${ITEM} 2026-03-07T10:00:00Z=7`), { changed: 1, added: 0, removed: 33 })
  t.match(await runJson(`contacts series --user ${seller.id} --unit day --kind messaging_click`), {
    kind: 'messaging_click',
    unit: 'day',
    points: { length: 30 },
  })
  await expectErrors(t, [
    ['contacts', [], '--item, --user: exactly one of them is required'],
    ['contacts --item nada', [], '--item: must be the identifier of a listing, such as MLA1400000001'],
    [
      `contacts set ${ITEM} 2026-03-07T10:00:01Z=7`,
      [],
      '2026-03-07T10:00:01Z=7: must be the start of the hour, 2026-03-07T10:00:00.000Z',
    ],
  ])
  t.strictSame(
    await run(`contacts set ${ITEM} 2026-03-07T10:00:00Z`),
    failed(2, '2026-03-07T10:00:00Z: must be such as 2026-03-02T12:00:00Z=40; see `mercadito contacts set --help`'),
  )
})

t.test('errors of the server name the flag that was typed', async (t) => {
  const PRESENT = 'must be between 1970 and the world’s present time'
  await expectErrors(t, [
    [`ask ${ITEM} ¿Hay? --at 2030-01-01`, [], `--at: ${PRESENT}`],
    [`ask ${ITEM} ¿Hay? --at 2030-01-01 --answer Sí`, [], `--at: ${PRESENT}`],
    [`lead ${ITEM} --entity nadie`, [], '--entity: must be one of MERCADO_PAGO, VOTORANTIM, SANTANDER, SCOTIA'],
    [`lead create ${ITEM} --id x`, [], '--id: must be a UUID'],
    ['contacts view-phone nada', [], 'nada: must be the identifier of a listing, such as MLA1400000001'],
    [
      'webhooks http://127.0.0.1:9/ --override limit_ms=0',
      [],
      '--override limit_ms: must be an integer from 1 to 60000',
    ],
    ['simulate --profile poco', [], '--profile: must be one of quiet, normal, busy, peak'],
    ['fault add --path x --drop', [], '--path: must be a path of the API, such as /questions/*; * matches anything'],
    [
      'fault add --path /question/search --drop',
      [],
      '--path: neither the API nor a stub has /question/search; the nearest paths are /questions/search, /questions/{question_id}; --anyway allows it',
    ],
    [
      'requests verify POST /answr',
      [],
      'neither the API nor a stub has /answr; the nearest path is /answers; --anyway allows it',
    ],
    [
      'requests verify GET /questions/{id}',
      [],
      '/questions/{id} must have values for its parameters, or * for any: /questions/*',
    ],
    ['fault add --drop --user 3', [], '--user: must be a user of this world'],
    ['clock set 0001-01-01', [], '0001-01-01: the world’s time must stay between the years 1970 and 9999'],
    ['webhooks list --search', ['x'.repeat(101)], '--search: must be a text of 1 to 100 characters, without U+0000'],
    ['webhooks list --resource', ['/'.repeat(1001)], '--resource: must be a path of 1 to 1000 characters'],
  ])
})

t.test('nicknames are accepted where ids of users are', async (t) => {
  const { nickname } = (await app.call(`/users/${seller.id}`)).body
  await seller.get('/users/me')
  const listed = await runJson(`requests --user ${nickname.toLowerCase()} --limit 1`)
  t.match(listed, { results: [{ path: '/users/me', user_id: seller.id }] })
  t.match((await run(`token ${nickname}`)).output, String(seller.id))
  t.match(await runJson(`contacts --user ${nickname} --unit day`), { unit: 'day' })
  await expectErrors(t, [
    ['token NADIE', [], 'no user has the nickname NADIE; `mercadito world show` lists users'],
    ['token =1', [], '=1: must be the id or the nickname of a user; see `mercadito token --help`'],
  ])
})

t.test('import reads one JSON object per line', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'mercadito-import-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'contacts.ndjson')
  const before = await views('phone_views')
  const line = (n: number) =>
    JSON.stringify({ kind: 'phone_view', item_id: ITEM, at: new Date(Date.UTC(2026, 2, 7, 1, 0, n)).toISOString() })
  writeFileSync(file, Array.from({ length: 3000 }, (_, n) => `${line(n)}\n`).join(''))
  t.strictSame(await run(`contacts import ${file}`), { code: 0, output: '3000 imported\n', errors: '' })
  t.equal(await views('phone_views'), before + 3000)
  // Rejected long before the end of the file.
  writeFileSync(file, `${line(1)}\n{"kind":"rumor"}\n${`${line(2)}\n`.repeat(100_000)}`)
  t.strictSame(
    await run(`contacts import ${file}`),
    failed(2, 'line 2: kind: must be one of phone_view, whatsapp, question, visit; nothing was imported'),
  )
  t.strictSame(
    await run('contacts import examples/world.json'),
    failed(1, 'examples/world.json is a world file; use `mercadito world load examples/world.json`'),
  )
  t.strictSame(
    await run(`contacts import ${folder}/none`),
    failed(1, `cannot read ${folder}/none (ENOENT); name an existing file, or - for standard input`),
  )
})

t.test('simulate creates contacts, with and without notifications', async (t) => {
  const before = await views('phone_views')
  const simulated = await runJson(`simulate --days 3 --seed 7 --user ${seller.id}`)
  t.match(simulated, { days: 3, seed: 7, date_to: '2026-03-07T15:00:00.000Z', sellers: 1 })
  t.ok(simulated.phone_views > 0)
  t.ok((await views('phone_views')) >= before)
  const lastPosition = async () => (await latestPosition(app.world.read)).event
  const position = await lastPosition()
  t.ok(position > 0)
  await runJson(`simulate --days 3 --seed 7 --user ${seller.id} --no-notify`)
  t.equal(await lastPosition(), position)
  t.match((await run('simulate --days 1')).output, /^days +1\nprofile +normal\n/)
})

t.test('lead creates, decides and expires leads', async (t) => {
  const item = 'MLB1400000001'
  const lead = await runJson(`lead ${item} --entity SANTANDER --at 2026-03-06T10:00:00Z`)
  t.match(lead, { item_id: item, status: 'in_analysis', financial_entity_id: 'SANTANDER', expired: false })
  t.match((await run(`lead approve ${lead.id}`)).output, /^status {15}approved$/m)
  const read = () => brazilian.get(`/vis/loans/${lead.id}?seller_id=${brazilian.id}`)
  t.equal((await read()).status, 200)
  t.equal((await runJson(`lead expire ${lead.id}`)).expired, true)
  t.equal((await read()).status, 410)
  t.equal((await runJson(`lead revive ${lead.id}`)).expired, false)
  const other = await runJson(`lead create ${item} --id 5f0c1d0e-6a52-4c1b-9d2e-3b7a8c90d1e2`)
  t.equal((await runJson(`lead reject ${other.id}`)).status, 'rejected')
  const expired = await runJson('lead list --expired yes --limit 1000')
  t.ok(expired.paging.total > 10 && expired.results.every((lead: { expired: boolean }) => lead.expired))
  const { results } = await runJson(`lead list --seller ${brazilian.id} --status rejected --limit 1`)
  t.equal(results[0].id, other.id)
  t.match((await run('lead list --limit 1')).output, /^id +status +listing +created +expired\n5f0c1d0e/)
  await expectErrors(t, [[`lead reject ${lead.id}`, [], 'status: is approved; only a lead in_analysis can be decided']])
})

t.test('flex manages subscriptions, shipments and drivers', async (t) => {
  const peruvian = sellers.find(({ site_id }) => site_id === 'MPE')!
  const active = await runJson(`flex activate ${peruvian.id}`)
  t.match(active, { user_id: peruvian.id, mode: 'FLEX', status: { id: 'in' } })
  t.strictSame(await runJson(`flex activate ${peruvian.id}`), active, 'already active')
  t.match(await runJson(`flex activate ${peruvian.id} --mode TURBO`), { mode: 'TURBO', status: { id: 'in' } })
  t.match((await run(`flex move ${active.id} out`)).output, /^status +out$/m)
  t.match(await runJson(`flex activate ${peruvian.id}`), { id: active.id, status: { id: 'in' } })
  const path = `/shipping/flex/sites/MPE/users/${peruvian.id}/subscriptions/v1`
  t.strictSame(
    (await peruvian.get(path)).body.map(({ status }: { status: object }) => status),
    [{ id: 'in' }, { id: 'in' }],
  )
  t.match(
    (await run(`flex --user ${peruvian.id}`)).output,
    new RegExp(`^id +user .*\n${active.id} +${peruvian.id} .* in\n`),
  )

  const shipment = await runJson(`flex ship ${seller.id} --driver 81234567 --id 5`)
  t.match(shipment, { id: 5, driver_id: 81234567, route_open: true })
  const assigned = () => seller.get('/flex/sites/MLA/shipments/5/assignment/v1')
  t.equal((await assigned()).status, 200)
  t.equal((await runJson('flex route 5 closed')).route_open, false)
  t.equal((await assigned()).status, 404)
  t.match(await runJson('flex assign 5 99'), { driver_id: 99, route_open: true })
  t.match(await runJson('flex assign 5 nobody'), { driver_id: null, route_open: false })
})

t.test('flex shows and changes settings, zones and listings', async (t) => {
  const [{ id }] = (await runJson(`flex list --user ${seller.id}`)).results
  t.match((await run(`flex settings ${id}`)).output, /^mode +FLEX\n.*\n\ndays +from +to +capacity +cutoff\nweek +/s)
  const ranges = '{"week":[{"from":10,"to":20,"capacity":60,"cutoff":15}]}'
  t.match(await runJson(`flex settings ${id} --window next_day --daily-capacity yes --ranges`, ranges), {
    delivery_window: 'next_day',
    daily_capacity: true,
    delivery_ranges: { week: [{ from: 10, to: 20, capacity: 60, cutoff: 15 }], saturday: null, sunday: null },
  })
  const { zones } = await runJson(`flex zones ${id} GBA_Sur CABA_Sur`)
  const served = zones.filter(({ selected }: { selected: boolean }) => selected)
  t.strictSame(
    served.map((zone: { id: string }) => zone.id),
    ['CABA_Sur', 'GBA_Sur'],
  )
  t.match((await run(`flex zones ${id}`)).output, /\nGBA_Sur +GBA Sur +yes +no\n/)
  t.match(await runJson('flex item MLA1400000010 on'), { has_flex: true, flex_lacks: null })
  t.match((await run('flex item MLA1400000010')).output, /^has_flex +true$/m)
  t.match(await runJson('flex item MLA1400000010 off'), { has_flex: false })
  await expectErrors(t, [
    [`flex settings ${id} --radius 5000`, [], '--radius: is no setting of FLEX'],
    [`flex zones ${id} Luna`, [], 'Luna: is no zone of the coverage area'],
    ['flex settings 9', [], 'Subscription with id 9 not found', 1],
  ])
})

t.test('fault adds, lists and deletes rules', async (t) => {
  const fault = await runJson('fault add --method get --path /currencies --status 503 --times 1')
  t.match(fault, { match: { method: 'GET', path: '/currencies' }, action: { status: 503 }, times: 1 })
  t.equal((await call('/currencies')).status, 503)
  t.equal((await call('/currencies')).status, 200)
  await runJson('fault add --delay 5ms --probability 0.5 --seed 3 --user', String(seller.id))
  await runJson('fault add --delay 1ms..2s --id 9')
  await runJson('fault add --rate-limit 10/min --clock world --path /users/*')
  await runJson('fault add --partial buyer,shipping --id 4')
  const { results } = await runJson('fault')
  t.strictSame(
    results.map(({ id, action }: { id: number; action: object }) => [id, action]),
    [
      [1, { status: 503 }],
      [2, { delay: 5 }],
      [3, { rate_limit: { limit: 10, window: 60, clock: 'world' } }],
      [4, { partial: ['buyer', 'shipping'] }],
      [9, { delay: { min: 1, max: 2000 } }],
    ],
  )
  t.match((await run('fault list')).output, /^1 +method GET, path \/currencies +status 503 +1 +1 +2? *1/m)
  t.strictSame(await run('fault clear 9'), { code: 0, output: 'rule 9 is deleted\n', errors: '' })
  t.strictSame(await runJson('fault clear'), { done: true })
  t.strictSame((await runJson('fault')).results, [])
  t.strictSame(
    await run('fault add --drop --status 500'),
    failed(
      2,
      'set one of --status, --delay, --drop, --optimistic-lock, --partial, --rate-limit and --limits; see `mercadito fault add --help`',
    ),
  )
  t.equal((await run('fault add --probability 2 --drop')).code, 2)
})

t.test('facts lists published changes', async (t) => {
  await runJson('ask MLA1400000001 ¿Hay?')
  const [fact] = (await runJson('world changes --topic questions --limit 1')).results
  t.match(
    (await run(`world changes --resource ${fact.resource}`)).output,
    new RegExp(`^id .*cause\n${fact.id} +2026-\\S+ +questions +${fact.resource} +[\\d, ]+ control ${fact.cause.id}\n$`),
  )
  t.strictSame((await runJson('world changes --before 1')).results, [])
  t.match(await run('world changes --topic x'), { code: 2 })
})

t.test('requests and verify read the journal', async (t) => {
  await runJson('requests clear')
  await call('/currencies')
  await seller.get('/users/me?attributes=id,nickname')
  const { results } = await runJson('requests')
  t.strictSame(
    results.map(({ method, path }: { method: string; path: string }) => `${method} ${path}`),
    ['GET /currencies', 'GET /users/me'],
  )
  t.match(
    (await run('requests list --path /users/*')).output,
    / {2}GET +200 +\d+ ms +\/users\/me\?attributes=id,nickname\n$/,
  )
  const listed = async (flags: string) =>
    (await run(`requests list ${flags}`)).output
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split('  ').at(-1))
  t.strictSame(await listed('--status 2xx --search NICKNAME'), ['/users/me?attributes=id,nickname'])
  t.strictSame(await listed(`--application ${app.application.id}`), ['/users/me?attributes=id,nickname'])
  t.strictSame(await listed(`--before ${results[1].id}`), ['/currencies'])
  t.match(await run('requests --search', ''), { code: 2, errors: 'mercadito: --search: must be a text of 1 to 200' })
  t.match(
    (await run(`requests show ${results[1].id}`)).output,
    new RegExp(
      `^call +GET /users/me\\?attributes=id,nickname\nworld time +2026-.*\nuser +${seller.id}\nstatus +200\ntook +\\d+ ms\nchanges +none\nafter delivery +none\nsent: nothing\nanswered: \\{"id":`,
    ),
  )
  t.equal((await run('requests show 999999')).code, 1)
  await run('clock advance 1h')
  t.match(
    (await run('requests control --method post --path /clock* --status 2xx --limit 1')).output,
    /^id +world time .*path +changes\n\d+ +2026-\S+ +POST +200 +\d+ ms +mercadito clock advance +\/clock\/advance [\d ,]*\n$/,
  )
  t.strictSame((await runJson('requests control --before 1')).results, [])
  t.strictSame(await run('requests verify GET /currencies --times 1'), { code: 0, output: 'matched  1\n', errors: '' })
  t.equal((await run('requests verify any /users/* --query attributes=id,nickname --at-least 1 --at-most 1')).code, 0)
  const mismatched = await run('requests verify POST /answers --body', '{"question_id":1}')
  t.match(mismatched, { code: 3, output: /^nearest:\n {2}\d+ {2}GET \// })
  t.match(mismatched.errors, /^mercadito: Expected at least 1 request of POST \/answers .*; found 0 among 2\n$/)
  t.equal((await run('requests verify GET /currencies --times 1 --status 2xx')).code, 0)
  t.equal((await run('requests verify GET /currencies --times 1 --status 200')).code, 0)
  const otherStatus = await run('requests verify GET /currencies --status 503')
  t.match(otherStatus, { code: 3, output: /\n {4}status: expected 503, got 200\n/ })
  t.match(await run('requests verify GET /currencies --status 6xx'), {
    code: 2,
    errors: /must be an HTTP status, 0 for no answer, or one of 1xx, 2xx, 3xx, 4xx, 5xx/,
  })
  t.equal((await run('requests verify GET /currencies --per path --at-most 1')).code, 0)
  t.match(await run('requests verify GET /currencies --anyway --within 5s --after', 'GET /nothing'), {
    code: 3,
    errors:
      /^mercadito: Expected at least 1 request of GET \/currencies after GET \/nothing within 5000 ms; found 0 among/,
  })
  t.equal((await run('requests verify GET /currencies --times 1 --after topic:flex-handshakes')).code, 0)
  t.match(await run('requests verify GET /currencies --after nothing'), {
    code: 2,
    errors: /METHOD PATH, a path, or topic:TOPIC/,
  })
  t.match(await run('requests verify GET /currencies --after topic:x'), {
    code: 2,
    errors: /^mercadito: --after topic: must be one/,
  })
  t.match(await run('requests verify GET /currencies --within 5s'), {
    code: 2,
    errors: 'mercadito: --within: needs after\n',
  })
  const asJson = await run('requests verify GET /currencies --times 0 --json')
  t.match([asJson.code, JSON.parse(asJson.output).matched], [3, 1])
  t.equal((await run('requests verify GET currencies')).code, 2, 'an invalid path is not a failed verification')
})

t.test('export and load a world file', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'mercadito-export-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const [file, wrong, copy] = ['world.json', 'wrong.json', 'again.json'].map((name) => join(folder, name)) as Paths
  const runAt = async (line: string, world: string) => inProcess(...line.split(' '), '--url', world)
  const small = await runJson('world create --scenario empty --now 2026-03-01T00:00:00Z')
  t.match(JSON.parse((await runAt(`world export ${file} --json`, small.url)).output), {
    file,
    bytes: statSync(file).size,
  })
  const text = readFileSync(file, 'utf8')
  t.strictSame(await runAt('world export', small.url), { code: 0, output: text, errors: '' })
  await runAt('clock advance 1d', small.url)
  const loaded = await runAt(`world load ${file} --json`, small.url)
  t.match(JSON.parse(loaded.output), { url: small.url, world: { id: small.world.id } })
  await runAt(`world export ${copy}`, small.url)
  t.equal(readFileSync(copy, 'utf8'), text, 'the same world')

  writeFileSync(wrong, '{"mascotas":[]}')
  t.match(await run(`world load ${wrong}`), { code: 2, errors: /^mercadito: mascotas: is an unknown member; .*\n$/ })
  t.match(await run(`world export ${folder}/no/where.json`), { code: 1, errors: /cannot write .*where\.json \(ENOENT/ })

  const command = ['exec', '--json', '--load', file, '--', process.execPath, '-e']
  const program = `fetch(process.env.MERCADITO_URL + '/_sandbox/clock').then((answer) => answer.json())
    .then(({ now }) => process.exit(now === '2026-03-01T00:00:00.000Z' ? 8 : 1))`
  t.equal((await inProcess(...command, program)).code, 8, 'a server started with the file')
  const onServer = ['exec', '--url', small.url, ...command.slice(1)]
  t.equal((await inProcess(...onServer, program)).code, 8, 'a world created from the file on a running server')
  writeFileSync(copy, '{"version":1}')
  const withoutUsers = 'process.exit(process.env.MERCADITO_URL && !("MERCADITO_TOKEN" in process.env) ? 8 : 1)'
  t.equal(
    (await inProcess('exec', '--load', copy, '--json', '--', process.execPath, '-e', withoutUsers)).code,
    8,
    'a world without users',
  )
  t.match(await inProcess('exec', '--load', wrong, '--', 'true'), {
    code: 1,
    errors: /wrong\.json: mascotas: is an unknown member/,
  })
  t.match(await inProcess('exec', '--load', wrong, '--url', small.url, '--', 'true'), { code: 2, errors: /mascotas/ })
  t.strictSame(
    await inProcess('exec', '--load', file, '--seed', '2', '--', 'true'),
    failed(2, '--load cannot be used with --seed; leave out one of them'),
  )
  t.equal((await runJson('world list')).results.length, 2, 'no world is left')
})
type Paths = [string, string, string]

t.test('world create and fork set assumptions', async (t) => {
  const simulated = await runJson('world create --assume contacts.auth=required --assume auth.query_token=reject')
  const value = async (base: string, name: string) =>
    (await call(`${base.slice(app.url.length)}/_sandbox/assumptions/${name}`)).body.value
  t.equal(await value(simulated.url, 'contacts.auth'), 'required')
  t.equal(await value(simulated.url, 'auth.query_token'), 'reject')
  const forked = await runJson(
    `world fork ${simulated.world.id} --assume contacts.auth=optional,contacts.owner_only=true`,
  )
  t.equal(await value(forked.url, 'contacts.auth'), 'optional')
  t.equal(await value(forked.url, 'contacts.owner_only'), 'true')
  t.strictSame(
    await run('world create --assume contacts.auth=maybe'),
    failed(
      2,
      '--assume contacts.auth=maybe: contacts.auth: it must be one of optional, required; see `mercadito world create --help`',
    ),
  )
})

t.test('buy and order: buys, lists, shows, pays, cancels and refunds', async (t) => {
  const read = async (id: number) => (await app.control(`GET /orders/${id}`)).body
  const [order] = await runJson('buy MLA1400000001 --quantity 2')
  t.match(await read(order.id), { status: 'paid', order_items: [{ item: { id: 'MLA1400000001' }, quantity: 2 }] })
  const { output } = await run(`buy MLA1400000001 MLA1400000002 --cart --unpaid --buyer ${buyer.id}`)
  const calls = output.split('\n').filter((line) => line.startsWith('  GET '))
  const ids = calls.flatMap((line) => /orders\/(\d+)$/.exec(line)?.[1] ?? []).map(Number)
  t.match(calls, [/orders/, /packs/, /collections/, /orders/, /collections/])
  t.match(
    output,
    /^order +pack +listing +quantity +total +status\n\d+ +\d+ +MLA1400000001 +1 +ARS \d+ +payment_required\n/,
  )
  t.match(await runJson(`order pay ${ids[0]}`), { id: ids[0], status: 'paid' })
  t.match((await run(`order ${ids[1]}`)).output, /^status +payment_required$/m)
  t.match(await runJson(`order cancel ${ids[1]} --by seller --reason agotado --restock`), {
    ...{ status: 'cancelled', cancel_detail: { group: 'seller', description: 'agotado' } },
  })
  t.match(await runJson(`order refund ${order.id} --amount 1.50`), { status: 'partially_refunded' })
  t.match(await runJson(`order refund ${order.id}`), { status: 'cancelled' })
  const listed = await runJson(`order list --buyer ${buyer.id} --status cancelled --limit 1`)
  t.strictSame(listed.results[0].id, ids[1])
  t.match((await run('order --limit 1')).output, /^order +bought +status +seller +buyer +listing +total\n/)
  const [any] = await runJson('buy')
  t.equal(any.seller.id, seller.id)
  await expectErrors(t, [
    ['order show 1', [], 'Order does not exist', 1],
    [
      `order refund ${any.id} --amount x`,
      [],
      '--amount x: must be a number, such as 1500.50; see `mercadito order refund --help`',
      2,
    ],
  ])
})

t.test('order ship and deliver move the shipment of an order', async (t) => {
  const [{ id, shipping }] = await runJson('buy MLA1400000001')
  const { output } = await run(`order ship ${id}`)
  t.match(output, /^state +ready_to_ship, printed$/m)
  t.match(output, /^next +shipped, out_for_delivery at 20/m)
  t.match(await runJson(`order deliver ${id}`), { id: shipping.id, status: 'delivered' })
  t.match((await app.control(`GET /orders/${id}`)).body, { fulfilled: true })
  const end = `Shipment ${shipping.id} is delivered: it has no next state`
  await expectErrors(t, [[`order ship ${id}`, [], end, 1]])
})

t.test('simulate sale has buyers buy', async (t) => {
  const made = await runJson(`simulate sale --sales 3 --per-day --days 2 --user ${seller.id} --seed 4`)
  t.equal(made.sales + made.sold_out, 6)
  t.match((await run('simulate sale --sales 1')).output, /^sales +[01]$/m)
})

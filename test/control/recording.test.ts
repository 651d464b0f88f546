import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import t from 'tap'
import { RecordingError } from '../../control/recording/file.ts'
import { type CallLine, CONTROL_CALLS } from '../../control/recording/format.ts'
import document from '../../openapi.sandbox.json' with { type: 'json' }
import { start } from '../support/app.ts'
import { createListing, linesOf, recordingFolder, recordRun } from '../support/recordings.ts'

const folder = recordingFolder(t)
let files = 0
const newFile = () => `${folder}/${++files}.jsonl`
const callsOf = (file: string) =>
  linesOf(file).filter(({ kind }) => kind === 'call' || kind === 'control') as CallLine[]
const kindsOf = (file: string) => linesOf(file).map(({ kind }) => kind)

t.test('records the state of a world before its first call, and whole calls', async (t) => {
  const file = newFile()
  const text = `¿Hay stock? ${'x'.repeat(1900)}`
  await recordRun(file, {}, async (app) => {
    const item_id = await createListing(app)
    await app.buyers[0]!.post('/questions', { item_id, text })
    for (let n = 0; n < 10; n++) await app.buyers[0]!.post('/questions', { item_id, text: `${n} ${text}` })
    await app.sellers[0]!.get(`/questions/search?item=${item_id}&limit=11`)
  })
  t.equal(statSync(file).mode & 0o777, 0o600)
  const [header, state, ...lines] = linesOf(file)
  t.match(header, { kind: 'header', format: 'mercadito recording', version: 1, source: 'recording' })
  t.strictSame(state, {
    ...{ kind: 'state', world: 1, at: '2026-03-07T15:00:00.000Z', clock: 'frozen', scenario: 'empty', seed: 1 },
    ...{ assumptions: {}, deterministic: true },
  })
  t.equal(lines[1]!.kind, 'state end')
  const [listing, asked, ...rest] = callsOf(file)
  t.match(listing, { kind: 'control', n: 1, world: 1, method: 'POST', target: '/_sandbox/items', compare: 'status' })
  t.match(asked, {
    ...{ kind: 'call', n: 2, world: 1, at: '2026-03-07T15:00:00.000Z', method: 'POST', target: '/questions' },
    headers: { authorization: 'Bearer ***token-2***' },
    ...{ body: JSON.stringify({ item_id: 'MLA1400000001', text }), status: 201 },
    answer_headers: { 'access-control-allow-origin': '*', 'content-type': 'application/json; charset=utf-8' },
  })
  t.equal(JSON.parse(asked!.answer!).text, text)
  t.ok(rest.at(-1)!.answer!.length > 20_000, 'an answer that the journal would cut')
  t.notOk(asked!.overlaps)
})

t.test('no secret of the world is in the file', async (t) => {
  const file = newFile()
  const secrets: string[] = []
  await recordRun(file, {}, async (app) => {
    const { application, control, call } = app
    const [seller] = app.sellers
    const chosen = await control('POST /tokens', { user_id: seller!.id, token: 'un-token-elegido', refresh: true })
    secrets.push(
      application.secret,
      ...app.sellers.map(({ token }) => token),
      'un-token-elegido',
      chosen.body.refresh_token,
    )
    await call(`/users/me?access_token=un-token-elegido`)
    await control('PATCH /tokens/un-token-elegido', { valid: true })
    const form = { grant_type: 'refresh_token', client_id: String(application.id), client_secret: application.secret }
    const refreshed = await call({
      ...{ method: 'POST', url: '/oauth/token' },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `${new URLSearchParams({ ...form, refresh_token: chosen.body.refresh_token })}`,
    })
    t.equal(refreshed.status, 200)
    secrets.push(refreshed.body.access_token, refreshed.body.refresh_token)
    const asJson = { ...form, refresh_token: refreshed.body.refresh_token }
    const again = await call({ method: 'POST', url: '/oauth/token', payload: JSON.stringify(asJson) })
    secrets.push(again.body.access_token, again.body.refresh_token)
    await call({ url: '/users/me', headers: { authorization: 'Basic dW46c2VjcmV0bw==' } })
    secrets.push('dW46c2VjcmV0bw==')
  })
  const text = readFileSync(file, 'utf8')
  t.ok(secrets.every((secret) => secret.length > 5))
  t.strictSame(
    secrets.filter((secret) => text.includes(secret)),
    [],
  )
  const [, , refresh] = callsOf(file)
    .filter(({ target }) => /token/.test(target))
    .slice(-3)
  t.match(refresh?.body, /"refresh_token":"\*\*\*token-\d+\*\*\*"/)
})

t.test('records what does not follow from calls as a state', async (t) => {
  const file = newFile()
  await recordRun(file, {}, async (app) => {
    const { control } = app
    await createListing(app)
    await control('POST /snapshots', { name: 'uno' })
    await control('POST /snapshots/uno/restore')
    await control('POST /reset')
    const exported = await control('GET /world')
    await control('PUT /world', exported.text)
    await control('POST /reset')
    await app.call('/sites')
    t.equal((await control('POST /requests/1/resend', {})).status, 200)
  })
  t.strictSame(
    kindsOf(file).filter((kind) => kind !== 'part'),
    [
      ...['header', 'state', 'state end', 'control', 'control', 'control', 'control'],
      ...['state', 'state end', 'control', 'call', 'call'],
    ],
  )
  t.strictSame(
    callsOf(file).map(({ method, target }) => `${method} ${target}`),
    [
      'POST /_sandbox/items',
      'POST /_sandbox/snapshots',
      'POST /_sandbox/snapshots/uno/restore',
      'POST /_sandbox/reset',
      'POST /_sandbox/reset',
      'GET /sites',
      'GET /sites',
    ],
  )
})

t.test('names only control calls that exist', async (t) => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.slice('/_sandbox'.length)}`),
  )
  const named = [...CONTROL_CALLS.keys()].map((call) => call.replace(/:(\w+)/g, '{$1}'))
  t.strictSame(
    named.filter((call) => !operations.includes(call)),
    [],
  )
})

t.test('marks calls that overlap, and numbers them by their start', async (t) => {
  const file = newFile()
  await recordRun(file, {}, async (app) => {
    await app.control('POST /faults', { match: { path: '/currencies' }, action: { delay: 30 } })
    await app.call('/sites')
    await Promise.all([app.call('/currencies/ARS'), app.call('/currencies'), app.call('/nothing')])
  })
  const overlapping = callsOf(file).filter(({ overlaps }) => overlaps)
  t.strictSame(overlapping.map(({ target }) => target).sort(), ['/currencies', '/currencies/ARS', '/nothing'])
  t.strictSame(
    callsOf(file)
      .map(({ n }) => n)
      .sort(),
    [1, 2, 3, 4, 5],
  )
})

t.test('numbers pipelined calls in the order of the connection', async (t) => {
  const file = newFile()
  await recordRun(file, {}, async (app) => {
    await app.listenOn({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.server.address() as { port: number }
    const socket = connect(port, '127.0.0.1')
    const ids = ['ARS', 'BRL', 'CLP', 'MXN']
    socket.write(ids.map((id) => `GET /currencies/${id} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''))
    let text = ''
    for await (const chunk of socket) {
      text += chunk
      if (text.split('HTTP/1.1 200').length > ids.length) break
    }
  })
  t.strictSame(
    callsOf(file).map(({ n, target }) => [n, target]),
    ['ARS', 'BRL', 'CLP', 'MXN'].map((id, n) => [n + 1, `/currencies/${id}`]),
  )
})

t.test('a call sees one instant of a running clock', async (t) => {
  const file = newFile()
  await recordRun(file, { now: null }, async (app) => {
    for (let n = 0; n < 20; n++) await createListing(app)
  })
  // Time goes on in a call that takes longer than 100 ms.
  const short = callsOf(file).filter(({ ms }) => ms < 90)
  t.ok(short.length > 0)
  t.strictSame(
    short.map(({ answer }) => JSON.parse(answer!).date_created),
    short.map(({ at }) => at),
  )
})

t.test('refuses to overwrite a file, and creates nothing then', async (t) => {
  const file = newFile()
  writeFileSync(file, 'mine')
  await t.rejects(
    start(t, { record: file }),
    new RecordingError(`${file} exists already: a recording overwrites no file; name another one, or remove it`),
  )
  t.equal(readFileSync(file, 'utf8'), 'mine')
  await t.rejects(start(t, { record: `${folder}/no/where` }), /cannot create the recording .*\(ENOENT\)/)
})

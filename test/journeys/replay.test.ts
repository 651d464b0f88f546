import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import type { CallLine, Line } from '../../control/recording/format.ts'
import { replay } from '../../replay/index.ts'
import { openOwnTarget } from '../../replay/own_target.ts'
import { inOrder } from '../../replay/read.ts'
import type { TestApp } from '../support/app.ts'
import { program } from '../support/bundle.ts'
import { inProcess, startCommandServer } from '../support/commands.ts'
import { createListing, linesOf, recordingFolder, recordRun } from '../support/recordings.ts'
import { until } from '../support/until.ts'

const folder = recordingFolder(t)
const app = await startCommandServer(t, { scenario: 'empty' })
const fileOf = (name: string) => `${folder}/${name}.jsonl`
const write = (name: string, lines: unknown[]): string => {
  writeFileSync(fileOf(name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return fileOf(name)
}
const worlds = async (): Promise<number> => (await app.control('GET /worlds')).body.paging.total
const error403 = (message: string) => ({ message, error: 'access_denied', status: 403, cause: [] })
const same = (calls: string) => ({ code: 0, output: `replayed ${calls}\nno answer differs\n`, errors: '' })

/** Questions, refreshed tokens, another application, a fault rule, other worlds, webhooks and resets. */
async function story(app: TestApp): Promise<void> {
  const { control, call, application } = app
  const [seller, buyer] = [app.sellers[0]!, app.buyers[0]!]
  const item_id = await createListing(app)
  const asked = await buyer.post('/questions', { item_id, text: '¿Hay?' })
  await seller.post('/answers', { question_id: asked.body.id, text: 'Sí' })
  await seller.post('/answers', { question_id: asked.body.id, text: 'Otra vez' })
  const { refresh_token } = (await control('POST /tokens', { user_id: seller.id, refresh: true })).body
  const client = { client_id: application.id, client_secret: application.secret }
  const payload = JSON.stringify({ grant_type: 'refresh_token', ...client, refresh_token })
  const renewed = (await call({ method: 'POST', url: '/oauth/token', payload })).body
  await call(`/users/me?access_token=${renewed.access_token}`)
  await call({ method: 'POST', url: '/oauth/token', payload })
  await call(`/questions/search?item=${item_id}&access_token=${seller.token}&callback=show`)
  await control('POST /faults', { match: { path: '/sites' }, action: { status: 503 }, times: 1 })
  for (let n = 0; n < 2; n++) await call('/sites')
  await control(`PUT /applications/${application.id}/notifications`, { callback_url: 'http://127.0.0.1:9/hook' })
  await buyer.post('/questions', { item_id, text: '¿Y hoy?' })
  await control('POST /settle')
  await control('POST /clock/advance', { by: '3h' })
  await seller.get(`/missed_feeds?app_id=${application.id}`)
  const other = (await control('POST /worlds', { scenario: 'empty', seed: 3, now: '2026-05-01T00:00:00Z' })).body
  await call({ url: `/users/${other.sellers[0].id}`, headers: { authorization: `Bearer ${other.sellers[0].token}` } })
  await call('/w/77/sites')
  await call(`/questions?callback=f&_method=POST&_body=${encodeURIComponent('{"text":"á"}')}`)
  await call({ method: 'HEAD', url: `/items/${item_id}?callback=show` })
  await call({ method: 'OPTIONS', url: '/oauth/token' })
  await call({ url: '/sites', headers: { 'user-agent': 'a…' } })
  await call({ method: 'POST', url: '/questions', headers: { expect: 'nothing' } })
  const bytes = Buffer.concat([Buffer.from('{"item_id":"'), Buffer.from([0xff, 0xfe]), Buffer.from('","text":"á"}')])
  await call({ method: 'POST', url: '/questions', headers: { authorization: `Bearer ${buyer.token}` }, payload: bytes })
  await control('POST /snapshots', { name: 'uno' })
  await seller.post('/questions', { item_id, text: 'my own listing' })
  await control('POST /snapshots/uno/restore')
  await seller.get('/questions/search?limit=10')
  await control('POST /reset')
  await seller.get('/questions/search?limit=10')
}

t.test('replays a recording with the same bytes, in this process and on a running server', async (t) => {
  await recordRun(fileOf('story'), {}, story)
  t.strictSame(
    await inProcess('requests', 'replay', fileOf('story')),
    same('29 calls of version 0.1.0: 20 compared whole, 7 by their status, 1 not comparable, 1 not sent'),
  )
  const before = await worlds()
  t.strictSame(
    await inProcess('requests', 'replay', fileOf('story'), '--against', app.url),
    same('29 calls of version 0.1.0: 19 compared whole, 7 by their status, 2 not comparable, 1 not sent'),
  )
  t.equal(await worlds(), before, 'its worlds are deleted')
})

t.test('replays a kept world, whose key is random, with a running clock', async (t) => {
  const { openDataFolder } = await import('../../db/folders.ts')
  mkdirSync(`${folder}/data`)
  const kept = () => ({
    mode: 'kept' as const,
    folder: openDataFolder(`${folder}/data/world`),
    secret: true,
    now: null,
  })
  await recordRun(fileOf('before'), kept(), async (app) => void (await createListing(app)))
  await recordRun(fileOf('kept'), kept(), async (app) => {
    const item_id = await createListing(app)
    await app.buyers[0]!.post('/questions', { item_id, text: '¿Hay?' })
    const scan = await app.sellers[0]!.get('/questions/search?search_type=scan&limit=1')
    await app.sellers[0]!.get(`/questions/search?search_type=scan&scroll_id=${scan.body.scroll_id}`)
    await app.control('POST /reset')
    await app.control('POST /reset')
    await app.sellers[0]!.get('/questions/search')
  })
  const states = linesOf(fileOf('kept')).filter(({ kind }) => kind === 'state')
  t.equal(states.length, 2, 'its start is recorded at the first reset')
  t.match(await inProcess('requests', 'replay', fileOf('kept')), { code: 0, errors: '' })
})

t.test('prints each difference, and exits with 1', async (t) => {
  const lines = linesOf(fileOf('story')) as CallLine[]
  const asked = lines.find(({ target }) => target === '/questions')!
  const answer = asked.answer!.replace('UNANSWERED', 'BANNED').replace('"answer":null,', '')
  const headers = { ...asked.answer_headers, 'x-new': 'sí?' }
  const at = lines.indexOf(asked)
  const file = write(
    'changed',
    lines.with(at, { ...asked, status: 200, answer, answer_headers: { ...headers, 'x-new': '1' } }),
  )
  const { code, output } = await inProcess('requests', 'replay', file)
  t.equal(code, 1)
  t.equal(
    output,
    `call 2  POST /questions  (world 1, 2026-03-07T15:00:00.000Z)
  status
    recorded  200
    replayed  201
  header x-new
    recorded  1
    replayed  (none)
  body.status
    recorded  "BANNED"
    replayed  "UNANSWERED"
  body.answer
    recorded  (none)
    replayed  null

replayed 29 calls of version 0.1.0: 20 compared whole, 7 by their status, 1 not comparable, 1 not sent
1 answer differs
`,
  )
  const { differences, ...counts } = JSON.parse((await inProcess('requests', 'replay', file, '--json')).output)
  t.strictSame(counts, {
    ...{ recorded_by: '0.1.0', calls: 29, compared: { whole: 20, prefix: 0, status: 7 }, not_compared: 1, not_sent: 1 },
    ...{ different: 1, ended_because: null },
  })
  t.strictSame(differences[0].differences[0], { place: 'status', recorded: '200', replayed: '201' })
})

t.test('bundles a recording, or what a server has in memory', async (t) => {
  const bundle = `${folder}/story.recording`
  t.match(await inProcess('requests', 'save', bundle, '--recording', fileOf('story')), {
    code: 0,
    output:
      /^wrote 29 calls to .*story\.recording \(\d+ bytes\): of 20 the whole answer can be compared, of 0 its beginning, of 7 its status, of 2 nothing\n$/,
  })
  t.ok(readFileSync(bundle).length < readFileSync(fileOf('story')).length / 4)
  t.match(await inProcess('requests', 'replay', bundle), { code: 0 })

  const { body } = await app.control('POST /worlds', { scenario: 'empty', now: '2026-03-07T15:00:00Z' })
  const base = `/w/${body.world.id}`
  const url = `${app.url}${base}`
  const [seller, buyer] = [body.sellers[0], body.buyers[0]]
  const as = (token: string) => ({ authorization: `Bearer ${token}` })
  const get = (url: string, token: string) => app.call({ url: base + url, headers: as(token) })
  await get(`/users/${seller.id}`, seller.token)
  await get('/users/me', buyer.token)
  await get('/users/me', 'unknown')
  const long = JSON.stringify({ text: 'x'.repeat(9000) })
  await app.call({ method: 'POST', url: `${base}/questions`, headers: as(buyer.token), payload: long })
  await app.call(`${base}/sites?callback=show`)
  await app.call(`${base}/currencies`)
  const result = await inProcess('requests', 'save', bundle, '--force', '--url', url)
  t.match(result, {
    code: 0,
    output: /^wrote 6 calls .*: of 4 the whole answer .*, of 0 its beginning, of 1 its status, of 1 nothing\n$/,
  })
  t.match(await inProcess('requests', 'replay', bundle), {
    code: 0,
    output: /^replayed 6 calls .*: 4 compared whole, 1 by their status, 1 not sent\n/,
  })

  await app.control('POST /items', { seller_id: seller.id, title: 'Mate', price: 10 }, base)
  await get('/users/me', buyer.token)
  t.match(
    (await inProcess('requests', 'save', bundle, '--force', '--url', url)).output,
    /of 4 the whole answer .*, of 3 nothing\n$/,
  )
  t.match((await inProcess('requests', 'replay', bundle)).code, 0)
  // The journal drops the first calls; the snapshot is later than the oldest that it has.
  for (let n = 0; n < 1001; n++) await app.call(`${base}/sites`)
  const headers = { 'x-sandbox-snapshot': 'before' }
  await app.server.inject({ method: 'DELETE', url: `${base}/_sandbox/faults`, headers })
  await get('/users/me', buyer.token)
  const { output } = await inProcess('requests', 'save', bundle, '--force', '--url', url)
  t.match(output, /^wrote 2 calls .*: of 1 the whole answer .*, of 1 its status, of 0 nothing\n$/)
  t.match(await inProcess('requests', 'replay', bundle), {
    code: 0,
    output: /^replayed 2 calls .*: 1 compared whole, 1 by their status/,
  })
  await app.control('DELETE /requests', undefined, base)
  await get('/users/me', buyer.token)
  t.match(
    (await inProcess('requests', 'save', bundle, '--force', '--url', url)).output,
    /of 0 the whole answer .*, of 0 its status/,
  )
  await app.control(`DELETE /worlds/${body.world.id}`)
})

const HEADER = {
  ...{ kind: 'header', format: 'mercadito recording', version: 1, mercadito: '0.1.0' },
  ...{ created_at: '2026-03-07T15:00:00.000Z', source: 'recording' },
}
const STATE = {
  ...{ kind: 'state', world: 1, at: '2026-03-07T15:00:00.000Z', clock: 'frozen', scenario: 'empty', seed: 1 },
  ...{ assumptions: {}, deterministic: true },
}
const PART = { kind: 'part', text: '{"version":1}' }
const END = { kind: 'state end' }
const CALL = {
  ...{ kind: 'call', n: 1, world: 1, at: '2026-03-07T15:00:00.000Z', ms: 1, method: 'GET', target: '/sites' },
  ...{ headers: {}, status: 200, answer_headers: {}, answer: '[]' },
}
const control = (method: string, target: string) => ({ ...CALL, kind: 'control', method, target })

t.test('rejects a file that is no recording, and makes nothing of it', async (t) => {
  const rejects = async (t: Test, name: string, content: Buffer | string | unknown[], why: string) => {
    const file = Array.isArray(content) ? write(name, content) : fileOf(name)
    if (!Array.isArray(content)) writeFileSync(file, content)
    for (const more of [[], ['--against', app.url]])
      t.strictSame(
        await inProcess('requests', 'replay', file, ...more),
        { code: 2, output: '', errors: `mercadito: ${file}: ${why}\n` },
        `${name} ${more}`,
      )
  }
  const before = await worlds()
  const valid = [HEADER, STATE, PART, END]
  const zipped = gzipSync(valid.map((line) => JSON.stringify(line)).join('\n'))
  const wrong = (line: object, why: string): [unknown[], string] => [[...valid, line], `line 5: ${why}`]
  const wrongHeaders = (headers: object) =>
    wrong({ ...CALL, headers }, 'headers: must be an object of headers that a call may have')
  const wrongTarget = (method: string, target: string, path = target.replace('/_sandbox', '')) =>
    wrong(control(method, target), `target: ${method} ${path} is not a control call of a recording`)
  const rows: [name: string, content: Buffer | string | unknown[], why: string][] = [
    ['empty', '', 'is not a recording: it has no header'],
    ['text', 'hola\n', 'is not a recording of this version (line 1: is not JSON)'],
    [
      'other',
      [{ version: 1 }],
      'is not a recording of this version (line 1: kind: must be one of header, state, part, state end, call, control, delivery, end)',
    ],
    ['version', [{ ...HEADER, version: 2 }], 'is not a recording of this version (line 1: version: must be 1)'],
    ['truncated gzip', zipped.subarray(0, -20), 'it is truncated: the compressed data ends too early'],
    [
      'damaged gzip',
      Buffer.concat([zipped.subarray(0, 12), Buffer.alloc(40, 7)]),
      'it is damaged: invalid code lengths set',
    ],
    ['truncated state', [HEADER, STATE, PART], 'line 3: the file is truncated: the state of a world is not complete'],
    [
      'damaged state',
      [HEADER, STATE, { ...PART, text: '{"version":1,"users":[{]}' }, END],
      'the state of a world is damaged: world: must be a JSON object; syntax error at line 1',
    ],
    ['no state', [HEADER, CALL], 'line 2: world: the file has no state of world 1 before this call'],
    ['part', [HEADER, PART], 'line 2: kind: there is no state that it belongs to'],
    ['two headers', [...valid, HEADER], 'line 5: kind: the file has a second header'],
    ['number', ...wrong({ ...CALL, n: 1e300 }, 'n: must be an integer from 1 to 9007199254740991')],
    ['twice', [...valid, CALL, CALL], 'line 6: n: 1 is the number of an earlier call'],
    ['instant', ...wrong({ ...CALL, at: '+275760-09-13' }, 'at: must be an instant such as 2026-03-02T12:00:00.000Z')],
    ['host', ...wrongHeaders({ host: 'example.com' })],
    ['lines', ...wrongHeaders({ accept: 'a\r\nb: c' })],
    [
      'target',
      ...wrong(
        { ...CALL, target: '/a b' },
        'target: must be a text of at most 1048576 characters that matches ^[\\x21-\\xff]+$',
      ),
    ],
    ['disguised', ...wrong({ ...CALL, target: '/w/1/%5Fsandbox/backup' }, 'target: is a control call')],
    ['backup', ...wrongTarget('POST', '/_sandbox/backup')],
    ['escaped', ...wrongTarget('POST', '/_sandbox/%62ackup/', '/backup')],
    ['worlds', ...wrongTarget('DELETE', '/_sandbox/worlds/2')],
    ['path', ...wrongTarget('POST', '/_sandbox/x/../backup')],
    ['elsewhere', ...wrong(control('POST', '/w/1/w/2/_sandbox/reset'), 'target: is not a control call')],
  ]
  for (const [name, content, why] of rows) await rejects(t, name, content, why)
  const prototype = JSON.stringify(CALL).replace('{', '{"__proto__":{"polluted":true},')
  await rejects(
    t,
    'prototype',
    `${valid.map((line) => JSON.stringify(line)).join('\n')}\n${prototype}\n`,
    'line 5: __proto__: is an unknown member',
  )
  t.equal(({} as { polluted?: boolean }).polluted, undefined)
  t.match(await inProcess('requests', 'replay', `${folder}/none`), {
    code: 2,
    errors: /none: there is no such file\n$/,
  })
  t.match(await inProcess('requests', 'save', `${folder}/out`, '--recording', fileOf('number')), {
    code: 2,
    errors: /n: must be/,
  })
  t.notOk(readdirSync(folder).some((name) => name.startsWith('out')))
  t.equal(await worlds(), before)
})

t.test('reads no more of a compressed file than a bound', async (t) => {
  const lines = [HEADER, ...Array.from({ length: 400 }, () => ({ kind: 'end', why: 'x'.repeat(1000) }))]
  const file = fileOf('bomb')
  writeFileSync(file, gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join('')))
  t.ok(readFileSync(file).length < 10_000)
  const open = () => {
    throw new Error('a target was opened')
  }
  await t.rejects(replay(file, open, { maxBytes: 200_000 }), {
    message: `${file}: it has more than 200000 bytes when it is decompressed`,
    code: 2,
  })
})

t.test('deletes the worlds of a recording whose state cannot be loaded', async (t) => {
  const before = await worlds()
  const file = write('bad state', [HEADER, STATE, { ...PART, text: '{"version":9}' }, END, CALL] as Line[])
  const rejected = {
    ...{ code: 2, output: '', errors: `mercadito: ${file}: the state of a world is damaged: version: must be 1\n` },
  }
  t.strictSame(await inProcess('requests', 'replay', file, '--against', app.url), rejected)
  t.equal(await worlds(), before)
  t.strictSame(await inProcess('requests', 'replay', file), rejected)
})

t.test('shows what was replayed in a console that changes nothing', async (t) => {
  const child = spawn(process.execPath, [program, 'requests', 'replay', fileOf('story'), '--console'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  let printed = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    printed += text
  })
  await until('the addresses of the consoles', () => printed.includes('Ctrl-C ends it'))
  const [, console] = /^console of world 1: (http:\/\/127\.0\.0\.1:\d+\/w\/1\/_sandbox\/console\/)\n/.exec(printed)!
  t.match(printed, /\nconsole of world 2: http:.*\/w\/\d+\/_sandbox\/console\/\nread-only; Ctrl-C ends it\n$/)
  const control = new URL('..', console).href
  t.equal((await fetch(console!)).status, 200)
  t.strictSame(await (await fetch(`${control}whoami`)).json(), { role: 'viewer' })
  const { paging } = (await (await fetch(`${control}requests`)).json()) as { paging: { total: number } }
  t.ok(paging.total > 0)
  const { sellers } = (await (await fetch(`${control}worlds/1`)).json()) as { sellers: { token: string }[] }
  t.equal(sellers[0]!.token, '***')
  const rejected = await fetch(`${control}reset`, { method: 'POST' })
  t.strictSame(
    [rejected.status, await rejected.json()],
    [403, error403('This server shows a replay, and cannot be changed')],
  )
  const exited = once(child, 'exit')
  child.kill('SIGINT')
  t.strictSame(await exited, [0, null])
  t.match(await inProcess('requests', 'replay', fileOf('story'), '--console', '--against', app.url), {
    code: 2,
    errors: /--console cannot be used with --against;/,
  })
})

t.test('sends nothing to receivers', async (t) => {
  const deliveries = linesOf(fileOf('story')).filter(({ kind }) => kind === 'delivery')
  t.ok(deliveries.length > 2)
  const report = await replay(fileOf('story'), (overview) =>
    openOwnTarget(overview.deliveries, overview.isDeterministic),
  )
  t.equal(report.different, 0)
})

t.test('sends calls in the order in which their handlers started', async (t) => {
  const call = (n: number) => ({ number: n, line: { ...CALL, n } as CallLine })
  const other = (line: object) => ({ number: 0, line: line as Line })
  const ordered = async (...lines: ReturnType<typeof call | typeof other>[]) => {
    const found: unknown[] = []
    for await (const line of inOrder(Readable.from(lines))) found.push('n' in line ? line.n : line.kind)
    return found
  }
  t.strictSame(await ordered(other(HEADER), call(2), call(1), call(3)), ['header', 1, 2, 3])
  t.strictSame(
    await ordered(call(3), other(STATE), call(4)),
    [3, 'state', 4],
    'a state comes after the calls before it',
  )
  t.strictSame(await ordered(call(5), call(2)), [2, 5], 'some calls have no line')
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type Flags, listen } from '../../bin/serve.ts'
import { PROFILES, type Profile, type ProfileName } from '../../domains/notifications/settings/profiles.ts'
import { TOPICS } from '../../domains/shared/topics.ts'
import { createClient } from '../../lib/cli/client.ts'
import { program } from '../support/bundle.ts'
import { inProcess, startCommandServer } from '../support/commands.ts'
import { receiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

const app = await startCommandServer(t)
const { run, runJson, url, application } = app
const ITEM = 'MLA1400000001'
const NOW = '2026-03-07T15:00:00.000Z'

const ok = (output: string) => ({ code: 0, output, errors: '' })
const failed = (code: number, line: string) => ({ code, output: '', errors: `mercadito: ${line}\n` })

/** A receiver that answers with this status. */
async function createReceiver(t: Test, status = 200) {
  const { url: address, received: got } = await receiver(t, (response) => response.writeHead(status).end('recibido'))
  return { address, got }
}

/** A server in this process, with the demo unless `flags` say otherwise. */
async function startServer(t: Test, flags: Partial<Flags>) {
  const defaults = {
    host: '127.0.0.1',
    port: 0,
    scenario: 'demo',
    seed: 1,
    isGiven: (name: string) => name in flags,
  } as const
  const { info, close } = await listen({ ...defaults, ...flags })
  let closed = false
  const end = async () => {
    if (!closed) await close()
    closed = true
  }
  t.teardown(end)
  const client = createClient(info.url, flags)
  const setting = () => client.request(`GET /applications/${info.application.id}/notifications`)
  return { info, client, setting, end }
}

const expectedSetting = <Setting extends { profile: ProfileName }>(
  setting: Setting,
  overrides: Partial<Profile> = {},
) => ({
  ...setting,
  overrides,
  numbers: { ...PROFILES[setting.profile], ...overrides },
  topics_off: [],
})

t.test('notify sets, shows and removes the subscription', async (t) => {
  const callback_url = 'http://127.0.0.1:9/hook'
  const setting = expectedSetting({
    application_id: application.id,
    callback_url,
    topics: TOPICS,
    profile: 'ideal' as const,
  })
  const output = (topics: readonly string[], profile: ProfileName, overrides: Partial<Profile> = {}) => {
    const rows = {
      ...{ application: application.id, callback: callback_url, topics: topics.join(', '), profile },
      ...{ ...PROFILES[profile], ...overrides },
    }
    return ok(
      Object.entries(rows)
        .map(([name, value]) => `${name.padEnd(11)}  ${value}\n`)
        .join(''),
    )
  }
  t.strictSame(
    await run('webhooks setting'),
    failed(1, `Application with id ${application.id} has no notification setting`),
  )
  t.strictSame(await run(`webhooks ${callback_url}`), output(TOPICS, 'ideal'))
  t.strictSame(await runJson('webhooks setting'), setting)
  t.strictSame(
    await run(`webhooks set ${callback_url} --topics items,questions --profile realistic`),
    output(['items', 'questions'], 'realistic'),
  )
  t.strictSame(await run('webhooks setting'), output(['items', 'questions'], 'realistic'))
  t.strictSame(
    await run(`webhooks ${callback_url} --topics items --profile hostile --override limit_ms=90 --override silenced=0`),
    output(['items'], 'hostile', { limit_ms: 90, silenced: 0 }),
  )
  t.strictSame(await runJson(`webhooks ${callback_url} --application ${application.id}`), setting)
  const rows: [line: string, code: number, errors: RegExp][] = [
    ['webhooks set', 2, /missing required argument 'address'/],
    ['webhooks http://127.0.0.1/ --topics orders', 2, new RegExp(`orders: must be one of ${TOPICS.join(', ')};`)],
    ['webhooks http://127.0.0.1/ --profile x', 2, /allowed choices are ideal, realistic, hostile/],
    ['webhooks http://127.0.0.1/ --override limit_ms', 2, /such as limit_ms=200/],
    ['webhooks http://127.0.0.1/ --override limit=1', 2, /^mercadito: --override limit: is an unknown member/],
    ['webhooks http://127.0.0.1/ --application 7', 1, /application.*7/i],
    [
      'webhooks http://10.0.0.1/',
      2,
      /^mercadito: <address>: 10\.0\.0\.1 is not a loopback address, and the server listens on loopback/,
    ],
  ]
  for (const [line, code, errors] of rows) t.match(await run(line), { code, output: '', errors }, line)
  t.strictSame(await runJson('webhooks setting'), setting, 'a rejected change has no effect')
  t.strictSame(await run('webhooks off'), ok('notifications are off\n'))
  t.strictSame(
    await run('webhooks off'),
    failed(1, `Application with id ${application.id} has no notification setting`),
  )
})

t.test('deliveries and settle list and wait for notifications', async (t) => {
  const { address, got } = await createReceiver(t)
  t.strictSame(await run('webhooks list'), ok('none\n'))
  await runJson(`webhooks ${address}`)
  const { id } = await runJson(`ask ${ITEM} ¿Hay?`)
  t.strictSame(await run('webhooks settle'), ok('world 1: nothing is due or in flight\n'))
  t.strictSame(await runJson('webhooks settle'), { done: true })
  t.strictSame(
    got.map(({ resource }) => resource),
    [`/questions/${id}`, `/questions/${id}`],
  )
  const { results, paging } = await runJson('webhooks list')
  t.equal(paging.total, 2)
  t.match(results[0], { id: 1, topic: 'questions', resource: `/questions/${id}`, status: 'delivered', attempts: 1 })
  const row = (n: number, user: number) =>
    `${n}   ${NOW}  questions  /questions/${id}  ${user}  delivered  1         –\n`
  const users = results.map(({ user_id }: { user_id: number }) => user_id)
  const head = `id  changed                   topic      resource                user        status     attempts  next\n`
  t.strictSame(await run('webhooks list'), ok(head + row(1, users[0]) + row(2, users[1])))
  t.strictSame(await run('webhooks list --limit 1'), ok(head + row(2, users[1])))
  t.strictSame(await run('webhooks list --status missed'), ok('none\n'))
  t.strictSame(await run('webhooks list --limit 1 --offset 1'), ok(head + row(1, users[0])))
  const filters: [flags: string, ids: number[]][] = [
    ['--application 7', []],
    [`--application ${application.id}`, [1, 2]],
    [`--user ${users[1]}`, [2]],
    ['--topic questions', [1, 2]],
    ['--topic items', []],
    [`--resource /questions/${id}`, [1, 2]],
    ['--resource /questions/7', []],
    [`--status delivered --topic questions --user ${users[0]} --resource /questions/${id}`, [1]],
  ]
  for (const [flags, ids] of filters) {
    const { results: found } = await runJson(`webhooks list ${flags}`)
    t.strictSame(
      found.map((delivery: { id: number }) => delivery.id),
      ids,
      flags,
    )
  }
  t.match(await run('webhooks list --topic orders'), { code: 2, errors: `allowed choices are ${TOPICS.join(', ')}` })
  t.match(await run('webhooks list --status gone'), { code: 2, errors: /allowed choices are pending, delivered/ })
  const output = await run('webhooks show 1')
  t.match(output.output, /^id +1\n/)
  t.match(output.output, new RegExp(`\n\nattempt  sent .*\n1        ${NOW}  ${address}  \\d+ ms +200     –\n`))
  t.match(output.output, /^waits for +–$/m)
  t.match(output.output, /\n\nattempt 1 sent: POST http.*\nhost: .*\naccept: \*\/\*\n(.*\n)+\{"_id":".*\}\n$/)
  t.match(await runJson('webhooks show 1'), { id: 1, tries: [{ n: 1, http_code: 200, body: 'recibido' }] })
  t.match(await runJson('webhooks resend 1'), { id: 1, status: 'pending', attempts: 1 })
  await runJson('webhooks settle')
  t.equal(got.length, 3)
  t.strictSame(await run('webhooks show 99'), failed(1, 'Delivery with id 99 not found'))
  await runJson('webhooks off')
})

t.test('listen prints and forwards each notification, then restores the previous settings', async (t) => {
  const { address, got } = await createReceiver(t, 418)
  const before = 'http://127.0.0.1:9/hook'
  await runJson(`webhooks ${before} --topics items,questions --profile realistic --override off_after=3`)
  const flags = ['--json', '--forward-to', address, '--url', url, '--override', 'limit_ms=9000']
  const child = spawn(process.execPath, [program, 'webhooks', 'listen', ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  const [greeting] = await once(child.stderr, 'data')
  t.match(
    String(greeting),
    /^application \d+ sends notifications to http:\/\/127\.0\.0\.1:\d+\/ \(9000 ms to answer\); Ctrl-C /,
  )
  const output = once(child.stdout, 'data')
  const question = await runJson(`ask ${ITEM} ¿Envían?`)
  await runJson('webhooks settle')
  // The buyer's notification waits for the seller's, which failed: ideal keeps the order.
  const [text] = await output
  const line = JSON.parse(text)
  t.strictSame(Object.keys(line), [
    ...['_id', 'resource', 'user_id', 'topic', 'application_id', 'attempts', 'sent', 'received'],
    ...['status', 'error', 'ms', 'limit_ms'],
  ])
  t.match(line, {
    ...{ resource: `/questions/${question.id}`, attempts: 1, sent: NOW, status: 418, error: null, limit_ms: 9000 },
  })
  t.equal(got.length, 1)
  const { results } = await runJson('webhooks list --status pending')
  const { tries } = await runJson(`webhooks show ${results[0].id}`)
  t.match(tries, [{ n: 1, http_code: 418, body: 'recibido' }], 'answers with the status of the forwarded request')
  const exited = once(child, 'exit')
  child.kill('SIGINT')
  t.strictSame(await exited, [0, null])
  const setting = expectedSetting(
    {
      application_id: application.id,
      callback_url: before,
      topics: ['items', 'questions'],
      profile: 'realistic' as const,
    },
    { off_after: 3 },
  )
  t.strictSame(await runJson('webhooks setting'), setting)
  await runJson('webhooks off')
})

t.test('listen --kinds prints events, also after a reset', async (t) => {
  const child = spawn(
    process.execPath,
    [program, 'webhooks', 'listen', '--kinds', 'control,clock,world', '--url', url],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  t.teardown(() => child.kill('SIGKILL'))
  const [greeting] = await once(child.stderr, 'data')
  t.equal(String(greeting), 'streaming events of world 1; Ctrl-C ends it\n')
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  const printed = (expected: RegExp) => until(`${expected}`, () => expected.test(text))
  await runJson('clock advance 1h')
  await printed(
    / {2}control {2}\d+ {2}POST {2}\/clock\/advance {2}200 {2}\d+ ms\n.* {2}clock {2}frozen {2}was 2026-.*Z\n/,
  )
  await runJson('reset')
  await printed(/world {2}reset\n/)
  const moving = setInterval(() => void runJson('clock advance 1h'), 100)
  text = ''
  await printed(/ {2}clock {2}frozen {2}was /)
  clearInterval(moving)
  const exited = once(child, 'exit')
  child.kill('SIGINT')
  t.strictSame(await exited, [null, 'SIGINT'])
  t.match(await run('webhooks listen --kinds facts'), {
    code: 2,
    errors: /^mercadito: --kinds: must be one or more of fact, /,
  })
  await runJson('reset')
})

t.test('listen reports a missing receiver and answers 502', async (t) => {
  const child = spawn(
    process.execPath,
    [program, 'webhooks', 'listen', '--forward-to', 'http://127.0.0.1:1/', '--url', url],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  t.teardown(() => child.kill('SIGKILL'))
  await once(child.stderr, 'data')
  const output = once(child.stdout, 'data')
  const { id } = await runJson(`ask ${ITEM} ¿Cuotas?`)
  const [text] = await output
  t.match(
    String(text),
    new RegExp(
      `^${NOW}  questions  /questions/${id}  for \\d+  attempt 1  \\d+ of 10000 ms  cannot be forwarded \\(ECONNREFUSED\\)  “¿Cuotas\\?”\n`,
    ),
  )
  await runJson('webhooks settle')
  const { results } = await runJson('webhooks list --status pending')
  const { tries } = await runJson(`webhooks show ${results[0].id}`)
  t.match(tries, [{ http_code: 502, body: '{"message":"cannot be forwarded (ECONNREFUSED)"}' }])
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  t.strictSame(await exited, [0, null])
  t.match(await run('webhooks setting'), { code: 1 }, 'no subscription existed before')
})

t.test('--notify subscribes the default world’s application, also after a reset', async (t) => {
  const { address, got } = await createReceiver(t)
  const { info, client, setting } = await startServer(t, { notify: address, notifyProfile: 'realistic' })
  const expected = expectedSetting({
    ...{ application_id: info.application.id, callback_url: address, topics: TOPICS, profile: 'realistic' as const },
  })
  t.strictSame(await setting(), { status: 200, body: expected })
  const ask = async () => {
    await client.call('POST /questions', { item_id: ITEM, text: '¿Tiene garantía?', from: info.buyers[0]!.id })
    await client.call('POST /settle')
  }
  await ask()
  t.equal(got.length, 2)
  await client.call('POST /reset')
  await ask()
  t.equal(got.length, 4)
  await client.call(`DELETE /applications/${info.application.id}/notifications`)
  await ask()
  t.equal(got.length, 4, 'the subscription can be removed')
  const created = await client.call('POST /worlds', { scenario: 'empty' })
  const otherWorld = createClient(created.url)
  t.match(await otherWorld.request(`GET /applications/${created.application.id}/notifications`), { status: 404 })
})

t.test('inbox shows what --notify inbox: receives, and sets the answer', async (t) => {
  const { info, client, setting } = await startServer(t, { notify: 'inbox:' })
  t.match(await setting(), { body: { callback_url: 'inbox:', profile: 'ideal' } })
  const runHere = (line: string) => inProcess(...line.split(' '), '--url', info.url)
  await client.call('POST /reset')
  t.match(await setting(), { body: { callback_url: 'inbox:' } }, 'also after a reset')
  t.strictSame(
    await runHere('webhooks inbox-answer --status 503 --after 1ms'),
    ok('the inbox answers 503 after 1 ms\n'),
  )
  await client.call(`PATCH /items/${ITEM}`, { status: 'paused' })
  await client.call('POST /settle')
  const { output } = await runHere('webhooks inbox')
  const [head, row, last] = output.split('\n')
  t.match(head, /^id +at +delivery +attempt +topic +resource +user +answer$/)
  t.match(row, new RegExp(`^1 +2.*Z +1 +1 +items +/items/${ITEM} +${info.sellers[0]!.id} +503 after 1 ms$`))
  t.equal(last, 'the inbox answers 503 after 1 ms')
  t.match(await runHere('webhooks inbox --topic questions'), { output: 'none\nthe inbox answers 503 after 1 ms\n' })
  t.strictSame(await runHere('webhooks inbox-clear'), ok('the inbox is empty\n'))
  t.strictSame(await runHere('webhooks inbox-answer'), ok('the inbox answers 200 after 0 ms\n'))
  t.strictSame(
    await runHere('webhooks inbox-answer --after 3m'),
    failed(2, '--after: must be an integer from 0 to 120000'),
  )
  t.match(await runHere('webhooks inbox:'), { code: 0, output: /^callback +inbox:$/m })
  t.strictSame(await runHere('webhooks inbox:x'), failed(2, 'inbox:x: must be exactly inbox:, or a URL'))
})

t.test('a kept world keeps its subscription until --notify changes it', async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'mercadito-notify-'))
  t.teardown(() => rmSync(data, { recursive: true }))
  const restart = async (more: Partial<Flags>) => {
    const server = await startServer(t, { data, scenario: 'empty', ...more })
    const { body } = await server.setting()
    await server.end()
    return [body.callback_url, body.profile]
  }
  t.strictSame(await restart({ notify: 'http://127.0.0.1:9/uno' }), ['http://127.0.0.1:9/uno', 'ideal'])
  t.strictSame(await restart({}), ['http://127.0.0.1:9/uno', 'ideal'])
  const other = { notify: 'http://localhost:9/dos', notifyProfile: 'realistic' } as const
  t.strictSame(await restart(other), ['http://localhost:9/dos', 'realistic'])
  await t.rejects(startServer(t, { data, scenario: 'demo', notify: 'http://127.0.0.1:9/tres' }), /omit --scenario/)
  t.strictSame(await restart({}), ['http://localhost:9/dos', 'realistic'], 'a rejected start changes nothing')
})

t.test('--notify-allow extends the allowed targets', async (t) => {
  const { setting, client, info } = await startServer(t, {
    ...{ scenario: 'empty', notify: 'http://10.1.2.3/hook', notifyAllow: ['10.1.0.0/16', '*.example.com'] },
  })
  t.match(await setting(), { body: { callback_url: 'http://10.1.2.3/hook' } })
  const put = (callback_url: string) =>
    client.request(`PUT /applications/${info.application.id}/notifications`, { callback_url })
  t.match(await put('https://hooks.example.com/'), { status: 200 })
  t.match(await put('http://10.2.0.1/'), { status: 400 })
  const { output } = await inProcess(
    'status',
    'settings',
    '--json',
    '--notify-allow',
    '10.0.0.0/8,::1',
    '--notify-allow',
    'hooks',
  )
  t.equal(JSON.parse(output)['notify-allow'], '10.0.0.0/8,::1,hooks')
})

t.test('rejects invalid notification flags', async (t) => {
  const exposed = ['--host', '0.0.0.0', '--admin-token', 'llave']
  const prefix = '--notify or MERCADITO_NOTIFY: '
  const rows: [flags: string[], errors: string | RegExp][] = [
    [['--notify', '127.0.0.1:3000/hook'], `${prefix}must begin with http:// or https://`],
    [['--notify', 'inbox'], `${prefix}must be exactly inbox:, or a URL`],
    [['--notify', 'http://10.0.0.1/'], /: not allowed unless allowlisted; allow more with --notify-allow$/],
    [['--port', '3999', '--notify', 'http://localhost:3999/a'], `${prefix}localhost:3999 is this server itself`],
    [
      [...exposed, '--notify', 'http://127.0.0.1/'],
      /127\.0\.0\.1 is a loopback address .*: not allowed unless allowlisted/,
    ],
    [['--notify', 'http://127.0.0.1/', '--notify-profile', 'x'], /allowed choices are ideal, realistic, hostile/],
    [['--notify-profile', 'realistic'], '--notify-profile needs --notify'],
    [
      ['--notify-allow', 'http://x/'],
      /http:\/\/x\/: "http:\/\/x\/" must be a host name, \*\.suffix, an address or a block such as 10\.0\.0\.0\/8;/,
    ],
  ]
  for (const [flags, errors] of rows) {
    const answer = await inProcess('--port', '0', ...flags)
    t.match(answer, { code: 2, output: '' }, flags.join(' '))
    t.match(answer.errors.slice('mercadito: '.length).trimEnd(), errors, flags.join(' '))
  }
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import t from 'tap'
import { createProgram } from '../../bin/program.ts'
import about from '../../package.json' with { type: 'json' }
import { root } from '../../tools/root.ts'
import { run as inOwnProcess, launch, program } from '../support/bundle.ts'
import { inProcess, startCommandServer } from '../support/commands.ts'

const app = await startCommandServer(t, { scenario: 'empty' })
const { url, run, runJson } = app
const UNREACHABLE = 'http://127.0.0.1:1'

const ok = (output: string) => ({ code: 0, output, errors: '' })
const failed = (code: number, line: string) => ({ code, output: '', errors: `mercadito: ${line}\n` })

t.test('prints the version, in this process and from the bundle', async (t) => {
  const expected = new RegExp(
    `^mercadito ${about.version} \\(Node ${process.versions.node}, SQLite 3\\.\\d+\\.\\d+\\)\n$`,
  )
  t.match(await inProcess('--version'), { code: 0, output: expected, errors: '' })
  t.strictSame(await inOwnProcess('--version'), await inProcess('--version'))
  t.strictSame(await inProcess('-v'), await inProcess('--version'))
})

t.test('shows and moves the clock', async (t) => {
  const rows: [line: string, output: string][] = [
    ['clock', '2026-03-07T15:00:00.000Z  (world time, frozen)\n'],
    ['clock advance 2h30m', '2026-03-07T17:30:00.000Z  (world time, frozen)\n'],
    ['clock advance P1D', '2026-03-08T17:30:00.000Z  (world time, frozen)\n'],
    ['clock advance 1500ms', '2026-03-08T17:30:01.500Z  (world time, frozen)\n'],
    ['clock back 1500ms', '2026-03-08T17:30:00.000Z  (world time, frozen)\n'],
    ['clock back 1w', '2026-03-01T17:30:00.000Z  (world time, frozen)\n'],
    ['clock freeze', '2026-03-01T17:30:00.000Z  (world time, frozen)\n'],
    ['clock freeze 2026-03-07', '2026-03-07T00:00:00.000Z  (world time, frozen)\n'],
  ]
  for (const [line, output] of rows) t.strictSame(await run(line), ok(output), line)
  t.strictSame(await runJson('clock'), { mode: 'frozen', now: '2026-03-07T00:00:00.000Z' })
  t.match(await runJson('clock set 2030-01-01'), { mode: 'shifted', now: /^2030-01-01T00:00:0/ })
  t.match(await runJson('clock resume --real'), { mode: 'real' })
  t.match(await runJson('clock freeze 2026-03-07T15:00:00Z'), { mode: 'frozen' })
})

t.test('creates, lists and deletes worlds, each with its own address', async (t) => {
  const created = await runJson('world create --scenario empty --now 2026-01-01T00:00:00Z')
  t.strictSame(Object.keys(created), ['url', 'world', 'application', 'sellers', 'buyers'])
  t.equal(created.url, `${url}/w/2`)
  t.match(await inProcess('clock', '--url', `${url}/w/2`), ok('2026-01-01T00:00:00.000Z  (world time, frozen)\n'))
  t.match(await inProcess('world', 'fork', '--url', `${url}/w/2/`, '--json'), { code: 0, output: /\/w\/3"/ })
  const { output: list } = await run('world')
  t.strictSame(
    list.split('\n').map((line) => line.split(/ {2,}/).slice(0, 2)),
    [['id', 'url'], ['1', url], ['2', `${url}/w/2`], ['3', `${url}/w/3`], ['']],
  )
  t.strictSame((await runJson('world list')).results.length, 3)
  t.match(
    (await run('world show 2')).output,
    new RegExp(`^world         2  \\(temporary\\)\nurl           ${url}/w/2\n`),
  )
  t.match((await run('world show 2')).output, '\nredirect_uri  http://localhost:3000/callback\n')
  t.equal((await runJson('world show')).world.id, 1)
  t.strictSame(await run('world delete 3'), ok('world 3 is deleted\n'))
  t.strictSame(await run('world delete 3'), failed(1, 'World 3 not found'))
  t.strictSame(await runJson('world delete 2'), { done: true })
})

t.test('creates, restores and deletes snapshots, and resets the world', async (t) => {
  t.strictSame(await run('snapshot list'), ok('none\n'))
  t.strictSame(await run('snapshot uno'), ok('stored as uno; restore it with `mercadito snapshot restore uno`\n'))
  const { created_at, bytes, ...created } = await runJson('snapshot create dos --label antes')
  t.strictSame(created, { name: 'dos', automatic: null, now: '2026-03-07T15:00:00.000Z', label: 'antes' })
  t.equal(new Date(created_at).toISOString(), created_at)
  t.ok(bytes > 0)
  await runJson('clock advance 1h')
  const { output: listed } = await run('snapshot')
  t.strictSame(
    listed.split('\n').map((line) => line.split(/ {2,}/).filter((_, n) => [0, 3, 4].includes(n))),
    [
      ['name', 'world time', 'label'],
      ['dos', '2026-03-07T15:00:00.000Z', 'antes'],
      ['uno', '2026-03-07T15:00:00.000Z', '-'],
      [''],
    ],
  )
  t.match(await run('snapshot list --json'), { code: 0, output: '{"paging":{"total":2,' })
  t.strictSame(await run('snapshot restore uno'), ok('world 1 is restored to uno\n'))
  t.match(await runJson('clock'), { now: '2026-03-07T15:00:00.000Z' })
  t.strictSame(await run('snapshot delete uno'), ok('uno is deleted\n'))
  t.strictSame(await run('snapshot restore uno'), failed(1, 'Snapshot uno not found'))
  t.match(await inProcess('snapshot', '', '--url', url), {
    code: 2,
    errors: /^mercadito: '': must be 1 to 64 lower case .*\n$/,
  })
  t.match(await run('snapshot Uno'), { code: 2, errors: /^mercadito: Uno: must be 1 to 64 lower case .*\n$/ })
  await runJson('clock advance 1h')
  t.strictSame(await run('reset'), ok('world 1 is back at its start\n'))
  t.match(await runJson('requests control'), { results: [{ id: 1, path: '/reset', by: 'mercadito reset' }] })
  t.match(await runJson('clock'), { now: '2026-03-07T15:00:00.000Z' })
})

t.test('undo restores the state before a change, and lists what it takes back', async (t) => {
  t.strictSame(
    await run('undo'),
    failed(
      1,
      'There is no automatic snapshot: control calls with the header x-sandbox-snapshot leave one, and writes of programs unless --auto-snapshots is 0',
    ),
  )
  const advance = (label: string) =>
    app.call({
      method: 'POST',
      url: '/_sandbox/clock/advance',
      headers: { 'x-sandbox-snapshot': encodeURIComponent(label) },
      payload: '{"by":"PT1H"}',
    })
  for (const label of ['uno', 'dos\u202e', 'tres']) await advance(label)
  const { results } = await runJson('snapshot list')
  const [third, second, first] = results.map(({ name }: { name: string }) => name)
  const snapshots = [
    ['name', 'world time', 'label'],
    [third, '2026-03-07T17:00:00.000Z', 'before: tres (control)'],
    [second, '2026-03-07T16:00:00.000Z', 'before: dos\\u202e (control)'],
  ]
  /** The rows of a table, without the columns of real times and sizes. */
  const rowsOf = (lines: string[], columns: number[]) =>
    lines.map((line) => line.split(/ {2,}/).filter((_, n) => columns.includes(n)))
  const { output: list } = await run('snapshot list')
  t.strictSame(rowsOf(list.split('\n'), [0, 3, 4]), [
    ...snapshots,
    [first, '2026-03-07T15:00:00.000Z', 'before: uno (control)'],
    ['dos', '2026-03-07T15:00:00.000Z', 'antes'],
    [''],
  ])
  t.strictSame(await run('undo 4'), failed(1, 'there are only 3 automatic snapshots; see `mercadito snapshot list`'))
  const calls = (await runJson('requests control')).results.slice(-3).map(({ id }: { id: number }) => id)
  const dryRun = await runJson('undo 2 --dry-run')
  t.match(dryRun, {
    restored: { name: second, automatic: 'control', now: '2026-03-07T16:00:00.000Z' },
    removed: { requests: 0, changes: 0, control_calls: 2, snapshots: 1 },
    calls: [{ id: calls[1] }, { id: calls[2] }],
    snapshots: [{ name: third, label: 'tres' }],
  })
  t.match(await runJson('clock'), { now: '2026-03-07T18:00:00.000Z' })
  t.match(await run(`undo --to ${first} --dry-run`), {
    code: 0,
    output: /^world 1 would be as it was before: uno \(2026-03-07T15:00:00.000Z\)\n/,
  })
  t.match(await runJson('undo'), {
    restored: { name: third, label: 'tres', now: '2026-03-07T17:00:00.000Z' },
    removed: { requests: 0, changes: 0, control_calls: 1, snapshots: 0 },
    calls: [{ kind: 'control', id: calls[2], method: 'POST', path: '/clock/advance' }],
    snapshots: [],
  })
  await app.sellers[0]!.post('/users/test_user', { site_id: 'MLA' })
  const { output, ...rest } = await run(`undo --to ${first}`)
  t.strictSame(rest, { code: 0, errors: '' })
  const lines = output.split('\n')
  t.strictSame(lines.slice(0, 5), [
    'world 1 is as it was before: uno (2026-03-07T15:00:00.000Z)',
    'writes of programs  1',
    'changes             0',
    'control calls       2',
    'later snapshots     1',
  ])
  t.strictSame(rowsOf(lines.slice(5, 9), [0, 3]), [
    ['by', 'call'],
    ['control', 'POST /clock/advance'],
    ['control', 'POST /clock/advance'],
    ['program', 'POST /users/test_user'],
  ])
  t.strictSame(rowsOf(lines.slice(9), [0, 3, 4]), [['Later automatic snapshots:'], snapshots[0], snapshots[2], ['']])
  t.match(await runJson('clock'), { now: '2026-03-07T15:00:00.000Z' })
  t.strictSame(await run(`undo --to ${first}`), failed(1, `Automatic snapshot ${first} not found`))
  for (const wrong of ['undo x', 'undo 0', 'undo 1 --to auto.1']) t.match(await run(wrong), { code: 2 }, wrong)
})

t.test('diff shows what differs between two states', async (t) => {
  await run('snapshot create antes')
  t.strictSame(
    await run('snapshot diff antes'),
    ok(`from  antes  2026-03-07T15:00:00.000Z
to    now  2026-03-07T15:00:00.000Z
nothing differs
`),
  )
  const { body } = await app.control('POST /applications', { redirect_uri: 'https://example.com', name: 'dos\u202e' })
  t.strictSame(
    await run('snapshot diff antes'),
    ok(`from  antes  2026-03-07T15:00:00.000Z
to    now  2026-03-07T15:00:00.000Z
table        added  removed  changed
application  1      0        0
the rows: mercadito snapshot diff … --table NAME
`),
  )
  t.strictSame(
    await run('snapshot diff antes --table application'),
    ok(`from  antes  2026-03-07T15:00:00.000Z
to    now  2026-03-07T15:00:00.000Z
added id ${body.id}
  secret        "***"
  name          "dos\\u202e"
  redirect_uri  "https://example.com"
  use_pkce      0
  blocked       0
`),
  )
  t.match((await run('snapshot diff now antes --table application')).output, `\nremoved id ${body.id}\n`)
  await run('clock advance 1h')
  t.match(await run('snapshot diff antes --table world'), { output: /\nchanged id 1\n {2}clock_ms {2}\d+ → \d+\n$/ })
  t.match((await runJson('snapshot diff antes --table application --limit 0')).paging, {
    total: 1,
    limit: 0,
    offset: 0,
  })
  t.strictSame(await run('snapshot diff nunca'), failed(1, 'snapshot nunca not found'))
  t.match(await run('snapshot diff --limit x --table item'), { code: 2 })
  await run('snapshot restore antes')
  await run('snapshot delete antes')
})

const CLOCK_COMMANDS = 'clock has show, set, freeze, resume, advance, next, due, back; see `mercadito clock --help`'

t.test('exits with 2 and one line for invalid arguments', async (t) => {
  const rows: [line: string, errors: string | RegExp][] = [
    ['nonsense', "unknown command 'nonsense'; see `mercadito --help`"],
    ['aks', "unknown command 'aks' (Did you mean ask?); see `mercadito --help`"],
    ['aks --help', "unknown command 'aks' (Did you mean ask?); see `mercadito --help`"],
    ['clock nope', `unknown command 'clock nope'; ${CLOCK_COMMANDS}`],
    ['clock --json nope', `unknown command 'clock nope'; ${CLOCK_COMMANDS}`],
    ['clock advnace 2h', "unknown command 'clock advnace' (Did you mean advance?); see `mercadito clock --help`"],
    [
      'lead nope',
      "unknown command 'lead nope'; lead has create, list, approve, reject, expire, revive; see `mercadito lead --help`",
    ],
    [
      'webhooks nope',
      "unknown command 'webhooks nope'; webhooks has set, off, setting, list, show, resend, hold, release, drop, inbox, inbox-answer, inbox-clear, settle, listen; see `mercadito webhooks --help`",
    ],
    [
      'snapshot lst',
      "unknown command 'snapshot lst' (Did you mean list?); otherwise write `mercadito snapshot create lst`",
    ],
    ['help nonsense', "unknown command 'nonsense'; see `mercadito --help`"],
    ['help clock nope', `unknown command 'clock nope'; ${CLOCK_COMMANDS}`],
    ['clock help shwo', "unknown command 'clock shwo' (Did you mean show?); see `mercadito clock --help`"],
    ['clock --jsn', "unknown option '--jsn' (Did you mean --json?); see `mercadito clock --help`"],
    ['clock advance -5h', '-5h: must not be negative; `mercadito clock back 5h` moves the clock back'],
    ['backup create', "missing required argument 'folder'; see `mercadito backup create --help`"],
    ['clock advance 1h --url', '--url needs a value; see `mercadito clock advance --help`'],
    ['clock --token=secret', "unknown option '--token'; see `mercadito clock --help`"],
    ['clock advance', "missing required argument 'duration'; see `mercadito clock advance --help`"],
    [
      'clock advance soon',
      'soon: must be a duration, such as 2h30m, 90s, 500ms, 1d or PT2H30M; see `mercadito clock advance --help`',
    ],
    [
      'clock show APP_USR-1-2-3-4',
      "too many arguments for 'show'. Expected 0 arguments but got 1; see `mercadito clock show --help`",
    ],
    ['world show 0', '0: must be an integer from 1 to 9007199254740991; see `mercadito world show --help`'],
    [
      'clock --url http://u:secret@127.0.0.1',
      '--url or MERCADITO_URL: must be an address such as http://127.0.0.1:4400 or http://127.0.0.1:4400/w/2',
    ],
    [
      'clock --admin-token señal',
      '--admin-token or MERCADITO_ADMIN_TOKEN: must be 1 to 200 visible ASCII characters without spaces',
    ],
  ]
  for (const [line, errors] of rows) {
    const answer = await inProcess(...line.split(' '))
    t.match(answer, { code: 2, output: '' }, line)
    t.match(answer.errors.slice('mercadito: '.length).trimEnd(), errors, line)
    t.equal(answer.errors.indexOf('\n'), answer.errors.length - 1, line)
    t.notMatch(answer.errors, /secret|señal|1-2-3-4/, line)
  }
})

const allCommands = (command: Command): Command[] => [command, ...command.commands.flatMap(allCommands)]

t.test('a duration without a unit is an error with two spellings', async (t) => {
  const unit = (number: number) => `needs a unit, such as ${number}s or ${number}ms`
  const rows: [command: string, option: string | null, value: string, number: number][] = [
    ['clock advance', null, '6', 6],
    ['clock back', null, '0', 0],
    ['status wait', '--timeout <duration>', '5', 5],
    ['token', '--expires-in <duration>', '60', 60],
    ['fault add', '--delay <duration>', '100..2s', 100],
    ['fault add', '--rate-limit <rate>', '10/60', 60],
  ]
  for (const [command, option, value, number] of rows) {
    const words = [...command.split(' '), ...(command === 'token' ? ['2500000101'] : []), option?.split(' ')[0], value]
    const name = [option?.split(' ')[0], value].filter(Boolean).join(' ')
    const errors = `${name}: ${unit(number)}; see \`mercadito ${command} --help\``
    t.strictSame(await inProcess(...words.filter((word) => word !== undefined)), failed(2, errors), command)
  }
  const parsers = allCommands(createProgram({ out() {}, err() {} })).flatMap((command) => [
    ...command.options.map(({ flags, parseArg }) => ({ name: `${command.name()} ${flags}`, parseArg })),
    ...command.registeredArguments.map((one) => ({
      name: `${command.name()} <${one.name()}>`,
      parseArg: one.parseArg,
    })),
  ])
  const durations = parsers.filter(({ name }) => name.includes('duration>'))
  t.equal(durations.length, 15)
  for (const { name, parseArg } of durations)
    t.throws(() => parseArg!('5000', undefined as never), { message: `It ${unit(5000)}.` }, name)
})

t.test('help explains a command and its group', async (t) => {
  const helpOf = async (...words: string[]) => {
    const { code, output } = await inProcess(...words)
    t.equal(code, 0, words.join(' '))
    return output
  }
  const root = await helpOf('--help')
  t.match(root, 'Usage: mercadito [--url <address>] <command>, or mercadito --version\n')
  const lines = root.trimEnd().split('\n')
  t.strictSame(
    lines.filter((line) => line.length > 88 || lines.length > 40),
    [],
    'fits on one screen',
  )
  const names = lines.flatMap((line) => /^ {2}([a-z-]+) {2}/.exec(line)?.[1] ?? [])
  t.strictSame(names.slice(0, 8), ['exec', 'start', 'ask', 'webhooks', 'requests', 'why', 'clock', 'reset'])
  t.equal(names.length, 28)
  t.equal(await helpOf('help'), root)
  t.equal(await helpOf('help', 'help'), root)
  t.equal(await helpOf('help', 'clock'), await helpOf('clock', '--help'))
  t.equal(await helpOf('clock', 'help', 'advance'), await helpOf('clock', 'advance', '--help'))
  t.match(
    await helpOf('help', 'lead'),
    '\nShort for `lead create <item>`: `lead <item>`.\n\nWithout a subcommand: list.\n',
  )
})

t.test('an old name, or one of a subcommand, answers with the command', async (t) => {
  for (const [old, name] of [
    ['facts', 'world changes'],
    ['completion', 'status completion'],
    ['deliveries', 'webhooks list'],
    ['approve', 'lead approve'],
    ['restore', 'snapshot restore` or `mercadito backup restore'],
    ['record', 'capture'],
  ])
    t.strictSame(await inProcess(old!, 'x', '--json'), failed(2, `${old} is \`mercadito ${name}\``))
})

t.test('--url may stand before the command', async (t) => {
  const clock = await runJson('clock')
  t.strictSame(JSON.parse((await inProcess('--url', url, 'clock', '--json')).output), clock)
  t.strictSame(JSON.parse((await inProcess(`--url=${url}`, 'clock', 'show', '--json')).output), clock)
})

t.test('finds the subcommand behind flags', async (t) => {
  const moved = await inProcess('clock', '--url', url, '--json', 'freeze', '2026-03-07T15:00:00Z')
  t.strictSame(moved, ok('{"mode":"frozen","now":"2026-03-07T15:00:00.000Z"}\n'))
  t.match(
    await inProcess('snapshot', '--url', url, 'tres'),
    ok('stored as tres; restore it with `mercadito snapshot restore tres`\n'),
  )
  t.match(await run('snapshot delete tres'), { code: 0 })
})

t.test('without a server: exits with an instruction', async (t) => {
  const line = `no server answers at ${UNREACHABLE}; start one with \`mercadito start\`, or set another address with --url or MERCADITO_URL`
  t.strictSame(await inProcess('clock', '--url', UNREACHABLE), failed(1, line))
  t.strictSame(await inProcess('exec', '--url', UNREACHABLE, '--', 'true'), failed(1, line))
  t.strictSame(
    await inProcess('status', 'wait', '--timeout', '0s', '--url', UNREACHABLE),
    failed(1, `no server answered at ${UNREACHABLE} for 0 s; start one with \`mercadito start\``),
  )
  // Accepts connections without answering.
  const silent = createServer().listen(0, '127.0.0.1')
  t.teardown(() => silent.close())
  await once(silent, 'listening')
  const { port } = silent.address() as { port: number }
  t.match(await inProcess('status', 'wait', '--timeout', '0.05s', '--url', `http://127.0.0.1:${port}`), {
    code: 1,
    errors: /^mercadito: no server answered at .* for 0\.05 s; .*\n$/,
  })
  const other = createHttpServer((_, answer) => answer.end('hola')).listen(0, '127.0.0.1')
  t.teardown(() => other.close())
  await once(other, 'listening')
  const otherUrl = `http://127.0.0.1:${(other.address() as { port: number }).port}`
  const tlsUrl = url.replace('http', 'https')
  t.strictSame(
    await inProcess('clock', '--url', tlsUrl),
    failed(1, `the server at ${tlsUrl} does not speak TLS; use ${url}, or start it with --tls`),
  )
  t.strictSame(
    await inProcess('clock', '--url', otherUrl),
    failed(1, `the server at ${otherUrl} is not mercadito (status 200, no JSON); is --url right?`),
  )
})

t.test('wait returns once the server answers', async (t) => {
  t.strictSame(await run('status wait'), ok(`${url} answers\n`))
  t.strictSame(await runJson('status wait --timeout 5s'), {
    url,
    clock: { mode: 'frozen', now: '2026-03-07T15:00:00.000Z' },
  })
  t.strictSame(
    await inProcess('status', 'wait', '--url', `${url}/w/99`),
    failed(1, 'the server has no world 99; `mercadito world list` shows its worlds'),
  )
})

t.test('wait repeats refused connections and gateways that are not ready, but rejects another program', async (t) => {
  const answers = [
    { status: 502, body: '<h1>Bad Gateway</h1>' },
    { status: 503, body: '{"message":"busy"}' },
    { status: 504, body: '' },
    { status: 200, body: '{"status":"ready"}' },
  ]
  const gateway = createHttpServer(({ url }, response) => {
    const { status, body } =
      url === '/readyz' ? (answers.length > 1 ? answers.shift()! : answers[0]!) : { status: 401, body: '{}' }
    response.writeHead(status).end(body)
  })
  gateway.listen(0, '127.0.0.1')
  await once(gateway, 'listening')
  const { port } = gateway.address() as { port: number }
  gateway.close()
  await once(gateway, 'close')
  const url = `http://127.0.0.1:${port}`
  const waiting = inProcess('status', 'wait', '--url', url)
  gateway.listen(port, '127.0.0.1')
  t.teardown(() => gateway.close())
  t.strictSame(await waiting, ok(`${url} answers\n`))
  t.equal(answers.length, 1)
  answers[0] = { status: 503, body: '{"message":"disk is full"}' }
  t.strictSame(
    await inProcess('status', 'wait', '--url', url, '--timeout', '300ms'),
    failed(1, `the server at ${url} answered 503 (disk is full) for 0.3 s; see its output`),
  )
  answers[0] = { status: 200, body: '{}' }
  t.strictSame(
    await inProcess('status', 'wait', '--url', url),
    failed(1, `the server at ${url} is not mercadito (status 200 for /readyz); is --url right?`),
  )
})

t.test('requires the admin token', async (t) => {
  const protectedServer = await startCommandServer(t, { scenario: 'empty', adminToken: 'llave' })
  const tokenError = (reason: string) =>
    failed(
      1,
      `the server needs its admin token (${reason}); set it with --admin-token, --admin-token-file or MERCADITO_ADMIN_TOKEN`,
    )
  t.strictSame(await protectedServer.run('clock'), tokenError('authorization value not present'))
  t.strictSame(await protectedServer.run('clock --admin-token otra'), tokenError('invalid_token'))
  t.match(await protectedServer.run('clock --admin-token llave'), { code: 0 })
  t.strictSame(await protectedServer.runJson('status wait'), { url: protectedServer.url, clock: null })
  t.strictSame(await protectedServer.run('status wait --admin-token otra'), tokenError('invalid_token'))
})

t.test('config explains the source of each value', async (t) => {
  process.env.MERCADITO_PORT = '5500'
  process.env.MERCADITO_JSON = 'no'
  process.env.MERCADITO_HOST = ''
  process.env.MERCADITO_ADMIN_TOKEN = 'llave'
  t.teardown(() => {
    delete process.env.MERCADITO_PORT
    delete process.env.MERCADITO_ADMIN_TOKEN
  })
  const { output } = await inProcess('status', 'settings', '--explain', '--json', '--now', '2026-03-02T09:00:00-03:00')
  const rows = JSON.parse(output) as { setting: string; value: unknown; from: string; environment: string }[]
  const settingOf = (name: string) => {
    const { setting, value, from, environment } = rows.find(({ setting }) => setting === name)!
    return [setting, value, from, environment]
  }
  t.strictSame(settingOf('port'), ['port', 5500, 'environment', 'MERCADITO_PORT'])
  t.strictSame(settingOf('now'), ['now', '2026-03-02T12:00:00.000Z', 'flag', 'MERCADITO_NOW'])
  t.strictSame(settingOf('host'), ['host', '127.0.0.1', 'default', 'MERCADITO_HOST'])
  t.strictSame(settingOf('admin-token'), ['admin-token', '(set)', 'environment', 'MERCADITO_ADMIN_TOKEN'])
  t.strictSame(settingOf('json'), ['json', true, 'flag', 'MERCADITO_JSON'])
  t.match((await inProcess('status', 'settings')).output, /^setting +value\nport +5500\n/)

  process.env.MERCADITO_PORT = '70000'
  t.strictSame(
    await inProcess('status', 'settings'),
    failed(2, 'MERCADITO_PORT=70000: must be an integer from 0 to 65535; see `mercadito status settings --help`'),
  )
  process.env.MERCADITO_PORT = '5500'
  process.env.MERCADITO_PROT = '1'
  process.env.MERCADITO_SHOP = 'x'
  process.env.MERCADITO_SELLER_ID = '1'
  t.match(await inProcess('status', 'completion', 'bash'), {
    code: 0,
    output: /mercadito/,
    errors:
      'mercadito: warning: MERCADITO_PROT is not a variable of mercadito (Did you mean MERCADITO_PORT?)\nmercadito: warning: MERCADITO_SHOP is not a variable of mercadito; `mercadito status settings --explain` lists those of settings\n',
  })
  for (const name of ['PROT', 'SHOP', 'SELLER_ID']) delete process.env[`MERCADITO_${name}`]
  process.env.MERCADITO_JSON = 'quizás'
  t.strictSame(await inProcess('clock'), failed(2, 'MERCADITO_JSON: must be true or false'))
  delete process.env.MERCADITO_JSON
})

t.test('reads settings of a project from a file, below environment and flags', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'mercadito-config-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const write = (name: string, content: unknown) =>
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  const inFolder = async (env: Record<string, string>, ...flags: string[]) => {
    process.chdir(folder)
    Object.assign(process.env, env)
    const result = await inProcess(...flags)
    for (const name of Object.keys(env)) delete process.env[name]
    process.chdir(root)
    return result
  }
  const explain = async (env: Record<string, string>, ...flags: string[]) => {
    const { output } = await inFolder(env, 'status', 'settings', '--explain', '--json', ...flags)
    return (JSON.parse(output) as { setting: string; value: unknown; from: string }[])
      .filter(({ from }) => from !== 'default')
      .map(({ setting, value, from }) => [setting, value, from])
  }
  const FILE = 'mercadito.json'
  write('package.json', { name: 'mine', mercadito: { port: 5501 } })
  t.strictSame(await explain({}), [
    ['port', 5501, 'package.json: mercadito'],
    ['json', true, 'flag'],
  ])
  write(FILE, {
    $schema: './x.json',
    port: 5500,
    seed: 7,
    assume: { 'contacts.auth': 'required' },
    'notify-allow': ['a.example', 'b.example'],
    'admin-token': 'llave',
    'ready-json': true,
    now: '2026-03-02T09:00:00-03:00',
  })
  t.strictSame(await explain({ MERCADITO_SEED: '8' }, '--now', '2026-01-01T00:00:00Z'), [
    ['port', 5500, FILE],
    ['seed', 8, 'environment'],
    ['now', '2026-01-01T00:00:00.000Z', 'flag'],
    ['assume', 'contacts.auth=required', FILE],
    ['notify-allow', 'a.example,b.example', FILE],
    ['ready-json', true, FILE],
    ['admin-token', '(set)', FILE],
    ['json', true, 'flag'],
  ])
  t.match(
    (await explain({}, '--load', 'world.json')).map(([setting]) => setting),
    ['port', 'assume', 'load'],
  )
  write('token', 'llave')
  write(FILE, { 'admin-token-file': 'token' })
  t.strictSame(await explain({}), [
    ['admin-token', '(set)', 'file'],
    ['admin-token-file', 'token', FILE],
    ['json', true, 'flag'],
  ])
  write(FILE, { url })
  t.match(await inFolder({}, 'clock'), { code: 0, output: /world time/ })
  t.match(await inFolder({ MERCADITO_URL: UNREACHABLE }, 'clock'), { code: 1, errors: /no server answers/ })

  const rows: [content: unknown, message: string][] = [
    ['{', 'mercadito.json, line 1: must be JSON'],
    ['{\n  "port": 1,\n  seed: 2\n}', 'mercadito.json, line 3: must be JSON'],
    ['{\n  "port": 1,\n  "prot": 2\n}', 'mercadito.json, line 3: unknown setting prot (Did you mean port?)'],
    ['[]', 'mercadito.json: must be a JSON object'],
    [{ prot: 1 }, 'mercadito.json, line 1: unknown setting prot (Did you mean port?)'],
    [{ colour: 1 }, 'mercadito.json, line 1: unknown setting colour; `mercadito status settings` lists them'],
    [{ port: 70_000 }, 'mercadito.json, line 1: port: must be an integer from 0 to 65535'],
    [{ port: null }, 'mercadito.json, line 1: port: must be a string, a number, or a list of them'],
    [
      { 'notify-profile': 'x' },
      'mercadito.json, line 1: notify-profile: allowed choices are ideal, realistic, hostile',
    ],
    [{ 'ready-json': 'yes' }, 'mercadito.json, line 1: ready-json: must be true or false'],
    ...(
      [
        ['load', 'scenario', 'empty'],
        ['load', 'seed', 7],
        ['load', 'now', '2026-03-02'],
        ['tls', 'tls-cert', 'cert.pem'],
        ['tls', 'tls-key', 'key.pem'],
        ['ready-file', 'ready-json', true],
        ['admin-token-file', 'admin-token', 'llave'],
      ] as const
    ).map(([name, other, value]): [unknown, string] => [
      { [other]: value, [name]: name === 'tls' ? 'self-signed' : 'token' },
      `mercadito.json, line 1: ${name} cannot be used with ${other}; remove one of them`,
    ]),
  ]
  for (const [content, message] of rows) {
    write(FILE, content)
    t.strictSame(await inFolder({}, 'status', 'settings'), failed(2, message), message)
  }
  t.match(await inFolder({}, '--help'), { code: 0 }, 'help does not need the file')
  write(FILE, { 'admin-token': 'llave', 'admin-token-file': 'token', 'ready-json': false, 'ready-file': 'ready' })
  t.strictSame(
    await inFolder({}, 'clock'),
    failed(2, 'mercadito.json, line 1: admin-token-file cannot be used with admin-token; remove one of them'),
  )
  t.strictSame(
    await explain({}, '--admin-token', 'otra'),
    [
      ['ready-json', false, FILE],
      ['ready-file', 'ready', FILE],
      ['admin-token', '(set)', 'flag'],
      ['json', true, 'flag'],
    ],
    'a flag takes precedence over both',
  )
  rmSync(join(folder, FILE))
  write('package.json', { mercadito: { load: 'world.json', scenario: 'empty' } })
  t.strictSame(
    await inFolder({}, 'start'),
    failed(2, 'package.json: mercadito, line 1: load cannot be used with scenario; remove one of them'),
  )
})

t.test('doctor checks the environment', async (t) => {
  const checks = await runJson('status check --port 0')
  t.strictSame(
    checks.map(({ check, ok }: { check: string; ok: boolean }) => [check, ok]),
    ['node', 'sqlite', 'folder', 'disk space', 'write speed', 'port', 'server'].map((check) => [check, true]),
  )
  const failing = await inProcess('status', 'check', '--data', '/dev/null/x', '--port', '0', '--url', UNREACHABLE)
  t.equal(failing.code, 1)
  t.match(failing.output, /^bad {2}folder {7}cannot write to \/dev\/null\/x \(.*\); choose another with --data$/m)
  t.match(failing.output, /^bad {2}server {7}no server answers at .*; start it, or set another address with --url$/m)
  t.equal(failing.errors, 'mercadito: failed checks: folder, write speed, server; the lines above say what to do\n')
  const port = new URL(url).port
  t.match(await run(`status check --port ${port}`), { code: 0, output: `${port} is used by mercadito: ${url}\n` })
  t.match(await inProcess('status', 'check', '--port', port, '--url', UNREACHABLE), {
    output: new RegExp(`^ok {3}port +${port} is used by mercadito: ${url}$`, 'm'),
  })
  // A server that answers 200 with JSON to everything is another program.
  const other = createHttpServer((_, response) => response.end('{"status":"live"} ')).listen(0, '127.0.0.1')
  t.teardown(() => other.close())
  await once(other, 'listening')
  const { port: otherPort } = other.address() as { port: number }
  const otherUrl = `http://127.0.0.1:${otherPort}`
  t.match(await inProcess('status', 'check', '--port', String(otherPort), '--url', otherUrl), {
    code: 1,
    output: new RegExp(
      `^bad {2}port +${otherPort} is used by another program; .*\nbad {2}server +another program answers at ${otherUrl}; is --url right\\?$`,
      'm',
    ),
  })
  t.match(await inProcess('status', 'check', '--port', '0', '--data', `${tmpdir()}/not/there`, '--url', url), {
    code: 0,
    output: /\/not\/there can be created\n/,
  })
})

t.test('completion lists every command and flag', async (t) => {
  const { output: script } = await inProcess('status', 'completion', 'bash')
  const complete = async (...args: string[]) => {
    const complete = args.map((word) => `'${word}'`).join(' ')
    const ask = `COMP_WORDS=(mercadito ${complete}); COMP_CWORD=${args.length}; _mercadito; echo "\${COMPREPLY[@]}"`
    const bash = spawn('bash', ['-c', `${script}\n${ask}`], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [text] = await once(bash.stdout, 'data')
    return String(text).trim()
  }
  const [first, member, flag] = await Promise.all([
    complete('sn'),
    complete('clock', ''),
    complete('clock', 'resume', '--r'),
  ])
  t.strictSame([first, flag], ['snapshot', '--real'])
  t.equal(member, 'show set freeze resume advance next due back help --help')
  for (const shell of ['zsh', 'fish'])
    for (const word of ['snapshot', 'advance', '--real'])
      t.match((await inProcess('status', 'completion', shell)).output, word, shell)
  t.strictSame(JSON.parse((await inProcess('status', 'completion', 'bash', '--json')).output), {
    shell: 'bash',
    script,
  })
})

t.test('every command has help with an example', async (t) => {
  const { output } = await inProcess('status', 'completion', 'bash')
  const commands = [...output.matchAll(/^ {4}'([a-z -]+)'\) found='([^']*)'/gm)].map(([, command, complete]) => [
    command!,
    complete!,
  ])
  t.ok(commands.length > 15)
  for (const [command, complete] of commands) {
    // Groups of commands list their members instead.
    if (!complete!.includes('--json')) continue
    const { code, output } = await inProcess(...command!.split(' '), '--help')
    t.equal(code, 0)
    t.match(output, new RegExp(`^Examples?:\n {2}\\$ mercadito ${command!.split(' ')[0]}`, 'm'), command!)
  }
})

const PRINT_ENVIRONMENT =
  'console.error(JSON.stringify(Object.fromEntries(Object.entries(process.env).filter(([n]) => n.startsWith("MERCADITO_"))))); process.exit(7)'

t.test('exec runs a program with a world and returns its exit code', async (t) => {
  const result = await inOwnProcess('exec', '--scenario', 'empty', '--', process.execPath, '-e', PRINT_ENVIRONMENT)
  t.equal(result.code, 7)
  const env = JSON.parse(result.errors)
  t.match(env, {
    MERCADITO_URL: /^http:\/\/127\.0\.0\.1:\d+$/,
    MERCADITO_TOKEN: /^APP_USR-.*-2500000101$/,
    MERCADITO_SELLER_ID: '2500000101',
    MERCADITO_BUYER_TOKEN: /^APP_USR-.*-2500000102$/,
    MERCADITO_BUYER_ID: '2500000102',
    MERCADITO_CLIENT_ID: /^\d+$/,
    MERCADITO_CLIENT_SECRET: /^\w{32}$/,
    MERCADITO_REDIRECT_URI: 'http://localhost:3000/callback',
  })
  t.equal(Object.keys(env).length, 8)
})

t.test('exec on a running server creates a world and deletes it', async (t) => {
  const before = (await runJson('world list')).results.length
  const result = await inProcess(
    ...['exec', '--url', url, '--scenario', 'empty', '--now', '2026-01-01', '--json', '--', process.execPath, '-e'],
    `fetch(process.env.MERCADITO_URL + '/_sandbox/clock').then((a) => a.json()).then(({ now }) => process.exit(now === '2026-01-01T00:00:00.000Z' ? 9 : 1))`,
  )
  const { url: worldUrl, world, exit_code } = JSON.parse(result.output)
  t.strictSame([result.code, exit_code, result.errors], [9, 9, ''])
  t.equal(worldUrl, `${url}/w/${world}`)
  t.equal((await runJson('world list')).results.length, before)
})

const execHere = (...command: string[]) =>
  inProcess('exec', '--url', url, '--scenario', 'empty', '--json', '--', ...command)

t.test('exec returns the exit codes of a shell', async (t) => {
  t.strictSame(
    await execHere('no-such-program'),
    failed(127, 'no-such-program was not found; check that it is installed and in PATH'),
  )
  t.match(await execHere(tmpdir()), { code: 126, errors: /cannot be run/ })
  t.match(await execHere(process.execPath, '-e', 'process.kill(process.pid, "SIGKILL")'), { code: 137, errors: '' })
  t.equal((await runJson('world list')).results.length, 1, 'no world is left')
})

t.test('exec ends a program after --timeout', async (t) => {
  const wait = 'process.on("SIGTERM", () => process.exit(0)); setInterval(() => {}, 1000)'
  const flags = ['--scenario', 'empty', '--timeout', '500ms']
  t.strictSame(await inProcess('exec', ...flags, '--', process.execPath, '-e', wait), {
    code: 124,
    output: '',
    errors: 'mercadito: the program was ended after 0.5 s (--timeout)\n',
  })
  t.equal((await inProcess('exec', '--scenario', 'empty', '--timeout', '1m', '--', 'true')).code, 0)
})

t.test('exec forwards signals', async (t) => {
  const child = spawn(
    process.execPath,
    [
      ...[program, 'exec', '--scenario', 'empty', '--', process.execPath, '-e'],
      'process.on("SIGTERM", () => process.exit(33)); setInterval(() => {}, 1000); console.log("here")',
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const exited = once(child, 'exit')
  await once(child.stdout, 'data')
  child.kill('SIGTERM')
  t.strictSame(await exited, [33, null])
})

t.test('start reads flags from the environment', async (t) => {
  process.env.MERCADITO_NOW = '2026-03-02T12:00:00Z'
  process.env.MERCADITO_ADMIN_TOKEN = 'llave'
  t.teardown(() => {
    delete process.env.MERCADITO_NOW
    delete process.env.MERCADITO_ADMIN_TOKEN
  })
  const server = await launch(t, '--scenario', 'empty')
  t.match(await inProcess('clock', '--url', server.url), { code: 0, output: /^2026-03-02T12:00:00.000Z .*frozen/ })
  t.match(await inProcess('clock', '--url', server.url, '--admin-token', 'otra'), { code: 1 })
  await server.stop()
})

t.test('tests and what they start do not see the settings of who runs them', async (t) => {
  const script = `await import('./test/support/bundle.ts')
    console.log(Object.keys(process.env).filter((name) => name.startsWith('MERCADITO_')).sort())`
  const own = { MERCADITO_URL: UNREACHABLE, MERCADITO_DATA: 'market', MERCADITO_CHROMIUM: 'chromium' }
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: root,
    env: { ...process.env, ...own },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.equal(await text(child.stdout), "[ 'MERCADITO_CHROMIUM' ]\n")
})

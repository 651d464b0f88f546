import { spawn } from 'node:child_process'
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { ServerInfo } from '../../bin/banner.ts'
import { type Flags, listen } from '../../bin/serve.ts'
import { toStartError } from '../../lib/start_errors.ts'
import { launch, launchWith, program, run } from '../support/bundle.ts'
import { inProcess } from '../support/commands.ts'

const folder = mkdtempSync(join(tmpdir(), 'mercadito-journey-'))
t.teardown(() => rmSync(folder, { recursive: true }))

/** A server in this process. */
const startHere = (flags: Partial<Flags>) =>
  listen({ port: 0, host: '127.0.0.1', scenario: 'demo', seed: 1, isGiven: () => false, ...flags })

const empty = await launch(t, '--scenario', 'empty')
const NOW = '2026-03-07T15:00:00Z'
const demo = await launch(t, '--now', NOW)

const get = async ({ url }: ServerInfo, path: string, token: string) => {
  const answer = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })
  return answer.text()
}

t.test('--ready-json prints the world and its users, and nothing else', async (t) => {
  t.equal(demo.output(), `${JSON.stringify(JSON.parse(demo.output()))}\n`)
  t.strictSame(Object.keys(JSON.parse(demo.output())), ['url', 'world', 'application', 'sellers', 'buyers'])
  t.match(demo.url, /^http:\/\/127\.0\.0\.1:\d+$/)
  t.strictSame(demo.world, { id: 1, mode: 'temporary', data: null })
  t.strictSame(Object.keys(demo.application), ['id', 'secret', 'redirect_uri'])
  for (const person of [...demo.sellers, ...demo.buyers])
    t.strictSame(Object.keys(person), ['id', 'site_id', 'nickname', 'token'])
  const sites = ['MLA', 'MLB', 'MLM', 'MLC', 'MCO', 'MLU', 'MPE', 'MEC']
  t.strictSame(demo.sellers.map(({ site_id }) => site_id).sort(), [...sites].sort())
  t.strictSame(demo.buyers.map(({ site_id }) => site_id).sort(), [...sites, ...sites].sort())
})

t.test('the commands in the banner work', async (t) => {
  const child = spawn(process.execPath, [program, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => child.kill('SIGKILL'))
  let text = ''
  for await (const chunk of child.stdout) {
    text += chunk
    if (text.split('curl').length > 3 && text.endsWith('\n\n')) break
  }
  t.match(text, /listens on http:\/\/127\.0\.0\.1:\d+\n/)
  t.match(text, /^ {2}login {3}application \d+ returns to http:\/\/localhost:3000\/callback$/m)
  t.match(text, /console http:\/\/127\.0\.0\.1:\d+\/_sandbox\/console\/\n/)
  t.match(text, /docs {4}http:.*\/docs\n/)
  t.match(text, /control http:\/\/127\.0\.0\.1:\d+\/docs\?api=control, and `mercadito --help`\n/)
  t.match(text, /world {3}temporary: deleted when the server ends\n/)
  const answers = []
  for (const line of text.split('\n').filter((line) => line.startsWith('  curl'))) {
    // The parts of the command: -H a header, -d a form to POST.
    const [, header, , quoted, bare, body] =
      /^ {2}curl -H '([^']+)'(?: ('([^']+)'|(\S+)))(?: -d '([^']+)')?$/.exec(line) ?? []
    const [name, value] = header!.split(': ') as [string, string]
    const form = {
      method: 'POST',
      body: body!,
      headers: { [name]: value, 'content-type': 'application/x-www-form-urlencoded' },
    }
    const answer = await fetch(quoted ?? bare!, body ? form : { headers: { [name]: value } })
    t.equal(answer.status, 200, line)
    answers.push((await answer.json()) as { total: number; status: string; results: unknown[] })
  }
  t.ok(answers[0]!.total > 0, 'unanswered questions')
  t.equal(answers[1]!.status, 'ANSWERED')
  t.equal(answers[2]!.results.length, 7)
  t.ok(answers[2]!.total > 0, 'phone views')
})

const PATHS = [
  '/users/me',
  '/questions/search?limit=100',
  '/items?ids=MLA1400000001,MLB1400000001',
  '/users/2500000101/contacts/questions/time_window?last=100&unit=day',
  '/users/2500000101/contacts/phone_views/time_window?last=200&unit=hour',
  '/users/2500000101/questions/response_time',
]

async function readAll(server: ServerInfo): Promise<string> {
  const token = server.sellers.find(({ site_id }) => site_id === 'MLA')!.token
  const { url: _, world, application, sellers, buyers } = server
  const answers = [JSON.stringify({ world, application, sellers, buyers })]
  for (const path of PATHS) answers.push(await get(server, path, token))
  const created = await fetch(`${server.url}/users/test_user`, { method: 'POST', body: '{"site_id":"MLA"}' })
  answers.push(await created.text())
  return answers.join('\n')
}

t.test('the same seed and time give the same bytes', async (t) => {
  const first = await readAll(demo)
  await demo.stop()
  t.equal(demo.child.exitCode, 0, 'a signal ends the process in order')
  const readWith = async (flags: Partial<Flags>) => {
    const { info, close } = await startHere(flags)
    const all = await readAll(info)
    await close()
    return all
  }
  t.equal(await readWith({ now: Date.parse(NOW) }), first, 'in another process')
  t.not(await readWith({ now: Date.parse(NOW), seed: 2 }), first, 'another seed gives another world')
  t.not(await readWith({ now: Date.parse('2026-03-08T15:00:00Z') }), first)
})

t.test('an empty world has users and no data', async (t) => {
  const seller = empty.sellers[0]!
  t.match(JSON.parse(await get(empty, '/questions/search', seller.token)), { total: 0, questions: [] })
  t.equal((await fetch(`${empty.url}/items/MLA1400000001`)).status, 404)
})

t.test('--data keeps the world, locks its folder and rejects other creation flags', async (t) => {
  const data = join(folder, 'kept')
  const first = await launch(
    t,
    '--data',
    data,
    '--assume',
    'contacts.auth=required',
    '--assume',
    'auth.query_token=reject',
  )
  t.strictSame(first.world, { id: 1, mode: 'kept', data })
  const answer = await fetch(`${first.url}/questions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${first.buyers[0]!.token}` },
    body: '{"item_id":"MLA1400000001","text":"¿Queda?"}',
  })
  const { id } = (await answer.json()) as { id: number }
  t.match(await inProcess('--data', data, '--port', '0'), {
    code: 6,
    output: '',
    errors: `mercadito: ${data} is in use by another mercadito; stop that process, or choose another folder\n`,
  })
  await first.stop()

  const { info: second, close } = await startHere({ data })
  t.strictSame(second.sellers, first.sellers, 'tokens are kept')
  t.equal(
    (await fetch(`${second.url}/users/2500000101/contacts/questions?date_from=2026-01-01&date_to=2026-02-01`)).status,
    401,
  )
  t.match(JSON.parse(await get(second, `/questions/${id}`, second.buyers[0]!.token)), { id, text: '¿Queda?' })
  await close()

  for (const [flag, value, created] of [
    ['scenario', 'empty', 'demo'],
    ['seed', '5', '1'],
    ['now', '2026-01-01', 'running'],
  ] as const)
    t.strictSame(await inProcess('--data', data, `--${flag}`, value), {
      code: 1,
      output: '',
      errors: `mercadito: the world in ${data} was created with ${flag} ${created}; omit --${flag} or use another folder\n`,
    })

  t.strictSame(await inProcess('--data', data, '--assume', 'contacts.auth=optional'), {
    code: 1,
    output: '',
    errors: `mercadito: the world in ${data} was created with contacts.auth=required; omit --assume contacts.auth or use another folder\n`,
  })

  const other = await startHere({ data: join(folder, 'other') })
  t.not(other.info.sellers[0]!.token, first.sellers[0]!.token, 'tokens of a kept world cannot be guessed')
  await other.close()
})

t.test('--load creates a world from a file', async (t) => {
  const data = join(folder, 'loaded')
  const written = JSON.parse(readFileSync('examples/world.json', 'utf8'))
  const worldFileWith = (callback_url: string) => {
    const path = join(folder, 'telling.json')
    writeFileSync(path, JSON.stringify({ ...written, applications: [{ id: 5, notifications: { callback_url } }] }))
    return path
  }
  const { info: first, close } = await startHere({ data, load: worldFileWith('http://127.0.0.1:9/hook') })
  t.match(first.sellers, [{ id: 700000001, nickname: 'TIENDA', token: 'token-de-la-tienda' }])
  t.match(JSON.parse(await get(first, '/questions/search', 'token-de-la-tienda')), { total: 2 })
  const control = (path: string) => fetch(`${first.url}/_sandbox${path}`, { method: 'POST' })
  t.equal((await control('/reset')).status, 204)
  t.match(
    JSON.parse(await get(first, '/questions/search', 'token-de-la-tienda')),
    { total: 2 },
    'a reset reverts to the file',
  )
  const setting = await (await fetch(`${first.url}/_sandbox/applications/5/notifications`)).json()
  t.match(setting, { callback_url: 'http://127.0.0.1:9/hook', profile: 'ideal' })
  await close()
  const startError = async (...flags: string[]) => {
    const { code, errors } = await inProcess('--port', '0', ...flags)
    t.equal(code, 1)
    return errors
  }
  t.equal(
    await startError('--data', data, '--scenario', 'demo'),
    `mercadito: the world in ${data} was created with scenario file; omit --scenario or use another folder\n`,
  )
  t.equal(await startError('--load', 'nothing.json'), 'mercadito: nothing.json: there is no such file\n')
  const outside = worldFileWith('http://203.0.113.7/')
  t.equal(
    await startError('--load', outside),
    `mercadito: ${outside}: applications[0].notifications.callback_url: 203.0.113.7 is not a loopback address, and the server listens on loopback only: not allowed unless allowlisted\n`,
  )
  t.strictSame(await inProcess('--load', 'examples/world.json', '--seed', '2'), {
    code: 2,
    output: '',
    errors: 'mercadito: --load cannot be used with --seed; leave out one of them\n',
  })
})

function setTempFolder(t: Test, path: string) {
  const { TMPDIR } = process.env
  t.teardown(() => {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  })
  process.env.TMPDIR = path
}

/** Writes as a program, and counts the snapshots. */
async function countSnapshots({ url, sellers }: ServerInfo): Promise<number> {
  const headers = { authorization: `Bearer ${sellers[0]!.token}` }
  const { ok } = await fetch(`${url}/users/test_user`, { method: 'POST', headers, body: '{"site_id":"MLA"}' })
  if (!ok) throw new Error('the write failed')
  const list = (await (await fetch(`${url}/_sandbox/snapshots`)).json()) as { paging: { total: number } }
  return list.paging.total
}

t.test('removes the files of temporary worlds', async (t) => {
  // A temp folder of its own, because other tests use the system's.
  const tempFolder = mkdtempSync(join(tmpdir(), 'mercadito-test-'))
  t.teardown(() => rmSync(tempFolder, { recursive: true }))
  const worldsFolder = join(tempFolder, `mercadito-worlds-${process.getuid?.() ?? 'all'}`)
  const killedServer = await launchWith(t, { TMPDIR: tempFolder }, '--scenario', 'empty', '--auto-snapshots', '0')
  t.equal(await countSnapshots(killedServer), 0, 'none before a write')
  const countFolders = () => readdirSync(worldsFolder).filter((name) => name.startsWith('mercadito-world-')).length
  const before = countFolders()
  await killedServer.stop('SIGKILL')
  setTempFolder(t, tempFolder)
  const { close } = await startHere({ scenario: 'empty' })
  t.equal(countFolders(), before, 'the folder of the killed process was removed, a new one was added')
  await close()
  t.equal(countFolders(), before - 1)
})

t.test('the folder of temporary worlds is never a link to another', async (t) => {
  const tempFolder = mkdtempSync(join(tmpdir(), 'mercadito-test-'))
  t.teardown(() => rmSync(tempFolder, { recursive: true }))
  const [link, mine] = [`mercadito-worlds-${process.getuid?.() ?? 'all'}`, 'mine'].map((name) => join(tempFolder, name))
  const abandoned = join(mine!, 'mercadito-world-abandoned')
  mkdirSync(abandoned, { recursive: true })
  writeFileSync(join(abandoned, 'mercadito.lock'), '')
  symlinkSync(mine!, link!)
  setTempFolder(t, tempFolder)
  const start = () => inProcess('--scenario', 'empty', '--port', '0')
  const failed = {
    code: 5,
    output: '',
    errors: 'mercadito: cannot write to the folder for temporary worlds (ENOTDIR); choose another with TMPDIR\n',
  }
  t.strictSame(await start(), failed)
  t.strictSame(readdirSync(mine!), ['mercadito-world-abandoned'], 'nothing was removed')
  rmSync(mine!, { recursive: true })
  t.strictSame(await start(), failed, 'a link to nothing')
})

t.test('a data file of another user is named', { skip: process.getuid?.() !== 0 && 'needs root' }, async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'mercadito-test-'))
  t.teardown(() => rmSync(data, { recursive: true }))
  const file = join(data, 'world-1.sqlite')
  writeFileSync(file, '')
  const explain = async (code: string) =>
    (await toStartError(Object.assign(new Error(), { code }), { host: '127.0.0.1', port: 0, data })).message
  const other = `cannot write to ${data} (EACCES); check that it is a writable folder and that the disk is not full, or choose another with --data`
  t.equal(await explain('EACCES'), other)
  chownSync(file, 65_534, 65_534)
  const foreign = `${file} belongs to user 65534; change its owner, or choose another folder with --data`
  for (const code of ['EACCES', 'SQLITE_READONLY_DIRECTORY'])
    t.equal(await explain(code), `cannot write to ${data} (${code}): ${foreign}`)
  t.match(await explain('ENOSPC'), 'check that it is a writable folder and that the disk is not full')
})

t.test('a failed start prints one line', async (t) => {
  const { port } = new URL(empty.url)
  const rows: [flags: string[], code: number, message: RegExp][] = [
    [['--nonsense'], 2, /^mercadito: unknown option '--nonsense'; see `mercadito --help`\n$/],
    [['extra'], 2, /^mercadito: too many arguments for 'start'. Expected 0 arguments but got 1; see .*\n$/],
    [['--port', 'x'], 2, /^mercadito: --port x: must be an integer from 0 to 65535; see .*\n$/],
    [['--port', '65536'], 2, /integer from 0 to 65535; see .*\n$/],
    [['--seed', '-1'], 2, /^mercadito: --seed -1: must be an integer from 0 .*\n$/],
    [['--scenario', 'x'], 2, /^mercadito: --scenario x: allowed choices are demo, quiet, empty; see .*\n$/],
    [['--now', 'yesterday'], 2, /^mercadito: --now yesterday: must be an ISO 8601.*\n$/],
    [
      ['--host', '0.0.0.0', '--port', '0'],
      2,
      /^mercadito: --host 0\.0\.0\.0 exposes the server to other machines: set a token for control calls with --admin-token, --admin-token-file or MERCADITO_ADMIN_TOKEN\n$/,
    ],
    [
      ['--host', '203.0.113.9', '--port', '0', '--admin-token', 'x'],
      4,
      /^mercadito: 203\.0\.113\.9 is not an address of this machine; choose one with --host\n$/,
    ],
    [
      ['--port', port],
      4,
      new RegExp(`^mercadito: port ${port} is in use by mercadito: ${empty.url}; use that server, or .*\\n$`),
    ],
    [
      ['--data', '/dev/null/x'],
      5,
      /^mercadito: cannot write to \/dev\/null\/x \(ENOTDIR\); check that it is a writable folder .* --data\n$/,
    ],
    [
      ['--data', '/proc/x/y'],
      5,
      /^mercadito: cannot write to \/proc\/x\/y \(ENOENT\); check that it is a writable folder .* --data\n$/,
    ],
    [['--data', 'package.json'], 5, /^mercadito: cannot write to package\.json \(EEXIST\); .*\n$/],
  ]
  for (const [flags, expected, message] of rows) {
    const { code, output, errors } = await inProcess('--scenario', 'empty', ...flags)
    t.equal(code, expected, flags.join(' '))
    t.equal(output, '', flags.join(' '))
    t.match(errors, message, flags.join(' '))
  }
  // The bundle exits likewise.
  const result = await run('--scenario', 'empty', '--port', port)
  t.match(result, { code: 4, output: '', errors: `mercadito: port ${port} is in use by mercadito: ${empty.url}; ` })
})

/** Writes as a program, and exits with 10 and the number of snapshots. */
const WRITE = `
  const { MERCADITO_URL: url, MERCADITO_TOKEN: token } = process.env
  const options = { method: 'POST', headers: { authorization: 'Bearer ' + token }, body: '{"site_id":"MLA"}' }
  const { status } = await fetch(url + '/users/test_user', options)
  const { paging } = await (await fetch(url + '/_sandbox/snapshots')).json()
  process.exit(status === 201 ? 10 + paging.total : 1)`

t.test('start takes snapshots before writes of programs, as --auto-snapshots says; exec takes none', async (t) => {
  t.equal(await countSnapshots(empty), 1)
  const node = ['--', process.execPath, '--input-type=module', '-e', WRITE]
  t.strictSame(await inProcess('exec', '--scenario', 'empty', ...node), { code: 10, output: '', errors: '' })
  const invalid = await inProcess('start', '--auto-snapshots', '101')
  t.match(invalid, { code: 2, errors: /--auto-snapshots 101: must be an integer from 0 to 100;/ })
})

t.test('--help explains every flag', async (t) => {
  const { code, output } = await inProcess('start', '--help')
  t.equal(code, 0)
  for (const flag of ['--port', '--host', '--data', '--scenario', '--seed', '--now', '--ready-json', '--admin-token'])
    t.match(output, flag)
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { program, type RunningServer, runWith } from '../support/bundle.ts'
import { inProcess } from '../support/commands.ts'

const folder = mkdtempSync(join(tmpdir(), 'mercadito-secrets-'))
t.teardown(() => rmSync(folder, { recursive: true }))

const readyFile = join(folder, 'ready.json')
const tokenFile = join(folder, 'token')
writeFileSync(tokenFile, 'a-long-token\n')

t.test('--ready-file keeps tokens out of standard output; that of --viewer-token-file reads', async (t) => {
  writeFileSync(readyFile, 'left by a killed server', { mode: 0o644 })
  const flags = ['--port', '0', '--log', 'json', '--ready-file', readyFile, '--admin-token-file', tokenFile]
  const viewerFile = join(folder, 'viewer')
  writeFileSync(viewerFile, 'a-viewer-token\n')
  const env = { ...process.env, MERCADITO_VIEWER_TOKEN_FILE: viewerFile }
  const child = spawn(process.execPath, [program, ...flags], { stdio: ['ignore', 'pipe', 'pipe'], env })
  t.teardown(() => child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  await once(child.stdout, 'data')
  const text = readFileSync(readyFile, 'utf8')
  const { url, world, sellers, application } = JSON.parse(text) as RunningServer
  t.equal(text, `${JSON.stringify(JSON.parse(text))}\n`)
  t.strictSame(world, { id: 1, mode: 'temporary', data: null })
  if (process.platform !== 'win32') t.equal(statSync(readyFile).mode & 0o777, 0o600)
  t.notOk(existsSync(`${readyFile}.new`))
  t.equal(
    output.split('\n').find((line) => !line.startsWith('{')),
    `mercadito listens on ${url}`,
  )
  const secrets = [sellers[0]!.token, application.secret, 'a-long-token', 'a-viewer-token']
  for (const secret of secrets) t.notMatch(output, secret)
  t.notMatch(text, 'a-viewer-token')

  t.match(await inProcess('clock', '--url', url), { code: 1, errors: /needs its admin token/ })
  t.match(await inProcess('clock', '--url', url, '--admin-token-file', tokenFile), { code: 0, output: /world time/ })
  process.env.MERCADITO_ADMIN_TOKEN = 'wrong'
  t.match(
    await inProcess('clock', '--url', url, '--admin-token-file', tokenFile),
    { code: 0, output: /world time/ },
    'a flag takes precedence over the variable that it excludes',
  )
  delete process.env.MERCADITO_ADMIN_TOKEN
  const nested = ['--url', url, '--scenario', 'empty', '--', process.execPath, program, 'clock']
  t.match(await runWith({ MERCADITO_ADMIN_TOKEN_FILE: tokenFile }, 'exec', ...nested), {
    code: 0,
    output: /world time/,
  })

  const asViewer = (...words: string[]) => inProcess(...words, '--url', url, '--admin-token-file', viewerFile)
  t.match(await asViewer('clock'), { code: 0, output: /world time/ })
  t.match(await asViewer('world', 'show'), { code: 0, output: /secret \*\*\*/ })
  t.strictSame(await asViewer('reset'), {
    code: 1,
    output: '',
    errors: 'mercadito: Authorization: the viewer token may only read; this call needs the admin token\n',
  })

  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  t.strictSame(await exited, [0, null])
  t.notOk(existsSync(readyFile), 'removed at the end')
})

t.test('reports files that cannot be used', async (t) => {
  mkdirSync(join(folder, 'in the way'))
  const inTheWay = join(folder, 'in the way')
  const missing = join(folder, 'missing', 'ready.json')
  const invalid = join(folder, 'invalid')
  writeFileSync(invalid, 'two words\n')
  for (const [flags, code, errors] of [
    [['--ready-file', missing], 1, `cannot write ${missing} (ENOENT); choose another file with --ready-file`],
    [['--ready-file', inTheWay], 1, `cannot write ${inTheWay} (ERR_FS_EISDIR); choose another file with --ready-file`],
    [
      ['--admin-token-file', missing],
      2,
      `--admin-token-file: cannot read ${missing} (ENOENT); write the token to it, or name another file`,
    ],
    [
      ['--admin-token-file', invalid],
      2,
      `--admin-token-file: ${invalid} must contain 1 to 200 visible ASCII characters without spaces; write only the token to it`,
    ],
    [
      ['--admin-token-file', tokenFile, '--admin-token', 'x'],
      2,
      '--admin-token-file cannot be used with --admin-token; leave out one of them',
    ],
    [
      ['--ready-file', readyFile, '--ready-json'],
      2,
      '--ready-file cannot be used with --ready-json; leave out one of them',
    ],
  ] as const)
    t.strictSame(await inProcess('start', '--port', '0', ...flags), {
      code,
      output: '',
      errors: `mercadito: ${errors}\n`,
    })
})

t.test('a start removes the ready file that a killed server left, also if it fails', async (t) => {
  const stale = join(folder, 'stale.json')
  writeFileSync(stale, '{}')
  const { code } = await inProcess('start', '--port', '0', '--ready-file', stale, '--data', tokenFile)
  t.not(code, 0)
  t.notOk(existsSync(stale))
})

t.test('rejects a viewer token that cannot be used', async (t) => {
  const missing = join(folder, 'missing')
  const invalid = join(folder, 'invalid')
  const needs =
    '--viewer-token-file needs an admin token: set one with --admin-token, --admin-token-file or MERCADITO_ADMIN_TOKEN'
  for (const [flags, errors] of [
    [['--viewer-token-file', tokenFile], needs],
    [
      ['--viewer-token-file', missing, '--admin-token', 'x'],
      `--viewer-token-file: cannot read ${missing} (ENOENT); write the token to it, or name another file`,
    ],
    [
      ['--viewer-token-file', invalid, '--admin-token', 'x'],
      `--viewer-token-file: ${invalid} must contain 1 to 200 visible ASCII characters without spaces; write only the token to it`,
    ],
    [
      ['--viewer-token-file', tokenFile, '--admin-token-file', tokenFile],
      `--viewer-token-file: ${tokenFile} must not contain the admin token`,
    ],
  ] as const)
    t.strictSame(await inProcess('start', '--port', '0', ...flags), {
      code: 2,
      output: '',
      errors: `mercadito: ${errors}\n`,
    })
})

t.test('config says where the admin token comes from, and not what it is', async (t) => {
  const { output } = await inProcess('status', 'settings', '--explain', '--json', '--admin-token-file', tokenFile)
  const settings = JSON.parse(output) as { setting: string; value: unknown; from: string }[]
  t.match(
    settings.find(({ setting }) => setting === 'admin-token'),
    { value: '(set)', from: 'file' },
  )
  t.notMatch(output, 'a-long-token')
})

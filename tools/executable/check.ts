import assert from 'node:assert/strict'
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import about from '../../package.json' with { type: 'json' }
import { checkMcp } from '../check_mcp.ts'
import { run } from '../run.ts'
import { nodePackage, type Platform } from './platforms.ts'
import { fetchText, type Invocation, runToEnd, start, startServer } from './processes.ts'

/** Runs this machine's executable in an empty environment. Throws an Error if a check fails. */
export async function check(platform: Platform, file: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'mercadito-check-'))
  try {
    const bare: Invocation = { command: [file], cwd: emptyFolder(folder, 'bare'), env: {} }
    checkVersion(platform, bare)
    checkHelp(bare)
    await checkMcp(file, bare)
    checkLibrary(folder, bare)
    print('from an empty folder with an empty environment: the commands, mcp with a server of its own')
    await checkInChroot(folder, file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export const print = (text: string) => process.stdout.write(`${text}\n`)

function emptyFolder(folder: string, name: string): string {
  mkdirSync(join(folder, name))
  return join(folder, name)
}

function checkVersion(platform: Platform, invocation: Invocation): void {
  const { code, output, errors } = runToEnd(invocation, '--version')
  const expected = `mercadito ${about.version} (Node ${nodePackage(platform).version}, SQLite 3.`
  assert.deepEqual([code, output.slice(0, expected.length), errors], [0, expected, ''])
}

/**
 * Shell completion lists every command, so all of them are in the file, and one has its help. That each has its own is
 * tested without an executable: a start of it for each of them takes 20 s.
 */
function checkHelp(invocation: Invocation): void {
  const { output } = runToEnd(invocation, 'status', 'completion', 'bash')
  assert.ok((output.match(/^ {4}'[a-z -]*'\)/gm) ?? []).length > 50, 'the completion knows the commands')
  const { code, output: help, errors } = runToEnd(invocation, 'clock', 'advance', '--help')
  assert.deepEqual([code, errors], [0, ''])
  assert.ok(help.startsWith('Usage: mercadito clock advance '), help)
}

/** A server, the commands that call it, and its stop. `self`: path of the executable where the server runs. */
async function checkServer(invocation: Invocation, self: string): Promise<void> {
  const kept = ['--data', 'market', '--now', '2026-03-02T12:00:00Z']
  const server = await startServer(invocation, ...kept)
  const { url, sellers } = server
  const bearer = { authorization: `Bearer ${sellers[0]!.token}` }
  assert.match(await fetchText(`${url}/users/me`, { headers: bearer }), /VENDEDOR_MLA/)
  for (const path of [
    '/docs',
    '/docs/page.js',
    '/docs/swagger-ui.js',
    '/docs/swagger-ui.css',
    '/openapi.json',
    '/_sandbox/openapi.json',
    '/_sandbox/console/',
    '/_sandbox/console/console.app.js',
  ])
    assert.ok((await fetchText(url + path)).length > 100, path)
  const query = `{ configuration(user_id: ${sellers[0]!.id}, service_id: 736230) { delivery_window } }`
  const flex = `${url}/shipping/flex/sites/MLA/configuration/v3`
  const sent = {
    method: 'POST',
    headers: { ...bearer, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  }
  assert.match(await fetchText(flex, sent), /delivery_window/)

  const client = { ...invocation, env: { ...invocation.env, MERCADITO_URL: url } }
  const done = (...args: string[]) => {
    const { code, output, errors } = runToEnd(client, ...args)
    assert.deepEqual([code, errors], [0, ''], args.join(' '))
    return output
  }
  assert.equal(done('status', 'wait', '--timeout', '5s'), `${url} answers\n`)
  const question = JSON.parse(done('ask', 'MLA1400000001', '¿Tienen stock?', '--json'))
  assert.match(done('world', 'create', '--scenario', 'empty', '--seed', '7', '--json'), /"url"/)
  done('world', 'export', 'world.json')
  done('world', 'load', 'world.json', '--url', `${url}/w/2`)

  const listener = start(client, 'webhooks', 'listen', '--json')
  await listener.waitForLine(/Ctrl-C/)
  done('question', 'answer', String(question.id), 'Sí, hay.')
  await listener.waitForLine(/"topic":"questions"/)
  assert.equal(await listener.stop('SIGINT'), 0)

  // `exec` runs the executable itself as its program.
  const executed = runToEnd(invocation, 'exec', '--seed', '7', '--', self, 'token', '2500000101', '--json')
  assert.deepEqual([executed.code, executed.errors], [0, ''])
  assert.match(executed.output, /APP_USR-/)
  assert.equal(runToEnd(invocation, 'exec', '--scenario', 'empty', '--', '/nowhere').code, 127)

  assert.equal(await server.stop(), 0)
  assert.deepEqual(server.lines.length, 1, 'only the line of a server that is ready')
  const again = await startServer(invocation, ...kept)
  const headers = { authorization: `Bearer ${again.sellers[0]!.token}` }
  assert.match(await fetchText(`${again.url}/questions/${question.id}`, { headers }), /Sí, hay/)
  assert.equal(await again.stop('SIGINT'), 0)
}

/** The library that it extracts: an untrusted folder is not used, a changed file is replaced. */
function checkLibrary(folder: string, invocation: Invocation): void {
  const home = emptyFolder(folder, 'home')
  const versionIn = (env: Record<string, string>) =>
    runToEnd({ ...invocation, env: { ...invocation.env, ...env } }, '--version')
  const good = versionIn({ HOME: home })
  assert.equal(good.code, 0)
  const cache = join(home, '.cache/mercadito')
  assert.equal(statSync(cache).mode & 0o777, 0o700)
  const [name] = readdirSync(cache) as [string]
  const path = join(cache, name)
  assert.equal(statSync(path).mode & 0o777, 0o500)
  const bytes = readFileSync(path)

  const changes: [how: string, change: () => void][] = [
    ['truncated', () => writeFileSync(path, bytes.subarray(0, 1000))],
    ['altered', () => writeFileSync(path, Buffer.alloc(bytes.length))],
    [
      'a link',
      () => {
        rmSync(path)
        symlinkSync('/bin/true', path)
      },
    ],
    ['writable by others', () => chmodSync(path, 0o777)],
  ]
  for (const [how, change] of changes) {
    chmodSync(path, 0o700)
    change()
    assert.deepEqual(versionIn({ HOME: home }), good, how)
    assert.ok(readFileSync(path).equals(bytes), how)
    assert.equal(lstatSync(path).mode & 0o777, 0o500, how)
    assert.deepEqual(readdirSync(cache), [name], how)
  }

  chmodSync(cache, 0o777)
  writeFileSync(path, 'written by another user')
  const temporary = emptyFolder(folder, 'temporary')
  assert.deepEqual(versionIn({ HOME: home, TMPDIR: temporary }), good, 'a folder that others may write to')
  assert.equal(readFileSync(path, 'utf8'), 'written by another user')
  assert.equal(readdirSync(temporary).length, 1)

  assert.deepEqual(versionIn({ XDG_CACHE_HOME: '/proc', HOME: '/proc/1' }), good, 'where no folder can be made')
  const nowhere = versionIn({ XDG_CACHE_HOME: '/dev/null', HOME: '/dev/null', TMPDIR: '/dev/null' })
  assert.equal(nowhere.code, 1)
  assert.match(
    nowhere.errors,
    /^mercadito: the library of the database cannot be loaded from any of these folders: .* XDG_CACHE_HOME\n$/,
  )
}

/** With only the file and the libraries that it is linked with: no shell, no /proc, no /dev, no /etc. */
async function checkInChroot(folder: string, file: string): Promise<void> {
  const root = emptyFolder(folder, 'root')
  const libraries = [...run('ldd', [file]).matchAll(/\/\S+/g)].map(([path]) => path)
  for (const path of libraries) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    copyFileSync(path, join(root, path))
  }
  copyFileSync(file, join(root, 'mercadito'))
  mkdirSync(join(root, 'tmp'), { mode: 0o1777 })
  const invocation: Invocation = {
    command: [...chrootCommand(root, { user: '0:0', env: {} }), '/mercadito'],
    cwd: '/',
    env: {},
  }
  await checkServer(invocation, '/mercadito')
  print(`in a chroot with only the file, ${libraries.length} libraries and /tmp: a server, exec, listen, data kept`)
}

/** The command that runs a program with `root` as its root folder. Throws an Error where that is not permitted. */
export function chrootCommand(root: string, { user, env }: { user: string; env: Record<string, string> }): string[] {
  const [id] = user.split(':') as [string]
  const command =
    process.getuid?.() === 0 ? ['chroot', `--userspec=${user}`, root] : ['unshare', '--map-user', id, '--root', root]
  const { code, errors } = runToEnd(
    { command, cwd: '/', env: { ...env, PATH: process.env.PATH! } },
    '/mercadito',
    '--version',
  )
  if (code !== 0) throw new Error(`NOT CHECKED: ${command.join(' ')} does not work here: ${errors}`)
  const [program, ...rest] = command
  return [run('sh', ['-c', `command -v ${program}`]).trim(), ...rest]
}

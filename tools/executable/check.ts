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
import { run } from './node.ts'
import { nodeOf, type Platform } from './platforms.ts'
import { begun, called, ended, served, type Way } from './running.ts'

/** Runs this machine's executable as somebody would who has nothing else; throws when it does not do as it should. */
export async function check(platform: Platform, file: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'mercadito-check-'))
  try {
    const bare: Way = { command: [file], cwd: emptyIn(folder, 'bare'), env: {} }
    version(platform, bare)
    helpOfAll(bare)
    await aServer(bare, file)
    keepsItsLibrary(folder, bare)
    said('from an empty folder with an empty environment: every command, a server, exec, listen, data kept')
    await inChroot(folder, file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export const said = (text: string) => process.stdout.write(`${text}\n`)

function emptyIn(folder: string, name: string): string {
  mkdirSync(join(folder, name))
  return join(folder, name)
}

function version(platform: Platform, way: Way): void {
  const { code, output, errors } = ended(way, '--version')
  const expected = `mercadito ${about.version} (Node ${nodeOf(platform).version}, SQLite 3.`
  assert.deepEqual([code, output.slice(0, expected.length), errors], [0, expected, ''])
}

/** Every command and its members, as the completion of a shell knows them. */
function helpOfAll(way: Way): void {
  const { output } = ended(way, 'completion', 'bash')
  const commands = [...output.matchAll(/^ {4}'([a-z -]*)'\)/gm)].map(([, words]) => words!.split(' ').filter(Boolean))
  assert.ok(commands.length > 50, 'the completion knows the commands')
  for (const words of commands) {
    const { code, output, errors } = ended(way, ...words, '--help')
    assert.deepEqual([code, errors], [0, ''], words.join(' '))
    assert.ok(output.startsWith(`Usage: mercadito${words.map((word) => ` ${word}`).join('')}`), words.join(' '))
  }
}

/**
 * A server answers, the commands reach it, and it ends as asked. `self`: the executable as the server's system sees it.
 */
async function aServer(way: Way, self: string): Promise<void> {
  const kept = ['--data', 'market', '--now', '2026-03-02T12:00:00Z']
  const server = await served(way, ...kept)
  const { url, sellers } = server
  const bearer = { authorization: `Bearer ${sellers[0]!.token}` }
  assert.match(await called(`${url}/users/me`, { headers: bearer }), /VENDEDOR_MLA/)
  for (const path of [
    '/docs',
    '/docs/swagger-ui.js',
    '/docs/swagger-ui.css',
    '/openapi.json',
    '/_sandbox/openapi.json',
  ])
    assert.ok((await called(url + path)).length > 100, path)
  const query = `{ configuration(user_id: ${sellers[0]!.id}, service_id: 736230) { delivery_window } }`
  const flex = `${url}/shipping/flex/sites/MLA/configuration/v3`
  const sent = {
    method: 'POST',
    headers: { ...bearer, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  }
  assert.match(await called(flex, sent), /delivery_window/)

  const client = { ...way, env: { ...way.env, MERCADITO_URL: url } }
  const done = (...args: string[]) => {
    const { code, output, errors } = ended(client, ...args)
    assert.deepEqual([code, errors], [0, ''], args.join(' '))
    return output
  }
  assert.equal(done('wait', '--timeout', '5s'), `${url} answers\n`)
  const asked = JSON.parse(done('ask', 'MLA1400000001', '¿Tienen stock?', '--json'))
  assert.match(done('world', 'create', '--scenario', 'empty', '--seed', '7', '--json'), /"url"/)
  assert.match(done('openapi', '--control'), /^\{/)
  done('export', 'world.json')
  done('load', 'world.json', '--url', `${url}/w/2`)

  const listener = begun(client, 'listen', '--json')
  await listener.said(/Ctrl-C/)
  done('answer', String(asked.id), 'Sí, hay.')
  await listener.said(/"topic":"questions"/)
  assert.equal(await listener.end('SIGINT'), 0)

  // The executable is a program too, and may be run by itself.
  const lent = ended(way, 'exec', '--seed', '7', '--', self, 'token', '2500000101', '--json')
  assert.deepEqual([lent.code, lent.errors], [0, ''])
  assert.match(lent.output, /APP_USR-/)
  assert.equal(ended(way, 'exec', '--scenario', 'empty', '--', '/nowhere').code, 127)

  assert.equal(await server.end(), 0)
  assert.deepEqual(server.lines.length, 1, 'nothing but the line of a server that is ready')
  const again = await served(way, ...kept)
  const headers = { authorization: `Bearer ${again.sellers[0]!.token}` }
  assert.match(await called(`${again.url}/questions/${asked.id}`, { headers }), /Sí, hay/)
  assert.equal(await again.end('SIGINT'), 0)
}

/**
 * The library that it writes to load it: a folder that cannot be trusted is passed by, a file that is not ours
 * replaced.
 */
function keepsItsLibrary(folder: string, way: Way): void {
  const home = emptyIn(folder, 'home')
  const within = (env: Record<string, string>) => ended({ ...way, env: { ...way.env, ...env } }, '--version')
  const good = within({ HOME: home })
  assert.equal(good.code, 0)
  const cache = join(home, '.cache/mercadito')
  assert.equal(statSync(cache).mode & 0o777, 0o700)
  const [name] = readdirSync(cache) as [string]
  const path = join(cache, name)
  assert.equal(statSync(path).mode & 0o777, 0o500)
  const bytes = readFileSync(path)

  const spoilt: [how: string, spoil: () => void][] = [
    ['cut', () => writeFileSync(path, bytes.subarray(0, 1000))],
    ['altered', () => writeFileSync(path, Buffer.alloc(bytes.length))],
    [
      'a link',
      () => {
        rmSync(path)
        symlinkSync('/bin/true', path)
      },
    ],
    ['writable for others', () => chmodSync(path, 0o777)],
  ]
  for (const [how, spoil] of spoilt) {
    chmodSync(path, 0o700)
    spoil()
    assert.deepEqual(within({ HOME: home }), good, how)
    assert.ok(readFileSync(path).equals(bytes), how)
    assert.equal(lstatSync(path).mode & 0o777, 0o500, how)
    assert.deepEqual(readdirSync(cache), [name], how)
  }

  chmodSync(cache, 0o777)
  writeFileSync(path, 'what somebody else wrote')
  const temporary = emptyIn(folder, 'temporary')
  assert.deepEqual(within({ HOME: home, TMPDIR: temporary }), good, 'a folder that others may write to')
  assert.equal(readFileSync(path, 'utf8'), 'what somebody else wrote')
  assert.equal(readdirSync(temporary).length, 1)

  assert.deepEqual(within({ XDG_CACHE_HOME: '/proc', HOME: '/proc/1' }), good, 'where no folder can be made')
  const nowhere = within({ XDG_CACHE_HOME: '/dev/null', HOME: '/dev/null', TMPDIR: '/dev/null' })
  assert.equal(nowhere.code, 1)
  assert.match(nowhere.errors, /^mercadito: the database's library must .* XDG_CACHE_HOME\n$/)
}

/** Nothing but the file and the libraries that it was linked with: no shell, no /proc, no /dev, no /etc. */
async function inChroot(folder: string, file: string): Promise<void> {
  const root = emptyIn(folder, 'root')
  const libraries = [...run('ldd', [file]).matchAll(/\/\S+/g)].map(([path]) => path)
  for (const path of libraries) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    copyFileSync(path, join(root, path))
  }
  copyFileSync(file, join(root, 'mercadito'))
  mkdirSync(join(root, 'tmp'), { mode: 0o1777 })
  const way: Way = { command: [...chrooting(root, { user: '0:0', env: {} }), '/mercadito'], cwd: '/', env: {} }
  await aServer(way, '/mercadito')
  said(
    `in a chroot with nothing but the file, ${libraries.length} libraries and /tmp: a server, exec, listen, data kept`,
  )
}

/**
 * What runs a program with this folder as its root. Throws where that is not permitted: nothing is left out in silence.
 */
export function chrooting(root: string, { user, env }: { user: string; env: Record<string, string> }): string[] {
  const [id] = user.split(':') as [string]
  const command =
    process.getuid?.() === 0 ? ['chroot', `--userspec=${user}`, root] : ['unshare', '--map-user', id, '--root', root]
  const { code, errors } = ended(
    { command, cwd: '/', env: { ...env, PATH: process.env.PATH! } },
    '/mercadito',
    '--version',
  )
  if (code !== 0) throw new Error(`NOT CHECKED: ${command.join(' ')} does not work here: ${errors}`)
  const [program, ...rest] = command
  return [run('sh', ['-c', `command -v ${program}`]).trim(), ...rest]
}

import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import t, { type Test } from 'tap'
import { inProcess, startCommandServer } from '../support/commands.ts'
import { until } from '../support/until.ts'

const app = await startCommandServer(t, { scenario: 'empty', adminToken: 'llave', viewerToken: 'mirada' })
const { url, run } = app
const address = `${url}/_sandbox/console/`

const ok = (output: string) => ({ code: 0, output, errors: '' })
const failed = (code: number, line: string) => ({ code, output: '', errors: `mercadito: ${line}\n` })

/** Sets variables of the environment until the test ends. */
function setEnvironment(t: Test, variables: Record<string, string | undefined>): void {
  const before = { ...process.env }
  for (const [name, value] of Object.entries(variables))
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  t.teardown(() => {
    for (const name of Object.keys(variables))
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
  })
}

/** A program in place of those that open a browser. Returns the file to which it writes its arguments. */
function fakeBrowser(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'mercadito-console-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'arguments')
  for (const name of ['xdg-open', 'open']) {
    writeFileSync(join(folder, name), `#!/bin/sh\nprintf '%s|' "$@" > '${file}.new' && mv '${file}.new' '${file}'\n`)
    chmodSync(join(folder, name), 0o755)
  }
  setEnvironment(t, { DISPLAY: ':0', PATH: `${folder}${delimiter}${process.env.PATH}` })
  return file
}

t.test('--print prints the address, and only that', async (t) => {
  t.strictSame(await run('console --print'), ok(`${address}\n`))
  t.strictSame(JSON.parse((await run('console --print --json')).output), { url: address, opened: false })
  const { body } = await app.call({
    method: 'POST',
    url: '/_sandbox/worlds',
    headers: { authorization: 'Bearer llave' },
    payload: '{"scenario":"empty"}',
  })
  const world = `${url}/w/${body.world.id}`
  t.strictSame(await inProcess('console', '--print', '--url', `${world}/`), ok(`${world}/_sandbox/console/\n`))
})

t.test('opens the address in a browser, without tokens', { skip: process.platform === 'win32' }, async (t) => {
  const file = fakeBrowser(t)
  t.strictSame(await run('console --admin-token llave'), ok(`opened ${address}\n`))
  t.equal(await until('the browser', () => existsSync(file) && readFileSync(file, 'utf8')), `${address}|`)
})

t.test('prints the address where no browser can be started', { skip: process.platform !== 'linux' }, async (t) => {
  const output = `no browser could be started; open ${address}\n`
  setEnvironment(t, { DISPLAY: undefined, WAYLAND_DISPLAY: undefined })
  t.strictSame(await run('console'), ok(output), 'no display')
  setEnvironment(t, { DISPLAY: ':0', PATH: join(tmpdir(), 'no-such-folder') })
  t.strictSame(await run('console'), ok(output), 'no program')
})

t.test('needs a server with this world', async (t) => {
  t.strictSame(await run('console --print --admin-token mirada'), ok(`${address}\n`), 'viewers too')
  t.strictSame(
    await inProcess('console', '--print', '--url', `${url}/w/99`, '--admin-token', 'llave'),
    failed(1, 'the server has no world 99; `mercadito world list` shows its worlds'),
  )
  const nowhere = 'http://127.0.0.1:9'
  t.match(await inProcess('console', '--url', nowhere), { code: 1, errors: /no server answers at http:\/\/127/ })
})

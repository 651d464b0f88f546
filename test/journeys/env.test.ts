import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import t from 'tap'
import { startCommandServer } from '../support/commands.ts'

const app = await startCommandServer(t)
const { url, run, runJson, sellers, buyers, application } = app
const [seller, buyer] = [sellers[0]!, buyers[0]!]
const folder = mkdtempSync(join(tmpdir(), 'mercadito-env-'))
t.teardown(() => rmSync(folder, { recursive: true }))
const file = (name: string) => join(folder, name)

const VARIABLES = {
  MERCADITO_URL: url,
  MERCADITO_TOKEN: seller.token,
  MERCADITO_SELLER_ID: String(seller.id),
  MERCADITO_BUYER_TOKEN: buyer.token,
  MERCADITO_BUYER_ID: String(buyer.id),
  MERCADITO_CLIENT_ID: String(application.id),
  MERCADITO_CLIENT_SECRET: application.secret,
  MERCADITO_REDIRECT_URI: 'http://localhost:3000/callback',
}
/** Admin tokens with characters that formats quote. */
const HOSTILE = ["it's", 'a$HOME"b`id`', 'a#b=c;d&e|f<g>h(i)*?~!', 'C:\\x']
const failed = (code: number, line: string) => ({ code, output: '', errors: `mercadito: ${line}\n` })

/** The environment that a program gets from a shell after these commands. */
function readWithShell(commands: string): Record<string, string> {
  const script = `eval "$1"; exec "$2" -p 'JSON.stringify(process.env)'`
  const env = { MERCADITO_TOKEN: 'of another world', MERCADITO_ADMIN_TOKEN_FILE: 'token' }
  return printedVariables('sh', ['-euc', script, 'sh', commands, process.execPath], env)
}

/** The environment that Node gets from a dotenv file. */
const readWithNode = (path: string): Record<string, string> =>
  printedVariables(process.execPath, [`--env-file=${path}`, '-p', 'JSON.stringify(process.env)'], {})

function printedVariables(command: string, args: string[], env: NodeJS.ProcessEnv): Record<string, string> {
  const { stdout, stderr } = spawnSync(command, args, { env, encoding: 'utf8' })
  if (stderr !== '') throw new Error(stderr)
  const all: [string, string][] = Object.entries(JSON.parse(stdout))
  return Object.fromEntries(all.filter(([name]) => name.startsWith('MERCADITO_')))
}

t.test('prints the variables of exec as dotenv lines without quotes', async (t) => {
  const lines = Object.entries(VARIABLES).map(([name, value]) => `${name}=${value}\n`)
  t.strictSame(await run('world env'), { code: 0, output: lines.join(''), errors: '' })
  t.strictSame(await runJson('world env'), VARIABLES)
})

t.test('reads another world, and renames the variables', async (t) => {
  const created = await runJson('world create --scenario empty')
  const { output } = await run('world env 2 --prefix ML_')
  const [{ id, token }] = created.sellers
  t.match(parseEnv(output), { ML_URL: `${url}/w/2`, ML_TOKEN: token, ML_SELLER_ID: String(id) })
  t.notMatch(output, 'MERCADITO_')
  t.strictSame(await run('world env 7'), failed(1, 'World 7 not found'))
  t.match(await run('world env --prefix 2X'), { code: 2, errors: /--prefix.* must be letters, digits and _/ })
})

t.test('dotenv and shell texts have the same values in Node and in sh', async (t) => {
  for (const [n, token] of HOSTILE.entries()) {
    const expected = { ...VARIABLES, MERCADITO_ADMIN_TOKEN: token }
    const { output } = await run('world env --format shell --admin-token', token)
    t.strictSame(readWithShell(output), expected, `sh: ${token}`)
    const path = file(`${n}.env`)
    t.match(await run('world env --admin-token', token, '--output', path), { code: 0, errors: '' })
    t.strictSame(readWithNode(path), expected, `Node: ${token}`)
  }
  for (const token of [`'"`, `'$x`, `a\\\\b`, `a'\\`])
    t.strictSame(
      await run('world env --admin-token', token),
      failed(1, 'MERCADITO_ADMIN_TOKEN has characters that a dotenv file cannot contain; use --format shell or json'),
      token,
    )
})

t.test('PowerShell text doubles quotes', async (t) => {
  const { output } = await run('world env --format powershell --admin-token', "it's")
  t.match(output, `$env:MERCADITO_URL = '${url}'\n`)
  t.match(output, `$env:MERCADITO_ADMIN_TOKEN = 'it''s'\n$env:MERCADITO_ADMIN_TOKEN_FILE = $null\n`)
})

t.test('environments of HTTP clients have short names, and the latest 30 days', async (t) => {
  const short = Object.entries(VARIABLES).map(([name, value]) => [name.slice('MERCADITO_'.length).toLowerCase(), value])
  const values = { ...Object.fromEntries(short), date_from: '2026-02-05T15:00:00', date_to: '2026-03-07T15:00:00' }
  t.strictSame(JSON.parse((await run('world env --format http-client')).output), { mercadito: values })
  const postman = JSON.parse((await run('world env --format postman')).output)
  const secret = ['token', 'buyer_token', 'client_secret']
  t.strictSame(postman, {
    name: 'mercadito',
    values: Object.entries(values).map(([key, value]) => ({
      ...{ key, value, type: secret.includes(key) ? 'secret' : 'default' },
      enabled: true,
    })),
    _postman_variable_scope: 'environment',
  })
  t.strictSame(
    await run('world env --format postman --prefix X_'),
    failed(2, '--prefix cannot be used with --format postman; leave out one of them'),
  )
})

t.test('writes a file that only its owner can read, and replaces none without --force', async (t) => {
  const path = file('.env')
  const done = { code: 0, output: `wrote ${path} for ${url}; it has tokens\n`, errors: '' }
  t.strictSame(await run('world env --output', path), done)
  t.equal(statSync(path).mode & 0o777, 0o600)
  t.strictSame(readWithNode(path), VARIABLES)
  writeFileSync(path, 'MINE=1\n')
  t.strictSame(await run('world env --output', path), failed(2, `${path} exists; add --force to replace it`))
  t.equal(readFileSync(path, 'utf8'), 'MINE=1\n')
  t.strictSame(await run('world env --force --output', path), done)
  t.strictSame(readWithNode(path), VARIABLES)
  t.strictSame(await runJson('world env --force --output', path), { file: path, url })
  t.strictSame(JSON.parse(readFileSync(path, 'utf8')), VARIABLES)
  t.match(await run('world env --output', join(folder, 'no', '.env')), { code: 1, errors: /^mercadito: cannot write / })
})

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import t from 'tap'
import { createAuthority } from '../../intercept/authority.ts'
import { type CommandResult, program, runWith } from '../support/bundle.ts'
import { inProcess, startCommandServer } from '../support/commands.ts'

// A path with blanks, as a temporary folder may have.
const folder = mkdtempSync(join(tmpdir(), 'mercadito intercept '))
t.teardown(() => rmSync(folder, { recursive: true }))
const PATH = process.env.PATH

const file = join(folder, 'script.mjs')
const printed = join(folder, 'printed')
const argumentsOf = (...flags: string[]) => [
  ...['exec', '--scenario', 'empty', '--intercept', ...flags, '--', process.execPath, file],
]
const ENVIRONMENT = { TMPDIR: folder, NODE_OPTIONS: '' }

/** Runs a script of Node with `exec --intercept` in this process; what it prints comes first in the output. */
async function intercept(script: string, flags: string[] = [], env: NodeJS.ProcessEnv = {}): Promise<CommandResult> {
  const print = `console.log = (...all) => appendFileSync(${JSON.stringify(printed)}, all.join(' ') + '\\n')`
  writeFileSync(file, `import { appendFileSync } from 'node:fs'\n${print}\n${script}`)
  writeFileSync(printed, '')
  const before = { ...process.env }
  Object.assign(process.env, ENVIRONMENT, env)
  const { output, ...rest } = await inProcess(...argumentsOf(...flags))
  for (const name of Object.keys({ ...ENVIRONMENT, ...env })) delete process.env[name]
  Object.assign(process.env, before)
  return { ...rest, output: readFileSync(printed, 'utf8') + output }
}

t.test('a program with the real address in its code reaches the world of the run', async (t) => {
  const script = `
    import { get } from 'node:http'
    import { Worker } from 'node:worker_threads'
    const headers = { authorization: 'Bearer ' + process.env.MERCADITO_TOKEN }
    const answer = await fetch('https://api.mercadolibre.com/users/me', { headers })
    console.log(answer.status, (await answer.json()).id === Number(process.env.MERCADITO_SELLER_ID))
    const refused = await fetch('https://example.com/')
    console.log(refused.status, (await refused.json()).message)
    const loopback = await fetch(process.env.MERCADITO_URL + '/currencies/ARS')
    console.log(loopback.status)
    get('http://api.mercadolibre.com/currencies/BRL', (answer) => answer.on('data', (text) => {
      console.log(String(text))
      new Worker("fetch('https://auth.mercadolibre.cl/authorization').then(({ status }) => console.log('worker', status))", { eval: true })
    }))`
  writeFileSync(file, script)
  const { code, output, errors } = await runWith(ENVIRONMENT, ...argumentsOf())
  t.strictSame(output.split('\n'), [
    '200 true',
    '403 mercadito exec --intercept refuses calls to example.com; allow them with --allow example.com',
    '200',
    '{"id":"BRL","description":"Real","symbol":"R$","decimal_places":2}',
    'worker 400',
    '',
  ])
  t.equal(
    errors,
    'mercadito: 3 calls to the marketplace reached the sandbox\nmercadito: 1 call to example.com refused; allow them with --allow example.com\n',
  )
  t.equal(code, 0)
})

t.test('says nothing at the end if there is nothing to say, and as JSON what happened', async (t) => {
  t.strictSame(await intercept('process.exitCode = 7'), { code: 7, output: '', errors: '' })
  const script = `for (const host of ['a', 'a', 'b']) await fetch('http://' + host + '.example.com').catch(() => {})`
  const { code, output, errors } = await intercept(script, ['--json'])
  t.match(JSON.parse(output), {
    exit_code: 0,
    intercepted: {
      calls: 0,
      refused: [
        { host: 'a.example.com', reason: 'host', calls: 2 },
        { host: 'b.example.com', reason: 'host', calls: 1 },
      ],
    },
  })
  t.match(
    errors,
    /^mercadito: 2 calls to a\.example\.com refused; .*\nmercadito: 1 call to b\.example\.com refused; .*\n$/,
  )
  t.equal(code, 0)
})

t.test('says at the end that a program does not trust the certificate, and what to do', async (t) => {
  const script = `import { get } from 'node:https'
    import { rootCertificates } from 'node:tls'
    const call = () => new Promise((resolve) => get('https://api.mercadolibre.com/sites', { ca: rootCertificates }).on('error', resolve))
    console.log((await call()).code, (await call()).code)`
  t.strictSame(await intercept(script), {
    code: 0,
    output: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE UNABLE_TO_VERIFY_LEAF_SIGNATURE\n',
    errors:
      'mercadito: 2 calls to api.mercadolibre.com failed: the program does not trust the certificate of this run. It needs the file that exec names in SSL_CERT_FILE (OpenSSL, Go), NODE_EXTRA_CA_CERTS (Node), REQUESTS_CA_BUNDLE (Python), CURL_CA_BUNDLE (curl), openssl.cafile (PHP), javax.net.ssl.trustStore (Java); see docs/guides/intercept.md\n',
  })
})

t.test('no private key is in a file, and the files exist during the run only', async (t) => {
  const script = `
    import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
    import { dirname, join } from 'node:path'
    const folder = dirname(process.env.SSL_CERT_FILE)
    const files = readdirSync(folder, { recursive: true }).map((name) => join(folder, name)).filter((file) => statSync(file).isFile())
    const open = readdirSync('/proc/' + process.ppid + '/fd').map((fd) => {
      try { return readlinkSync('/proc/' + process.ppid + '/fd/' + fd) } catch { return '' }
    }).filter((file) => file[0] === '/' && statSync(file, { throwIfNoEntry: false })?.isFile())
    const withKeys = [...files, ...open].filter((file) => readFileSync(file, 'latin1').includes('PRIVATE KEY'))
    console.log(JSON.stringify({ folder, mode: statSync(folder).mode & 0o777, files: files.length, open: open.length, withKeys }))`
  const { output } = await intercept(script)
  const { folder, ...found } = JSON.parse(output)
  t.match(found, { mode: 0o700, withKeys: [] })
  t.ok(found.files >= 5 && found.open >= 1, 'files were searched')
  t.notOk(existsSync(folder), 'removed at the end')

  const file = join(dirname(folder), 'waits.mjs')
  writeFileSync(file, 'console.log(process.env.SSL_CERT_FILE); setInterval(() => {}, 1000)')
  const child = spawn(process.execPath, [program, 'exec', '--intercept', '--', process.execPath, file], {
    env: { ...process.env, TMPDIR: folder.replace(/\/mercadito-worlds.*/, '') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const [line] = await once(child.stdout, 'data')
  t.ok(existsSync(String(line).trim()))
  child.kill('SIGTERM')
  t.strictSame(await exited, [143, null])
  t.notOk(existsSync(String(line).trim()), 'removed after a signal')
})

t.test('the environment has a proxy and certificates, and keeps the options of programs', async (t) => {
  const inherited = {
    NODE_OPTIONS: '--no-warnings',
    JAVA_TOOL_OPTIONS: '-Xmx64m',
    PHP_INI_SCAN_DIR: '/etc/php',
    no_proxy: '*',
    HTTPS_PROXY: 'http://proxy.example.com',
  }
  const { output } = await intercept('console.log(JSON.stringify(process.env))', [], inherited)
  const env = JSON.parse(output)
  const port = new URL(env.HTTPS_PROXY).port
  const own = dirname(env.SSL_CERT_FILE)
  for (const [name, value] of Object.entries({
    HTTP_PROXY: `http://127.0.0.1:${port}`,
    HTTPS_PROXY: `http://127.0.0.1:${port}`,
    NO_PROXY: 'localhost,127.0.0.1,::1',
  }))
    t.strictSame([env[name], env[name.toLowerCase()]], [value, value], name)
  for (const name of ['SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'NODE_EXTRA_CA_CERTS'])
    t.equal(env[name], join(own, 'ca.pem'), name)
  // Tap quotes them, and adds one of its own.
  t.match(env.NODE_OPTIONS, /^"?--no-warnings"? .*"?--require"? "/)
  t.ok(env.NODE_OPTIONS.includes(` "${own}/preload.cjs"`))
  t.equal(env.PHP_INI_SCAN_DIR, `/etc/php:${own}/php`)
  t.match(env.JAVA_TOOL_OPTIONS, `-Xmx64m "-Dhttp.proxyHost=127.0.0.1" "-Dhttp.proxyPort=${port}" `)
  t.match(env.JAVA_TOOL_OPTIONS, `"-Djavax.net.ssl.trustStore=${own}/ca.jks"`)
})

t.test('certificates that a program was given before stay trusted', async (t) => {
  const own = join(folder, 'own.pem')
  const pem = (await createAuthority({ isStored: false })).certificate.toString('pem')
  writeFileSync(own, pem)
  const script = `import { readFileSync } from 'node:fs'
    console.log(readFileSync(process.env.SSL_CERT_FILE, 'utf8').split('BEGIN CERTIFICATE').length - 1)`
  const count = async (env: NodeJS.ProcessEnv) => Number((await intercept(script, [], env)).output)
  const roots = await count({})
  t.ok(roots > 50, 'with those of the system')
  t.equal(await count({ REQUESTS_CA_BUNDLE: own }), roots + 1)
  t.equal(await count({ REQUESTS_CA_BUNDLE: join(folder, 'none.pem') }), roots)
})

t.test('--allow lets calls to a host pass', async (t) => {
  const site = createServer((_request, response) => response.end('allowed')).listen(0, '127.0.0.1')
  t.teardown(() => site.close())
  await once(site, 'listening')
  const { port } = site.address() as AddressInfo
  // The proxy is asked for loopback only by a program that ignores NO_PROXY.
  const script = `import { request } from 'node:http'
    const { port } = new URL(process.env.HTTP_PROXY)
    request({ port, host: '127.0.0.1', path: 'http://127.0.0.1:${port}/' }, (answer) => answer.on('data', (text) => console.log(String(text)))).end()`
  t.strictSame(await intercept(script, ['--allow', 'a.example.com,127.0.0.1']), {
    code: 0,
    output: 'allowed\n',
    errors: '',
  })
  t.match(await intercept(script), { output: /"mercadito exec --intercept refuses calls to 127\.0\.0\.1/ })
})

t.test('with --url the calls reach the new world of that server', async (t) => {
  const server = await startCommandServer(t, { scenario: 'empty' })
  const script = `
    const answer = await fetch('https://api.mercadolibre.com/currencies/ARS')
    const { results } = await (await fetch(process.env.MERCADITO_URL + '/_sandbox/requests')).json()
    console.log(answer.status, results.map(({ path }) => path).join())`
  t.strictSame(await intercept(script, ['--url', server.url]), {
    code: 0,
    output: '200 /currencies/ARS\n',
    errors: 'mercadito: 1 call to the marketplace reached the sandbox\n',
  })
})

const java = spawnSync('keytool', ['-help']).error ? { skip: 'needs keytool' } : {}
t.test('the trust store is one that Java reads', java, async (t) => {
  const script = `import { spawnSync } from 'node:child_process'
    const store = process.env.SSL_CERT_FILE.replace('.pem', '.jks')
    const { stdout } = spawnSync('keytool', ['-list', '-keystore', store, '-storepass', 'changeit'], { encoding: 'utf8', env: { PATH: process.env.PATH } })
    console.log(stdout.match(/trustedCertEntry/g).length > 50, /integrity|not been verified/i.test(stdout))`
  t.match(await intercept(script, [], { PATH }), { output: 'true false\n' })
})

t.test('rejects hosts that cannot be allowed, before it creates a world', async (t) => {
  const rows: [flags: string[], message: string][] = [
    [['--allow', 'example.com'], '--allow needs --intercept'],
    ...['https://example.com', 'example.com:443', '*', '*.', 'a b', ''].map((host): [string[], string] => [
      ['--intercept', `--allow=${host}`],
      '--allow: must be a host without a port, such as example.com or *.example.com',
    ]),
    [['--intercept', '--allow', 'api.mercadolibre.com'], '--allow: api.mercadolibre.com is answered by the sandbox'],
  ]
  for (const [flags, message] of rows)
    t.strictSame(
      await inProcess('exec', ...flags, '--', 'true'),
      { code: 2, output: '', errors: `mercadito: ${message}\n` },
      flags.join(' '),
    )
})

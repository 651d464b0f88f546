import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer, get, type IncomingMessage, type Server } from 'node:http'
import { request as overHttps } from 'node:https'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import t, { type Test } from 'tap'
import { type Flags, listen } from '../../bin/serve.ts'
import { launch, program, type RunningServer, runWith } from '../support/bundle.ts'
import { inProcess } from '../support/commands.ts'
import { until } from '../support/until.ts'

const folder = mkdtempSync(join(tmpdir(), 'mercadito-journey-'))
t.teardown(() => rmSync(folder, { recursive: true }))

/** Flags of a server in this process. */
const HERE: Flags = { port: 0, host: '127.0.0.1', scenario: 'empty', seed: 1, isGiven: () => false }

const openSocket = async ({ url }: RunningServer, text = ''): Promise<Socket> => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  if (text !== '') socket.write(text)
  return socket
}

const isListening = (server: RunningServer) =>
  openSocket(server).then(
    (socket) => Boolean(socket.destroy()),
    () => false,
  )

const control = (server: RunningServer, call: string, body: object = {}) => {
  const [method, path] = call.split(' ') as [string, string]
  return fetch(`${server.url}/_sandbox${path}`, {
    method,
    ...(method !== 'GET' && { body: JSON.stringify(body) }),
  })
}

/** A receiver of notifications; `came` resolves to the response object of the next one. */
async function receiver(t: Test) {
  const server: Server = createServer((request, response) => {
    request.resume()
    server.emit('came', response)
  }).listen(0, '127.0.0.1')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}/hook`, nextNotification: () => once(server, 'came') }
}

t.test('a signal shuts the server down in order, whatever the clients do', async (t) => {
  const data = join(folder, 'ended')
  const { url, nextNotification } = await receiver(t)
  const server = await launch(t, '--data', data, '--notify', url)
  const { port } = new URL(server.url)
  const [buyer] = server.buyers as [RunningServer['buyers'][0]]

  await openSocket(server)
  const halfSent = await openSocket(server, 'GET /currencies HTTP/1.1\r\nhost: local')
  await openSocket(server, 'POST /questions HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"item_id":')
  const keepAlive = await openSocket(server, 'GET /currencies HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(keepAlive, 'data')
  const events = await new Promise<IncomingMessage>((resolve) =>
    get({ port, host: '127.0.0.1', path: '/_sandbox/events' }, resolve),
  )
  const eventsClosed = once(events.resume(), 'close')
  events.on('error', () => {})
  // Delayed by a fault; the shutdown ends the delay.
  const waiting = fetch(`${server.url}/currencies`, { headers: { 'x-sandbox-fault': 'delay=60000' } })
  // The seller's notification is answered after the signal, the buyer's never.
  const notified = nextNotification()
  const response = await fetch(`${server.url}/questions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${buyer.token}` },
    body: '{"item_id":"MLA1400000001","text":"¿Sigue?"}',
  })
  t.equal(response.status, 201)
  const [hook] = await notified

  const exited = once(server.child, 'exit')
  server.child.kill('SIGTERM')
  t.equal((await waiting).status, 200, 'requests in flight are finished')
  hook.end()
  t.strictSame(await exited, [0, null])
  await eventsClosed
  t.ok(halfSent.destroyed || (await once(halfSent, 'close')))

  const next = await launch(t, '--data', data)
  const { results } = (await (await control(next, 'GET /deliveries?status=delivered')).json()) as { results: unknown[] }
  t.equal(results.length, 1, 'the answer to an attempt in flight is recorded')
  await next.stop('SIGINT')
  t.equal(next.child.exitCode, 0)
})

t.test('a connection whose last request has ended is closed before others are cut', async (t) => {
  const server = await launch(t, '--scenario', 'empty')
  const halfSent = await openSocket(server, 'GET /currencies HTTP/1.1\r\nhost: local')
  const post = 'POST /questions HTTP/1.1\r\nhost: local\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n'
  const waiting = await openSocket(server, post)
  // The server has read both when it answers a later one.
  t.equal((await fetch(`${server.url}/currencies`)).status, 200)
  const exited = once(server.child, 'exit')
  server.child.kill('SIGTERM')
  await until('a server that accepts no connection', async () => !(await isListening(server)))
  waiting.write('{}')
  const [answer] = await once(waiting, 'data')
  t.match(String(answer), 'HTTP/1.1 401 ')
  t.match(String(answer), /connection: keep-alive/i)
  await once(waiting, 'close')
  halfSent.write('\r\n\r\n')
  t.match(String((await once(halfSent, 'data'))[0]), 'HTTP/1.1 ')
  t.strictSame(await exited, [0, null])
})

t.test('a second signal ends the process at once', async (t) => {
  for (const [first, second, code] of [
    ['SIGTERM', 'SIGINT', 130],
    ['SIGINT', 'SIGTERM', 143],
    ['SIGHUP', 'SIGINT', 130],
  ] as const) {
    const server = await launch(t, '--scenario', 'empty')
    await openSocket(server, 'GET /currencies HTTP/1.1\r\nhost: local')
    const exited = once(server.child, 'exit')
    server.child.kill(first)
    await until('a server that accepts no connection', async () => !(await isListening(server)))
    server.child.kill(second)
    t.strictSame(await exited, [code, null], second)
  }
})

/** A server that logs its requests to stderr. */
const spawnLogging = (t: Test) => {
  const args = '--port 0 --scenario empty --ready-json --log json'
  const child = spawn(process.execPath, [program, ...args.split(' ')])
  t.teardown(() => child.kill('SIGKILL'))
  return child
}

t.test('logs requests without secrets and without texts of users', async (t) => {
  const child = spawnLogging(t)
  let log = ''
  child.stderr.on('data', (chunk) => {
    log += chunk
  })
  const [ready] = await once(child.stdout, 'data')
  const { url, sellers } = JSON.parse(ready) as RunningServer
  const { id, token } = sellers[0]!
  const secret = 'APP_USR-1-010101-abcdef-7'
  const answers = []
  for (const path of [
    `/users/me?access_token=${token}&callback=my_function`,
    `/questions/search?seller_id=${id}&status=UNANSWERED&juana=perez`,
    `/authorization?response_type=code&client_id=7&redirect_uri=https://mine.example/back&state=mine`,
    `/items/${secret}`,
    '/nobody/takes/juana@example.com',
    '/w/9/currencies',
    '/livez',
  ])
    answers.push(await fetch(url + path, { headers: { authorization: `Bearer ${token}` } }))
  await fetch(`${url}/_sandbox/tokens/${token}`, { method: 'DELETE' })
  const exited = once(child, 'close')
  child.kill('SIGHUP')
  t.strictSame(await exited, [0, null])
  const lines = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  t.strictSame(
    lines.map(({ msg }) => msg),
    ['listening', ...Array(7).fill('answered'), 'stopping', 'stopped'],
  )
  const [first, second, third, ...rest] = lines.slice(1)
  const { time, ms, pid, hostname, ...entry } = first
  t.ok(ms >= 0 && pid === child.pid && hostname !== '' && !Number.isNaN(Date.parse(time)))
  t.strictSame(entry, {
    level: 30,
    reqId: answers[0]!.headers.get('x-request-id'),
    method: 'GET',
    route: '/users/me',
    path: '/users/me',
    query: { access_token: '***', callback: '***' },
    status: 200,
    world: 1,
    msg: 'answered',
  })
  t.match(second.query, { seller_id: String(id), status: 'UNANSWERED', juana: '***' })
  t.strictSame([third.query.redirect_uri, third.query.state], ['***', '***'])
  t.strictSame(
    rest.map(({ route, path, status }) => [route, path, status]),
    [
      ['/items/:item_id', '/items/***', 404],
      [null, undefined, 404],
      ['/currencies', '/currencies', 404],
      ['/_sandbox/tokens/:token', '/_sandbox/tokens/***', 204],
      [undefined, undefined, undefined],
      [undefined, undefined, undefined],
    ],
  )
  for (const secretText of [token, secret, 'my_function', 'perez', 'mine', 'juana@']) t.notMatch(log, secretText)
})

t.test('a log that nobody reads stops neither requests nor the shutdown', async (t) => {
  const child = spawnLogging(t)
  const [ready] = await once(child.stdout, 'data')
  const { url } = JSON.parse(ready) as RunningServer
  const longQuery = Array.from({ length: 300 }, (_, n) => `${'x'.repeat(60)}${n}=1`).join('&')
  const get = async (path: string) => {
    const answer = await fetch(url + path, { signal: AbortSignal.timeout(60_000) })
    return { status: answer.status, text: await answer.text() }
  }
  /** Logs some 3 MB. */
  const logMuch = async () => {
    for (let n = 0; n < 150; n++) t.equal((await get(`/currencies?${longQuery}`)).status, 200)
  }
  const droppedLines = async () =>
    Number(/^mercadito_log_lines_dropped_total (\d+)$/m.exec((await get('/metrics')).text)?.[1])

  await logMuch()
  const dropped = await droppedLines()
  t.ok(dropped > 10 && dropped < 150, `${dropped}`)
  let log = ''
  child.stderr.on('data', (chunk) => {
    log += chunk
  })
  const isReported = () => /"lines":\d+,"msg":"log lines were dropped.*\n/.test(log)
  while (!isReported()) await once(child.stderr, 'data')
  const lines = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  t.equal(lines.filter(({ msg }) => msg === 'answered').length + dropped, 150)
  t.match(lines.at(-1), {
    level: 40,
    lines: dropped,
    msg: 'log lines were dropped, because standard error was not read',
  })

  child.stderr.pause()
  await logMuch()
  t.ok((await droppedLines()) > dropped)
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  t.strictSame(await exited, [0, null])
})

t.test('--tls self-signed serves https with a certificate that clients can trust', async (t) => {
  const data = join(folder, 'secure')
  const server = await launch(t, '--data', data, '--scenario', 'empty', '--tls', 'self-signed')
  const { certificate } = JSON.parse(server.output()) as { certificate: string }
  t.match(server.url, /^https:/)
  t.equal(certificate, join(data, 'tls-cert.pem'))
  t.equal(statSync(join(data, 'tls-key.pem')).mode & 0o777, 0o600)
  const ca = readFileSync(certificate, 'utf8')
  const requestStatus = (url: string, ca?: string) =>
    new Promise<number | string | undefined>((resolve) =>
      overHttps(url, { ca }, (answer) => resolve(answer.resume().statusCode))
        .on('error', ({ code }: NodeJS.ErrnoException) => resolve(code))
        .end(),
    )
  const { port } = new URL(server.url)
  t.equal(await requestStatus(`${server.url}/livez`, ca), 200)
  t.equal(await requestStatus(`https://localhost:${port}/livez`, ca), 200)
  t.match(await requestStatus(`${server.url}/livez`), /SELF_SIGNED/)
  t.match(
    await runWith({ NODE_EXTRA_CA_CERTS: certificate }, 'status', 'wait', '--url', server.url, '--timeout', '5s'),
    {
      code: 0,
      output: `${server.url} answers\n`,
    },
  )
  const failed = (code: number, line: string) => ({ code, output: '', errors: `mercadito: ${line}\n` })
  t.strictSame(
    await inProcess('status', 'wait', '--url', server.url),
    failed(
      1,
      `the certificate of ${server.url} is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT); name its file with --ca or NODE_EXTRA_CA_CERTS`,
    ),
  )
  t.match(await inProcess('status', 'wait', '--url', server.url, '--ca', certificate), {
    code: 0,
    output: / answers\n$/,
  })
  t.match(
    JSON.parse(
      (await inProcess('status', 'check', '--port', '0', '--url', server.url, '--ca', certificate, '--json')).output,
    ),
    [{}, {}, {}, {}, {}, {}, { check: 'server', ok: true, result: `${server.url} answers` }],
  )
  const plain = server.url.replace('https', 'http')
  t.strictSame(
    await inProcess('clock', '--url', plain),
    failed(
      1,
      `the connection to ${plain} broke (ECONNRESET); see the output of the server, or use https if it was started with --tls`,
    ),
  )
  t.strictSame(
    await inProcess('clock', '--url', server.url, '--ca', 'package.json'),
    failed(2, '--ca or MERCADITO_CA: package.json has no certificate (PEM)'),
  )
  t.strictSame(
    await inProcess('clock', '--url', server.url, '--ca', 'nothing.pem'),
    failed(2, '--ca or MERCADITO_CA: cannot read nothing.pem (ENOENT)'),
  )
  await server.stop()
  const restarted = await listen({ ...HERE, data, tls: 'self-signed' })
  t.equal(readFileSync(certificate, 'utf8'), ca, 'the certificate is kept')
  await restarted.close()

  const wrong = join(folder, 'wrong.pem')
  writeFileSync(wrong, 'nothing')
  const key = join(data, 'tls-key.pem')
  for (const [flags, code, message] of [
    [['--tls-cert', wrong, '--tls-key', key], 9, /are not a PEM certificate and its key/],
    [['--tls-cert', join(folder, 'none'), '--tls-key', key], 9, /cannot read .*none \(ENOENT\)/],
    [['--tls-cert', certificate], 2, /--tls-cert needs --tls-key, and vice versa/],
    [['--tls-cert', certificate, '--tls-key', key, '--tls', 'self-signed'], 2, /--tls cannot be used with --tls-cert;/],
  ] as const) {
    const result = await inProcess('start', '--port', '0', '--scenario', 'empty', ...flags)
    t.equal(result.code, code)
    t.match(result.errors, message)
    t.match(result.errors, /^mercadito: [^\n]+\n$/)
  }
  const { info, close } = await listen({ ...HERE, tlsCert: certificate, tlsKey: key })
  t.strictSame([await requestStatus(`${info.url}/livez`, ca), info.certificate], [200, undefined])
  await close()
})

t.test('rejects an unusable folder with one line and its own exit code', async (t) => {
  const data = join(folder, 'good')
  const first = await listen({ ...HERE, data })
  await first.close()
  const cases: [name: string, damage: (file: string) => void, code: number, message: RegExp][] = [
    [
      'newer',
      (file) => new Sqlite(file).pragma('user_version = 999'),
      7,
      /was written by a newer version of mercadito; use that version, or choose another folder\n$/,
    ],
    [
      'other',
      (file) => writeFileSync(file, 'nothing of ours'.repeat(1000)),
      8,
      /is damaged \(SQLITE_NOTADB\); replace the folder by a backup/,
    ],
    [
      'short',
      (file) => truncateSync(file, statSync(file).size / 2),
      8,
      /is damaged \(SQLITE_CORRUPT\); replace the folder by a backup/,
    ],
    ['empty', (file) => truncateSync(file, 0), 8, /contains no world; replace the folder by a backup/],
    [
      'within',
      (file) => {
        // The header remains, the schema is destroyed.
        const bytes = readFileSync(file)
        writeFileSync(file, bytes.fill(0xff, 100))
      },
      8,
      /is damaged/,
    ],
  ]
  const results = await Promise.all(
    cases.map(([name, damage]) => {
      const target = join(folder, name)
      mkdirSync(target)
      const file = join(target, 'world-1.sqlite')
      copyFileSync(join(data, 'world-1.sqlite'), file)
      damage(file)
      return inProcess('start', '--data', target, '--port', '0')
    }),
  )
  for (const [n, [name, , code, message]] of cases.entries()) {
    t.match(results[n], { code, output: '' }, name)
    t.match(results[n]!.errors, message, name)
    t.match(results[n]!.errors, /^mercadito: [^\n]+\n$/, name)
  }
})

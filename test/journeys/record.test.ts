import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { startCapture } from '../../capture/index.ts'
import type { CallLine } from '../../control/recording/format.ts'
import { program } from '../support/bundle.ts'
import { inProcess } from '../support/commands.ts'
import { openConnection } from '../support/raw_http.ts'
import { linesOf, recordingFolder } from '../support/recordings.ts'

const TOKEN = 'APP_USR-4321-112233-0123456789abcdef-2500000101'
const folder = recordingFolder(t)
let files = 0

interface Upstream {
  url: string
  /** What it got. */
  requests: IncomingMessage[]
}

async function startUpstream(t: Test, answer: RequestListener): Promise<Upstream> {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.closeAllConnections() ?? server.close())
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, requests }
}

/** A proxy, what it prints, and the calls in its file when it has ended. */
async function startProxy(upstream: string, options: { allowWrites?: boolean; token?: string } = {}) {
  const file = `${folder}/${++files}.jsonl`
  const { url, close } = await startCapture(
    { upstream, file, port: 0, allowWrites: false, token: TOKEN, trusted: undefined, ...options },
    () => {},
  )
  const end = async () => {
    const summary = await close()
    return { summary, text: readFileSync(file, 'utf8'), calls: linesOf(file).slice(1) as CallLine[], file }
  }
  return { url, port: Number(new URL(url).port), end }
}

const json: RequestListener = (_request, response) =>
  response.setHeader('content-type', 'application/json').end('{"id":2500000101,"status":"active"}')

t.test('sends calls on with the token of the environment, and records both without it', async (t) => {
  const upstream = await startUpstream(t, json)
  const { url, end } = await startProxy(upstream.url)
  const own = 'APP_USR-4321-112233-abcdef0123456789-2500000102'
  await fetch(`${url}/users/2500000101`)
  await fetch(`${url}/users/me`, { headers: { authorization: 'Bearer from-env' } })
  await fetch(`${url}/users/me?access_token=from-env`)
  await fetch(`${url}/users/me?access_token=${own}`)
  await fetch(`${url}/users/me`, { headers: { authorization: `Bearer ${own}`, connection: 'x-one', 'x-one': '1' } })
  t.strictSame(
    upstream.requests.map(({ url, headers }) => [url, headers.authorization]),
    [
      ['/users/2500000101', `Bearer ${TOKEN}`],
      ['/users/me', `Bearer ${TOKEN}`],
      [`/users/me?access_token=${TOKEN}`, undefined],
      [`/users/me?access_token=${own}`, undefined],
      ['/users/me', `Bearer ${own}`],
    ],
  )
  t.equal(upstream.requests[0]!.headers.host, upstream.url.slice('http://'.length))
  const { calls, text, summary } = await end()
  const id = calls[0]!.caller
  const users = JSON.stringify({ id, status: 'active' })
  t.strictSame(
    calls.map(({ target, headers, caller, answer, world }) => [target, headers.authorization, caller, answer, world]),
    [
      [`/users/${id}`, 'Bearer ***token-1***', id, users, null],
      ['/users/me', 'Bearer ***token-1***', id, users, null],
      ['/users/me?access_token=***token-1***', undefined, id, users, null],
      ['/users/me?access_token=***token-2***', undefined, calls[3]!.caller, users, null],
      ['/users/me', 'Bearer ***token-2***', calls[3]!.caller, users, null],
    ],
  )
  for (const secret of [TOKEN, own, '2500000101', '2500000102', 'abcdef']) t.notOk(text.includes(secret), secret)
  t.strictSame({ ...summary, file: undefined }, { file: undefined, calls: 5, failed: 0, refused: {} })
})

t.test('sends no call that may change something, unless it may', async (t) => {
  const upstream = await startUpstream(t, json)
  const { url, end } = await startProxy(upstream.url)
  const send = async (method: string, path: string, init: RequestInit = {}) => {
    const answer = await fetch(url + path, { method, ...init })
    return [answer.status, answer.status === 200 ? undefined : ((await answer.json()) as { message: string }).message]
  }
  const refused = [403, 'This call may change something: mercadito capture sends it only with --allow-writes.']
  const query = '/shipping/flex/sites/MLA/configuration/v3'
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) t.strictSame(await send(method, '/questions/1'), refused)
  t.strictSame(await send('GET', '/questions?callback=f&_method=post&_body=%7B%7D'), refused)
  t.strictSame(await send('GET', '/items/MLA1', { headers: { 'x-http-method-override': 'DELETE' } }), refused)
  t.strictSame(await send('POST', query, { body: '{"query":"mutation { a }"}' }), refused)
  t.equal(upstream.requests.length, 0)
  for (const method of ['GET', 'OPTIONS']) t.equal((await send(method, '/items/MLA1'))[0], 200)
  t.equal((await send('POST', query, { body: '{"query":"{ configuration { radius } }"}' }))[0], 200)
  const { summary } = await end()
  t.strictSame(
    [summary.calls, summary.refused],
    [
      3,
      {
        ...{ 'POST /questions/1': 1, 'PUT /questions/1': 1, 'PATCH /questions/1': 1, 'DELETE /questions/1': 1 },
        ...{ 'GET /questions': 1, 'GET /items/MLA1': 1, [`POST ${query}`]: 1 },
      },
    ],
  )
  const writing = await startProxy(upstream.url, { allowWrites: true })
  const asked = await fetch(`${writing.url}/questions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"item_id":"MLA1","text":"Soy Ana"}',
  })
  t.equal(asked.status, 200)
  const [call] = (await writing.end()).calls
  t.match(call!.body, /^\{"item_id":"MLA1","text":"[A-Z][a-z]{2} [A-Z][a-z]{2}"\}$/)
})

t.test('answers as the upstream does: redirects, compressed, empty and binary answers, HEAD', async (t) => {
  const pdf = Buffer.from([0x25, 0x50, 0x44, 0x46, 0xff, 0xfe])
  const upstream = await startUpstream(t, (request, response) => {
    const path = request.url!.split('?')[0]
    if (path === '/moved') response.writeHead(302, { location: `http://${request.headers.host}/there?a=1` }).end()
    else if (path === '/away') response.writeHead(302, { location: 'https://other.example/' }).end()
    else if (path === '/zip') response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"status":"paid"}'))
    else if (path === '/none') response.writeHead(204).end()
    else if (path === '/label') response.writeHead(200, { 'content-type': 'application/pdf' }).end(pdf)
    else
      response
        .writeHead(404, { 'content-length': 7, 'set-cookie': 'a=b' })
        .end(request.method === 'HEAD' ? '' : '{"a":1}')
  })
  const { url, end } = await startProxy(upstream.url)
  const get = (path: string, method = 'GET') => fetch(url + path, { method, redirect: 'manual' })
  t.equal((await get('/moved')).headers.get('location'), `${url}/there?a=1`)
  t.equal((await get('/away')).headers.get('location'), 'https://other.example/')
  const unzipped = await get('/zip')
  t.strictSame([await unzipped.text(), unzipped.headers.get('content-encoding')], ['{"status":"paid"}', null])
  t.equal(upstream.requests.at(-1)!.headers['accept-encoding'], 'identity')
  t.equal((await get('/none')).status, 204)
  t.strictSame(Buffer.from(await (await get('/label')).arrayBuffer()), pdf)
  const head = await get('/other', 'HEAD')
  t.strictSame([head.status, head.headers.get('content-length'), head.headers.get('set-cookie')], [404, '7', 'a=b'])
  const { calls, text } = await end()
  t.strictSame(
    calls.map(({ status, answer, compare }) => [status, answer, compare]),
    [
      ...[
        [302, undefined, undefined],
        [302, undefined, undefined],
        [200, '{"status":"paid"}', undefined],
      ],
      ...[
        [204, undefined, undefined],
        [200, undefined, 'status'],
        [404, undefined, undefined],
      ],
    ],
  )
  t.notOk(text.includes('a=b'))
})

t.test('says that the upstream gave no answer, and records none', async (t) => {
  const upstream = await startUpstream(t, (request, response) => {
    if (request.url === '/breaks') response.writeHead(200, { 'content-length': 10 }).write('half')
    request.socket.destroySoon()
  })
  const { url, end } = await startProxy(upstream.url)
  for (const path of ['/breaks', '/ends']) {
    const answer = await fetch(url + path)
    t.equal(answer.status, 502)
    t.match(await answer.json(), { error: 'no_answer', message: `${upstream.url} gave no answer (` })
  }
  const { calls, summary } = await end()
  t.strictSame([calls, summary.calls, summary.failed], [[], 0, 2])
  const down = await startProxy('http://127.0.0.1:9')
  t.match(await (await fetch(`${down.url}/sites`)).json(), {
    message: 'http://127.0.0.1:9 gave no answer (ECONNREFUSED)',
  })
  await down.end()
})

t.test('serves programs of this machine over HTTP/1.1, and nothing else', async (t) => {
  const upstream = await startUpstream(t, json)
  const { url, port, end } = await startProxy(upstream.url)
  const page = await fetch(`${url}/users/me`, { headers: { origin: 'https://evil.example' } })
  t.equal(page.status, 403)
  const raw = async (text: string) => {
    const connection = await openConnection(port)
    await connection.write(text)
    const [answer] = await connection.answers()
    return `${answer!.status} ${answer!.text.trim()}`
  }
  t.match(await raw('GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n'), /^403 .*no web pages/)
  t.match(
    await raw('GET http://a.example/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n'),
    /^400 .*no general proxy/,
  )
  t.match(await raw('CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n'), /^405 .*no CONNECT proxy/)
  t.match(
    await raw('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n'),
    /^501 .*without upgrades/,
  )
  t.match(await raw('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), /^400 .*no valid HTTP\/1\.1/)
  const long = await fetch(`${url}/shipping/flex/sites/MLA/configuration/v3`, {
    method: 'POST',
    body: ' '.repeat(9e6),
  }).catch(() => undefined)
  t.ok(long === undefined || long.status === 413)
  t.equal(upstream.requests.length, 0)
  await end()
})

t.test('reports wrong flags, and never the token', async (t) => {
  const taken = await startProxy('http://127.0.0.1:9')
  const existing = `${folder}/existing.jsonl`
  writeFileSync(existing, 'mine')
  const upstream = ['--upstream', 'http://127.0.0.1:9']
  process.env.TRIED_TOKEN = `${TOKEN} `
  process.env.EMPTY_TOKEN = ''
  const failure = async (...flags: string[]) => {
    const { code, errors } = await inProcess('capture', ...flags)
    return [code, errors.trim()]
  }
  t.match(await failure(), [2, /--upstream or MERCADITO_CAPTURE_UPSTREAM: is required/])
  t.match(await failure('--upstream', 'api.example.com'), [2, /--upstream or .*: must be an address such as/])
  t.match(await failure('--upstream', 'http://api.example.com'), [2, /must be https, or http on this machine/])
  t.strictSame(await failure(...upstream, '--token-from-env', 'MISSING_TOKEN'), [
    2,
    'mercadito: --token-from-env: the environment variable MISSING_TOKEN is not set',
  ])
  t.match(await failure(...upstream, '--token-from-env', 'EMPTY_TOKEN'), [2, /EMPTY_TOKEN is empty$/])
  t.match(await failure(...upstream, '--token-from-env', 'TRIED_TOKEN'), [
    2,
    /TRIED_TOKEN must be a token without blanks$/,
  ])
  t.match(await failure(...upstream, '--readonly', '--allow-writes'), [
    2,
    /--readonly cannot be used with --allow-writes;/,
  ])
  t.match(await failure(...upstream, '--output', existing), [1, /existing\.jsonl exists already/])
  t.equal(readFileSync(existing, 'utf8'), 'mine')
  const other = `${folder}/other.jsonl`
  t.match(await failure(...upstream, '--output', other, '--port', String(taken.port)), [4, /port \d+ is in use/])
  t.throws(() => readFileSync(other), { code: 'ENOENT' })
  const { file } = await taken.end()
  t.strictSame(await inProcess('requests', 'replay', file), {
    code: 2,
    output: '',
    errors: `mercadito: ${file}: has calls of another server, 127.0.0.1:9, without states: compare them with \`mercadito compare\`\n`,
  })
})

t.test('the program records until a signal, and prints what it has done', async (t) => {
  const upstream = await startUpstream(t, json)
  const file = `${folder}/program.jsonl`
  const flags = ['--upstream', upstream.url, '--token-from-env', 'THE_TOKEN', '--output', file, '--port', '0']
  const child = spawn(process.execPath, [program, 'capture', ...flags, '--json'], {
    env: { ...process.env, THE_TOKEN: TOKEN },
  })
  t.teardown(() => child.kill('SIGKILL'))
  let [output, errors] = ['', '']
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  const ready = new Promise<string>((resolve) => {
    child.stderr.on('data', (chunk) => {
      errors += chunk
      const [, url] = /base address for your program: (\S+)/.exec(errors) ?? []
      if (url) resolve(url)
    })
  })
  const url = await ready
  await (await fetch(`${url}/users/me`)).arrayBuffer()
  await (await fetch(`${url}/answers`, { method: 'POST', body: '{}' })).arrayBuffer()
  const exited = once(child, 'exit')
  child.kill('SIGINT')
  t.strictSame(await exited, [0, null])
  t.strictSame(JSON.parse(output), { file, calls: 1, failed: 0, refused: { 'POST /answers': 1 } })
  t.equal(errors, `recording ${upstream.url} to ${file}\nbase address for your program: ${url}\n`)
  for (const text of [output, errors, readFileSync(file, 'utf8')]) t.notOk(text.includes(TOKEN))
})

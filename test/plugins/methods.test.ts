import { METHODS } from 'node:http'
import t from 'tap'
import { start } from '../support/app.ts'
import { openapiOf } from '../support/openapi.ts'
import { exchange } from '../support/raw_http.ts'

const app = await start(t)
await app.server.listen({ port: 0, host: '127.0.0.1' })
const { port } = app.server.server.address() as { port: number }

const standard = (status: number, error: string, message: string) => ({ message, error, status, cause: [] })
const notFound = standard(404, 'resource not found', 'Resource not found.')
const notAllowed = (allow: string) => standard(405, 'method_not_allowed', `Method not allowed. Allowed: ${allow}`)

/** Heads and bodies with which a method may be sent. */
const VARIANTS = {
  'without a body': '\r\n',
  'with an empty body': 'content-type: application/json\r\ncontent-length: 0\r\n\r\n',
  'with a body without a type': 'content-length: 2\r\n\r\n{}',
  'with a form': 'content-type: application/x-www-form-urlencoded\r\ncontent-length: 3\r\n\r\na=1',
  'with a type that is none': 'content-type: x\r\ncontent-length: 1\r\n\r\n{',
  'with a chunked body': 'content-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
}

const PATHS: [path: string, allow: string | undefined][] = [
  ['/currencies', 'GET, HEAD, OPTIONS'],
  ['/answers/', 'OPTIONS, POST'],
  ['/items', 'GET, HEAD, OPTIONS, POST, PUT'],
  ['/w/1/currencies/ARS?x=1', 'GET, HEAD, OPTIONS'],
  ['http://example.com/currencies', 'GET, HEAD, OPTIONS'],
  ['/_sandbox/reset', 'POST'],
  ['/_sandbox/clock', 'GET, PUT'],
  ['/_sandbox/console/', 'GET'],
  ['/_sandbox/users/1?x=1', 'GET, PATCH'],
  ['/livez', 'GET, HEAD'],
  ['/readyz', 'GET, HEAD'],
  ['/metrics', 'GET, HEAD'],
  ['/nowhere', undefined],
  ['/w/1/', undefined],
  ['/_sandbox/nowhere', undefined],
]

t.test('answers every method that a path does not have with 405, and unknown paths with 404', async (t) => {
  for (const [path, allow] of PATHS) {
    // HEAD is last: the length that its answer has is not that of a body.
    const methods = [...METHODS.filter((method) => method !== 'CONNECT' && method !== 'HEAD'), 'HEAD'].filter(
      (method) => !allow?.split(', ').includes(method),
    )
    for (const [variant, rest] of Object.entries(VARIANTS)) {
      const requests = methods.map((method, n) => {
        const connection = n === methods.length - 1 ? 'close' : 'keep-alive'
        return `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: ${connection}\r\n${rest}`
      })
      const answers = await exchange(port, requests.join(''))
      t.strictSame(
        answers.map(({ status, headers, text }, n) => [
          methods[n],
          status,
          headers.allow,
          headers['content-type'],
          text && JSON.parse(text),
        ]),
        methods.map((method) => [
          method,
          allow === undefined ? 404 : 405,
          allow,
          'application/json; charset=utf-8',
          method === 'HEAD' ? '' : allow === undefined ? notFound : notAllowed(allow),
        ]),
        `${path} ${variant}`,
      )
    }
  }
})

t.test('no control call has HEAD, only the addresses of load balancers do', async (t) => {
  const reads = openapiOf('openapi.sandbox.json').operations.filter(({ method }) => method === 'GET')
  for (const { path } of reads) {
    const { status, headers, text } = await app.call({ method: 'HEAD', url: path.replace(/\{\w+\}/g, '1') })
    if (['/livez', '/readyz', '/metrics'].includes(path)) t.strictSame([status, text], [200, ''], path)
    else t.match([status, headers.allow], [405, /^((?!HEAD).)*\bGET\b((?!HEAD).)*$/], path)
  }
  t.ok(reads.length > 50, `${reads.length}`)
})

t.test('rejects CONNECT, whatever it names, and closes the connection', async (t) => {
  const allow = 'DELETE, GET, HEAD, OPTIONS, POST, PUT'
  for (const target of ['localhost:80', 'example.com:443', '[::1]:80', '/currencies', '/nowhere', 'http://x/_sandbox'])
    for (const rest of ['', 'content-length: 2\r\n', 'transfer-encoding: chunked\r\n']) {
      const answers = await exchange(
        port,
        `CONNECT ${target} HTTP/1.1\r\nhost: x\r\n${rest}\r\n`,
        'more bytes',
        '\r\n\r\n',
      )
      t.equal(answers.length, 1, target)
      const [{ status, headers, text }] = answers as [(typeof answers)[0]]
      t.strictSame([status, JSON.parse(text)], [405, notAllowed(allow)], target)
      t.strictSame(
        headers,
        {
          allow,
          'content-type': 'application/json; charset=utf-8',
          'content-length': String(text.length),
          'access-control-allow-origin': '*',
          connection: 'close',
        },
        target,
      )
    }
  const pipelined = await exchange(
    port,
    'GET /users/me HTTP/1.1\r\nhost: x\r\n\r\nGET /currencies/ARS HTTP/1.1\r\nhost: x\r\n\r\n' +
      'CONNECT localhost:80 HTTP/1.1\r\nhost: x\r\n\r\nGET /currencies HTTP/1.1\r\nhost: x\r\n\r\n',
  )
  t.strictSame(
    pipelined.map(({ status }) => status),
    [401, 200, 405],
    'after the answers to earlier requests',
  )
})

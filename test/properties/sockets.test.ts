import { METHODS } from 'node:http'
import type { Arbitrary } from 'fast-check'
import t from 'tap'
import { start } from '../support/app.ts'
import fc, { runs, TIMES } from '../support/property.ts'
import { openConnection } from '../support/raw_http.ts'

// Sequences of requests on one connection, good and broken ones, cut into pieces anywhere. The answers must be those of
// the requests, in their order, and none after the first that closes the connection.

const app = await start(t)
await app.server.listen({ port: 0, host: '127.0.0.1' })
const { port } = app.server.server.address() as { port: number }
const MEBIBYTE = 1024 * 1024

interface Step {
  bytes: string
  /** The statuses that each answer may have. */
  statuses: number[][]
  isLast: boolean
}
const step = (bytes: string, ...statuses: number[][]): Step => ({ bytes, statuses, isLast: false })
const lastStep = (bytes: string, ...statuses: number[][]): Step => ({ bytes, statuses, isLast: true })

const ORIGINS = ['', '', 'http://localhost', 'HTTP://example.com:80', 'https://[::1]']
const targets = (...paths: string[]) =>
  fc.tuple(fc.constantFrom(...ORIGINS), fc.constantFrom(...paths)).map((parts) => parts.join(''))
const known = targets('/currencies', '/currencies/ARS/', '/w/1/currencies?limit=', '/currencies?callback=')
const unknown = targets('/nowhere', '/w/2/currencies', '/_sandboxes', '/%5Fsandbox/x?callback=f&_method=DELETE')
const methods = fc.constantFrom(...METHODS.filter((one) => !['CONNECT', 'HEAD', 'GET', 'OPTIONS'].includes(one)))
const bodies = fc.constantFrom(
  '\r\n',
  'content-length: 2\r\n\r\n{}',
  'content-type: x\r\ncontent-length: 0\r\n\r\n',
  'transfer-encoding: chunked\r\n\r\n3;a=b\r\na=1\r\n0\r\nx: y\r\n\r\n',
)
const HOST = 'host: localhost\r\n'
const CHUNKED = 'transfer-encoding: chunked\r\n\r\n'
const ACCOUNT = 'content-length: 17\r\n\r\n{"site_id":"MLA"}'
const breaks = fc.constantFrom('x\r\n', '2\r\n{}x', '2\r\n{}\r\n-1\r\n', '1\r\n{}\r\n', 'ffffffffffffffffff\r\n')
const endings = fc.constantFrom('', 'more', 'GET / HTTP/1.1\r\nhost: x\r\n\r\n', '\r\n'.repeat(100))

/** Requests that leave the connection open. */
const good: Arbitrary<Step>[] = [
  fc.tuple(known, bodies).map(([path, body]) => step(`GET ${path} HTTP/1.1\r\n${HOST}${body}`, [200])),
  fc.tuple(known, bodies).map(([path, body]) => step(`OPTIONS ${path} HTTP/1.1\r\n${HOST}${body}`, [200])),
  fc
    .tuple(methods, known, bodies)
    .map(([method, path, body]) => step(`${method} ${path} HTTP/1.1\r\n${HOST}${body}`, [405])),
  fc
    .tuple(methods, unknown, bodies)
    .map(([method, path, body]) => step(`${method} ${path} HTTP/1.1\r\n${HOST}${body}`, [404])),
  fc.tuple(known, bodies).map(([path, body]) => step(`GET ${path} HTTP/1.1\r\n${body}`, [400])),
  fc
    .tuple(fc.constantFrom('tea', '', '1', '100-continues'), bodies)
    .map(([expected, body]) => step(`POST /users/test_user HTTP/1.1\r\n${HOST}expect: ${expected}\r\n${body}`, [417])),
  fc.constant(step(`POST /users/test_user HTTP/1.1\r\n${HOST}expect: 100-continue\r\n${ACCOUNT}`, [100], [201])),
  fc.constant(step(`POST /users/test_user HTTP/1.1\r\n${HOST}${ACCOUNT}`, [201])),
  fc.constant(step(`GET /currencies HTTP/1.1\r\n${HOST}x-sandbox-fault: delay=20\r\n\r\n`, [200])),
]

/** Those that close it. */
const last: Arbitrary<Step>[] = [
  known.map((path) => lastStep(`GET ${path} HTTP/1.1\r\n${HOST}connection: close\r\n\r\n`, [200])),
  known.map((path) => lastStep(`GET ${path} HTTP/1.0\r\n\r\n`, [200])),
  fc.constantFrom('x:1', '/currencies').map((to) => lastStep(`CONNECT ${to} HTTP/1.1\r\n${HOST}\r\n`, [405])),
  fc.constantFrom('hello\r\n\r\n', 'GET\r\n', '\u0000', 'get / HTTP/1.1\r\n').map((text) => lastStep(text, [400])),
  fc
    .integer({ min: 33_000, max: 200_000 })
    .map((n) => lastStep(`GET / HTTP/1.1\r\n${HOST}x: ${'y'.repeat(n)}\r\n\r\n`, [431])),
  breaks.map((broken) => lastStep(`POST /users/test_user HTTP/1.1\r\n${HOST}${CHUNKED}${broken}`, [400])),
  // The answer does not wait for the body, but may come after it.
  breaks.map((broken) => lastStep(`POST /answers HTTP/1.1\r\n${HOST}${CHUNKED}${broken}`, [400, 401])),
  breaks.map((broken) => lastStep(`REPORT /currencies HTTP/1.1\r\n${HOST}${CHUNKED}${broken}`, [400, 405])),
  fc
    .integer({ min: MEBIBYTE + 1, max: 3 * MEBIBYTE })
    .map((size) =>
      lastStep(`POST /users/test_user HTTP/1.1\r\n${HOST}content-length: ${size}\r\n\r\n${'x'.repeat(size)}`, [413]),
    ),
]

const sequences = fc.tuple(fc.array(fc.oneof(...good), { maxLength: 6 }), fc.oneof(...last), endings)

/** Cuts a text at these places. */
function cut(text: string, places: number[]): string[] {
  const positions = [0, ...places.map((place) => place % (text.length + 1)).sort((a, b) => a - b), text.length]
  return positions.slice(1).map((position, n) => text.slice(positions[n], position))
}

t.test('answers each request of a connection once and in order', async (t) => {
  let answered = 0
  await fc.assert(
    fc.asyncProperty(sequences, fc.array(fc.nat(), { maxLength: 4 }), async ([steps, final, ending], places) => {
      const all = [...steps, final]
      const connection = await openConnection(port)
      await connection.write(...cut(all.map(({ bytes }) => bytes).join('') + ending, places))
      const answers = await connection.answers()
      const expected = all.flatMap(({ statuses }) => statuses)
      const statuses = answers.map(({ status }) => status)
      if (answers.length !== expected.length || !expected.every((some, n) => some.includes(statuses[n]!)))
        throw new Error(`answered ${statuses}, expected ${JSON.stringify(expected)}`)
      for (const { status, text } of answers) {
        if (status < 400) continue
        const { message, error, cause, ...rest } = JSON.parse(text)
        if (!message || !error || cause.length > 0 || JSON.stringify(rest) !== `{"status":${status}}`)
          throw new Error(`not the standard error: ${text}`)
      }
      answered += answers.length
    }),
    { numRuns: runs(300) },
  )
  t.ok(answered > 900 * TIMES, `${answered} answers`)
})

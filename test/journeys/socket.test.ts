import t from 'tap'
import { start } from '../support/app.ts'
import { exchange, openConnection, type RawAnswer } from '../support/raw_http.ts'
import { until } from '../support/until.ts'

const app = await start(t, { limits: { bodyTimeoutMs: 3000 } })
await app.server.listen({ port: 0, host: '127.0.0.1' })
const { port } = app.server.server.address() as { port: number }
const [seller] = app.sellers as [(typeof app.sellers)[0]]
const [buyer] = app.buyers as [(typeof app.buyers)[0]]

const CLOSE = 'connection: close\r\n'
const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${headers}\r\n`

const head = (size: number) =>
  `POST /questions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${buyer.token}\r\ncontent-length: ${size}\r\n\r\n`

const TOO_LARGE_BODY = [413, 'payload_too_large', 'The body must have at most 1048576 bytes.'] as const
type Expected = readonly [status: number, error: string, message: string]

/** At most about 20 pieces. */
const statuses = (answers: RawAnswer[]) => answers.map(({ status }) => status)

/** Checks that the only answer is this error, and that it says that the connection closes. */
function isError(t: Tap, answers: RawAnswer[], [status, error, message]: Expected, name: string): void {
  t.strictSame(
    answers.map(({ status, headers, text }) => [
      status,
      JSON.parse(text),
      headers['content-type'],
      headers['access-control-allow-origin'],
      headers.connection,
    ]),
    [[status, { message, error, status, cause: [] }, 'application/json; charset=utf-8', '*', 'close']],
    name,
  )
}
type Tap = Pick<typeof t, 'strictSame'>

t.test('accepts a head of up to 32 KiB', async (t) => {
  for (const character of ['a', 'ñ', 'ก', '😀']) {
    const text = character.repeat(2000)
    const body = encodeURIComponent(JSON.stringify({ item_id: 'MLA1400000001', text }))
    const path = `/questions?callback=show&access_token=${buyer.token}&_method=POST&_body=${body}`
    const [answer] = await exchange(port, get(path, CLOSE))
    const [status, , question] = JSON.parse(answer!.text.slice('show('.length, -1))
    t.strictSame([status, question.text], [201, text], `a question of 2,000 times ${character}`)
  }
  const rest = get('/currencies/ARS?x=', CLOSE).length
  t.equal((await exchange(port, get(`/currencies/ARS?x=${'a'.repeat(32_000 - rest)}`, CLOSE)))[0]!.status, 200)
})

t.test('pipelined reads do not overtake a write, and run beside each other', async (t) => {
  const item_id = 'MLA1400000001'
  const later = (ms: number, headers = '') => `x-sandbox-fault: delay=${ms}\r\n${headers}`
  const token = (person: typeof seller) => `authorization: Bearer ${person.token}\r\n`
  const ask = (text: string, headers: string) => {
    const body = JSON.stringify({ item_id, text })
    const length = `content-length: ${Buffer.byteLength(body)}\r\n`
    return `POST /questions HTTP/1.1\r\nhost: x\r\n${token(buyer)}${length}${headers}\r\n${body}`
  }
  const script = (text: string) => {
    const body = encodeURIComponent(JSON.stringify({ item_id, text }))
    return get(`/questions?callback=f&_method=POST&_body=${body}`, token(buyer))
  }
  const count = (headers = '') =>
    get(`/questions/search?seller_id=${seller.id}&item=${item_id}&limit=1`, token(seller) + headers)
  const totals = (answers: RawAnswer[]) =>
    answers.map(({ text }) => /"total":(\d+)/.exec(text)?.[1] ?? text.slice(0, 6))
  const [before] = totals(await exchange(port, count(CLOSE)))
  const n = Number(before)
  const answers = await exchange(
    port,
    count(later(150)) + ask('Uno?', later(150)) + count() + count() + script('Dos?') + count() + ask('Tres?', CLOSE),
  )
  t.strictSame(statuses(answers), [200, 201, 200, 200, 200, 200, 201])
  t.strictSame(totals(answers), [`${n}`, '{"id":', `${n + 1}`, `${n + 1}`, 'f([201', `${n + 2}`, '{"id":'])

  await app.control('DELETE /requests')
  const reads = await openConnection(port)
  await reads.write(get('/currencies/ARS', later(60_000)) + get('/currencies/BRL') + ask('Cuatro?', ''))
  const recorded = async () =>
    (await app.control('GET /requests')).body.results.map(({ path }: { path: string }) => path)
  await until('the second read', async () => (await recorded()).length > 0)
  t.strictSame(await recorded(), ['/currencies/BRL'], 'a read does not wait, and a write does')
  reads.socket.destroy()
})

t.test('a connection with too many waiting requests is cut', async (t) => {
  const connection = await openConnection(port)
  const write = 'DELETE /nowhere HTTP/1.1\r\nhost: x\r\n\r\n'
  await connection.write(get('/currencies', 'x-sandbox-fault: delay=60000\r\n') + write.repeat(1001))
  t.strictSame(await connection.answers(), [])
})

t.test('a client can read the answer to a body over the limit', async (t) => {
  const MIB = 1024 * 1024
  const chunkedHead = `POST /questions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${buyer.token}\r\ntransfer-encoding: chunked\r\n\r\n`
  const megabyte = 'x'.repeat(MIB)
  const chunk = `100000\r\n${megabyte}\r\n`
  isError(t, await exchange(port, head(10 * MIB) + megabyte.repeat(10)), TOO_LARGE_BODY, 'at once')
  isError(
    t,
    await exchange(port, head(3 * MIB), ...Array<string>(96).fill('x'.repeat(32_768))),
    TOO_LARGE_BODY,
    'slowly',
  )
  isError(t, await exchange(port, `${chunkedHead + chunk.repeat(10)}0\r\n\r\n`), TOO_LARGE_BODY, 'in chunks')
  isError(
    t,
    await exchange(port, chunkedHead, ...Array<string>(20).fill(chunk), '0\r\n\r\n'),
    TOO_LARGE_BODY,
    'in slow chunks',
  )
  isError(t, await exchange(port, chunkedHead, chunk, chunk, 'x\r\n'), TOO_LARGE_BODY, 'that breaks off')
  isError(t, await exchange(port, chunkedHead, chunk, chunk.slice(0, -1), 'xx'), TOO_LARGE_BODY, 'with a broken chunk')

  const early = await openConnection(port)
  await early.write(head(50 * MIB))
  await until('an answer', () => early.received().length > 0)
  t.strictSame(statuses(early.received()), [413], 'the answer does not wait for the body')
  early.socket.destroy()

  for (const size of [2 * MIB, 10 * MIB])
    t.strictSame(
      await Promise.all(
        Array.from({ length: 30 }, async () => {
          const answer = await fetch(`http://127.0.0.1:${port}/questions`, {
            method: 'POST',
            headers: { authorization: `Bearer ${buyer.token}` },
            body: Buffer.alloc(size, 'x'),
          })
          return [answer.status, ((await answer.json()) as { error: string }).error]
        }),
      ),
      Array(30).fill([413, 'payload_too_large']),
      `fetch with ${size} bytes`,
    )
  const scripts = encodeURIComponent('{}')
  const jsonp = `GET /questions?callback=show&_method=POST&_body=${scripts}&access_token=${buyer.token} HTTP/1.1\r\nhost: x\r\ncontent-length: ${2 * MIB}\r\n\r\n`
  const [answer, ...others] = await exchange(port, jsonp, megabyte, megabyte)
  t.match(answer!.text, /^show\(\[413,/)
  t.equal(others.length, 0)
})

t.test('reads only so much of a body over the limit', async (t) => {
  const { socket, write, answers } = await openConnection(port)
  const megabyte = Buffer.alloc(1024 * 1024)
  await write(head(1024 * 1024 * 1024))
  let sent = 0
  const send = (error?: Error | null): void => {
    if (error) return
    sent += megabyte.length
    socket.write(megabyte, send)
  }
  send()
  isError(t, await answers(), TOO_LARGE_BODY, 'a body without an end')
  t.ok(sent >= 65 * 1024 * 1024 && sent < 100 * 1024 * 1024, `${sent} bytes`)
})

t.test('no request gets two answers', async (t) => {
  const broken = 'x\r\n'
  const early: [name: string, head: string, status: number][] = [
    ['a route that wants no body', 'GET /currencies/ARS HTTP/1.1', 200],
    ['a request without a token', 'POST /answers HTTP/1.1', 401],
    ['a method that is unknown', 'PROPFIND /currencies HTTP/1.1', 405],
    ['an unknown expectation', 'POST /users/test_user HTTP/1.1\r\nexpect: tea', 417],
  ]
  for (const [name, head, status] of early) {
    const start = `${head}\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n`
    t.strictSame(statuses(await exchange(port, start, broken)), [status], `${name}: a broken first chunk`)
    t.strictSame(statuses(await exchange(port, start, '2\r\n{}\r\n', broken, 'more')), [status], `${name}: a later one`)
    t.strictSame(
      statuses(await exchange(port, start, '2\r\n{}\r\n0\r\n\r\n', 'hello\r\n\r\n')),
      [status, 400],
      `${name}: another request, which is broken`,
    )
  }
  const stopped = early.map(([, head]) =>
    exchange(port, `${head}\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}`),
  )
  t.strictSame(
    (await Promise.all(stopped)).map(statuses),
    early.map(([, , status]) => [status]),
    'the connection of a body that does not end closes without a second answer',
  )
})

t.test('the server is well afterwards', async (t) => {
  t.equal((await seller.get('/users/me')).status, 200)
  t.equal(app.worlds.ids().length, 1)
})

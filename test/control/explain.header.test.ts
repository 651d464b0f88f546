import t from 'tap'
import { start } from '../support/app.ts'
import { openConnection } from '../support/raw_http.ts'

const HEADER = 'x-sandbox-explain'

t.test('with explain, refused answers have the address of their explanation', async (t) => {
  const app = await start(t, { explain: true, scenario: 'empty', limits: { bodyTimeoutMs: 300 } })
  const { call, control, seller } = app
  const refused = await seller.get('/questions/5')
  t.equal(refused.headers[HEADER], '/_sandbox/requests/1/explain')
  t.match((await call(String(refused.headers[HEADER]))).body, { request: { id: 1 }, check: 'question_exists' })
  t.equal((await seller.get('/users/me')).headers[HEADER], undefined, 'not if nothing was refused')

  const { body } = await control('POST /worlds', { scenario: 'empty' })
  t.equal(
    (await call(`/w/${body.world.id}/nowhere`)).headers[HEADER],
    `/w/${body.world.id}/_sandbox/requests/1/explain`,
  )
  t.equal((await call('/w/77/nowhere')).headers[HEADER], '/_sandbox/explain?code=WORLD')
  t.equal((await call('/items/%zz')).headers[HEADER], '/_sandbox/explain?code=FST_ERR_BAD_URL')
  t.equal((await call({ url: '/users/me', headers: { expect: 'x' } })).headers[HEADER], '/_sandbox/explain?code=EXPECT')
  t.equal((await control('GET /requests/99')).headers[HEADER], undefined, 'not in control calls')
  const jsonp = await seller.get('/questions/5?callback=f')
  t.match(jsonp.text, '"X-Sandbox-Explain":["/_sandbox/requests/')

  await app.server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.server.address() as { port: number }
  const rows: [sent: string, status: number, code: RegExp][] = [
    [`GET / HTTP/1.1\r\nhost: x\r\na: ${'x'.repeat(40_000)}\r\n\r\n`, 431, /^HPE_HEADER_OVERFLOW$/],
    ['nonsense\r\n\r\n', 400, /^HPE_\w+$/],
    ['CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n', 405, /^CONNECT$/],
    ['GET / HTTP/1.1\r\n\r\n', 400, /^HOST$/],
    ['POST /answers HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{', 408, /^ERR_HTTP_REQUEST_TIMEOUT$/],
  ]
  for (const [sent, status, code] of rows) {
    const connection = await openConnection(port)
    await connection.write(
      sent.replace('POST /answers HTTP/1.1', `POST /answers?access_token=${seller.token} HTTP/1.1`),
    )
    if (status === 400 && sent.startsWith('GET')) connection.socket.end()
    const [answer] = await connection.answers()
    t.equal(answer?.status, status)
    const [, found = ''] = /^\/_sandbox\/explain\?code=(\w+)$/.exec(answer?.headers[HEADER] ?? '') ?? []
    t.match(found, code)
    t.equal((await control(`GET /explain?code=${found}`)).body.request.status, status, found)
  }
})

t.test('the address begins with the public one', async (t) => {
  const { call } = await start(t, {
    explain: true,
    scenario: 'empty',
    publicUrl: 'https://market.example.com/m',
    isExposed: true,
    adminToken: 'abc',
  })
  const { headers } = await call('/nowhere')
  t.equal(headers[HEADER], 'https://market.example.com/m/_sandbox/requests/1/explain')
})

t.test('without it no answer has the header', async (t) => {
  const { call, server } = await start(t, { scenario: 'empty' })
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as { port: number }
  for (const url of ['/nowhere', '/items/%zz', '/w/77/nowhere']) t.equal((await call(url)).headers[HEADER], undefined)
  const connection = await openConnection(port)
  await connection.write('nonsense\r\n\r\n')
  const [answer] = await connection.answers()
  t.strictSame([answer?.status, answer?.headers[HEADER]], [400, undefined])
})

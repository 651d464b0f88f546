import { once } from 'node:events'
import { request } from 'node:https'
import { createServer } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import t, { type Test } from 'tap'
import { readTls } from '../../bin/tls.ts'
import { createTemporaryFolder } from '../../db/folders.ts'
import { start } from '../support/app.ts'
import { type Connection, openConnection, type RawAnswer } from '../support/raw_http.ts'
import { until } from '../support/until.ts'

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))
const options = hasIpv6 ? {} : { skip: 'this machine has no ::1' }
const HOSTS = ['127.0.0.1', '::1']

const startLocalhost = async (t: Test, options: Parameters<typeof start>[1] = {}) => {
  const app = await start(t, { scenario: 'empty', ...options })
  await app.listenOn({ host: 'localhost', port: 0 })
  return { ...app, port: (app.server.server.address() as { port: number }).port }
}

const withoutDate = ({ headers: { date: _, ...headers }, ...answer }: RawAnswer) => ({ ...answer, headers })

t.test('both addresses of localhost answer broken requests alike', options, async (t) => {
  const { port } = await startLocalhost(t)
  const rows: [name: string, statuses: number[], ...pieces: string[]][] = [
    ['not HTTP', [400], 'hello\r\n\r\n'],
    ['a long head', [431], `GET /currencies HTTP/1.1\r\nhost: x\r\nx-a: ${'a'.repeat(40_000)}\r\n\r\n`],
    ['CONNECT', [405], 'CONNECT localhost:80 HTTP/1.1\r\nhost: localhost:80\r\n\r\n'],
    ['Expect', [417], 'GET /currencies HTTP/1.1\r\nhost: x\r\nexpect: tea\r\nconnection: close\r\n\r\n'],
    ['no Host', [400], 'GET /currencies HTTP/1.1\r\nconnection: close\r\n\r\n'],
    [
      'a good request, then a broken chunk',
      [200, 400],
      'GET /currencies/ARS HTTP/1.1\r\nhost: x\r\n\r\n',
      'POST /users/test_user HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nx\r\n',
    ],
  ]
  for (const [name, statuses, ...pieces] of rows) {
    const [first, second] = await Promise.all(
      HOSTS.map(async (host) => {
        const connection = await openConnection(port, host)
        await connection.write(...pieces)
        return (await connection.answers()).map(withoutDate)
      }),
    )
    t.strictSame(
      first!.map(({ status }) => status),
      statuses,
      name,
    )
    t.strictSame(second, first, `${name}: on ::1`)
  }
})

t.test('both addresses of localhost speak https', options, async (t) => {
  const folder = createTemporaryFolder(tmpdir())
  const tls = await readTls({ tls: 'self-signed' }, 'localhost', folder.path, false)
  const { port } = await startLocalhost(t, { folder, tls })
  for (const host of HOSTS) {
    const call = request({ host, port, path: '/livez', ca: tls!.cert }).end()
    const [answer] = await once(call, 'response')
    t.equal(answer.statusCode, 200, host)
    answer.resume()
    call.destroy()
  }
})

t.test('a stop finishes the requests of both addresses', options, async (t) => {
  const { port, server } = await startLocalhost(t)
  const connections: Connection[] = []
  for (const host of HOSTS) {
    const connection = await openConnection(port, host)
    const head = 'POST /_sandbox/users HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: 17\r\n\r\n'
    await Promise.all([once(server.server, 'request'), connection.write(head, '{"site_id":')])
    connections.push(connection)
  }
  const closed = server.close()
  await until('a server that accepts no connection', () => !server.server.listening)
  for (const connection of connections) await connection.write('"MLA"}')
  for (const connection of connections) t.match(await connection.answers(), [{ status: 201 }])
  await closed
})

t.test('both addresses of localhost are the server itself', options, async (t) => {
  const { port, application, control } = await startLocalhost(t)
  for (const host of ['localhost', '127.0.0.1', '[::1]']) {
    const { status, body } = await control(`PUT /applications/${application.id}/notifications`, {
      callback_url: `http://${host}:${port}/`,
      topics: ['questions'],
    })
    t.strictSame([status, body.message], [400, `callback_url: ${host}:${port} is this server itself`])
  }
})

t.test('a port that is taken on the second address is an error', options, async (t) => {
  const other = createServer().listen(0, '::1')
  await once(other, 'listening')
  t.teardown(() => other.close())
  const { listenOn } = await start(t, { scenario: 'empty' })
  const { port } = other.address() as { port: number }
  await t.rejects(listenOn({ host: 'localhost', port }), { code: 'EADDRINUSE', syscall: 'listen' })
})

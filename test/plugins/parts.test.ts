import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { start } from '../support/app.ts'

/** The server of each route, in the order in which they were registered. */
const owners = new Map<string, FastifyInstance>()
/** Those that have handled requests. */
const handled: FastifyInstance[] = []
const opened = new Set<FastifyInstance>()
const app = await start(t, {
  beforePlugins(server) {
    opened.add(server)
    server.addHook('onRoute', ({ method, url }) => void owners.set(`${method} ${url}`, server))
    server.addHook('onRequest', async () => void handled.push(server))
  },
})
const { call, seller, openApi } = app

t.test('a part of the API opens with the first request of one of its paths, once', async (t) => {
  const before = opened.size
  const headers = { authorization: `Bearer ${seller.token}` }
  const answers = await Promise.all(
    ['/questions/search', '/w/1/questions/search', '/%71uestions/search'].map((url) => call({ url, headers })),
  )
  t.strictSame(
    answers.map(({ status }) => status),
    [200, 200, 200],
  )
  t.equal(opened.size, before + 1)
  t.equal((await call('/nothing')).status, 404)
  t.equal((await call('/nothing/more')).status, 404)
  t.equal(opened.size, before + 2)
})

t.test('the server that has a route gets its requests', async (t) => {
  await openApi()
  const wrong: string[] = []
  for (const [route, owner] of owners) {
    const [method, url] = route.split(' ') as ['GET', string]
    handled.length = 0
    await call({ method, url: url.replace(/:\w+|\*/g, '1') })
    if (handled.length !== 1 || handled[0] !== owner) wrong.push(route)
  }
  t.ok(owners.size > 280)
  t.strictSame(wrong, [])
})

t.test('what a part has no route for is answered like an unknown path or method', async (t) => {
  const unknown = await call('/nothing')
  const bodyOf = async (method: 'GET' | 'DELETE', url: string) => (await call({ method, url })).body
  for (const url of ['/users/1/nothing', '/questions/1/2/3', '/livez/1', '/docs/nothing', '/'])
    t.strictSame(await bodyOf('GET', url), unknown.body, url)
  for (const [url, allowed] of Object.entries({ '/users/me': 'GET, HEAD, OPTIONS', '/livez': 'GET, HEAD' })) {
    const answer = await call({ method: 'DELETE', url })
    t.strictSame([answer.status, answer.headers.allow], [405, allowed], url)
  }
  handled.length = 0
  t.equal((await call({ method: 'HEAD', url: '/users/1/nothing' })).status, 404)
  t.equal(handled.length, 1, 'one server has its hooks')
})

t.test('a request whose client is gone before its part is open leaves no trace', async (t) => {
  const beforePlugins = (app: FastifyInstance) => void app.register(async () => void (await setTimeout(50)))
  const { server, openApi, openControlPlane, world, control } = await start(t, { scenario: 'empty', beforePlugins })
  await openControlPlane()
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as { port: number }
  const before = world.refCount
  const gone = connect(port, '127.0.0.1', () => gone.write('GET /currencies HTTP/1.1\r\nhost: localhost\r\n\r\n'))
  server.server.once('request', ({ socket }) => socket.destroy())
  await once(gone, 'close')
  await openApi()
  t.strictSame((await control('GET /requests')).body.results, [])
  t.equal(world.refCount, before)
})

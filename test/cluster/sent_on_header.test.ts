import { createHmac } from 'node:crypto'
import t from 'tap'
import { SENT_ON_HEADER } from '../../cluster/requests/sent_on_header.ts'
import { realNow } from '../../db/clock.ts'
import { KEY, metricOf, type Node, send, startNode } from '../support/nodes.ts'

const PATH = '/_sandbox/clock'
const sentOn = (node: Node) => metricOf(node, 'mercadito_requests_sent_on_total')

/** A header as a node would write it, or with what a test changes. */
function signed({ key = KEY, method = 'GET', path = PATH, world = 2, times = 1, at = realNow() } = {}) {
  const text = `node ${world} ${times} ${at}`
  return `${text} ${createHmac('sha256', key).update(`${method}\n${path}\n${text}`).digest('base64url')}`
}

t.test('a signed header selects the world', async (t) => {
  const node = await startNode(t, 'owner')
  await node.control('PUT /clock', { mode: 'frozen', now: '2030-01-01T00:00:00.000Z' }, '/w/2')
  const yearOf = async (header: string) => {
    const { status, text } = await send(node.url, PATH, { headers: { host: 'localhost', [SENT_ON_HEADER]: header } })
    t.equal(status, 200)
    return JSON.parse(text).now.slice(0, 4)
  }
  t.equal(await yearOf(signed()), '2030')
  t.equal(await yearOf(signed({ at: realNow() - 50_000 })), '2030', 'again within a minute')
  const rejected: Record<string, string> = {
    'of another key': signed({ key: Buffer.alloc(32, 8) }),
    'of another method': signed({ method: 'POST' }),
    'of another path': signed({ path: `${PATH}?` }),
    'too old': signed({ at: realNow() - 61_000 }),
    'of the future': signed({ at: realNow() + 61_000 }),
    'with another world': signed({ world: 1 }).replace('node 1', 'node 2'),
    'with another node': signed().replace('node', 'edon'),
    'without a signature': signed().slice(0, -44),
    'with a short signature': signed().slice(0, -1),
    twice: `${signed()}, ${signed()}`,
    empty: '',
  }
  for (const [name, header] of Object.entries(rejected)) t.equal(await yearOf(header), '2026', name)
})

t.test('a signed header grants nothing', async (t) => {
  const node = await startNode(t, 'owner', { adminToken: 'abc' })
  for (const headers of [{}, { authorization: 'Bearer abd' }])
    t.equal((await send(node.url, PATH, { headers: { [SENT_ON_HEADER]: signed(), ...headers } })).status, 401)
  const headers = { [SENT_ON_HEADER]: signed(), authorization: 'Bearer abc', origin: 'http://example.com' }
  t.equal((await send(node.url, PATH, { headers })).status, 403)
  t.equal(
    (await send(node.url, '/users/me', { headers: { [SENT_ON_HEADER]: signed({ path: '/users/me' }) } })).status,
    401,
  )
})

t.test('a call is not sent to and fro', async (t) => {
  const [one, two] = [await startNode(t, 'one'), await startNode(t, 'two')]
  one.elsewhere.set(1, two.url)
  two.elsewhere.set(1, one.url)
  const { status, headers } = await send(one.url, '/currencies')
  t.equal(status, 503)
  t.ok(headers.includes('retry-after: 1'))
  t.strictSame([await sentOn(one), await sentOn(two)], [1, 0])
  t.strictSame(one.forgotten, [1], 'the next call looks up the owner')
  const forged = { [SENT_ON_HEADER]: signed({ key: Buffer.alloc(32) }) }
  t.equal((await send(one.url, '/currencies', { headers: forged })).status, 503)
  t.strictSame([await sentOn(one), await sentOn(two)], [1, 0], 'nor between nodes with two keys')
})

t.test('a call that names another world is sent on once more', async (t) => {
  const [one, two] = [await startNode(t, 'one'), await startNode(t, 'two')]
  const { application, sellers } = (await one.control('GET /worlds/2')).body
  one.elsewhere.set(2, two.url)
  two.elsewhere.set(1, one.url)
  const client = { client_id: String(application.id), redirect_uri: application.redirect_uri }
  const form = async (path: string, fields: Record<string, string>) =>
    send(two.url, path, {
      method: 'POST',
      headers: { host: 'localhost', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...client, ...fields }).toString(),
    })
  const authorized = await form('/authorization', { response_type: 'code', user_id: String(sellers[0].id) })
  t.equal(authorized.status, 302)
  const location = authorized.headers.find((header) => header.startsWith('location: '))!.slice(10)
  const granted = await form('/oauth/token', {
    grant_type: 'authorization_code',
    client_secret: application.secret,
    code: new URL(location).searchParams.get('code')!,
  })
  t.equal(granted.status, 200)
  t.equal(JSON.parse(granted.text).user_id, sellers[0].id)
  t.strictSame([await sentOn(one), await sentOn(two)], [2, 2])

  t.equal((await send(two.url, '/_sandbox/worlds/2', { method: 'DELETE' })).status, 204)
  t.strictSame([two.worlds.has(2), await sentOn(one), await sentOn(two)], [false, 3, 3])
  one.elsewhere.set(2, one.url)
  t.equal((await send(two.url, '/_sandbox/worlds/2', { method: 'DELETE' })).status, 503, 'but not a third time')
  t.strictSame([await sentOn(one), await sentOn(two)], [4, 4])
})

t.test('nodes behind a proxy say where a call came from', async (t) => {
  const ips: string[] = []
  const beforePlugins = (app: Node['server']) => app.addHook('onRequest', async ({ ip }) => void ips.push(ip))
  const trustedProxies = ['127.0.0.1']
  const owner = await startNode(t, 'owner', { trustedProxies, beforePlugins })
  const front = await startNode(t, 'front', { trustedProxies })
  front.elsewhere.set(1, owner.url)
  ips.length = 0
  await send(front.url, '/currencies', { headers: { 'x-forwarded-for': '192.0.2.1' } })
  await send(front.url, '/currencies')
  t.strictSame(ips, ['192.0.2.1', '127.0.0.1'])
})

import t from 'tap'
import { start } from '../support/app.ts'
import { exchange } from '../support/raw_http.ts'

const app = await start(t)
await app.server.listen({ port: 0, host: '127.0.0.1' })
const { port } = app.server.server.address() as { port: number }
const [seller] = app.sellers as [(typeof app.sellers)[0]]

/** The answer to one request with this target. */
async function request(target: string, method = 'GET', ...headers: string[]) {
  const lines = [`${method} ${target} HTTP/1.1`, 'host: localhost', 'connection: close', ...headers]
  const [answer] = await exchange(port, `${lines.join('\r\n')}\r\n\r\n`)
  return answer!
}

t.test('answers a target in absolute-form as it answers its path', async (t) => {
  await app.control('POST /worlds', {})
  const bearer = `authorization: Bearer ${seller.token}`
  for (const path of [
    '/currencies/ARS',
    '/currencies/ARS/?attributes=id',
    '/currencies/ARS?callback=show',
    '/currencies/ARS?callback=alert(1)',
    '/currencies/ARS#x',
    '/nowhere',
    '/items/%zz',
    '/users/me',
    '/w/1/users/me',
    '/w/2/users/me',
    '/w/2/currencies/ARS?callback=show',
    '/w/x/currencies',
    '/questions/search?limit=0',
    `/questions?callback=show&_method=POST&_body=${encodeURIComponent('{"text":"x"}')}`,
    '/_sandbox/clock',
    '/_sandbox/clock?callback=show',
    '/w/2/_sandbox/clock',
    '/livez',
    '/',
    '/?callback=show',
  ]) {
    const { headers: expectedHeaders, ...expected } = await request(path, 'GET', bearer)
    for (const origin of ['http://localhost', 'HTTPS://localhost:4400', 'http://example.com', 'http://a:b@[::1]:80']) {
      const { headers, ...answer } = await request(`${origin}${path}`, 'GET', bearer)
      t.strictSame(answer, expected, `${origin}${path}`)
      t.strictSame({ ...headers, date: '' }, { ...expectedHeaders, date: '' }, `${origin}${path}`)
    }
  }
  for (const target of ['http://localhost', 'http://localhost?callback=show', 'http://localhost?x=/currencies'])
    t.strictSame((await request(target)).text, (await request(target.replace('http://localhost', '/'))).text, target)
  t.equal((await request('http://localhost/currencies/ARS', 'DELETE')).status, 405)
  t.equal((await request('http://localhost/currencies/ARS', 'OPTIONS')).status, 200)
})

t.test('no form of the address of a control call has JSONP', async (t) => {
  const rule = (await app.control('POST /faults', { match: { path: '/never' }, action: { status: 503 } })).body
  const path = `/faults/${rule.id}`
  for (const prefix of ['/_sandbox', '/%5Fsandbox', '/_%73andbox', '/%5f%73%61%6e%64%62%6f%78', '/_sandbo%78'])
    for (const origin of ['', 'http://localhost', 'http://localhost/w/1', '/w/1']) {
      const call = `${origin}${prefix}${path}?callback=f&_method=DELETE`
      t.strictSame(JSON.parse((await request(call)).text), rule, call)
    }
  t.equal((await request(`/_sandbox${path}`, 'DELETE')).status, 204)
  t.equal((await request(`/_sandbox${path}`)).status, 404, 'a DELETE deletes')
})

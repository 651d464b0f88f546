import t from 'tap'
import { start } from '../support/app.ts'

const app = await start(t)
const { control, call, sellers } = app
const [seller] = sellers as [(typeof sellers)[0]]

const error = (status: number, code: string, message: string) => ({ message, error: code, status, cause: [] })
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

t.test('a world is made of a scenario, and told as a program needs it', async (t) => {
  const { status, body } = await control('POST /worlds', { scenario: 'demo', now: '2026-03-02T12:00:00Z' })
  t.equal(status, 201)
  const { sellers, buyers, application, ...rest } = body
  t.strictSame(rest, { url: 'http://localhost:80/w/2', world: { id: 2, mode: 'temporary', data: null } })
  t.equal(Math.floor(application.id / 1e9), 2)
  t.equal(sellers.length, 8)
  t.equal(buyers.length, 16)
  t.match(sellers[0].token, /^APP_USR-2\d{9}-\d{6}-00000002[0-9a-f]{24}-2500000101$/)
  const me = await call({ url: '/users/me', headers: bearer(sellers[0].token) })
  t.equal(me.status, 200, 'found by its token')
  t.strictSame((await call({ url: '/w/2/users/me', headers: bearer(sellers[0].token) })).body, me.body)
  t.strictSame(
    (await call({ url: '/w/2/users/me', headers: bearer(seller.token) })).body,
    error(401, 'not_found', 'invalid_token'),
  )
  t.strictSame((await control('GET /worlds/2')).body, body)
  t.strictSame((await control('GET /clock', undefined, '/w/2')).body, {
    mode: 'frozen',
    now: '2026-03-02T12:00:00.000Z',
  })
})

t.test('nothing went wrong unseen', async (t) => {
  t.strictSame(app.faults, [])
})

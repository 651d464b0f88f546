import t from 'tap'
import { notFound, start } from '../support/app.ts'
import { questionFixtures } from '../support/questions.ts'

const app = await start(t)
const { call, control, seller, buyer } = app
const fixtures = questionFixtures(app)

const conflict = (message: string) => ({ message, error: 'conflict', status: 409, cause: [] })
const latest = async () => (await control('GET /requests?order=desc&limit=1')).body.results[0]
const resend = (id: number, body?: object) => control(`POST /requests/${id}/resend`, body)

t.test('sends a read and a write again, with a valid token of the user', async (t) => {
  await seller.get('/users/me?attributes=id')
  const read = await latest()
  const { status, body } = await resend(read.id)
  t.equal(status, 200)
  t.strictSame(body, (await control(`GET /requests/${read.id + 1}`)).body, 'it answers the new entry')
  t.match(body, {
    ...{ id: read.id + 1, method: 'GET', path: '/users/me', query: { attributes: 'id' }, user_id: seller.id },
    response: { status: 200, body: JSON.stringify({ id: seller.id }) },
  })

  const { buyer: asker, item } = await fixtures.createParties()
  await asker.post('/questions', { item_id: item, text: '¿Hay stock?' })
  const written = await latest()
  const { body: again } = await resend(written.id)
  t.match(again, { method: 'POST', path: '/questions', body: written.body, response: { status: 201 } })
  t.equal(JSON.parse(again.response.body).id, JSON.parse(written.response.body).id + 1, 'a second question')
  t.equal(again.changes.length, 1)
})

t.test('issues a token if the one of the call has expired, and keeps a token in the query there', async (t) => {
  const { body: issued } = await control('POST /tokens', { user_id: buyer.id, expires_in: 60 })
  await call({ url: `/users/me?access_token=${issued.token}&attributes=id` })
  const { id } = await latest()
  for (const { token } of (await control(`GET /tokens?user_id=${buyer.id}`)).body.results)
    await control(`DELETE /tokens/${token}`)
  t.match((await resend(id)).body, {
    query: { access_token: '***', attributes: 'id' },
    response: { status: 200, body: JSON.stringify({ id: buyer.id }) },
  })
})

t.test('sends the fix of a refused call', async (t) => {
  await seller.get('/questions/search?limit=500&attributes=limit')
  const { id } = await latest()
  t.match((await resend(id)).body.response, { status: 400 })
  t.match((await resend(id, { fix: true })).body, {
    query: { limit: '100', attributes: 'limit' },
    response: { status: 200, body: '{"limit":100}' },
  })
  t.match((await resend(id, { fix: false })).body.response, { status: 400 })
})

t.test('sends another path and another body', async (t) => {
  const { buyer: asker, item } = await fixtures.createParties()
  await asker.post('/questions', { item_id: item, text: '¿Hay stock?' })
  const { id } = await latest()
  const body = JSON.stringify({ item_id: item, text: '¿Y en azul?' })
  t.match((await resend(id, { body })).body, { path: '/questions', body, response: { status: 201 } })
  t.match((await resend(id, { path: '/answers?a=1', body: '' })).body, {
    ...{ method: 'POST', path: '/answers', query: { a: '1' }, body: null, user_id: asker.id },
    response: { status: 400 },
  })
  const { id: last } = await latest()
  for (const path of ['/_sandbox/reset', '/w/2/answers', 'answers', '/a b', '//\u0000'])
    t.equal(
      (await resend(id, { path })).body.message,
      'path: must be a path of the emulated API with its query, escaped',
    )
  t.equal((await latest()).id, last, 'nothing was sent')
})

t.test('says what cannot be sent', async (t) => {
  t.strictSame(
    (await resend(99_999)).body,
    notFound('Request with id 99999 not found: it was not recorded, or is no longer stored'),
  )
  await call({ url: '/users/me', headers: { authorization: 'Bearer nobody' } })
  const { id: unknown } = await latest()
  t.strictSame(
    (await resend(unknown)).body,
    conflict('The token of the call belongs to no user, and is not recorded; send it with a token of your own'),
  )
  await seller.post('/answers', { question_id: 1, text: 'x'.repeat(9000) })
  const { id: long } = await latest()
  t.strictSame((await resend(long)).body, conflict('The body of the call was not recorded, or only its beginning'))
  await seller.get('/users/me')
  const { id: accepted } = await latest()
  t.strictSame(
    (await resend(accepted, { fix: true })).body,
    conflict('fix: there is none; the explanation of the call says why'),
  )
  t.match((await resend(accepted, { fix: 1 })).body, { status: 400, message: 'fix: must be true or false' })
  t.equal((await latest()).id, accepted, 'nothing was sent')
})

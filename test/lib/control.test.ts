import { createServer, type Server } from 'node:http'
import t from 'tap'
import { ControlError, control } from '../../lib/control.ts'
import { sandbox } from '../../lib/sandbox.ts'

const faults: Error[] = []
const adminToken = 'secret'
const { url, close } = await sandbox({
  now: '2026-03-07T15:00:00Z',
  adminToken,
  onFault: (error) => faults.push(error),
})
t.teardown(close)
const market = control(`${url}/`, { adminToken })

const NOT_FOUND = {
  name: 'ControlError',
  call: 'GET /users/{id}',
  status: 404,
  error: 'not_found',
  message: 'GET /users/{id}: User with id 5 not found',
  body: { message: 'User with id 5 not found', error: 'not_found', status: 404, cause: [] },
}

t.test('every call, by its method and path', async (t) => {
  t.equal(market.url, url)
  const { paging, results } = await market.call('GET /users', { query: { limit: 1, offset: undefined } })
  t.strictSame([paging.limit, results.length], [1, 1])
  const made = await market.call('PUT /clock', { body: { mode: 'frozen', now: '2026-03-07T16:00:00Z' } })
  t.strictSame(made, { mode: 'frozen', now: '2026-03-07T16:00:00.000Z' })
  t.equal(await market.call('POST /settle'), undefined)
  const named = await market.call('POST /snapshots', { body: { name: 'before' } })
  t.equal(named.name, 'before')
  t.equal(await market.call('DELETE /snapshots/{name}', { path: { name: 'before' } }), undefined)
})

t.test('errors are of one type', async (t) => {
  const refused = market.call('GET /users/{id}', { path: { id: 5 } })
  await t.rejects(refused, NOT_FOUND)
  await t.rejects(refused, ControlError)
  await t.rejects(control(url).call('GET /clock'), { name: 'ControlError', status: 401, error: 'unauthorized' })
  await t.rejects(market.call('POST /questions', { body: { item_id: 'MLA1400000001', text: '' } }), {
    name: 'ControlError',
    status: 400,
  })
  await t.rejects(market.call('GET /users/{id}', {} as never), {
    name: 'TypeError',
    message: '/users/{id}: id is missing',
  })
})

t.test('what is no mercadito, and nobody', async (t) => {
  const other = createServer((_, response) => response.end('<p>Hola</p>')).listen(0, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  const at = addressOf(other)
  await t.rejects(control(at).call('GET /clock'), {
    name: 'ControlError',
    status: 200,
    error: 'no_json',
    message: `GET /clock: what answers at ${at} is no mercadito (status 200, no JSON)`,
  })
  other.closeAllConnections()
  await new Promise((resolve) => other.close(resolve))
  await t.rejects(control(at).call('GET /clock'), {
    name: 'ControlError',
    status: 0,
    error: 'no_answer',
    message: `GET /clock: no mercadito answers at ${at} (ECONNREFUSED)`,
  })
  await t.rejects(market.call('GET /clock', { signal: AbortSignal.abort(new Error('enough')) }), { message: 'enough' })
})
const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as { port: number }).port}`

t.test('other worlds of the server', async (t) => {
  const made = await market.call('POST /worlds', { body: { scenario: 'empty', now: '2026-03-02T12:00:00Z' } })
  const world = market.world(made.world.id)
  t.equal(world.url, made.url)
  t.equal((await world.call('GET /clock')).now, '2026-03-02T12:00:00.000Z')
  t.equal(world.world(1).url, url)
  t.equal((await control(made.url, { adminToken }).world(1).call('GET /clock')).mode, 'frozen')
})

t.test('what happens, while it happens', async (t) => {
  const { id } = await market.call('POST /questions', { body: { item_id: 'MLA1400000001', text: '¿Hay?' } })
  const seen = []
  for await (const event of market.events({ last_event_id: 0 })) {
    seen.push(event)
    if (seen.length === 2) break
    await market.call('PATCH /questions/{id}', { path: { id }, body: { answer: { text: 'Sí.' } } })
  }
  const fact = { type: 'fact', topic: 'questions', resource: `/questions/${id}` }
  t.match(seen, [fact, fact])
  await t.rejects(control(url).events().next(), { name: 'ControlError', status: 401 })
})

t.test('nothing went wrong unseen', async (t) => t.strictSame(faults, []))

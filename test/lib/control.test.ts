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
const client = control(`${url}/`, { adminToken })

const NOT_FOUND = {
  name: 'ControlError',
  call: 'GET /users/{id}',
  status: 404,
  error: 'not_found',
  message: 'GET /users/{id}: User with id 5 not found',
  body: { message: 'User with id 5 not found', error: 'not_found', status: 404, cause: [] },
}

t.test('calls every operation by method and path', async (t) => {
  t.equal(client.url, url)
  const { paging, results } = await client.call('GET /users', { query: { limit: 1, offset: undefined } })
  t.strictSame([paging.limit, results.length], [1, 1])
  const created = await client.call('PUT /clock', { body: { mode: 'frozen', now: '2026-03-07T16:00:00Z' } })
  t.strictSame(created, { mode: 'frozen', now: '2026-03-07T16:00:00.000Z' })
  t.equal(await client.call('POST /settle'), undefined)
  const named = await client.call('POST /snapshots', { body: { name: 'before' } })
  t.equal(named.name, 'before')
  t.equal(await client.call('DELETE /snapshots/{name}', { path: { name: 'before' } }), undefined)
})

t.test('takes a snapshot before a call, which an undo restores', async (t) => {
  const { now } = await client.call('GET /clock')
  await client.call('POST /clock/advance', { body: { by: 'PT1H' }, snapshot: 'Una hora más ⏱' })
  const undone = await client.call('POST /undo')
  t.match(undone, { restored: { label: 'Una hora más ⏱', now }, removed: { control_calls: 1 } })
  t.equal((await client.call('GET /clock')).now, now)
  await client.call('POST /clock/advance', { body: { by: 'PT1H' }, snapshot: 'again' })
  const [{ name } = { name: '' }] = (await client.call('GET /snapshots')).results
  t.equal((await client.call('POST /undo', { body: { name } })).restored.name, name)
})

t.test('rejects with a ControlError', async (t) => {
  const rejected = client.call('GET /users/{id}', { path: { id: 5 } })
  await t.rejects(rejected, NOT_FOUND)
  await t.rejects(rejected, ControlError)
  await t.rejects(control(url).call('GET /clock'), { name: 'ControlError', status: 401, error: 'unauthorized' })
  await t.rejects(client.call('POST /questions', { body: { item_id: 'MLA1400000001', text: '' } }), {
    name: 'ControlError',
    status: 400,
  })
  await t.rejects(client.call('GET /users/{id}', {} as never), {
    name: 'TypeError',
    message: '/users/{id}: id is missing',
  })
})

t.test('reports servers that are not mercadito, and unreachable ones', async (t) => {
  const other = createServer((_, response) => response.end('<p>Hola</p>')).listen(0, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  const address = addressOf(other)
  await t.rejects(control(address).call('GET /clock'), {
    name: 'ControlError',
    status: 200,
    error: 'no_json',
    message: `GET /clock: the server at ${address} is not mercadito (status 200, no JSON)`,
  })
  other.closeAllConnections()
  await new Promise((resolve) => other.close(resolve))
  await t.rejects(control(address).call('GET /clock'), {
    name: 'ControlError',
    status: 0,
    error: 'no_answer',
    message: `GET /clock: no server answers at ${address} (ECONNREFUSED)`,
  })
  await t.rejects(client.call('GET /clock', { signal: AbortSignal.abort(new Error('enough')) }), { message: 'enough' })
})
const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as { port: number }).port}`

t.test('calls other worlds of the server', async (t) => {
  const created = await client.call('POST /worlds', { body: { scenario: 'empty', now: '2026-03-02T12:00:00Z' } })
  const world = client.world(created.world.id)
  t.equal(world.url, created.url)
  t.equal((await world.call('GET /clock')).now, '2026-03-02T12:00:00.000Z')
  t.equal(world.world(1).url, url)
  t.equal((await control(created.url, { adminToken }).world(1).call('GET /clock')).mode, 'frozen')
})

t.test('streams events', async (t) => {
  const { id } = await client.call('POST /questions', { body: { item_id: 'MLA1400000001', text: '¿Hay?' } })
  const received = []
  for await (const event of client.events({ last_event_id: 0 })) {
    // Parcels of the demo have moved with the clock.
    if (event.type === 'fact' && event.topic !== 'questions') continue
    received.push(event)
    if (received.length === 2) break
    await client.call('PATCH /questions/{id}', { path: { id }, body: { answer: { text: 'Sí.' } } })
  }
  const expected = { type: 'fact', topic: 'questions', resource: `/questions/${id}` }
  t.match(received, [expected, expected])
  const kinds = client.events({ kinds: ['clock', 'control'], last_event_id: 0 })
  const first = kinds.next()
  // Repeated, because the stream may begin after the first call.
  const moving = setInterval(() => client.call('POST /clock/advance', { body: { by: '1h' } }), 20)
  const { value } = await first
  clearInterval(moving)
  await kinds.return()
  t.match(value, { type: 'control', method: 'POST', path: '/clock/advance', status: 200, changes: [] })
  await t.rejects(control(url).events().next(), { name: 'ControlError', status: 401 })
})

t.test('reports no unexpected error', async (t) => t.strictSame(faults, []))

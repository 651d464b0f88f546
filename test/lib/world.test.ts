import t from 'tap'
import { createWorld } from '../../lib/client.ts'
import { sandbox } from '../../lib/sandbox.ts'
import type { Notification } from '../../lib/types.ts'

const adminToken = 'secret'
const faults: Error[] = []
const server = await sandbox({ scenario: 'quiet', adminToken, onFault: (error) => faults.push(error) })
t.teardown(server.close)
const options = { url: server.url, adminToken, scenario: 'quiet', now: '2026-03-02T12:00:00Z' } as const
const ITEM = 'MLA1400000001'

const listWorlds = async () => (await server.control.call('GET /worlds')).results

t.test('creates a world of its own for each caller, and deletes it', async (t) => {
  const [one, two] = await Promise.all([createWorld({ ...options, name: 'one' }), createWorld({ ...options, now: 0 })])
  t.not(one.url, two.url)
  t.match(await listWorlds(), [{ id: 1 }, { expires_at: /Z$/ }, { expires_at: /Z$/ }])
  t.match(
    (await one.control.call('GET /worlds')).results.find(({ id }) => id === one.world.id),
    { name: 'one' },
  )

  const { id } = await one.ask(ITEM, '¿Hay stock?')
  t.match(await one.answer(id, 'Sí.'), { status: 'ANSWERED' })
  const headers = { authorization: `Bearer ${one.seller('MLA').token}` }
  const read = await fetch(`${one.url}/questions/${id}`, { headers })
  t.match(await read.json(), { id, answer: { text: 'Sí.' } })
  await one.verify({ path: `/questions/${id}`, times: 1 })
  t.equal((await one.requests()).length, 1)
  t.equal((await one.clock.advance('2h')).toISOString(), '2026-03-02T14:00:00.000Z')

  t.strictSame(await two.requests(), [])
  t.equal((await two.clock.now()).getTime(), 0)
  t.equal((await two.control.call('GET /questions', { query: { limit: 0 } })).paging.total, 0)
  t.not(two.seller('MLA').token, one.seller('MLA').token)

  await Promise.all([one.close(), one.close(), two.close()])
  await one.close()
  t.match(await listWorlds(), [{ id: 1 }])
  t.equal((await listWorlds()).length, 1)
})

t.test('sends notifications to a function, until it is closed', async (t) => {
  const world = await createWorld(options)
  const received: Notification[] = []
  const { callback_url } = await world.notify((notification) => received.push(notification))
  const { id } = await world.ask(ITEM, '¿Hay stock?')
  await world.settle()
  t.match(received, [{ resource: `/questions/${id}` }, { resource: `/questions/${id}` }])
  await world.close()
  await t.rejects(fetch(callback_url!), { cause: { code: 'ECONNREFUSED' } })
})

t.test('is deleted at the end of a block, also when it was deleted before', async (t) => {
  {
    await using world = await createWorld(options)
    await server.control.call('DELETE /worlds/{id}', { path: { id: world.world.id } })
  }
  t.equal((await listWorlds()).length, 1)
})

t.test('reads the address and the token from the environment', async (t) => {
  process.env.MERCADITO_URL = `${server.url}/w/1`
  process.env.MERCADITO_ADMIN_TOKEN = adminToken
  const world = await createWorld()
  t.match(world.url, /\/w\/\d+$/)
  t.match(await world.control.call('GET /overview'), { world: { scenario: 'demo' } })
  await world.close()
  await t.rejects(createWorld({ adminToken: 'other' }), { name: 'ControlError', status: 401 })
  delete process.env.MERCADITO_URL
  delete process.env.MERCADITO_ADMIN_TOKEN
})

t.test('reports wrong options', async (t) => {
  await t.rejects(createWorld(), { name: 'TypeError', message: /^createWorld: url is missing; set MERCADITO_URL/ })
  await t.rejects(createWorld({ ...options, now: 'today' }), {
    name: 'TypeError',
    message: /^createWorld: now must be an instant/,
  })
  await t.rejects(createWorld({ ...options, assume: { mood: 'good' } }), { name: 'ControlError', status: 400 })
  t.equal((await listWorlds()).length, 1)
})

t.test('reports no unexpected error', async (t) => t.strictSame(faults, []))

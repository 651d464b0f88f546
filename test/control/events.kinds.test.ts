import t, { type Test } from 'tap'
import { clockChangesOf } from '../../control/worlds/clock_changes.ts'
import { recordContact } from '../../domains/contacts/operations.ts'
import { contactSumsOf } from '../../domains/contacts/watch.ts'
import { badRequest, ITEM, NOON, start, valuesOf } from '../support/app.ts'
import { type Event, follow as openStream, urlOf } from '../support/event_stream.ts'

const app = await start(t)
await app.server.listen({ port: 0, host: '127.0.0.1' })

async function createWorld(t: Test) {
  const world = await app.createWorld()
  return {
    ...world,
    ask: () => world.buyer.post('/questions', { item_id: ITEM, text: '¿Envían?' }),
    /** Opens a stream; resolves when it has begun. */
    async follow(kinds: string) {
      const stream = await openStream(t, `${urlOf(app.server)}${world.base}/_sandbox/events?kinds=${kinds}`)
      await stream.until(1)
      return {
        ...stream,
        /** The first events, without those members that depend on real time. */
        async first(count: number) {
          await stream.until(count + 1)
          return stream.events.slice(1, count + 1).map(timeless)
        },
      }
    },
  }
}

function timeless({ event, data: { ms, real_at, ...data } }: Event) {
  if (real_at === undefined) return { event, ...data }
  return {
    event,
    ...data,
    isTimed: (ms === undefined || (Number.isInteger(ms) && ms >= 0)) && new Date(real_at).toISOString() === real_at,
  }
}

t.test('streams requests without bodies, and the facts that they cause', async (t) => {
  const { seller, buyer, application, ask, control, follow } = await createWorld(t)
  const requests = await follow('request')
  const facts = await follow('fact')
  const { body: question } = await ask()
  await seller.get(`/items/${seller.token}?attributes=id,title&access%5Ftoken=${seller.token}`)
  const shared = {
    event: 'request',
    at: NOON,
    application_id: application.id,
    faults: [],
    stub: null,
    found: null,
    after_delivery: null,
    isTimed: true,
  }
  const path = '/items/***?attributes=id,title&access_token=***'
  t.strictSame(await requests.first(2), [
    { ...shared, id: 1, method: 'POST', path: '/questions', status: 201, user_id: buyer.id, changes: [1] },
    { ...shared, id: 2, method: 'GET', path, status: 404, user_id: seller.id, changes: [] },
  ])
  t.strictSame(await facts.first(1), [
    {
      ...{ event: 'fact', id: 1, topic: 'questions', resource: `/questions/${question.id}` },
      ...{ users: [seller.id, buyer.id], at: NOON, cause: { kind: 'request', id: 1 }, isTimed: true },
    },
  ])
  t.equal((await control(`GET /requests/1`)).body.changes[0], 1)
})

t.test('says how much of a list a call has got', async (t) => {
  const { seller, follow } = await createWorld(t)
  const requests = await follow('request')
  const { body } = await seller.get(`/questions/search?seller_id=${seller.id}&limit=2`)
  await seller.get(`/questions/search?seller_id=${seller.id}&offset=${body.total - 1}`)
  await seller.get(`/users/${seller.id}/items/search?limit=1`)
  await seller.get('/users/me')
  const [first, last, items, me] = valuesOf(await requests.first(4), 'found')
  t.strictSame([first, last, me], [{ shown: 2, total: body.total }, { shown: 1, total: body.total }, null])
  t.match(items, { shown: 1, total: Number })
})

t.test('streams the control calls that may change something', async (t) => {
  const { seller, control, follow } = await createWorld(t)
  const { first, events } = await follow('control')
  await control('GET /clock')
  await control('POST /settle')
  await control('POST /verify', { path: '/x', times: 0 })
  await control('POST /tokens', { user_id: seller.id, token: 'sesame' })
  await control('PATCH /tokens/sesame', { expires_in: 60 })
  await control(`PATCH /items/${ITEM}`, { status: 'paused' })
  await control('PATCH /items/MLA1', { status: 'paused' })
  await control('POST /questions', { item_id: 1 })
  const shared = { event: 'control', by: null, at: NOON, isTimed: true }
  t.strictSame(await first(5), [
    { ...shared, id: 1, method: 'POST', path: '/tokens', status: 201, changes: [] },
    { ...shared, id: 2, method: 'PATCH', path: '/tokens/***', status: 200, changes: [] },
    { ...shared, id: 3, method: 'PATCH', path: `/items/${ITEM}`, status: 200, changes: [1] },
    { ...shared, id: 4, method: 'PATCH', path: '/items/MLA1', status: 404, changes: [] },
    { ...shared, id: 5, method: 'POST', path: '/questions', status: 400, changes: [] },
  ])
  t.equal(events.length, 6)
  await control('POST /reset', { keep_requests: true })
  const kept = await follow('control')
  await control('POST /reset', { keep_requests: 1 })
  t.strictSame(await kept.first(1), [{ ...shared, id: 7, method: 'POST', path: '/reset', status: 400, changes: [] }])
  await control('POST /reset')
  const emptied = await follow('control')
  await control('DELETE /faults')
  t.strictSame(await emptied.first(1), [
    { ...shared, id: 2, method: 'DELETE', path: '/faults', status: 204, changes: [] },
  ])
})

t.test('an undo keeps the control calls and is one of them', async (t) => {
  const { seller, control, follow } = await createWorld(t)
  await control(`DELETE /tokens/${seller.token}`, undefined, { 'x-sandbox-snapshot': 'Revoke' })
  const { ended, events } = await follow('control')
  const undone = await control('POST /undo')
  t.strictSame([undone.status, await ended, events.length], [200, 'ended', 1])
  const { first } = await follow('control')
  await control('DELETE /tokens/mi%2Dtoken')
  await control('POST /tokens', { user_id: seller.id, token: 'mi-token' })
  await control('DELETE /tokens/mi%2Dtoken')
  const shared = { event: 'control', by: null, at: NOON, isTimed: true, changes: [] }
  t.strictSame(await first(3), [
    { ...shared, id: 3, method: 'DELETE', path: '/tokens/***', status: 404 },
    { ...shared, id: 4, method: 'POST', path: '/tokens', status: 201 },
    { ...shared, id: 5, method: 'DELETE', path: '/tokens/***', status: 204 },
  ])
})

t.test('streams moves of the clock', async (t) => {
  const { id, control, follow } = await createWorld(t)
  const world = (await app.worlds.acquire(id))!
  await control('POST /clock/advance', { by: '1h' })
  t.equal(clockChangesOf(world.generation).next, 1, 'nothing is recorded that no stream wants')
  app.worlds.release(world)
  const { first } = await follow('clock')
  await control('POST /clock/advance', { by: '-2h' })
  await control('PUT /clock', { mode: 'frozen', now: '2027-01-01T00:00:00Z' })
  await control('PUT /clock', { mode: 'frozen', now: '99999' })
  const move = (before: string, now: string, id: number) => ({
    event: 'clock',
    mode: 'frozen',
    now,
    before,
    cause: { kind: 'control', id },
  })
  t.strictSame(await first(2), [
    move('2026-03-02T13:00:00.000Z', '2026-03-02T11:00:00.000Z', 2),
    move('2026-03-02T11:00:00.000Z', '2027-01-01T00:00:00.000Z', 3),
  ])
})

t.test('sums the contacts of a listing that are committed', async (t) => {
  const { id, seller, ask, control, follow } = await createWorld(t)
  const world = (await app.worlds.acquire(id))!
  t.teardown(() => app.worlds.release(world))
  const at = Date.parse(NOON)
  const contact = { kind: 'phone_views', item_id: ITEM, user_id: seller.id, buyer_id: null, at } as const
  await control('POST /contacts', { kind: 'phone_view', item_id: ITEM })
  t.equal(contactSumsOf(world.generation).next, 1, 'nothing is summed that no stream wants')
  const { first } = await follow('contact')
  const failed = world.tx(async (q) => {
    await recordContact(q, world, contact)
    throw new Error('rolled back')
  })
  await t.rejects(failed, { message: 'rolled back' })
  await control('POST /contacts', [
    { kind: 'phone_view', item_id: ITEM, count: 3 },
    { kind: 'whatsapp', item_id: 'MLA1400000002' },
    { kind: 'whatsapp', item_id: ITEM, count: 2 },
  ])
  const none = { event: 'contact', user_id: seller.id, phone_views: 0, messaging_clicks: 0, questions: 0 }
  const sum = (item_id: string, counts: object) => ({ ...none, item_id, ...counts })
  t.strictSame(await first(2), [
    sum(ITEM, { phone_views: 3, messaging_clicks: 2 }),
    sum('MLA1400000002', { messaging_clicks: 1 }),
  ])
  await ask()
  t.strictSame((await first(3))[2], sum(ITEM, { questions: 1 }))
})

t.test('ends with an event that says what happened to the world', async (t) => {
  const { id, control, follow } = await createWorld(t)
  await control('POST /snapshots', { name: 'uno' })
  const file = (await control('GET /world')).body
  await control('DELETE /faults', undefined, { 'x-sandbox-snapshot': 'Undo' })
  const cases: [run: () => Promise<unknown>, data: object][] = [
    [() => control('POST /reset'), { change: 'reset' }],
    [() => control('POST /snapshots/uno/restore'), { change: 'restore', name: 'uno' }],
    [() => control('PUT /world', file), { change: 'load' }],
    [() => control('POST /undo'), { change: 'undo' }],
    [() => app.control(`DELETE /worlds/${id}`), { change: 'deleted' }],
  ]
  const states = new Set<unknown>()
  for (const [run, data] of cases) {
    const { response, events, ended } = await follow('world,fact')
    const { response: other, events: others, ended: othersEnded } = await follow('fact')
    const { 'x-sandbox-state': state } = response.headers
    t.match(state, /^[\w-]{36}$/)
    t.equal(other.headers['x-sandbox-state'], state)
    states.add(state)
    await run()
    t.strictSame([await ended, await othersEnded], ['ended', 'ended'])
    t.strictSame([events.slice(1), others.slice(1)], [[{ event: 'world', data }], []])
  }
  t.equal(states.size, cases.length)
})

t.test('streams several kinds at once, those in memory first', async (t) => {
  const { ask, follow } = await createWorld(t)
  const { first } = await follow('fact,request&kinds=clock')
  await ask()
  t.strictSame(valuesOf(await first(2), 'event'), ['request', 'fact'])
})

t.test('rejects unknown kinds', async (t) => {
  const message =
    'kinds: must be one or more of fact, attempt, topic_off, request, control, clock, world, contact, separated by commas'
  for (const kinds of ['', ',', 'facts', 'fact,x'])
    t.strictSame((await app.control(`GET /events?kinds=${kinds}`)).body, badRequest(message))
})

import t, { type Test } from 'tap'
import about from '../../package.json' with { type: 'json' }
import { badRequest, notFound, start } from '../support/app.ts'
import { manualReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

const app = await start(t)
const { control } = app
const rejected = (message: string) => badRequest(message)
const NOON = '2026-03-02T12:00:00.000Z'

/** A new world whose application is subscribed to its listings. */
async function createSubscribedWorld(t: Test) {
  const target = await manualReceiver(t)
  const { body } = await control('POST /worlds', { scenario: 'demo', now: NOON })
  const base = `/w/${body.world.id}`
  t.teardown(() => control(`DELETE /worlds/${body.world.id}`))
  const path = `/applications/${body.application.id}/notifications`
  const setting = { callback_url: target.url, topics: ['items'] }
  await control(`PUT ${path}`, setting, base)
  const list = async (query = '') => (await control(`GET /deliveries${query}`, undefined, base)).body.results
  const command = async (id: number, action: string) => control(`POST /deliveries/${id}/${action}`, undefined, base)
  return {
    ...target,
    base,
    application: body.application.id as number,
    seller: body.sellers[0].id as number,
    unsubscribe: () => control(`DELETE ${path}`, undefined, base),
    subscribe: () => control(`PUT ${path}`, setting, base),
    settle: () => control('POST /settle', undefined, base),
    advance: (by: string) => control('POST /clock/advance', { by }, base),
    pause: (item: string) => control(`PATCH /items/${item}`, { status: 'paused' }, base),
    activate: (item: string) => control(`PATCH /items/${item}`, { status: 'active' }, base),
    list,
    command,
    /** Calls an action; returns status, attempts and due time, or the error. */
    async perform(id: number, action: string) {
      const { status, body } = await command(id, action)
      if (status !== 200) return body
      return [body.status, body.attempts, body.next_at]
    },
    read: async (id: number) => (await control(`GET /deliveries/${id}`, undefined, base)).body,
  }
}

const wait = (reason: string, until: string | null = null, behind: number | null = null) => ({ reason, until, behind })

/** Of each notification, but for host and length. */
const HEADERS = {
  host: '',
  accept: '*/*',
  'user-agent': `mercadito/${about.version}`,
  'content-type': 'application/json',
  'content-length': '',
  connection: 'keep-alive',
}

t.test('resends a delivered notification with the same _id', async (t) => {
  const { pause, answer, settle, command, read, bodies, url, application, seller, base } =
    await createSubscribedWorld(t)
  await pause('MLA1400000001')
  await answer(200)
  await settle()
  const delivered = await read(1)
  const resent = await command(1, 'resend')
  t.strictSame(
    resent.body,
    { ...delivered, status: 'pending', next_at: NOON, waits_for: wait('turn') },
    'keeps its earlier attempts',
  )
  await answer(200)
  await settle()
  const attempt = (n: number) => ({ n, sent: NOON, url, http_code: 200, body: '{}', error: null })
  const { host } = new URL(url)
  const { tries, real_at, ...rest } = await read(1)
  t.equal(real_at, (await control('GET /facts', undefined, base)).body.results[0].real_at)
  t.strictSame(
    tries.map(({ ms, real_sent, request, ...one }: Record<string, unknown> & { real_sent: string }, n: number) => {
      t.ok(real_sent >= real_at)
      const body = JSON.stringify(bodies[n])
      t.strictSame(request, { headers: { ...HEADERS, host, 'content-length': String(body.length) }, body })
      return one
    }),
    [attempt(1), attempt(2)],
  )
  t.strictSame(rest, {
    id: 1,
    _id: delivered._id,
    application_id: application,
    user_id: seller,
    topic: 'items',
    resource: '/items/MLA1400000001',
    status: 'delivered',
    attempts: 2,
    received: NOON,
    next_at: null,
    waits_for: null,
    fact_id: 1,
    cause: { kind: 'control', id: 2 },
  })
  t.strictSame(
    bodies.map(({ attempts, _id }) => [attempts, _id]),
    [1, 2].map((n) => [n, delivered._id]),
  )
  t.equal((await control('GET /deliveries/1', undefined, base)).status, 200)
})

t.test('says what a pending notification waits for', async (t) => {
  const { pause, activate, attemptStarted, answer, settle, perform, read, base, application, url } =
    await createSubscribedWorld(t)
  const waitOf = async (id: number) => (await read(id)).waits_for
  await pause('MLA1400000001')
  await activate('MLA1400000001')
  await attemptStarted()
  t.strictSame(await waitOf(1), wait('in_flight'))
  t.strictSame(await waitOf(2), wait('behind', null, 1))
  await answer(503)
  await settle()
  t.strictSame(await waitOf(1), wait('clock_stopped', '2026-03-02T12:00:15.000Z'))
  await control('PUT /clock', { mode: 'shifted' }, base)
  t.match(await waitOf(1), { reason: 'retry', until: /^2026-03-02T12:00:\d\d\.\d{3}Z$/, behind: null })
  await perform(1, 'hold')
  t.equal(await waitOf(1), null, 'it waits for a person')
  await answer(200)
  await settle()
  t.equal(await waitOf(2), null)
  const late = { profile: 'hostile', overrides: { delayed: 1, delay_ms: 3_600_000, silenced: 0, duplicates: 1 } }
  await control(`PUT /applications/${application}/notifications`, { callback_url: url, ...late }, base)
  await pause('MLA1400000003')
  await until('the time of the first attempt', async () => (await waitOf(3))?.reason === 'first_attempt')
  await perform(3, 'resend')
  await answer(200)
  await until('the time of the duplicate', async () => (await waitOf(3))?.reason === 'duplicate')
})

t.test('retries a late failed resend from its new time on, not all attempts at once', async (t) => {
  const { pause, answer, settle, perform, advance, read } = await createSubscribedWorld(t)
  await pause('MLA1400000001')
  await answer(200)
  await settle()
  await advance('PT5H')
  t.strictSame(await perform(1, 'resend'), ['pending', 1, '2026-03-02T17:00:00.000Z'])
  await answer(500)
  await settle()
  const { status, attempts, next_at } = await read(1)
  t.strictSame([status, attempts, next_at], ['pending', 2, '2026-03-02T17:01:00.000Z'])
})

t.test('resends a pending notification at once, and a missed one as the ninth attempt', async (t) => {
  const { pause, answer, settle, perform, read, base, application } = await createSubscribedWorld(t)
  await pause('MLA1400000001')
  await answer(500)
  await settle()
  for (let n = 1; n < 8; n++) {
    t.strictSame(await perform(1, 'resend'), ['pending', n, NOON], `after ${n} attempts`)
    await answer(500)
    await settle()
  }
  t.equal((await read(1)).status, 'missed')
  t.strictSame(await perform(1, 'resend'), ['pending', 8, NOON])
  await answer(200)
  await settle()
  const { status, tries } = await read(1)
  t.strictSame([status, tries.length, tries.at(-1).n], ['delivered', 9, 9])
  t.strictSame((await control(`GET /deliveries?application_id=${application}&status=missed`, undefined, base)).body, {
    paging: { total: 0, limit: 50, offset: 0, next_before: null },
    results: [],
  })
})

t.test('does not attempt a held notification until it is released', async (t) => {
  const { pause, answer, settle, perform, advance, read, bodies } = await createSubscribedWorld(t)
  await pause('MLA1400000001')
  await answer(500)
  await settle()
  t.strictSame(await perform(1, 'hold'), ['held', 1, null])
  await advance('P1D')
  await settle()
  t.equal(bodies.length, 1)
  t.strictSame(await perform(1, 'release'), ['pending', 1, '2026-03-03T12:00:00.000Z'])
  await answer(200)
  await settle()
  t.equal((await read(1)).status, 'delivered')
})

t.test('finishes an attempt in flight: a hold applies after a failure only, a drop always', async (t) => {
  const { pause, attemptStarted, answer, settle, perform, read } = await createSubscribedWorld(t)
  const cases: [action: string, httpCode: number, status: string][] = [
    ['hold', 500, 'held'],
    ['hold', 200, 'delivered'],
    ['drop', 500, 'dropped'],
    ['drop', 200, 'dropped'],
  ]
  for (const [n, [action, httpCode, status]] of cases.entries()) {
    const id = n + 1
    await pause(`MLA140000000${id}`)
    await attemptStarted()
    t.strictSame(
      await perform(id, 'resend'),
      rejected('status: is pending, with an attempt in flight; resend it after the attempt'),
      'rejects a second attempt in flight',
    )
    t.strictSame(await perform(id, action), [action === 'hold' ? 'held' : 'dropped', 1, null])
    await answer(httpCode)
    await settle()
    const { status: after, tries } = await read(id)
    t.strictSame([after, tries.length, tries[0].http_code], [status, 1, httpCode], `${action}, then ${httpCode}`)
  }
  t.strictSame(await perform(1, 'release'), ['pending', 1, NOON])
  await answer(200)
  await settle()
  t.equal((await read(1)).status, 'delivered', 'claimed like any other notification')
  t.strictSame(await perform(3, 'resend'), ['pending', 1, NOON])
  await answer(200)
  await settle()
  t.equal((await read(3)).status, 'delivered')
})

t.test('a release while the attempt is in flight keeps its result', async (t) => {
  const { pause, attemptStarted, answer, settle, perform, read, bodies } = await createSubscribedWorld(t)
  await pause('MLA1400000001')
  await attemptStarted()
  await perform(1, 'hold')
  t.strictSame(await perform(1, 'release'), ['pending', 1, NOON])
  await answer(200)
  await settle()
  t.equal((await read(1)).status, 'delivered')
  t.equal(bodies.length, 1)
})

t.test('rejects actions that the status does not allow', async (t) => {
  const { pause, activate, answer, settle, perform, subscribe, unsubscribe, application } =
    await createSubscribedWorld(t)
  await pause('MLA1400000001')
  await answer(200)
  await pause('MLA1400000002')
  await answer(500)
  await settle()
  await perform(2, 'hold')
  await activate('MLA1400000001')
  await answer(500)
  await settle()
  await perform(3, 'drop')
  const wrongStatus = (status: string, allowed: string) => rejected(`status: is ${status}; must be ${allowed}`)
  const table: [id: number, action: string, answer: object][] = [
    [1, 'hold', wrongStatus('delivered', 'pending')],
    [1, 'release', wrongStatus('delivered', 'held')],
    [1, 'drop', wrongStatus('delivered', 'pending or held')],
    [2, 'hold', wrongStatus('held', 'pending')],
    [2, 'resend', rejected('status: is held; release it')],
    [3, 'hold', wrongStatus('dropped', 'pending')],
    [3, 'release', wrongStatus('dropped', 'held')],
    [3, 'drop', wrongStatus('dropped', 'pending or held')],
    ...['resend', 'hold', 'release', 'drop'].map((action): [number, string, object] => [
      9,
      action,
      notFound('Delivery with id 9 not found'),
    ]),
  ]
  for (const [id, action, answer] of table) t.strictSame(await perform(id, action), answer, `${action} ${id}`)
  await unsubscribe()
  t.strictSame(await perform(2, 'release'), wrongStatus('dropped', 'held'), 'unsubscribing drops held notifications')
  t.strictSame(await perform(1, 'resend'), rejected(`application_id: ${application} has no notification setting`))
  await subscribe()
  t.strictSame(await perform(2, 'resend'), ['pending', 1, NOON])
  await answer(200)
  await settle()
})

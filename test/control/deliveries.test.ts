import t, { type Test } from 'tap'
import about from '../../package.json' with { type: 'json' }
import { badRequest, ITEM, NOON, notFound, start, valuesOf } from '../support/app.ts'
import { createSubscribedWorld } from '../support/deliveries.ts'
import { manualReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

const app = await start(t)
/** A world whose application is subscribed to its listings. */
async function createWorld(t: Test) {
  const target = await manualReceiver(t)
  const world = await createSubscribedWorld(t, app, target.url, { topics: ['items'] })
  return {
    ...world,
    ...target,
    /** Answers the attempt in flight, and waits until its result is stored. */
    async answer(status = 200) {
      await target.answer(status)
      await world.settle()
    },
    /** Calls an action; returns status, attempts and due time, or the error. */
    async perform(id: number, action: string) {
      const { status, body } = await world.command(id, action)
      return status === 200 ? [body.status, body.attempts, body.next_at] : body
    },
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
  const { pause, answer, command, delivery, bodies, url, application, seller, control } = await createWorld(t)
  await pause()
  await answer(200)
  const delivered = await delivery(1)
  const resent = await command(1, 'resend')
  t.strictSame(
    resent.body,
    { ...delivered, status: 'pending', next_at: NOON, waits_for: wait('turn') },
    'keeps its earlier attempts',
  )
  await answer(200)
  const attempt = (n: number) => ({ n, sent: NOON, url, http_code: 200, body: '{}', error: null })
  const { host } = new URL(url)
  const { tries, real_at, ...rest } = await delivery(1)
  t.equal(real_at, (await control('GET /facts')).body.results[0].real_at)
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
    application_id: application.id,
    user_id: seller.id,
    topic: 'items',
    resource: `/items/${ITEM}`,
    status: 'delivered',
    attempts: 2,
    received: NOON,
    next_at: null,
    waits_for: null,
    fact_id: 1,
    cause: { kind: 'control', id: 2 },
  })
  const sent = [1, 2].map((n) => [n, delivered._id])
  t.strictSame(valuesOf(bodies, 'attempts', '_id'), sent)
})

t.test('says what a pending notification waits for', async (t) => {
  const { pause, activate, attemptStarted, answer, perform, delivery, control, configure } = await createWorld(t)
  const waitOf = async (id: number) => (await delivery(id)).waits_for
  await pause()
  await activate()
  await attemptStarted()
  t.strictSame(await waitOf(1), wait('in_flight'))
  t.strictSame(await waitOf(2), wait('behind', null, 1))
  await answer(503)
  t.strictSame(await waitOf(1), wait('clock_stopped', '2026-03-02T12:00:15.000Z'))
  await control('PUT /clock', { mode: 'shifted' })
  t.match(await waitOf(1), { reason: 'retry', until: /^2026-03-02T12:00:\d\d\.\d{3}Z$/, behind: null })
  await perform(1, 'hold')
  t.equal(await waitOf(1), null, 'it waits for a person')
  await answer(200)
  t.equal(await waitOf(2), null)
  const overrides = { delayed: 1, delay_ms: 3_600_000, silenced: 0, duplicates: 1 }
  await configure({ profile: 'hostile', overrides })
  await pause('MLA1400000003')
  await until('the time of the first attempt', async () => (await waitOf(3))?.reason === 'first_attempt')
  await perform(3, 'resend')
  await answer(200)
  await until('the time of the duplicate', async () => (await waitOf(3))?.reason === 'duplicate')
})

t.test('retries a late failed resend from its new time on, not all attempts at once', async (t) => {
  const { pause, answer, perform, advance, delivery } = await createWorld(t)
  await pause()
  await answer(200)
  await advance('PT5H')
  t.strictSame(await perform(1, 'resend'), ['pending', 1, '2026-03-02T17:00:00.000Z'])
  await answer(500)
  const { status, attempts, next_at } = await delivery(1)
  t.strictSame([status, attempts, next_at], ['pending', 2, '2026-03-02T17:01:00.000Z'])
})

t.test('resends a pending notification at once, and a missed one as the ninth attempt', async (t) => {
  const { pause, answer, perform, delivery, control, application } = await createWorld(t)
  await pause()
  await answer(500)
  for (let n = 1; n < 8; n++) {
    t.strictSame(await perform(1, 'resend'), ['pending', n, NOON], `after ${n} attempts`)
    await answer(500)
  }
  t.equal((await delivery(1)).status, 'missed')
  t.strictSame(await perform(1, 'resend'), ['pending', 8, NOON])
  await answer(200)
  const { status, tries } = await delivery(1)
  t.strictSame([status, tries.length, tries.at(-1).n], ['delivered', 9, 9])
  t.strictSame((await control(`GET /deliveries?application_id=${application.id}&status=missed`)).body, {
    paging: { total: 0, limit: 50, offset: 0, next_before: null },
    results: [],
  })
})

t.test('does not attempt a held notification until it is released', async (t) => {
  const { pause, answer, perform, advance, settle, delivery, bodies } = await createWorld(t)
  await pause()
  await answer(500)
  t.strictSame(await perform(1, 'hold'), ['held', 1, null])
  await advance('P1D')
  await settle()
  t.equal(bodies.length, 1)
  t.strictSame(await perform(1, 'release'), ['pending', 1, '2026-03-03T12:00:00.000Z'])
  await answer(200)
  t.equal((await delivery(1)).status, 'delivered')
})

t.test('finishes an attempt in flight: a hold applies after a failure only, a drop always', async (t) => {
  const { pause, attemptStarted, answer, perform, delivery } = await createWorld(t)
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
      badRequest('status: is pending, with an attempt in flight; resend it after the attempt'),
      'rejects a second attempt in flight',
    )
    t.strictSame(await perform(id, action), [action === 'hold' ? 'held' : 'dropped', 1, null])
    await answer(httpCode)
    const { status: after, tries } = await delivery(id)
    t.strictSame([after, tries.length, tries[0].http_code], [status, 1, httpCode], `${action}, then ${httpCode}`)
  }
  t.strictSame(await perform(1, 'release'), ['pending', 1, NOON])
  await answer(200)
  t.equal((await delivery(1)).status, 'delivered', 'claimed like any other notification')
  t.strictSame(await perform(3, 'resend'), ['pending', 1, NOON])
  await answer(200)
  t.equal((await delivery(3)).status, 'delivered')
})

t.test('a release while the attempt is in flight keeps its result', async (t) => {
  const { pause, attemptStarted, answer, perform, delivery, bodies } = await createWorld(t)
  await pause()
  await attemptStarted()
  await perform(1, 'hold')
  t.strictSame(await perform(1, 'release'), ['pending', 1, NOON])
  await answer(200)
  t.equal((await delivery(1)).status, 'delivered')
  t.equal(bodies.length, 1)
})

t.test('rejects actions that the status does not allow', async (t) => {
  const { pause, activate, answer, perform, configure, unsubscribe, application } = await createWorld(t)
  await pause()
  await answer(200)
  await pause('MLA1400000002')
  await answer(500)
  await perform(2, 'hold')
  await activate()
  await answer(500)
  await perform(3, 'drop')
  const wrongStatus = (status: string, allowed: string) => badRequest(`status: is ${status}; must be ${allowed}`)
  const table: [id: number, action: string, answer: object][] = [
    [1, 'hold', wrongStatus('delivered', 'pending')],
    [1, 'release', wrongStatus('delivered', 'held')],
    [1, 'drop', wrongStatus('delivered', 'pending or held')],
    [2, 'hold', wrongStatus('held', 'pending')],
    [2, 'resend', badRequest('status: is held; release it')],
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
  t.strictSame(await perform(1, 'resend'), badRequest(`application_id: ${application.id} has no notification setting`))
  await configure()
  t.strictSame(await perform(2, 'resend'), ['pending', 1, NOON])
  await answer(200)
})

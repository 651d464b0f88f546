import t, { type Test } from 'tap'
import { TOPICS } from '../../domains/shared/topics.ts'
import { HOUR, ITEM, NOON, start, valuesOf } from '../support/app.ts'
import { createSubscribedWorld } from '../support/deliveries.ts'
import { follow, urlOf } from '../support/event_stream.ts'
import { receiver } from '../support/receiver.ts'

const notices: string[] = []
const app = await start(t, { onNotice: (text) => notices.push(text) })
const OFFSETS = [0, 15_000, 60_000, 180_000, 420_000, 900_000, 1_800_000, HOUR]
const STEADY = { spread: 0, jitter_ms: 0, delayed: 0, delay_ms: 0, duplicates: 0, silenced: 0 }
const NUMBERS = {
  ideal: { ...STEADY, limit_ms: 10_000, attempts_at: OFFSETS, in_order: true, off_after: 0 },
  realistic: { ...STEADY, limit_ms: 500, attempts_at: OFFSETS, in_order: false, off_after: 10 },
  hostile: {
    ...{ limit_ms: 500, attempts_at: OFFSETS, spread: 0.5, in_order: false, off_after: 10 },
    ...{ jitter_ms: 5000, delayed: 0.1, delay_ms: 600_000, duplicates: 0.2, silenced: 0.05 },
  },
}
const NUMBER_NAMES = ['limit_ms', 'attempts_at', 'in_order', 'off_after', 'spread', 'jitter_ms', 'delayed', 'delay_ms']

/** A receiver that answers with `status`, and with 503 to attempts above `patience`. */
async function createReceiver(t: Test) {
  const state = { status: 200, patience: 99 }
  const target = await receiver(t, (response, { attempts }) =>
    response.writeHead(attempts > state.patience ? 503 : state.status).end(),
  )
  return Object.assign(state, target)
}

/** A world whose application is subscribed with `setting`. */
async function createWorld(t: Test, setting?: object) {
  const target = await createReceiver(t)
  const world = await createSubscribedWorld(t, app, target.url, setting)
  return {
    ...world,
    target,
    /** Changes the listing `count` times, between paused and active. */
    async change(count = 1) {
      for (let n = 0; n < count; n++) {
        const { status } = (await world.control(`GET /items/${ITEM}`)).body
        await (status === 'active' ? world.pause() : world.activate())
      }
      await world.settle()
    },
    tries: async (id: number) => (await world.delivery(id)).tries,
  }
}

t.test('answers the numbers of each profile, each of which can be overridden', async (t) => {
  const { configure, setting, target, application } = await createWorld(t)
  const topics = [...TOPICS]
  for (const [profile, numbers] of Object.entries(NUMBERS)) {
    const answer = await configure({ profile })
    t.strictSame(answer.body, {
      ...{ application_id: application.id, callback_url: target.url, topics, profile, overrides: {}, numbers },
      topics_off: [],
    })
    t.strictSame(Object.keys(answer.body.numbers), [...NUMBER_NAMES, 'duplicates', 'silenced'])
    t.strictSame((await setting()).body, answer.body)
  }
  const overrides = { limit_ms: 200, attempts_at: [0, 1000], duplicates: 1, in_order: true }
  const numbers = { ...NUMBERS.realistic, ...overrides }
  t.match((await configure({ profile: 'realistic', overrides })).body, { overrides, numbers })
  t.match((await setting()).body, { overrides, numbers })
  await configure({ profile: 'realistic' })
  t.strictSame((await setting()).body.overrides, {}, 'an override that is left out reverts to the profile')
})

t.test('rejects invalid overrides', async (t) => {
  const { configure, setting } = await createWorld(t)
  const offsets = 'must be an array of 1 to 20 integers that begins with 0 and grows, to 604800000 at most'
  const invalid: [overrides: unknown, message: string][] = [
    [null, 'overrides: must be an object'],
    [[], 'overrides: must be an object'],
    ...['spread', 'delayed', 'duplicates', 'silenced'].flatMap((name): [object, string][] => [
      [{ [name]: 1.01 }, `overrides.${name}: must be a number from 0 to 1`],
      [{ [name]: -0.01 }, `overrides.${name}: must be a number from 0 to 1`],
      [{ [name]: '0.5' }, `overrides.${name}: must be a number from 0 to 1`],
    ]),
    ...[[], [1], [0, 0], [0, 5, 4], [0, 604_800_001], [0, -1], ['0'], Array.from({ length: 21 }, (_, n) => n), 0].map(
      (attempts_at): [object, string] => [{ attempts_at }, `overrides.attempts_at: ${offsets}`],
    ),
  ]
  const before = (await setting()).body
  for (const [overrides, message] of invalid) {
    const answer = await configure({ profile: 'hostile', overrides })
    t.match(answer, { status: 400, body: { message, error: 'bad_request' } }, JSON.stringify(overrides))
  }
  t.strictSame((await setting()).body, before)
})

t.test('switches a topic off after too many missed in a row, and reports it', async (t) => {
  const more = { profile: 'realistic', overrides: { attempts_at: [0, 60_000], off_after: 2, limit_ms: 10_000 } }
  const world = await createWorld(t, more)
  const { target, id, base, application, control, configure, change, advance, settle, setting, deliveries } = world
  await app.server.listen({ port: 0, host: '127.0.0.1' })
  const { events, untilSome } = await follow(t, `${urlOf(app.server)}${base}/_sandbox/events`)
  const miss = async () => {
    await change()
    await advance('PT1M')
  }
  target.status = 500
  await miss()
  target.status = 200
  await change()
  target.status = 500
  await miss()
  t.strictSame((await setting()).body.topics_off, [], 'a delivered one in between resets the count')
  await miss()
  const since = '2026-03-02T12:03:00.000Z'
  t.strictSame((await setting()).body.topics_off, [{ topic: 'items', since }])
  t.strictSame(notices, [
    `world ${id}: application ${application.id} gets no more notifications of items: 2 in a row were missed; set its notifications again to continue`,
  ])
  target.status = 200
  const before = (await deliveries()).length
  await change()
  t.equal((await deliveries()).length, before, 'no notification of the topic')
  const { body: created } = await control('POST /questions', {
    item_id: ITEM,
    from: world.buyer.id,
    text: '¿Hay stock?',
  })
  await settle()
  t.equal(target.received.at(-1)!.resource, `/questions/${created.id}`, 'notifications of other topics continue')
  await untilSome(({ data }) => data?.resource === `/questions/${created.id}`)
  t.strictSame(
    events.filter(({ event }) => event === 'topic_off'),
    [{ event: 'topic_off', data: { application_id: application.id, topic: 'items', since } }],
    'reported once',
  )
  await configure()
  t.strictSame((await setting()).body.topics_off, [])
  await change()
  t.equal(target.received.at(-1)!.topic, 'items')
})

t.test('still attempts pending notifications after their topic was switched off', async (t) => {
  const more = { profile: 'realistic', overrides: { attempts_at: [0, 60_000], off_after: 1 } }
  const { target, change, advance, deliveries, setting } = await createWorld(t, more)
  target.status = 500
  await change(3)
  await advance('PT1M')
  t.match(await deliveries(), Array(3).fill({ status: 'missed', attempts: 2 }))
  t.equal((await deliveries()).length, 3)
  t.equal((await setting()).body.topics_off.length, 1)
})

t.test(
  'in order: a held or dropped notification does not block the next one, and a resent one returns to its position',
  async (t) => {
    const { target, change, advance, settle, deliveries, command, configure } = await createWorld(t)
    const attempts = async () => {
      await settle()
      return valuesOf(await deliveries(), 'attempts')
    }
    target.status = 500
    await change(4)
    t.strictSame(await attempts(), [1, 0, 0, 0])
    const steps: [run: () => Promise<unknown>, attempts: number[], reason: string][] = [
      [() => command(1, 'hold'), [1, 1, 0, 0], 'held'],
      [() => command(2, 'hold'), [1, 1, 1, 0], 'held as well'],
      [() => command(1, 'release'), [2, 1, 1, 0], 'returns to its position'],
      [() => advance('PT15S'), [2, 1, 1, 0], 'the third is due and waits for the first'],
      [() => command(3, 'resend'), [2, 1, 1, 0], 'a resend waits too'],
      [() => command(1, 'drop'), [2, 1, 2, 0], 'dropped'],
      [() => command(2, 'release'), [2, 2, 2, 0], 'precedes the third, which is not due'],
      [() => command(1, 'resend'), [3, 2, 2, 0], 'a resent one is the first again'],
      [() => configure({ overrides: { in_order: false } }), [3, 2, 2, 1], 'without in-order delivery none waits'],
      [() => command(2, 'resend'), [3, 3, 2, 1], 'a resend does not wait'],
      [() => configure({}), [3, 3, 2, 1], 'in order again'],
      [() => command(4, 'resend'), [3, 3, 2, 1], 'the fourth waits'],
    ]
    for (const [run, expected, reason] of steps) {
      await run()
      t.strictSame(await attempts(), expected, reason)
    }
    target.status = 200
    const before = target.received.length
    await advance('PT2H')
    const last = await deliveries()
    t.strictSame(valuesOf(target.received.slice(before), '_id'), valuesOf(last, '_id'))
    t.match(last, Array(4).fill({ status: 'delivered' }))
  },
)

t.test('hostile: delivers late and out of order, identically on every run', async (t) => {
  const more = { profile: 'hostile', overrides: { duplicates: 0, silenced: 0, delayed: 0.3 } }
  const { target, change, advance, configure, deliveries, control } = await createWorld(t, more)
  const run = async () => {
    target.received.length = 0
    await change(20)
    t.strictSame(target.received, [], 'none while the clock is frozen')
    t.match(await deliveries('?status=pending'), Array(20).fill({ attempts: 0 }))
    await advance('PT6S')
    const soon = target.received.length
    t.ok(soon > 5 && soon < 20, `${soon} arrived within six seconds`)
    await advance('PT11M')
    t.equal(target.received.length, 20)
    const times = target.received.map(({ sent }) => Date.parse(sent) - Date.parse(NOON))
    const ascending = times.toSorted((a, b) => a - b)
    t.strictSame(times, ascending)
    t.ok(times[0]! >= 0 && times.at(-1)! > 6000 && times.at(-1)! <= 605_000, `${times}`)
    const ids = (list: unknown[]) => valuesOf(list, '_id').join(' ')
    t.not(ids(target.received), ids(await deliveries()), 'not in the order of the changes')
    return valuesOf(target.received, '_id', 'sent')
  }
  const first = await run()
  await control('POST /reset')
  await configure()
  t.strictSame(await run(), first)
})

t.test('hostile: delivers twice with the same _id', async (t) => {
  const more = { profile: 'hostile', overrides: { duplicates: 1, silenced: 0, delayed: 0, jitter_ms: 0 } }
  const { target, change, deliveries, configure, tries } = await createWorld(t, more)
  await change()
  const id = target.received[0]?._id
  t.match(target.received, [
    { _id: id, attempts: 1 },
    { _id: id, attempts: 2 },
  ])
  t.match(await deliveries(), [{ status: 'delivered', attempts: 2, next_at: null }])
  t.equal((await tries(1)).length, 2)

  await configure({ ...more, overrides: { ...more.overrides, jitter_ms: 1000 } })
  await change()
  const [, second] = await deliveries()
  t.equal(second.attempts, 0, 'the first attempt waits for the clock')
})

t.test('hostile: stays delivered when the duplicate fails', async (t) => {
  const more = { profile: 'ideal', overrides: { duplicates: 1 } }
  const { target, change, advance, deliveries, tries } = await createWorld(t, more)
  target.patience = 1
  await change()
  await advance('PT2H')
  t.match(await deliveries(), [{ status: 'delivered', attempts: 2, next_at: null }])
  t.match(await tries(1), [{ http_code: 200 }, { http_code: 503 }])
})

t.test('hostile: silences notifications, which can be resent', async (t) => {
  const more = { profile: 'hostile', overrides: { silenced: 1, duplicates: 0 } }
  const { target, change, advance, settle, deliveries, command, seller, application } = await createWorld(t, more)
  await change(3)
  await advance('PT2H')
  t.strictSame(target.received, [])
  t.match(
    await deliveries('?status=silenced'),
    [1, 2, 3].map((id) => ({ id, attempts: 0, next_at: null })),
  )
  t.strictSame((await seller.get(`/missed_feeds?app_id=${application.id}`)).body, { messages: [] })
  t.equal((await command(2, 'hold')).body.message, 'status: is silenced; must be pending')
  t.match((await command(2, 'resend')).body, { status: 'pending' })
  await settle()
  t.match(await deliveries(), [{ status: 'silenced' }, { status: 'delivered', attempts: 1 }, { status: 'silenced' }])
})

t.test('hostile: delays retries but never advances them, identically on every run', async (t) => {
  const more = { profile: 'hostile', overrides: { jitter_ms: 0, delayed: 0, silenced: 0, off_after: 0 } }
  const { target, change, advance, configure, control } = await createWorld(t, more)
  const run = async () => {
    await control('PATCH /assumptions/notifications.sent', { value: 'attempt' })
    target.received.length = 0
    target.status = 500
    await change(3)
    await advance('PT2H')
    const byId = Map.groupBy(target.received, ({ _id }) => _id)
    t.equal(byId.size, 3)
    const offsets = [...byId.values()].map((tries) => tries.map(({ sent }) => Date.parse(sent) - Date.parse(NOON)))
    for (const one of offsets) {
      t.equal(one.length, 8)
      for (const [n, at] of one.entries()) {
        const wait = n === 0 ? 0 : OFFSETS[n]! - OFFSETS[n - 1]!
        t.ok(at >= OFFSETS[n]! && at <= OFFSETS[n]! + wait / 2, `attempt ${n + 1} at ${at}`)
      }
    }
    t.not(`${offsets[0]}`, `${offsets[1]}`)
    return offsets
  }
  const first = await run()
  await control('POST /reset')
  await configure()
  t.strictSame(await run(), first)
})

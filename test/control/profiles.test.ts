import t, { type Test } from 'tap'
import { start } from '../support/app.ts'
import { type Got, receiver } from '../support/receiver.ts'

const notices: string[] = []
const app = await start(t, { onNotice: (text) => notices.push(text) })
const { control, call } = app
const NOON = '2026-03-02T12:00:00.000Z'
const ITEM = 'MLA1400000001'
const HOUR = 3_600_000
const EIGHT = [0, 15_000, 60_000, 180_000, 420_000, 900_000, 1_800_000, HOUR]
const STEADY = { spread: 0, jitter_ms: 0, delayed: 0, delay_ms: 0, duplicates: 0, silenced: 0 }
const NUMBERS = {
  ideal: { ...STEADY, limit_ms: 10_000, attempts_at: EIGHT, in_order: true, off_after: 0 },
  realistic: { ...STEADY, limit_ms: 500, attempts_at: EIGHT, in_order: false, off_after: 10 },
  hostile: {
    ...{ limit_ms: 500, attempts_at: EIGHT, spread: 0.5, in_order: false, off_after: 10 },
    ...{ jitter_ms: 5000, delayed: 0.1, delay_ms: 600_000, duplicates: 0.2, silenced: 0.05 },
  },
}
const ORDER = ['limit_ms', 'attempts_at', 'in_order', 'off_after', 'spread', 'jitter_ms', 'delayed', 'delay_ms']

/** Answers what `status` says, 503 to attempts beyond its patience. */
async function moody(t: Test) {
  const mood = { status: 200, patience: 99 }
  const there = await receiver(t, (response, { attempts }) =>
    response.writeHead(attempts > mood.patience ? 503 : mood.status).end(),
  )
  return Object.assign(mood, there)
}

/** A world of its own, whose application is told as `more` says. */
async function told(t: Test, more: object) {
  const there = await moody(t)
  const { body } = await control('POST /worlds', { scenario: 'demo', now: NOON })
  const base = `/w/${body.world.id}`
  t.teardown(() => control(`DELETE /worlds/${body.world.id}`))
  const path = `/applications/${body.application.id}/notifications`
  const world = {
    there,
    base,
    application: body.application.id as number,
    token: body.sellers[0].token as string,
    tell: (other: object = more) => control(`PUT ${path}`, { callback_url: there.url, ...other }, base),
    setting: async () => (await control(`GET ${path}`, undefined, base)).body,
    /** A change of a listing, each another than before. */
    async change(count = 1) {
      for (let n = 0; n < count; n++) {
        const { body } = await control(`GET /items/${ITEM}`, undefined, base)
        await control(`PATCH /items/${ITEM}`, { status: body.status === 'active' ? 'paused' : 'active' }, base)
      }
      await control('POST /settle', undefined, base)
    },
    advance: (by: string) => control('POST /clock/advance', { by }, base),
    deliveries: async (query = '') =>
      (await control(`GET /deliveries${query}`, undefined, base)).body.results.reverse(),
    tries: async (id: number) => (await control(`GET /deliveries/${id}`, undefined, base)).body.tries,
    order: (id: number, action: string) => control(`POST /deliveries/${id}/${action}`, undefined, base),
  }
  t.equal((await world.tell()).status, 200)
  return world
}

t.test('each profile is a table of numbers, and any of them can be another', async (t) => {
  const { tell, setting, there, application } = await told(t, {})
  const topics = ['questions', 'leads-credits', 'items', 'flex-handshakes']
  for (const [profile, numbers] of Object.entries(NUMBERS)) {
    const answer = await tell({ profile })
    t.strictSame(answer.body, {
      ...{ application_id: application, callback_url: there.url, topics, profile, overrides: {}, numbers },
      topics_off: [],
    })
    t.strictSame(Object.keys(answer.body.numbers), [...ORDER, 'duplicates', 'silenced'])
    t.strictSame(await setting(), answer.body)
  }
  const overrides = { limit_ms: 200, attempts_at: [0, 1000], duplicates: 1, in_order: true }
  const numbers = { ...NUMBERS.realistic, ...overrides }
  t.match((await tell({ profile: 'realistic', overrides })).body, { overrides, numbers })
  t.match(await setting(), { overrides, numbers })
  await tell({ profile: 'realistic' })
  t.strictSame((await setting()).overrides, {}, 'what is left out is as the profile has it')
})

t.test('what is no number of a profile is refused', async (t) => {
  const { tell, setting } = await told(t, {})
  const offsets = 'must be an array of 1 to 20 integers that begins with 0 and grows, to 604800000 at most'
  const refused: [overrides: unknown, message: string][] = [
    [null, 'overrides: must be an object'],
    [[], 'overrides: must be an object'],
    [{ limit: 1 }, 'overrides.limit: is not known here'],
    [{ limit_ms: 0 }, 'overrides.limit_ms: must be an integer from 1 to 60000'],
    [{ limit_ms: 60_001 }, 'overrides.limit_ms: must be an integer from 1 to 60000'],
    [{ limit_ms: 1.5 }, 'overrides.limit_ms: must be an integer from 1 to 60000'],
    [{ limit_ms: null }, 'overrides.limit_ms: must be an integer from 1 to 60000'],
    [{ in_order: 'yes' }, 'overrides.in_order: must be true or false'],
    [{ off_after: -1 }, 'overrides.off_after: must be an integer from 0 to 10000'],
    [{ jitter_ms: 86_400_001 }, 'overrides.jitter_ms: must be an integer from 0 to 86400000'],
    [{ delay_ms: -1 }, 'overrides.delay_ms: must be an integer from 0 to 86400000'],
    ...['spread', 'delayed', 'duplicates', 'silenced'].flatMap((name): [object, string][] => [
      [{ [name]: 1.01 }, `overrides.${name}: must be a number from 0 to 1`],
      [{ [name]: -0.01 }, `overrides.${name}: must be a number from 0 to 1`],
      [{ [name]: '0.5' }, `overrides.${name}: must be a number from 0 to 1`],
    ]),
    ...[[], [1], [0, 0], [0, 5, 4], [0, 604_800_001], [0, -1], ['0'], Array.from({ length: 21 }, (_, n) => n), 0].map(
      (attempts_at): [object, string] => [{ attempts_at }, `overrides.attempts_at: ${offsets}`],
    ),
  ]
  const before = await setting()
  for (const [overrides, message] of refused)
    t.match(
      await tell({ profile: 'hostile', overrides }),
      { status: 400, body: { message, error: 'bad_request' } },
      JSON.stringify(overrides),
    )
  t.strictSame(await setting(), before)
})

t.test('a topic is switched off when too many in a row were missed, and it is said aloud', async (t) => {
  const more = { profile: 'realistic', overrides: { attempts_at: [0, 60_000], off_after: 2 } }
  const { there, base, application, tell, change, advance, setting, deliveries, token } = await told(t, more)
  const stream = await app.server.inject({ url: `${base}/_sandbox/events`, payloadAsStream: true })
  t.teardown(() => stream.stream().destroy())
  let events = ''
  stream.stream().on('data', (chunk) => {
    events += chunk
  })
  const miss = async () => {
    await change()
    await advance('PT1M')
  }
  there.status = 500
  await miss()
  there.status = 200
  await change()
  there.status = 500
  await miss()
  t.strictSame((await setting()).topics_off, [], 'one that arrived between two that did not')
  await miss()
  const since = '2026-03-02T12:03:00.000Z'
  t.strictSame((await setting()).topics_off, [{ topic: 'items', since }])
  t.strictSame(notices, [
    `world ${base.slice(3)}: application ${application} gets no more notifications of items: 2 in a row were missed; set its notifications again to continue`,
  ])
  there.status = 200
  const before = (await deliveries()).length
  await change()
  t.equal((await deliveries()).length, before, 'it is not told of it')
  const question = { item_id: ITEM, text: '¿Hay stock?' }
  await call({ method: 'POST', url: '/questions', headers: { authorization: `Bearer ${token}` }, payload: question })
  const { body: asked } = await control('POST /questions', { ...question, from: app.buyers[0]!.id }, base)
  await control('POST /settle', undefined, base)
  t.equal(there.got.at(-1)!.resource, `/questions/${asked.id}`, 'of other topics it is')
  const off = `event: topic_off\ndata: ${JSON.stringify({ application_id: application, topic: 'items', since })}\n\n`
  t.equal(events.split(off).length, 2, 'once')
  await tell()
  t.strictSame((await setting()).topics_off, [])
  await change()
  t.equal(there.got.at(-1)!.topic, 'items')
})

t.test('what was on its way when its topic was switched off is still tried', async (t) => {
  const more = { profile: 'realistic', overrides: { attempts_at: [0, 60_000], off_after: 1 } }
  const { there, change, advance, deliveries, setting } = await told(t, more)
  there.status = 500
  await change(3)
  await advance('PT1M')
  t.strictSame(
    (await deliveries()).map(({ status, attempts }: { status: string; attempts: number }) => [status, attempts]),
    [1, 2, 3].map(() => ['missed', 2]),
  )
  t.equal((await setting()).topics_off.length, 1)
})

t.test('in order: who leaves the line lets the next one go, who comes back stands where it stood', async (t) => {
  const { base, there, change, advance, deliveries, order, tell } = await told(t, {})
  const attempts = async () => {
    await control('POST /settle', undefined, base)
    return (await deliveries()).map(({ attempts }: { attempts: number }) => attempts)
  }
  there.status = 500
  await change(4)
  t.strictSame(await attempts(), [1, 0, 0, 0])
  const steps: [does: () => Promise<unknown>, attempts: number[], why: string][] = [
    [() => order(1, 'hold'), [1, 1, 0, 0], 'held'],
    [() => order(2, 'hold'), [1, 1, 1, 0], 'held too'],
    [() => order(1, 'release'), [2, 1, 1, 0], 'back in its place'],
    [() => advance('PT15S'), [2, 1, 1, 0], 'the third is due, and waits for the first'],
    [() => order(3, 'resend'), [2, 1, 1, 0], 'also when it is sent again'],
    [() => order(1, 'drop'), [2, 1, 2, 0], 'given up'],
    [() => order(2, 'release'), [2, 2, 2, 0], 'before the third, which is not due'],
    [() => order(1, 'resend'), [3, 2, 2, 0], 'what was dropped is the first again'],
    [() => tell({ overrides: { in_order: false } }), [3, 2, 2, 1], 'nobody waits for anybody'],
    [() => order(2, 'resend'), [3, 3, 2, 1], 'nor when it is sent again'],
    [() => tell({}), [3, 3, 2, 1], 'in order again'],
    [() => order(4, 'resend'), [3, 3, 2, 1], 'the fourth waits'],
  ]
  for (const [does, expected, why] of steps) {
    await does()
    t.strictSame(await attempts(), expected, why)
  }
  there.status = 200
  const before = there.got.length
  await advance('PT2H')
  const last = await deliveries()
  t.strictSame(
    there.got.slice(before).map(({ _id }) => _id),
    last.map(({ _id }: { _id: string }) => _id),
  )
  t.match(
    last,
    [1, 2, 3, 4].map(() => ({ status: 'delivered' })),
  )
})

t.test('hostile: late and in another order, the same at every run', async (t) => {
  const more = { profile: 'hostile', overrides: { duplicates: 0, silenced: 0, delayed: 0.3 } }
  const { there, base, change, advance, tell, deliveries } = await told(t, more)
  const run = async () => {
    there.got.length = 0
    await change(20)
    t.strictSame(there.got, [], 'a clock that stands brings none')
    t.strictSame(
      (await deliveries('?status=pending')).map(({ attempts }: { attempts: number }) => attempts),
      Array.from({ length: 20 }, () => 0),
    )
    await advance('PT6S')
    const soon = there.got.length
    t.ok(soon > 5 && soon < 20, `${soon} came within six seconds`)
    await advance('PT11M')
    t.equal(there.got.length, 20)
    const late = there.got.map(({ sent }) => Date.parse(sent) - Date.parse(NOON))
    t.strictSame(
      late,
      late.toSorted((a, b) => a - b),
    )
    t.ok(late[0]! >= 0 && late.at(-1)! > 6000 && late.at(-1)! <= 605_000, `${late}`)
    const ids = (list: Pick<Got, '_id'>[]) => list.map(({ _id }) => _id).join(' ')
    t.not(ids(there.got), ids(await deliveries()), 'not as the changes were')
    return there.got.map(({ _id, sent }) => [_id, sent])
  }
  const first = await run()
  await control('POST /reset', undefined, base)
  await tell()
  t.strictSame(await run(), first)
})

t.test('hostile: twice, with the same _id', async (t) => {
  const more = { profile: 'hostile', overrides: { duplicates: 1, silenced: 0, delayed: 0, jitter_ms: 0 } }
  const { there, change, deliveries, tell, tries } = await told(t, more)
  await change()
  const [id] = there.got.map(({ _id }) => _id)
  t.match(there.got, [
    { _id: id, attempts: 1 },
    { _id: id, attempts: 2 },
  ])
  t.match(await deliveries(), [{ status: 'delivered', attempts: 2, next_at: null }])
  t.equal((await tries(1)).length, 2)

  await tell({ ...more, overrides: { ...more.overrides, jitter_ms: 1000 } })
  await change()
  const [, second] = await deliveries()
  t.equal(second.attempts, 0, 'its first attempt waits for the clock')
})

t.test('hostile: one that arrived stays delivered when its second coming fails', async (t) => {
  const more = { profile: 'ideal', overrides: { duplicates: 1 } }
  const { there, change, advance, deliveries, tries } = await told(t, more)
  there.patience = 1
  await change()
  await advance('PT2H')
  t.match(await deliveries(), [{ status: 'delivered', attempts: 2, next_at: null }])
  t.match(await tries(1), [{ http_code: 200 }, { http_code: 503 }])
})

t.test('hostile: silence', async (t) => {
  const more = { profile: 'hostile', overrides: { silenced: 1, duplicates: 0 } }
  const { there, change, advance, deliveries, order, token, application, base } = await told(t, more)
  await change(3)
  await advance('PT2H')
  t.strictSame(there.got, [])
  t.match(
    await deliveries('?status=silenced'),
    [1, 2, 3].map((id) => ({ id, attempts: 0, next_at: null })),
  )
  const url = `${base}/missed_feeds?app_id=${application}`
  t.strictSame((await call({ url, headers: { authorization: `Bearer ${token}` } })).body, { messages: [] })
  t.equal((await order(2, 'hold')).body.message, 'status: is silenced; must be pending')
  t.match((await order(2, 'resend')).body, { status: 'pending' })
  await control('POST /settle', undefined, base)
  t.match(await deliveries(), [{ status: 'silenced' }, { status: 'delivered', attempts: 1 }, { status: 'silenced' }])
})

t.test('hostile: retries come later than they should, never before, the same at every run', async (t) => {
  const more = { profile: 'hostile', overrides: { jitter_ms: 0, delayed: 0, silenced: 0, off_after: 0 } }
  const { there, base, change, advance, tell } = await told(t, more)
  const run = async () => {
    there.got.length = 0
    there.status = 500
    await change(3)
    await advance('PT2H')
    const by = Map.groupBy(there.got, ({ _id }) => _id)
    t.equal(by.size, 3)
    const offsets = [...by.values()].map((tries) => tries.map(({ sent }) => Date.parse(sent) - Date.parse(NOON)))
    for (const one of offsets) {
      t.equal(one.length, 8)
      for (const [n, at] of one.entries()) {
        const wait = n === 0 ? 0 : EIGHT[n]! - EIGHT[n - 1]!
        t.ok(at >= EIGHT[n]! && at <= EIGHT[n]! + wait / 2, `attempt ${n + 1} at ${at}`)
      }
    }
    t.not(`${offsets[0]}`, `${offsets[1]}`)
    return offsets
  }
  const first = await run()
  await control('POST /reset', undefined, base)
  await tell()
  t.strictSame(await run(), first)
})

t.test('nothing went wrong unseen', async (t) => {
  t.strictSame(app.faults, [])
})

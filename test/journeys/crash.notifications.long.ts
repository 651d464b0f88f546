import t from 'tap'
import { call, launch, type RunningServer } from '../support/bundle.ts'
import { crashFolder, expectEvents, openCrashed, untilKilled } from '../support/crashes.ts'
import { type Notification, receiver } from '../support/receiver.ts'
import { randomNumbers, SEED, sizeOr, workFactor } from '../support/torture.ts'
import { until } from '../support/until.ts'

const data = crashFolder(t)

const KILLS = sizeOr(3)
const CHANGES = 200 * KILLS * workFactor(KILLS)
const CLIENTS = 8
const ITEMS = Array.from({ length: 10 }, (_, n) => `MLA14000000${String(n + 1).padStart(2, '0')}`)
/** Items that change their status, one per client and without questions. */
const CHANGED_ITEMS = Array.from({ length: CLIENTS }, (_, n) => `MLA14000000${String(n + 11).padStart(2, '0')}`)

const random = randomNumbers(SEED)

/** The `_id`s that were answered with 200. */
const accepted = new Set<string>()
/** Accepts most notifications and lets the rest be retried. Outlives the servers. */
const { url: callback_url, received: got } = await receiver(t, (response, { _id }, nth) => {
  const isAccepted = nth % 10 !== 0
  if (isAccepted) accepted.add(_id)
  response.writeHead(isAccepted ? 200 : 500).end()
})

/** Acknowledged changes of each resource. */
const acknowledged = new Map<string, number>()
let changes = 0
const acknowledge = (resource: string) => {
  acknowledged.set(resource, (acknowledged.get(resource) ?? 0) + 1)
  changes++
}

/** Asks, answers and changes an item until the connection breaks or `isOver`. */
async function work(server: RunningServer, client: number, isOver: () => boolean): Promise<void> {
  const [buyer, seller] = [server.buyers[client % 2]!, server.sellers[0]!]
  const failure = (what: string, { status, body }: { status: number; body: unknown }) =>
    new Error(`${what} answers ${status} ${JSON.stringify(body)}`)
  await untilKilled(async () => {
    for (let n = 0; !isOver(); n++) {
      const text = `pregunta ${client} ${n}`
      const created = await call(server, 'POST', '/questions', { item_id: ITEMS[n % ITEMS.length], text }, buyer.token)
      if (created.status !== 201) throw failure('POST /questions', created)
      const resource = `/questions/${created.body.id}`
      acknowledge(resource)
      const answered = await call(
        server,
        'POST',
        '/answers',
        { question_id: created.body.id, text: 'sí' },
        seller.token,
      )
      if (answered.status !== 200) throw failure('POST /answers', answered)
      acknowledge(resource)
      if (n % 4 > 0) continue
      const status = (await call(server, 'GET', `/_sandbox/items/${CHANGED_ITEMS[client]}`)).body.status
      const next = status === 'active' ? 'paused' : 'active'
      const patched = await call(server, 'PATCH', `/_sandbox/items/${CHANGED_ITEMS[client]}`, { status: next })
      if (patched.status !== 200) throw failure('PATCH /items', patched)
      acknowledge(`/items/${CHANGED_ITEMS[client]}`)
    }
  })
}

const DAY = 24 * 3_600_000
const day = (at: number) => new Date(at).toISOString().slice(0, 10)
const DATES = `date_from=${day(Date.now() - DAY)}&date_to=${day(Date.now() + 3 * DAY)}`

/** Questions of each item in the public statistics. */
const countQuestions = (server: RunningServer) =>
  Promise.all(
    ITEMS.map(async (id) => {
      const path = `/items/${id}/contacts/questions?${DATES}`
      const { status, body } = await call(server, 'GET', path, undefined, server.sellers[0]!.token)
      if (status !== 200) throw new Error(JSON.stringify(body))
      return body.total as number
    }),
  )

t.test('notifies every acknowledged change, however often the server is killed', async (t) => {
  let [before, after]: number[][] = []
  for (let round = 0; round <= KILLS; round++) {
    const server = await launch(t, '--data', data)
    if (round === 0) {
      const path = `/_sandbox/applications/${server.application.id}/notifications`
      t.equal((await call(server, 'PUT', path, { callback_url })).status, 200)
      before = await countQuestions(server)
    }
    const last = round === KILLS
    // The kill happens during the next changes and the notifications they cause.
    const goal = last ? CHANGES : Math.min(CHANGES, changes + (CHANGES / (KILLS + 1)) * (0.5 + random()))
    const workers = Array.from({ length: CLIENTS }, (_, client) => work(server, client, () => last && changes >= goal))
    if (last) {
      await Promise.all(workers)
      await settleAll(server)
      after = await countQuestions(server)
      await server.stop()
    } else {
      await until(`${goal} changes`, () => changes >= goal, 120_000)
      await new Promise((resolve) => setTimeout(resolve, 10 * random()))
      await server.stop('SIGKILL')
      await Promise.all(workers)
    }
  }
  t.ok(changes >= CHANGES, `${changes} changes`)

  /** Moves the clock, so that every retry is due. */
  async function settleAll(server: RunningServer): Promise<void> {
    for (let moves = 0; moves < 20; moves++) {
      await call(server, 'POST', '/_sandbox/settle')
      const { body } = await call(server, 'GET', '/_sandbox/deliveries?status=pending&limit=1')
      if (body.paging.total === 0) return
      await call(server, 'POST', '/_sandbox/clock/advance', { by: 'PT30M' })
    }
    t.fail('a delivery stays pending')
  }

  const rows = openCrashed(t, data)

  const byId = new Map<string, Notification[]>()
  for (const notification of got) byId.set(notification._id, [...(byId.get(notification._id) ?? []), notification])
  const inconsistent = [...byId.values()].filter((attempts) => {
    const withoutTimes = ({ attempts: _, sent: __, ...rest }: Notification & { sent?: string }) => JSON.stringify(rest)
    return new Set(attempts.map(withoutTimes)).size > 1
  })
  t.strictSame(inconsistent, [], 'equal _ids mean equal notifications')
  const delivered = new Map<string, number>()
  for (const [_id, attempts] of byId) {
    if (!accepted.has(_id)) continue
    const key = `${attempts[0]!.resource} ${attempts[0]!.user_id}`
    delivered.set(key, (delivered.get(key) ?? 0) + 1)
  }
  const [{ seller }] = rows(`SELECT seller_id seller FROM item WHERE id = '${ITEMS[0]}'`) as [{ seller: number }]
  const users = (resource: string) => (resource.startsWith('/items') ? [seller] : [seller, buyerOf(resource)])
  const missing = [...acknowledged].flatMap(([resource, count]) =>
    users(resource)
      .map((user) => `${resource} ${user}`)
      .filter((key) => (delivered.get(key) ?? 0) < count),
  )
  t.strictSame(missing, [], 'the application of each user received each acknowledged change')
  t.ok(got.length > byId.size, 'some arrived more than once')
  function buyerOf(resource: string): number {
    return (rows(`SELECT from_id id FROM question WHERE id = ${resource.split('/')[2]}`)[0] as { id: number }).id
  }

  t.strictSame(
    rows(`SELECT status, count(*) > 0 some FROM notification GROUP BY 1`),
    [{ status: 'delivered', some: 1 }],
    'every notification was delivered',
  )
  t.strictSame(
    rows(`SELECT id FROM notification n WHERE leased_until IS NOT NULL OR NOT EXISTS
            (SELECT 1 FROM notification_attempt WHERE notification_id = n.id AND n = n.attempts AND http_code = 200)`),
    [],
    'nothing is leased, and the last attempt of each was answered',
  )
  t.strictSame(
    rows(`SELECT o.id FROM outbox o WHERE (topic = 'questions') + 1 <> (SELECT count(*) FROM notification WHERE outbox_id = o.id)
            AND o.resource IN (SELECT '/questions/' || id FROM question WHERE text LIKE 'pregunta%' UNION SELECT '/items/' || id FROM item)`),
    [],
    'each event was sent to the application of each user',
  )
  expectEvents(t, rows)
  t.strictSame(
    after!.map((total, n) => total - before![n]!),
    ITEMS.map((id) => {
      const [row] = rows(`SELECT count(*) n FROM question WHERE text LIKE 'pregunta%' AND item_id = '${id}'`)
      return (row as { n: number }).n
    }),
    'the statistics count every question once',
  )
})

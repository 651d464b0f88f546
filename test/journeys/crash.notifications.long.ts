import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import t from 'tap'
import { call, launch, type Running } from '../support/bundle.ts'
import { type Got, receiver } from '../support/receiver.ts'

const data = mkdtempSync(join(tmpdir(), 'mercadito-crash-'))
t.teardown(() => rmSync(data, { recursive: true }))

const CHANGES = 2000
const KILLS = 10
const CLIENTS = 8
const ITEMS = Array.from({ length: 10 }, (_, n) => `MLA14000000${String(n + 1).padStart(2, '0')}`)
/** What items are moved between; each client has one of its own, which nobody asks about. */
const MOVED = Array.from({ length: CLIENTS }, (_, n) => `MLA14000000${String(n + 11).padStart(2, '0')}`)

/** The same numbers at every run. */
let state = 7
const random = () => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
  return state / 2 ** 32
}

/** `_id`s that were answered with 200. */
const taken = new Set<string>()
/** Takes most of what it gets; the rest is to come again. It outlives the servers. */
const { url: callback_url, got } = await receiver(t, (response, { _id }, nth) => {
  const takes = nth % 10 !== 0
  if (takes) taken.add(_id)
  response.writeHead(takes ? 200 : 500).end()
})

/** Acknowledged changes of each resource. */
const known = new Map<string, number>()
let changes = 0
const acknowledge = (resource: string) => {
  known.set(resource, (known.get(resource) ?? 0) + 1)
  changes++
}

/** Asks, answers and moves an item until the connection breaks, or enough is done. */
async function work(server: Running, who: number, isOver: () => boolean): Promise<void> {
  const [buyer, seller] = [server.buyers[who % 2]!, server.sellers[0]!]
  const refused = (what: string, { status, body }: { status: number; body: unknown }) =>
    new Error(`${what} answers ${status} ${JSON.stringify(body)}`)
  try {
    for (let n = 0; !isOver(); n++) {
      const text = `pregunta ${who} ${n}`
      const asked = await call(server, 'POST', '/questions', { item_id: ITEMS[n % ITEMS.length], text }, buyer.token)
      if (asked.status !== 201) throw refused('POST /questions', asked)
      const resource = `/questions/${asked.body.id}`
      acknowledge(resource)
      const answered = await call(server, 'POST', '/answers', { question_id: asked.body.id, text: 'sí' }, seller.token)
      if (answered.status !== 200) throw refused('POST /answers', answered)
      acknowledge(resource)
      if (n % 4 > 0) continue
      const status = (await call(server, 'GET', `/_sandbox/items/${MOVED[who]}`)).body.status
      const moved = status === 'active' ? 'paused' : 'active'
      const patched = await call(server, 'PATCH', `/_sandbox/items/${MOVED[who]}`, { status: moved })
      if (patched.status !== 200) throw refused('PATCH /items', patched)
      acknowledge(`/items/${MOVED[who]}`)
    }
  } catch (error) {
    // The server was killed: whatever was on its way was not acknowledged.
    if (!(error instanceof TypeError)) throw error
  }
}

const DAY = 24 * 3_600_000
const day = (at: number) => new Date(at).toISOString().slice(0, 10)
const DATES = `date_from=${day(Date.now() - DAY)}&date_to=${day(Date.now() + 3 * DAY)}`

/** Questions of each item, as the public statistics count them. */
const counted = (server: Running) =>
  Promise.all(
    ITEMS.map(async (id) => {
      const path = `/items/${id}/contacts/questions?${DATES}`
      const { status, body } = await call(server, 'GET', path, undefined, server.sellers[0]!.token)
      if (status !== 200) throw new Error(JSON.stringify(body))
      return body.total as number
    }),
  )

t.test('every acknowledged change is told, however often the server is killed', async (t) => {
  let [before, after]: number[][] = []
  for (let round = 0; round <= KILLS; round++) {
    const server = await launch(t, '--data', data)
    if (round === 0) {
      const path = `/_sandbox/applications/${server.application.id}/notifications`
      t.equal((await call(server, 'PUT', path, { callback_url })).status, 200)
      before = await counted(server)
    }
    const last = round === KILLS
    // The kill comes anywhere within the next changes, and within what is on its way because of them.
    const goal = last ? CHANGES : Math.min(CHANGES, changes + (CHANGES / (KILLS + 1)) * (0.5 + random()))
    const workers = Array.from({ length: CLIENTS }, (_, who) => work(server, who, () => last && changes >= goal))
    if (last) {
      await Promise.all(workers)
      await settleAll(server)
      after = await counted(server)
      await server.end()
    } else {
      while (changes < goal) await new Promise((resolve) => setTimeout(resolve, 1))
      await new Promise((resolve) => setTimeout(resolve, 10 * random()))
      await server.end('SIGKILL')
      await Promise.all(workers)
    }
  }
  t.ok(changes >= CHANGES, `${changes} changes`)

  /** Nobody has waited an hour: a clock that is moved brings every retry. */
  async function settleAll(server: Running): Promise<void> {
    for (let moves = 0; moves < 20; moves++) {
      await call(server, 'POST', '/_sandbox/settle')
      const { body } = await call(server, 'GET', '/_sandbox/deliveries?status=pending&limit=1')
      if (body.paging.total === 0) return
      await call(server, 'POST', '/_sandbox/clock/advance', { by: 'PT30M' })
    }
    t.fail('something is pending for ever')
  }

  const db = new Sqlite(join(data, 'world-1.sqlite'), { readonly: true })
  t.teardown(() => db.close())
  const rows = (sql: string) => db.prepare(sql).all()

  const byId = new Map<string, Got[]>()
  for (const one of got) byId.set(one._id, [...(byId.get(one._id) ?? []), one])
  const different = [...byId.values()].filter((all) => {
    const shown = ({ attempts: _, sent: __, ...rest }: Got & { sent?: string }) => JSON.stringify(rest)
    return new Set(all.map(shown)).size > 1
  })
  t.strictSame(different, [], 'what bears the same _id is the same notification')
  const told = new Map<string, number>()
  for (const [_id, all] of byId) {
    if (!taken.has(_id)) continue
    const of = `${all[0]!.resource} ${all[0]!.user_id}`
    told.set(of, (told.get(of) ?? 0) + 1)
  }
  const [{ seller }] = rows(`SELECT seller_id seller FROM item WHERE id = '${ITEMS[0]}'`) as [{ seller: number }]
  const users = (resource: string) => (resource.startsWith('/items') ? [seller] : [seller, buyerOf(resource)])
  const untold = [...known].flatMap(([resource, count]) =>
    users(resource)
      .map((user) => `${resource} ${user}`)
      .filter((of) => (told.get(of) ?? 0) < count),
  )
  t.strictSame(untold, [], 'each user’s application was told of each acknowledged change')
  t.ok(got.length > byId.size, 'some came more than once')
  function buyerOf(resource: string): number {
    return (rows(`SELECT from_id id FROM question WHERE id = ${resource.split('/')[2]}`)[0] as { id: number }).id
  }

  t.strictSame(rows('PRAGMA integrity_check'), [{ integrity_check: 'ok' }])
  t.strictSame(
    rows(`SELECT status, count(*) > 0 some FROM notification GROUP BY 1`),
    [{ status: 'delivered', some: 1 }],
    'all that was written was delivered',
  )
  t.strictSame(
    rows(`SELECT id FROM notification n WHERE leased_until IS NOT NULL OR NOT EXISTS
            (SELECT 1 FROM notification_attempt WHERE notification_id = n.id AND n = n.attempts AND http_code = 200)`),
    [],
    'nobody is at anything, and the last attempt of each was answered',
  )
  t.strictSame(
    rows(`SELECT o.id FROM outbox o WHERE (topic = 'questions') + 1 <> (SELECT count(*) FROM notification WHERE outbox_id = o.id)
            AND o.resource IN (SELECT '/questions/' || id FROM question WHERE text LIKE 'pregunta%' UNION SELECT '/items/' || id FROM item)`),
    [],
    'each event is told to each user’s application',
  )
  t.strictSame(
    rows(`SELECT '/questions/' || id resource, 1 + (status = 'ANSWERED') n FROM question WHERE text LIKE 'pregunta%'
          EXCEPT SELECT resource, count(*) FROM outbox GROUP BY resource`),
    [],
    'each change has its event',
  )
  t.strictSame(
    after!.map((total, n) => total - before![n]!),
    ITEMS.map((id) => {
      const [row] = rows(`SELECT count(*) n FROM question WHERE text LIKE 'pregunta%' AND item_id = '${id}'`)
      return (row as { n: number }).n
    }),
    'the statistics count every question once',
  )
  for (const subject of ['item', 'user'])
    t.strictSame(
      rows(`SELECT ${subject}_id, kind, hour, n FROM contact_${subject}_hour
            EXCEPT SELECT ${subject}_id, kind, cast(floor(at / 3600000.0) AS integer), count(*) FROM contact_event GROUP BY 1, 2, 3`),
      [],
      `rollups by ${subject} equal the rows`,
    )
})

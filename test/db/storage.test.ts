import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type Sqlite from 'better-sqlite3'
import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { $, type Engine, prepared, preparedSql, type Q, type Statement, yieldToEventLoop } from '../../db/engine.ts'
import { applicationId, derived, nextNumber, nextSecret, worldOfApplication, worldOfToken } from '../../db/ids.ts'
import { migrate } from '../../db/migrate.ts'
import { publish, publishAll } from '../../db/outbox.ts'
import { remembered, rememberedRow } from '../../db/remembered.ts'
import { noLog } from '../../db/sqlite/commit_log.ts'
import { openSqlite, type SqliteOptions } from '../../db/sqlite/engine.ts'
import { localLog } from '../../db/sqlite/local_log.ts'
import { sequence } from '../../db/tables.ts'
import { countForUser } from '../../domains/contacts/operations.ts'
import { enqueueNotifications } from '../../domains/notifications/delivery/operations.ts'

const folder = mkdtempSync(join(tmpdir(), 'mercadito-test-'))
t.teardown(() => rmSync(folder, { recursive: true }))

let files = 0
function open(t: Test, options: Partial<SqliteOptions> = {}): Engine & { file: string } {
  const file = join(folder, `${++files}.sqlite`)
  migrate(file)
  const engine = openSqlite(file, { openLog: localLog, subscribers: [enqueueNotifications], ...options })
  t.teardown(() => engine.close())
  return { ...engine, file }
}

const names = prepared(({ db }) => db.select({ name: sequence.name }).from(sequence).orderBy(sequence.name))
const insert = prepared(({ db }) => db.insert(sequence).values({ name: $('name'), n: 1 }))
const namesIn = async (engine: Engine) => (await names(engine.read).all()).map(({ name }) => name)

t.test('a unit is atomic, and invisible before its commit', async (t) => {
  const world = open(t)
  await world.tx(async (q) => {
    await insert(q).run({ name: 'a' })
    t.strictSame(await namesIn(world), [])
  })
  t.strictSame(await namesIn(world), ['a'])
  await t.rejects(
    world.tx(async (q) => {
      await insert(q).run({ name: 'b' })
      throw new Error('no')
    }),
    { message: 'no' },
  )
  t.strictSame(await namesIn(world), ['a'])
})

t.test('units of one turn share a commit, and a failing one is rolled back alone', async (t) => {
  const world = open(t)
  const units = Array.from({ length: 300 }, (_, n) =>
    world.tx(async (q) => {
      await insert(q).run({ name: `n${n}` })
      if (n % 10 === 3) throw new Error(`fails ${n}`)
      return n
    }),
  )
  const results = await Promise.allSettled(units)
  const committed = results.flatMap((result) => (result.status === 'fulfilled' ? [`n${result.value}`] : []))
  t.equal(committed.length, 270)
  t.strictSame(await namesIn(world), committed.sort())
})

t.test('a unit that fails publishes nothing', async (t) => {
  const world = open(t)
  let published = 0
  world.onEvents(() => void published++)
  const publishing = (isFailing: boolean) =>
    world.tx(async (q) => {
      await publish(q, { topic: 'items', resource: '/items/MLA1', users: [1], at: 0 })
      if (isFailing) throw new Error('no')
    })
  await Promise.allSettled([publishing(true), world.tx((q) => insert(q).run({ name: 'a' }))])
  t.strictSame([await namesIn(world), published], [['a'], 0])
  await Promise.allSettled([publishing(true), publishing(false)])
  t.equal(published, 1)
})

t.test('reads of one turn see one state, and a unit is visible once it has resolved', async (t) => {
  const world = open(t)
  const [before] = await Promise.all([namesIn(world), world.tx((q) => insert(q).run({ name: 'a' }))])
  t.strictSame(before, [])
  t.strictSame(await namesIn(world), ['a'], 'in the same turn')
})

t.test('the log stays short under continuous reads and writes', async (t) => {
  const world = open(t)
  const reading = new AbortController()
  const reader = (async () => {
    while (!reading.signal.aborted) {
      await namesIn(world)
      await new Promise((resolve) => setImmediate(resolve))
    }
  })()
  const name = 'x'.repeat(2000)
  for (let n = 0; n < 4000; n += 40) {
    await Promise.all(Array.from({ length: 40 }, (_, m) => world.tx((q) => insert(q).run({ name: `${n + m}${name}` }))))
    await world.tx(async (q) => void q.db.run(sql`DELETE FROM sequence`))
  }
  reading.abort()
  await reader
  t.ok(statSync(`${world.file}-wal`).size < 8 * 1024 * 1024)
})

t.test('a row is remembered until a commit changes a table or an index that its statement reads', async (t) => {
  const world = open(t)
  const count = preparedSql<{ n: number }>('SELECT count(*) AS n FROM question WHERE seller_id = :seller')
  let reads = 0
  const counted = async (seller = 1, q: Q = world.read) => {
    const [statement, values] = [count(q), { seller }]
    const read = () => {
      reads++
      return statement.one(values)
    }
    return (await remembered(q, { statement, values }, read))!.n
  }
  t.strictSame([...(await Promise.all([counted(1), counted(2), counted(1)])), reads], [0, 0, 0, 2])

  const insertQuestion = `INSERT INTO question (seller_id, item_id, from_id, text, status, date_created, first_of_buyer)
    VALUES (1, 'MLA1', 2, 'Is it new?', 'UNANSWERED', 0, 1)`
  const writes: [sql: string, n: number, isReadAgain: boolean][] = [
    [insertQuestion, 1, true],
    ["INSERT INTO sequence (name, n) SELECT 'a', count(*) FROM question WHERE seller_id = 1", 1, false],
    ["UPDATE question SET text = 'Is it used?'", 1, false],
    [insertQuestion, 2, true],
    ['UPDATE question SET seller_id = 2 WHERE id = 1', 1, true],
    ['DELETE FROM question', 0, true],
  ]
  for (const [write, n, isReadAgain] of writes) {
    const before = reads
    await world.tx((q) => preparedSql(write)(q).run())
    t.strictSame([await counted(), await counted(), reads - before], [n, n, isReadAgain ? 1 : 0], write)
  }

  await world.tx(async (q) => {
    const before = reads
    t.strictSame([await counted(1, q), await counted(1, q), reads - before], [0, 0, 2], 'in a unit it is always read')
    await preparedSql(insertQuestion)(q).run()
    t.equal(await counted(), 0, 'other reads see the state before the unit')
  })
  t.equal(await counted(), 1)
  const before = reads
  const rolledBack = async (q: Q) => {
    await preparedSql(insertQuestion)(q).run()
    throw new Error('no')
  }
  await t.rejects(world.tx(rolledBack), { message: 'no' })
  t.strictSame([await counted(), reads - before], [1, 0], 'no commit has changed it')
  await world.tx(async (q) => void q.db.run(sql`DELETE FROM question`))
  t.equal(await counted(), 0, 'a statement of which nothing is known may have changed it')
})

t.test('what was read before a position is remembered until something changes before it', async (t) => {
  const world = open(t)
  const sum = preparedSql<{ n: number }>('SELECT coalesce(sum(n), 0) AS n FROM contact_user_hour WHERE hour < :before')(
    world.read,
  )
  const readAgain: number[] = []
  async function expectSums(hours: number[], message: string, expected?: number[]) {
    readAgain.length = 0
    for (const before of [0, 5, 6, 7, 11, 500]) {
      const values = { before }
      const row = await remembered(world.read, { statement: sum, values, before }, () => {
        readAgain.push(before)
        return sum.one(values)
      })
      t.equal(row!.n, hours.filter((hour) => hour < before).length, `${message}: ${before}`)
    }
    if (expected) t.strictSame(readAgain, expected, message)
  }
  const written: number[] = []
  const write = (hour: number) => {
    written.push(hour)
    return world.tx((q) => countForUser(q).run({ user_id: 1, kind: 'visits', hour, n: 1 }))
  }

  await expectSums(written, 'the first time', [0, 5, 6, 7, 11, 500])
  for (const [hour, expected] of [
    [6, [7, 11, 500]],
    [5, [6, 7, 11, 500]],
    [7, [11, 500]],
    [-3, [0, 5, 6, 7, 11, 500]],
    [500, []],
  ] as const) {
    await write(hour)
    await expectSums(written, `after ${hour}`, [...expected])
  }
  await write(8)
  await write(5)
  await write(100)
  await expectSums(written, 'after three writes', [6, 7, 11, 500])
  await write(8)
  await write(5)
  for (let hour = 10; hour < 200; hour++) await write(hour)
  await expectSums(written, 'after more positions than have a commit of their own')
  await world.tx((q) => preparedSql('DELETE FROM contact_user_hour WHERE hour = 500')(q).run())
  await expectSums(written, 'after a write of which no position is known', [0, 5, 6, 7, 11, 500])
})

t.test('a read that fails is not remembered', async (t) => {
  const world = open(t)
  let reads = 0
  const one = async () => {
    if (reads++ === 0) throw new Error('broken')
    return { n: 1 }
  }
  const statement = { one, isUnchangedSince: () => true } as unknown as Statement<{ n: number }>
  await t.rejects(rememberedRow(world.read, statement), { message: 'broken' })
  t.strictSame(await rememberedRow(world.read, statement), { n: 1 })
})

t.test('the read handle rejects writes', async (t) => {
  const world = open(t)
  await t.rejects(insert(world.read).run({ name: 'x' }), { code: 'SQLITE_READONLY' })
})

t.test('rejects a unit inside a unit, but not one that starts after the outer unit has ended', async (t) => {
  const world = open(t)
  let later: Promise<unknown> | undefined
  await world.tx(async (q) => {
    await t.rejects(
      world.tx(async () => {}),
      { message: 'a unit inside a unit would wait for itself' },
    )
    later = new Promise((resolve) => setTimeout(resolve, 1)).then(() =>
      world.tx((q) => insert(q).run({ name: 'later' })),
    )
    await insert(q).run({ name: 'now' })
  })
  await later
  t.strictSame(await namesIn(world), ['later', 'now'])
})

t.test('while a unit yields, reads see the state before it and other units wait', async (t) => {
  const world = open(t)
  let ended = false
  const unit = world.tx(async (q) => {
    await insert(q).runAll([{ name: 'b' }, { name: 'a' }])
    for (let n = 0; n < 3; n++) await yieldToEventLoop()
    await insert(q).run({ name: 'c' })
    ended = true
  })
  const after = world.tx(async () => t.ok(ended, 'the other unit waits'))
  await yieldToEventLoop()
  await yieldToEventLoop()
  t.notOk(ended)
  t.strictSame(await namesIn(world), [])
  await Promise.all([unit, after])
  t.strictSame(await namesIn(world), ['a', 'b', 'c'])
  await t.rejects(
    world.tx((q) => insert(q).runAll([{ name: 'd' }, { name: 'a' }])),
    { code: 'SQLITE_CONSTRAINT_PRIMARYKEY' },
  )
  t.strictSame(await namesIn(world), ['a', 'b', 'c'], 'atomic')
})

t.test('timers run while many units wait', async (t) => {
  const world = open(t)
  let ticks = 0
  const timer = setInterval(() => ticks++, 1)
  await Promise.all(Array.from({ length: 2000 }, (_, n) => world.tx((q) => insert(q).run({ name: `n${n}` }))))
  clearInterval(timer)
  t.ok(ticks > 0)
})

t.test('on a full disk units are rejected, and no resolved unit is lost', async (t) => {
  const world = open(t)
  const limit = (pages: number) => world.tx(async (q) => void q.db.run(sql.raw(`PRAGMA max_page_count = ${pages}`)))
  await limit(1)
  const results = await Promise.allSettled(
    Array.from({ length: 500 }, (_, n) => world.tx((q) => insert(q).run({ name: `${n}`.padStart(500, '0') }))),
  )
  const resolved = results.filter(({ status }) => status === 'fulfilled').length
  const rejected = results.filter(
    (result) => result.status === 'rejected' && result.reason.code === 'SQLITE_FULL',
  ).length
  t.ok(rejected > 0)
  t.equal((await namesIn(world)).length, resolved)
  await limit(100_000)
  await world.tx((q) => insert(q).run({ name: 'fits' }))
  t.equal((await namesIn(world)).length, resolved + 1)
})

for (const together of [1, 2])
  t.test(`units follow one whose transaction cannot be rolled back, ${together} at a time`, async (t) => {
    const world = open(t)
    let busy: Iterator<unknown> | undefined
    /** Fails while a query is running: the connection then rejects all statements, ROLLBACK too. */
    const failing = async (q: Q) => {
      await insert(q).run({ name: 'lost' })
      busy = (q.db as unknown as { $client: Sqlite.Database }).$client
        .prepare('SELECT name FROM sequence UNION ALL SELECT 1')
        .iterate()
      busy.next()
      throw new Error('no')
    }
    const results = await Promise.allSettled(Array.from({ length: together }, () => world.tx(failing)))
    t.ok(results.every(({ status }) => status === 'rejected'))
    t.strictSame(await namesIn(world), [], 'reads do not see the open transaction')
    await t.rejects(
      world.tx((q) => insert(q).run({ name: 'early' })),
      /busy|within a transaction/,
    )
    busy!.return!()
    await world.tx((q) => insert(q).run({ name: 'a' }))
    t.strictSame(await namesIn(world), ['a'])
  })

for (const openLog of [localLog, noLog])
  t.test(`what listeners of a commit throw is reported, and changes no result: ${openLog.name}`, async (t) => {
    const errors: string[] = []
    const world = open(t, { openLog, onError: ({ message }) => errors.push(message) })
    const fail = (message: string) => () => {
      throw new Error(message)
    }
    let calls = 0
    world.onEvents(fail('event'))
    world.onEvents(() => calls++)
    const unit = (name: string) =>
      world.tx(async (q) => {
        q.effects!.onCommit = [fail(name), () => calls++]
        await publish(q, { topic: 'items', resource: '/items/X', users: [1], at: 0 })
        return insert(q).run({ name })
      })
    t.strictSame(await Promise.all(['a', 'b'].map(unit)), [1, 1])
    t.strictSame(await unit('c'), 1)
    // The listeners of events are called after the callers have their results.
    await world.tx(async () => {})
    t.strictSame([errors, calls], [['a', 'b', 'event', 'c', 'event'], 5])
    t.strictSame(await namesIn(world), ['a', 'b', 'c'])
  })

t.test('rejects a run without a value for a placeholder, and names it', async (t) => {
  await t.rejects(
    open(t).tx((q) => insert(q).run({})),
    { message: 'no value given for name' },
  )
})

t.test('migrations create the tables with the intended options', async (t) => {
  const { read } = open(t)
  const tables = read.db.all<{ name: string; sql: string }>(
    sql`SELECT name, sql FROM sqlite_master WHERE type = 'table'`,
  )
  const without = tables.filter(({ sql }) => sql.endsWith('WITHOUT ROWID')).map(({ name }) => name)
  t.strictSame(without.sort(), ['contact_event', 'contact_item_hour', 'contact_user_hour'])
  t.match(tables.find(({ name }) => name === 'question')?.sql, /AUTOINCREMENT/)
})

t.test('ids contain the number of their world, and depend on its key only', async (t) => {
  const { tx } = open(t)
  const world = { id: 7, key: 'k' }
  const [one, two] = [await tx((q) => nextSecret(q, world, 'x', 32)), await tx((q) => nextSecret(q, world, 'x', 32))]
  t.match(one, /^00000007[0-9a-f]{24}$/)
  t.not(one, two)
  t.equal(one, `00000007${derived('k', 'x 1', 24)}`)
  t.equal(await tx((q) => nextNumber(q, 'x')), 3)
  t.equal(worldOfToken(`TG-${one.slice(0, 24)}-5`), 7)
  t.equal(worldOfToken(`APP_USR-12-010203-${one}-5`), 7)
  for (const text of ['', 'x', 'TG-1-5', 'APP_USR-1-2-3-4']) t.equal(worldOfToken(text), undefined, text)
  t.equal(worldOfApplication(applicationId(7, 123_456_789)), 7)
})

t.test('the outbox keeps two days and a hundred thousand events', async (t) => {
  const { read, tx } = open(t)
  const publishAt = (at: number) =>
    tx((q) => publish(q, { topic: 'items', resource: '/items/X', users: [2, 1, 2], at }))
  const DAY = 24 * 3_600_000
  await publishAt(0)
  await tx(async (q) => void q.db.run(sql`UPDATE sqlite_sequence SET seq = 998 WHERE name = 'outbox'`))
  await publishAt(3 * DAY)
  const rows = () => read.db.all<{ id: number; user_ids: string }>(sql`SELECT id, user_ids FROM outbox ORDER BY id`)
  t.strictSame(rows(), [
    { id: 1, user_ids: '[2,1]' },
    { id: 999, user_ids: '[2,1]' },
  ])
  await publishAt(3 * DAY)
  t.strictSame(
    rows().map(({ id }) => id),
    [999, 1000],
  )
  await tx(async (q) => void q.db.run(sql`UPDATE sqlite_sequence SET seq = 100999 WHERE name = 'outbox'`))
  await publishAt(3 * DAY)
  t.strictSame(
    rows().map(({ id }) => id),
    [101_000],
  )
})

t.test('publishing a history displaces no event, and reaches the applications that subscribed', async (t) => {
  const { read, tx } = open(t)
  const DAY = 24 * 3_600_000
  const NOW = 100 * DAY
  const of = (resource: string, at: number) => ({ topic: 'items' as const, resource, users: [1, 2, 1], at })
  const rows = () =>
    read.db.all<{ resource: string }>(sql`SELECT resource FROM outbox ORDER BY id`).map((row) => row.resource)
  await tx((q) => publish(q, of('/items/NOW', NOW)))
  // Neither the number of events nor their age must make a sweep delete the one above.
  const history = Array.from({ length: 1_500 }, (_, n) => of(`/items/${n}`, n))
  await tx((q) => publishAll(q, history, NOW))
  t.strictSame(rows(), ['/items/NOW'])
  await tx(async (q) => {
    q.db.run(sql`INSERT INTO notification_setting (application_id, callback_url, topics, profile, overrides) VALUES (5, 'http://127.0.0.1:9/', '["items"]', 'ideal', '{}'),
      (6, 'http://127.0.0.1:9/', '["questions"]', 'ideal', '{}')`)
    q.db.run(sql`INSERT INTO application_grant VALUES (5, 1, 0, 0), (5, 2, 0, 0), (5, 3, 0, 0), (6, 1, 0, 0)`)
  })
  const [old, edge] = [of('/items/OLD', NOW - 2 * DAY - 1), of('/items/EDGE', NOW - 2 * DAY)]
  const again = of('/items/EDGE', NOW - 1)
  await tx((q) => publishAll(q, [old, edge, again], NOW))
  await tx((q) => publishAll(q, [], NOW))
  t.strictSame(rows(), ['/items/NOW', '/items/EDGE', '/items/EDGE'])
  t.strictSame(
    read.db.all(
      sql`SELECT application_id, user_id, resource, received, next_at, status, behind FROM notification ORDER BY id`,
    ),
    [old, edge, again].flatMap(({ resource, at }) =>
      [1, 2].map((user_id) => ({
        application_id: 5,
        user_id,
        resource,
        received: at,
        next_at: NOW,
        status: 'pending',
        behind: user_id === 1 && at !== again.at ? 0 : 1,
      })),
    ),
  )
  await tx(async (q) => void q.db.run(sql`UPDATE sqlite_sequence SET seq = 2999 WHERE name = 'outbox'`))
  await tx((q) => publishAll(q, [of('/items/A', NOW + DAY), of('/items/B', NOW + DAY)], NOW + 2 * DAY))
  t.strictSame(rows(), ['/items/NOW', '/items/A', '/items/B'], 'sweeps by the present world time')
})

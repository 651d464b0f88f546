import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import Sqlite from 'better-sqlite3'
import t, { type Test } from 'tap'
import { populate, type Start } from '../../scenarios/index.ts'
import { MONDAY } from '../../scenarios/names.ts'
import { openTemplates } from '../../scenarios/templates.ts'
import { demoRows, type ScenarioRows } from '../support/demo_rows.ts'

const DAY = 24 * 3_600_000
const WEEK = 7 * DAY

const worlds = await Promise.all([1, 2 ** 53 - 1].map(async (seed) => ({ seed, rows: await demoRows(seed, MONDAY) })))
const reference = worlds[0]!.rows

const folder = mkdtempSync(join(tmpdir(), 'mercadito-test-'))
t.teardown(() => rmSync(folder, { recursive: true }))

let files = 0
/** Creates and opens the file of a world. */
async function createWorldFile(t: Test, start: Partial<Start>): Promise<Sqlite.Database> {
  const file = join(folder, `${++files}.sqlite`)
  await populate(file, 1, { scenario: 'demo', seed: 1, now: MONDAY, secret: false, ...start })
  const db = new Sqlite(file)
  t.teardown(() => db.close())
  return db
}

const TABLES = ['credit_lead', 'flex_subscription', 'shipment'] as const

/** The rows of the demo at an instant of the week, in order of their keys. */
const rowsAt = (rows: ScenarioRows, by: number, now: number) => ({
  credit_lead: rows.credit_lead
    .map((row) => ({ ...row, date_created: row.date_created + by }))
    .filter(({ date_created }) => date_created <= now)
    .sort((a, b) => (a.id < b.id ? -1 : 1)),
  flex_subscription: rows.flex_subscription.map((row) => ({ ...row, creation_date: row.creation_date + by })),
  shipment: rows.shipment
    .map((row) => ({ ...row, date_created: row.date_created + by }))
    .filter(({ date_created }) => date_created <= now),
})

t.test('a world contains the rows up to its instant and no later ones', async (t) => {
  const by = 100 * WEEK
  for (const { seed, rows } of worlds)
    for (const now of [MONDAY + by, MONDAY + by + 2.5 * DAY, MONDAY + by + WEEK - 1]) {
      const db = await createWorldFile(t, { seed, now })
      const expected = rowsAt(rows, by, now)
      for (const table of TABLES)
        t.ok(
          isDeepStrictEqual(
            db
              .prepare(`SELECT * FROM ${table} ORDER BY id`)
              .all()
              .map((row) => ({ ...(row as object) })),
            expected[table].map((row) => ({ ...row })),
          ),
          `seed ${seed}: ${table}`,
        )
      t.equal(
        expected.credit_lead.length === rows.credit_lead.length,
        now === MONDAY + by + WEEK - 1,
        'later rows exist, except at the very end',
      )
    }
})

t.test(
  'worlds that are created at once, of more instants than files are kept, are as those created alone',
  async (t) => {
    const templates = openTemplates(mkdtempSync(join(folder, 'templates-')))
    const instants = Array.from({ length: 12 }, (_, n) => MONDAY + (n % 6) * DAY)
    const files = instants.map((_, n) => join(folder, `at-once-${n}.sqlite`))
    const start = { scenario: 'demo', seed: 1, secret: false } as const
    for (const file of files.slice(0, 2)) await populate(file, 1, { ...start, now: instants[0]! }, { templates })
    await Promise.all(instants.map((now, n) => populate(files[n]!, 1, { ...start, now }, { templates })))
    const rowsOf = (db: Sqlite.Database) =>
      ['world', 'contact_event', ...TABLES].map((table) =>
        db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2, 3, 4`).raw().all(),
      )
    for (const [n, now] of instants.entries()) {
      const db = new Sqlite(files[n]!)
      t.ok(isDeepStrictEqual(rowsOf(db), rowsOf(await createWorldFile(t, { now }))), `instant ${n}`)
      db.close()
    }
  },
)

t.test('includes a lead of the current second', async (t) => {
  const next = reference.credit_lead.find(({ date_created: at }) => at >= MONDAY)!
  const countLead = async (now: number) =>
    (await createWorldFile(t, { now })).prepare('SELECT count(*) FROM credit_lead WHERE id = ?').pluck().get(next.id)
  t.equal(await countLead(next.date_created - 1), 0)
  t.equal(await countLead(next.date_created), 1)
})

/** The ids that the next rows get. */
function nextIds(db: Sqlite.Database) {
  const shipment = db
    .prepare(`INSERT INTO shipment (site_id, seller_id, date_created) VALUES ('MLA', 2500000101, 0) RETURNING id`)
    .pluck()
    .get()
  const flex_subscription = db
    .prepare(
      `INSERT INTO flex_subscription
         (site_id, user_id, mode, service_id, status, creation_date, delivery_window, delivery_ranges, zones)
       VALUES ('MLA', 1, 'FLEX', 1, 'in', 0, 'same_day', '{}', '[]') RETURNING id`,
    )
    .pluck()
    .get()
  const question = db
    .prepare(
      `INSERT INTO question (seller_id, item_id, from_id, text, status, date_created, first_of_buyer)
       VALUES (1, 'MLA1', 2, '', 'UNANSWERED', 0, 1) RETURNING id`,
    )
    .pluck()
    .get()
  return { shipment, flex_subscription, question }
}

t.test('ids continue after those of the demo', async (t) => {
  t.same(nextIds(await createWorldFile(t, {})), {
    shipment: 43_000_000_001 + reference.shipment.length,
    flex_subscription: 111_193,
    question: 13_000_000_001 + reference.question.length,
  })
})

t.test('an empty world has no rows, and realistic ids from the start', async (t) => {
  const db = await createWorldFile(t, { scenario: 'empty' })
  for (const table of TABLES) t.equal(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get(), 0, table)
  t.same(nextIds(db), { shipment: 43_000_000_001, flex_subscription: 111_181, question: 13_000_000_001 })
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import Sqlite from 'better-sqlite3'
import t, { type Test } from 'tap'
import { FINANCIAL_ENTITIES } from '../../domains/credits/tables.ts'
import type { DemoSiteId } from '../../domains/demo.ts'
import { areaOf } from '../../domains/flex/areas.ts'
import { SITE_IDS, SITES } from '../../scenarios/demo/sites.ts'
import { populate, type Start } from '../../scenarios/index.ts'
import { demoRows, type ScenarioRows } from '../support/demo_rows.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const WEEK = 7 * DAY
const MONDAY = Date.UTC(2024, 0, 1, 4)

const worlds = await Promise.all([1, 2 ** 53 - 1].map(async (seed) => ({ seed, rows: await demoRows(seed, MONDAY) })))
const reference = worlds[0]!.rows

/** Asserts that no row breaks a rule; tap shows the first ones that do. */
const expectNone = <T>(t: Test, rows: readonly T[], wrong: (row: T) => unknown, message: string) =>
  t.same(rows.filter(wrong).slice(0, 3), [], message)

const expectUnique = (t: Test, values: unknown[], message: string) =>
  t.equal(new Set(values).size, values.length, message)

const isWholeSecond = (at: number) => Number.isInteger(at / 1000)

const LENDERS = [
  { seller: 2500000201, items: ['MLB1400000015', 'MLB1400000016'], terms: [12, 24, 36, 48, 60], n: 60 },
  { seller: 2500000401, items: ['MLC1400000017'], terms: [120, 180, 240, 300], n: 45 },
]

const sellerOf = (site: DemoSiteId) =>
  (site === 'MPE' ? 1_500_000_001 : 2_500_000_001) + 100 * (SITE_IDS.indexOf(site) + 1)

for (const { seed, rows } of worlds)
  t.test(`seed ${seed}`, async (t) => {
    const { credit_lead, flex_subscription } = rows
    // Those of sales come behind.
    const shipment = rows.shipment.filter(({ order_id }) => order_id === null)
    const users = new Map(rows.user.map((row) => [row.id, row]))
    const items = new Map(rows.item.map((row) => [row.id, row]))
    const spammers = new Set(rows.blocked_buyer.map(({ buyer_id }) => buyer_id))

    t.test('generates leads of two sellers and their listings', async (t) => {
      expectUnique(
        t,
        credit_lead.map(({ id }) => id),
        'ids',
      )
      expectNone(
        t,
        credit_lead,
        ({ id }) => !/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id),
        'UUIDs of version 4',
      )
      t.same([...new Set(credit_lead.map(({ seller_id }) => seller_id))], [2500000201, 2500000401])
      for (const { seller, items: listingIds, n } of LENDERS) {
        const own = credit_lead.filter(({ seller_id }) => seller_id === seller)
        t.equal(own.length, n)
        t.same([...new Set(own.map(({ item_id }) => item_id))].sort(), listingIds)
      }
      expectNone(t, credit_lead, (l) => items.get(l.item_id)!.seller_id !== l.seller_id, "on the seller's listings")
      expectNone(t, credit_lead, (l) => items.get(l.item_id)!.status !== 'active', 'on active listings')
      expectNone(
        t,
        credit_lead,
        (l) => items.get(l.item_id)!.date_created >= l.date_created,
        'on listings that existed then',
      )
      expectNone(
        t,
        credit_lead,
        ({ buyer_id, seller_id }) =>
          buyer_id === seller_id ||
          users.get(buyer_id)!.site_id !== users.get(seller_id)!.site_id ||
          users.get(buyer_id)!.level_id !== null ||
          spammers.has(buyer_id),
        'from buyers of the site',
      )
      t.ok(
        credit_lead.some(({ buyer_id }) => users.get(buyer_id)!.tags.includes('test_user')),
        'includes a test buyer',
      )
    })

    t.test('generates amounts of leads', async (t) => {
      for (const { seller, terms } of LENDERS) {
        const own = credit_lead.filter(({ seller_id }) => seller_id === seller)
        t.same(
          [...new Set(own.map(({ installments_number: n }) => n))].sort((a, b) => a - b),
          terms,
        )
        const decimals = seller === 2500000401 ? 0 : 2
        expectNone(
          t,
          own.flatMap((l) => [l.down_payment_amount, l.installments_amount]),
          (amount) => !(amount > 0) || Number(amount.toFixed(decimals)) !== amount,
          'in the currency',
        )
      }
      expectNone(
        t,
        credit_lead,
        ({ item_id, down_payment_amount: down, installments_number: n, installments_amount: installment }) => {
          const item = items.get(item_id)!
          // The price of a flat is its monthly rent.
          const price = item.price * (item.site_id === 'MLC' ? 200 : 1)
          const interest = (n * installment) / (price - down) - 1
          return down < 0.0999 * price || down > 0.4001 * price || interest < 0.05 || interest > 1.3
        },
        'a tenth to four tenths down, the rest with interest',
      )
    })

    t.test('generates statuses, entities and proposals of leads', async (t) => {
      expectNone(t, credit_lead, (l) => l.proposal_id && l.status !== 'approved', 'proposals of approved ones only')
      expectNone(t, credit_lead, (l) => l.proposal_id && !/^[1-9]\d{4,7}$/.test(l.proposal_id), '5 to 8 digits')
      const approved = credit_lead.filter(({ status }) => status === 'approved')
      t.ok(approved.length > credit_lead.length / 2, 'most are approved')
      const withProposal = approved.filter(({ proposal_id }) => proposal_id).length / approved.length
      t.ok(withProposal > 0.5 && withProposal < 0.9, `${withProposal} of the approved have a proposal`)
      const countLeads = (seller: number, ...entities: string[]) =>
        credit_lead.filter((l) => l.seller_id === seller && entities.includes(l.financial_entity_id)).length
      t.ok(
        countLeads(2500000201, 'MERCADO_PAGO', 'VOTORANTIM') > countLeads(2500000201, 'SANTANDER', 'SCOTIA'),
        'in Brazil',
      )
      t.ok(
        countLeads(2500000401, 'MERCADO_PAGO', 'VOTORANTIM') < countLeads(2500000401, 'SANTANDER', 'SCOTIA'),
        'in Chile',
      )
    })

    t.test('has leads of every kind at every instant of the week', async (t) => {
      expectNone(t, credit_lead, ({ date_created: at }) => !isWholeSecond(at), 'whole seconds')
      expectNone(
        t,
        credit_lead,
        ({ date_created: at }) => at < MONDAY - 120 * DAY || at >= MONDAY + WEEK,
        'from 120 days before to the end of the week',
      )
      for (const { seller } of LENDERS) {
        const own = credit_lead.filter(({ seller_id }) => seller_id === seller)
        t.ok(own.filter(({ date_created: at }) => at < MONDAY - 92 * DAY).length >= 5, 'older than three months')
        t.ok(
          own.some(({ date_created: at }) => at >= MONDAY),
          'in the following week',
        )
        for (const now of [MONDAY, MONDAY + WEEK - 1]) {
          const valid = own.filter((l) => l.date_created <= now && l.date_created > now - 30 * DAY)
          const of = (status: string) => valid.filter((l) => l.status === status && l.expired === 0)
          t.ok(of('in_analysis').length >= 1, 'in analysis')
          t.ok(of('rejected').length >= 2, 'rejected')
          t.ok(of('approved').length >= 10, 'approved')
          for (const entity of FINANCIAL_ENTITIES)
            t.ok(of('approved').filter((l) => l.financial_entity_id === entity).length >= 2, entity)
          t.ok(
            valid.some(({ expired }) => expired === 1),
            'expired early',
          )
          t.ok(
            own.some((l) => l.date_created < now - 30 * DAY && l.date_created > now - 89 * DAY),
            'expired by age',
          )
        }
      }
      expectNone(
        t,
        credit_lead.filter(({ status }) => status === 'in_analysis'),
        ({ date_created: at }) => at < MONDAY - 3 * DAY,
        'in analysis for three days at most',
      )
      expectNone(t, credit_lead, (l) => l.expired && l.date_created >= MONDAY, 'expired before the week')
    })

    t.test('generates Flex subscriptions', async (t) => {
      t.same(
        flex_subscription.map((s) => [s.id, s.service_id, s.site_id, s.mode, s.status, s.radius, s.training_days]),
        [
          [111181, 736230, 'MLA', 'FLEX', 'in', null, null],
          [111182, 736231, 'MLA', 'TURBO', 'in', 5000, null],
          [111183, 736232, 'MLB', 'FLEX', 'in', null, null],
          [111184, 736233, 'MLB', 'TURBO', 'pending', 4000, null],
          [111185, 736234, 'MLM', 'FLEX', 'in', null, null],
          [111186, 736235, 'MLM', 'TURBO', 'out', 3000, null],
          [111187, 736236, 'MLC', 'FLEX', 'in', null, null],
          [111188, 736237, 'MCO', 'FLEX', 'in', null, null],
          [111189, 736238, 'MLU', 'FLEX', 'in', null, null],
          [111190, 736239, 'MPE', 'FLEX', 'pending', null, 14],
          [111191, 736240, 'MEC', 'FLEX', 'in', null, null],
          [111192, 736241, 'MLA', 'FLEX', 'in', null, null],
        ],
      )
      expectNone(t, flex_subscription, (s) => s.user_id !== sellerOf(s.site_id as DemoSiteId), "the site's seller")
      expectNone(t, flex_subscription, (s) => s.delivery_window !== 'same_day' || s.is_moderated !== 0, 'other columns')
      expectNone(t, flex_subscription, (s) => !isWholeSecond(s.creation_date), 'whole seconds')
      expectNone(
        t,
        flex_subscription,
        (s) => s.creation_date <= users.get(s.user_id)!.registration_date,
        'after registering',
      )
      const others = flex_subscription.filter(({ origin }) => origin !== '')
      t.same(
        others.map(({ id, origin }) => [id, JSON.parse(origin!)]),
        [[111192, { address: 'Av. Mitre 1200', city: 'Quilmes', state: 'Buenos Aires', zip_code: '1878' }]],
      )
      for (const { site_id, mode, origin, creation_date } of flex_subscription) {
        const days = (MONDAY - creation_date) / DAY
        if (origin !== '') {
          t.ok(days >= 30 && days <= 90, `${site_id}: another origin after FLEX`)
          continue
        }
        if (mode === 'FLEX' && site_id === 'MPE') t.equal(days, 5)
        else if (mode === 'FLEX') t.ok(days >= 200 && days <= 700, `${site_id}: ${days} days`)
        else {
          const flex = flex_subscription.find((s) => s.site_id === site_id && s.mode === 'FLEX')!
          t.ok(creation_date >= flex.creation_date + DAY && days > 30, 'TURBO after FLEX')
        }
      }
    })

    t.test('generates Flex ranges', async (t) => {
      const shapes = flex_subscription.map(({ mode, delivery_ranges }) => {
        const days = JSON.parse(delivery_ranges)
        t.same(Object.keys(days), ['week', 'saturday', 'sunday'])
        return { mode, days }
      })
      const lists = shapes.flatMap(({ days }) => Object.values(days).filter((day) => day !== null)) as Range[][]
      expectNone(t, lists, (list) => list.length === 0, 'a day off is null')
      for (const range of lists.flat()) t.same(Object.keys(range), ['from', 'to', 'capacity', 'cutoff'])
      expectNone(t, lists.flat(), (range) => !Object.values(range).every(Number.isInteger), 'integers')
      expectNone(
        t,
        lists.flat(),
        (range) => range.capacity < 20 || range.capacity > 200 || range.capacity % 5 !== 0,
        'capacity',
      )
      expectNone(t, lists.flat(), ({ from, to }) => from >= to || to > 24, 'hours')
      for (const { mode, days } of shapes)
        if (mode === 'TURBO') {
          t.same([days.saturday, days.sunday], [null, null])
          t.equal(days.week.length, 4)
          expectNone(
            t,
            days.week as Range[],
            ({ from, to, cutoff }) => from < 10 || to > 18 || to !== from + 2 || cutoff !== from,
            'two hours each, with the cutoff at the start',
          )
          const starts = days.week.map(({ from }: Range) => from)
          t.same(
            starts,
            [...new Set<number>(starts)].sort((a, b) => a - b),
            'ascending',
          )
        } else {
          const ranges: Range[] = [days.week, days.saturday ?? [], days.sunday ?? []].flat()
          expectNone(t, ranges, ({ cutoff, from }) => cutoff < 12 || cutoff > 16 || cutoff > from, 'cutoff')
          expectNone(
            t,
            days.week.slice(1),
            (range: Range) => range.from < days.week[days.week.indexOf(range) - 1].to,
            'do not overlap',
          )
        }
      const expectSome = (has: (days: Days) => unknown, message: string) =>
        t.ok(
          shapes.some(({ mode, days }) => mode === 'FLEX' && has(days)),
          message,
        )
      expectSome(({ week }) => week.length === 2, 'twice a day')
      expectSome(({ sunday }) => sunday, 'on Sundays')
      expectSome(({ saturday }) => !saturday, 'not on Saturdays')
    })

    t.test('generates Flex zones', async (t) => {
      for (const { site_id, mode, zones } of flex_subscription) {
        const zoneIds: string[] = JSON.parse(zones)
        if (mode === 'TURBO') t.same(zoneIds, [], 'TURBO has a radius instead')
        else {
          const area = areaOf(site_id as DemoSiteId, SITES[site_id as DemoSiteId].home.city)!
          const positions = zoneIds.map((id) => area.zones.findIndex((zone) => zone.id === id))
          expectNone(t, positions, (position) => position < 0, `${site_id}: known`)
          expectNone(
            t,
            positions.slice(1),
            (position) => position <= positions[positions.indexOf(position) - 1]!,
            "in the area's order",
          )
          expectNone(t, area.zones, ({ id, mandatory }) => mandatory && !zoneIds.includes(id), 'mandatory ones')
          expectNone(t, area.zones, ({ id, central }) => central && !zoneIds.includes(id), 'central ones')
          t.ok(area.zones.filter(({ mandatory }) => mandatory).length <= 1, `${site_id}: at most one is mandatory`)
          const optional = area.zones.filter(({ central }) => !central).map(({ id }) => id)
          t.equal(
            optional.filter((id) => zoneIds.includes(id)).length,
            Math.round(0.6 * optional.length),
            'most optional zones',
          )
        }
      }
    })

    t.test('generates parcels that drivers carry', async (t) => {
      t.same(
        shipment.map(({ id, site_id, seller_id }) => [id, site_id, seller_id]),
        SITE_IDS.flatMap((site, s) =>
          Array.from({ length: 12 }, (_, i) => [43_000_000_001 + 12 * s + i, site, sellerOf(site)]),
        ),
      )
      for (const site of SITE_IDS) {
        const own = shipment.filter(({ site_id }) => site_id === site)
        t.same(
          own.map(({ driver_id, route_open }) => [driver_id !== null, route_open]),
          [
            ...Array.from({ length: 6 }, () => [true, 1]),
            ...Array.from({ length: 2 }, () => [true, 0]),
            ...Array.from({ length: 4 }, () => [false, 0]),
          ],
        )
        const drivers = own.flatMap(({ driver_id }) => driver_id ?? [])
        expectNone(t, drivers, (id) => !/^[1-9]\d{7,8}$/.test(String(id)), '8 or 9 digits')
        t.ok(new Set(drivers).size < drivers.length, 'a driver carries several')
        expectNone(
          t,
          own.slice(1),
          (s) => s.date_created < own[own.indexOf(s) - 1]!.date_created,
          'ids ascend with time',
        )
      }
      expectNone(
        t,
        shipment,
        ({ date_created: at }) => at < MONDAY - 3 * DAY || at >= MONDAY || !isWholeSecond(at),
        'times',
      )
    })
  })

interface Range {
  from: number
  to: number
  capacity: number
  cutoff: number
}
interface Days {
  week: Range[]
  saturday: Range[] | null
  sunday: Range[] | null
}

t.test('another week changes the times only', async (t) => {
  const by = 113 * WEEK
  const later = await demoRows(1, MONDAY + by)
  const moved = <T extends object>(rows: T[], column: keyof T) =>
    rows.map((row) => ({ ...row, [column]: Number(row[column]) + by }))
  t.ok(isDeepStrictEqual(later.credit_lead, moved(reference.credit_lead, 'date_created')), 'leads')
  t.ok(isDeepStrictEqual(later.flex_subscription, moved(reference.flex_subscription, 'creation_date')), 'subscriptions')
  t.ok(isDeepStrictEqual(later.shipment, moved(reference.shipment, 'date_created')), 'shipments')
})

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

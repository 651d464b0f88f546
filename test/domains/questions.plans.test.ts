import { sql } from 'drizzle-orm'
import t from 'tap'
import type { Preparable, Q } from '../../db/engine.ts'
import type { SearchPaging } from '../../db/lists.ts'
import { findLeads, listLeads } from '../../domains/credits/queries.ts'
import { findOwnItems } from '../../domains/items/search_queries.ts'
import { listQuestions, type QuestionFilter } from '../../domains/questions/list_queries.ts'
import { type Criteria, findQuestions, type Sort } from '../../domains/questions/search_queries.ts'
import { unansweredSince } from '../../domains/questions/unanswered_queries.ts'
import { start } from '../support/app.ts'

// Lists must stay fast with millions of rows: each statement seeks in an index, and pages come from it in order. The
// plans do not depend on the number of rows: worlds have no statistics.

const { world, sellers, buyers, faults } = await start(t)
const seller = sellers[0]!.id
const buyer = buyers[0]!.id
const item = 'MLA1400000001'

/** The plans of the statements that `run` executes. */
async function plansOf(run: (q: Q) => Promise<unknown>): Promise<string[]> {
  const texts: string[] = []
  await run({
    ...world.read,
    prepare(query: Preparable) {
      texts.push(query.toSQL().sql)
      return world.read.prepare(query)
    },
  })
  return texts.map((text) =>
    world.read.db
      .all<{ detail: string }>(sql.raw(`EXPLAIN QUERY PLAN ${text.replaceAll('?', '1')}`))
      .map(({ detail }) => detail)
      .join('; '),
  )
}

const DEFAULT_SORT: Sort[] = [{ id: 'date_created', type: 'DESC' }]
const PAGE = { limit: 50, offset: 0 }
const PERIOD = { since: Date.UTC(2025, 11, 1, 7), until: Date.UTC(2026, 2, 5, 13) }

const search = (criteria: Criteria) => (q: Q) => findQuestions(q, criteria, DEFAULT_SORT, PAGE)
const SEARCHES: [name: string, run: (q: Q) => Promise<unknown>][] = [
  ...[{}, { status: 'ANSWERED' as const }, PERIOD].flatMap((more): [string, (q: Q) => Promise<unknown>][] => [
    ['by seller', search({ seller, unhidden: true, ...more })],
    ['by listing', search({ item, ...more })],
    ['by seller and listing', search({ seller, unhidden: true, item, ...more })],
    ['by asker', search({ from: buyer, party: buyer, ...more })],
    ['by asker and seller', search({ seller, unhidden: true, from: buyer, ...more })],
    ['by asker, of the seller', search({ from: buyer, party: seller, ...more })],
    ['by asker and listing', search({ item, from: buyer, party: buyer, ...more })],
  ]),
  ['deleted, by listing', search({ item, status: 'DELETED', owner: seller })],
]

t.test('searches of questions seek in an index that has them in order', async (t) => {
  for (const [name, run] of SEARCHES)
    for (const plan of await plansOf(run)) t.notMatch(plan, /SCAN|TEMP B-TREE/, `${name}: ${plan}`)
})

t.test('counts without a period read the stored totals, or the index of the listing', async (t) => {
  const counts: [Criteria, RegExp][] = [
    [
      { seller, unhidden: true },
      /^SEARCH question_day USING PRIMARY KEY \(seller_id=\? AND status=\? AND day>\? AND day<\?\)$/,
    ],
    [{ from: buyer, party: buyer }, /^SEARCH asker_total USING PRIMARY KEY \(from_id=\?\)$/],
    [{ from: buyer, party: seller }, /^SEARCH asker_total USING PRIMARY KEY \(from_id=\? AND seller_id=\?/],
    [{ seller, unhidden: true, from: buyer }, /^SEARCH asker_total USING PRIMARY KEY \(from_id=\? AND seller_id=\?/],
    [{ item }, /^SEARCH question USING COVERING INDEX question_item \(item_id=\?\)$/],
    [{ item, from: buyer, party: buyer }, /^SEARCH question USING COVERING INDEX question_item \(item_id=\?\)$/],
  ]
  for (const [criteria, plan] of counts)
    for (const more of [{}, { status: 'ANSWERED' as const }]) {
      const plans = await plansOf((q) =>
        findQuestions(q, { ...criteria, ...more }, DEFAULT_SORT, { limit: 0, offset: 0 }),
      )
      t.equal(plans.length, 1)
      t.match(plans[0], plan)
    }
})

t.test('counts of a period read an index only', async (t) => {
  for (const criteria of [{ item }, { item, from: buyer, party: buyer }, { from: buyer, party: seller }])
    for (const more of [PERIOD, { ...PERIOD, status: 'ANSWERED' as const }])
      for (const plan of await plansOf((q) =>
        findQuestions(q, { ...criteria, ...more }, DEFAULT_SORT, { limit: 0, offset: 0 }),
      ))
        t.match(plan, /^SEARCH (question USING COVERING INDEX|item|asker_total)/)
})

t.test('lists of the control plane sort few questions of an index, and scan many by id', async (t) => {
  const plansOfList = (filter: QuestionFilter, page: SearchPaging<number>) =>
    plansOf((q) => listQuestions(q, filter, page))
  const asked = (await listQuestions(world.read, { seller_id: seller }, PAGE)).rows[0]!
  const hour = { since: asked.date_created, until: asked.date_created + 3_600_000 }
  for (const filter of [
    { item_id: item },
    { item_id: item, seller_id: seller },
    { item_id: item, status: 'ANSWERED' as const },
    { status: 'BANNED' as const },
    { seller_id: seller, status: 'BANNED' as const },
    { from_id: asked.from_id },
    { from_id: asked.from_id, seller_id: asked.seller_id },
    { from_id: asked.from_id, item_id: asked.item_id },
    { seller_id: asked.seller_id, ...hour },
    hour,
    { status: 'BANNED' as const, until: PERIOD.until },
  ])
    for (const page of [PAGE, { ...PAGE, cursor: 1 }, { ...PAGE, text: 'x' }, { ...PAGE, text: 'x', cursor: 1 }]) {
      // The last statement of a search reads what was found.
      const plan = (await plansOfList(filter, page)).at('text' in page ? -2 : -1)
      t.match(plan, /SEARCH question USING INDEX question_\w+/, JSON.stringify(filter))
    }
  for (const filter of [{}, { status: 'ANSWERED' as const }]) {
    t.equal((await plansOfList(filter, PAGE)).at(-1), 'SCAN question', JSON.stringify(filter))
    t.equal(
      (await plansOfList(filter, { ...PAGE, cursor: 1 })).at(-1),
      'SEARCH question USING INTEGER PRIMARY KEY (rowid<?)',
    )
  }
  for (const filter of [{ since: 0 }, { seller_id: seller, until: PERIOD.until }, { from_id: buyer, ...PERIOD }])
    for (const plan of (await plansOfList(filter, { ...PAGE, limit: 0 })).filter((plan) => plan.includes('SEARCH q')))
      t.match(plan, /USING (COVERING INDEX|PRIMARY KEY)/, plan)
})

t.test('the check for questions that are gone is one seek', async (t) => {
  t.strictSame(await plansOf((q) => unansweredSince(q, world)), [
    'SEARCH question USING COVERING INDEX question_unanswered (date_created<?)',
  ])
})

t.test('leads are counted and sorted by an index', async (t) => {
  const criteria = { seller_id: seller, since: 0, until: Date.UTC(2027, 0, 1) }
  for (const more of [
    {},
    { status: 'approved' as const },
    { financial_entity_id: 'SCOTIA' as const },
    { item_id: item },
  ]) {
    const [count, page] = await plansOf((q) => findLeads(q, { ...criteria, ...more }, PAGE))
    t.match(count, /^SEARCH credit_lead USING COVERING INDEX/)
    t.match(page, /^SEARCH credit_lead USING INDEX/)
    t.notMatch(page, /TEMP B-TREE/)
  }
  const cursor = '5f0c1d0e-6a52-4c1b-9d2e-3b7a8c90d1e2'
  for (const filter of [{}, { seller_id: seller }, { status: 'approved' as const }, { buyer_id: buyer }])
    for (const expiry of [{}, { expiredUntil: 0 }, { validFrom: 0 }])
      for (const after of [{}, { cursor }]) {
        const plans = await plansOf((q) => listLeads(q, { ...filter, ...expiry }, { ...PAGE, ...after }))
        for (const plan of plans) t.notMatch(plan, /TEMP B-TREE/, plan)
        for (const plan of plans.slice(0, -1)) t.match(plan, /COVERING INDEX/, plan)
      }
})

t.test('the listings of a seller come from an index in order', async (t) => {
  for (const by of ['date_created', 'price'] as const)
    for (const direction of ['ASC', 'DESC'] as const)
      for (const status of [{}, { status: 'active' as const }])
        for (const after of [undefined, { id: item, value: 1 }]) {
          const plans = await plansOf((q) =>
            findOwnItems(q, { seller_id: seller, ...status }, { by, direction }, { ...PAGE, after }),
          )
          for (const plan of plans) t.match(plan, /^SEARCH item USING COVERING INDEX [^;]*$/)
        }
})

t.test('reports no unexpected error', async (t) => t.strictSame(faults, []))

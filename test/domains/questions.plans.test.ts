import { sql } from 'drizzle-orm'
import t from 'tap'
import type { Preparable, Q } from '../../db/engine.ts'
import type { SearchPaging } from '../../db/lists.ts'
import { findLeads, listLeads } from '../../domains/credits/queries.ts'
import { findOwnItems } from '../../domains/items/search_queries.ts'
import { listQuestions, type QuestionFilter } from '../../domains/questions/list_queries.ts'
import { countAnsweredQuestions, responseTimes } from '../../domains/questions/queries.ts'
import { type Criteria, findQuestions, type Sort } from '../../domains/questions/search_queries.ts'
import { SORT_FIELDS } from '../../domains/questions/search_schemas.ts'
import { unansweredSince } from '../../domains/questions/unanswered_queries.ts'
import { start } from '../support/app.ts'

// Lists must stay fast with many rows: what matches is counted and sorted in an index, without the rows themselves. The
// plans do not depend on the number of rows: worlds have no statistics.

const { world, sellers, buyers } = await start(t)
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
      .all<{ detail: string }>(sql.raw(`EXPLAIN QUERY PLAN ${text.replaceAll('?', '+1')}`))
      .map(({ detail }) => detail)
      .join('; '),
  )
}

const PAGE = { limit: 50, offset: 0 }
const PERIOD = { since: Date.UTC(2025, 11, 1, 7), until: Date.UTC(2026, 2, 5, 13) }

const SEARCHES: [index: string, criteria: Criteria][] = [
  ['seller', { seller, unhidden: true }],
  ['item', { item }],
  ['item', { seller, unhidden: true, item }],
  ['item', { item, owner: seller, status: 'DELETED' }],
  ['asker', { from: buyer, party: buyer }],
  ['asker', { seller, unhidden: true, from: buyer }],
  ['asker', { from: buyer, party: seller }],
  ['asker', { item, from: buyer, party: buyer }],
]

t.test('searches of questions count and sort in an index, and read the rows of their page only', async (t) => {
  const sorts = SORT_FIELDS.flatMap((id): Sort[][] => [[{ id, type: 'ASC' }], [{ id, type: 'DESC' }]])
  const after = { id: 1, item_id: item, seller_id: seller, from_id: buyer, date_created: 1 }
  for (const [name, criteria] of SEARCHES)
    for (const more of [{}, { status: 'ANSWERED' as const }, PERIOD, { unansweredSince: PERIOD.since }])
      for (const sort of sorts)
        for (const page of [PAGE, { ...PAGE, after }]) {
          const plans = await plansOf((q) => findQuestions(q, { ...criteria, ...more }, sort, page))
          const index = `SEARCH question USING COVERING INDEX question_${name} \\([^;]*\\)`
          t.match(plans[0], new RegExp(`^${index}$`))
          if (plans.length === 1) continue
          const sorted = '(; USE TEMP B-TREE FOR [^;]*)?'
          const row = 'SEARCH question USING INTEGER PRIMARY KEY \\(rowid=\\?\\)'
          const ids = `${row}; LIST SUBQUERY 1; ${index}${sorted}${sorted}`
          // An index of sellers and of listings has the order of the default sort; an asker's questions are sorted.
          const isInOrder = sort[0]!.id === 'date_created' && name !== 'asker'
          t.match(plans[1], new RegExp(`^${isInOrder ? index.replace('COVERING ', '') : ids}$`))
        }
})

t.test('answered questions and the response time are counted in an index', async (t) => {
  const asked = (await listQuestions(world.read, { seller_id: seller }, PAGE)).rows[0]!
  t.strictSame(await plansOf((q) => countAnsweredQuestions(q, asked)), [
    'SEARCH question USING COVERING INDEX question_answered (from_id=? AND seller_id=?)',
  ])
  t.strictSame(await plansOf((q) => responseTimes(q, seller, PERIOD.until)), [
    'SEARCH question USING COVERING INDEX question_seller (seller_id=? AND date_created>?)',
  ])
})

t.test(
  'lists of the control plane count in an index, sort few questions of an index, and scan many by id',
  async (t) => {
    const plansOfList = (filter: QuestionFilter, page: SearchPaging<number>) =>
      plansOf((q) => listQuestions(q, filter, page))
    const asked = (await listQuestions(world.read, { seller_id: seller }, PAGE)).rows[0]!
    const hour = { since: asked.date_created, until: asked.date_created + 3_600_000 }
    const lists: [index: string, filter: QuestionFilter][] = [
      ['item', { item_id: item }],
      ['item', { item_id: item, seller_id: seller }],
      ['item', { item_id: item, status: 'ANSWERED' }],
      ['seller', { seller_id: seller, status: 'BANNED' }],
      ['asker', { from_id: asked.from_id }],
      ['asker', { from_id: asked.from_id, seller_id: asked.seller_id }],
      ['asker', { from_id: asked.from_id, item_id: asked.item_id }],
      ['asker', { from_id: asked.from_id, ...PERIOD, until: Date.UTC(2027, 0, 1) }],
      ['seller', { seller_id: asked.seller_id, ...hour }],
    ]
    for (const [name, filter] of lists)
      for (const page of [PAGE, { ...PAGE, cursor: 1 }, { ...PAGE, text: 'x' }, { ...PAGE, text: 'x', cursor: 1 }]) {
        const plans = await plansOfList(filter, page)
        t.match(plans[0], new RegExp(`^SEARCH question USING COVERING INDEX question_${name} [^;]*$`))
        // The last statement of a search reads what was found.
        const plan = plans.at('text' in page ? -2 : -1)
        t.match(plan, new RegExp(`SEARCH question USING INDEX question_${name}`), JSON.stringify(filter))
      }
    for (const filter of [{}, { status: 'ANSWERED' as const }, hour]) {
      const [count, page] = await plansOfList(filter, PAGE)
      t.match(count, /^SCAN question USING COVERING INDEX question_\w+$/)
      t.equal(page, 'SCAN question', JSON.stringify(filter))
      t.equal(
        (await plansOfList(filter, { ...PAGE, cursor: 1 })).at(-1),
        'SEARCH question USING INTEGER PRIMARY KEY (rowid<?)',
      )
    }
  },
)

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

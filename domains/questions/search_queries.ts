import { and, asc, desc, eq, gte, inArray, lt, or, type SQL, sql } from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { $, preparedBy, type Q } from '../../db/engine.ts'
import type { QuestionRow } from './queries.ts'
import type { SortField } from './search_schemas.ts'
import { QUESTION_STATUSES, question, question_day } from './tables.ts'

export interface Sort {
  id: SortField
  type: 'ASC' | 'DESC'
}

/** What is searched for; all that is given must hold. */
export interface Criteria {
  seller?: number
  item?: string
  from?: number
  status?: QuestionRow['status']
  /** Ms; inclusive. */
  since?: number
  /** Ms; exclusive. */
  until?: number
  /** Only what this user received; not a filter that was asked for. */
  owner?: number
  /** Only what this user asked or received. */
  party?: number
  /** Leave out what the seller has hidden. */
  unhidden?: true
}

/** A page and how many there are in all. */
export async function findQuestions(
  q: Q,
  criteria: Criteria,
  sort: Sort[],
  page: { limit: number; offset: number; after?: QuestionRow },
): Promise<{ total: number; rows: QuestionRow[] }> {
  const { after, limit, offset } = page
  const conditions = conditionNamesOf(criteria)
  const total = await countAll(q, criteria)
  if (limit === 0) return { total, rows: [] }
  const key = { ...conditions, sort, scan: after !== undefined }
  const cursorValues =
    after && Object.fromEntries(Object.entries(after).map(([name, value]) => [`after_${name}`, value]))
  return { total, rows: await found(q, key).all({ ...criteria, ...cursorValues, limit, offset }) }
}

interface ConditionNames {
  /** The criteria that are given. */
  names: string[]
}
const conditionNamesOf = (criteria: Criteria): ConditionNames => ({
  names: Object.keys(criteria).filter((name) => criteria[name as keyof Criteria] !== undefined),
})

const DAY = 24 * 3_600_000

/**
 * How many there are in all: of a seller's whole days as they are kept, else question by question. What is asked for
 * begins or ends within a day: the nearer midnight is taken, and what lies between counted to it or off it.
 */
async function countAll(q: Q, criteria: Criteria): Promise<number> {
  const { seller, item, from, status, since, until } = criteria
  const firstDay = since === undefined ? 0 : Math.round(since / DAY)
  const lastDay = until === undefined ? Number.MAX_SAFE_INTEGER : Math.round(until / DAY)
  if (seller === undefined || item !== undefined || from !== undefined || firstDay >= lastDay)
    return countOf(q, criteria)
  const days = await countDays(q, conditionNamesOf(status === undefined ? {} : { status })).one({
    seller,
    status,
    first: firstDay,
    last: lastDay,
  })
  const countBetween = async (since: number, until: number): Promise<number> => {
    if (since === until) return 0
    return since < until ? countOf(q, { ...criteria, since, until }) : -(await countBetween(until, since))
  }
  const before = since === undefined ? 0 : await countBetween(since, firstDay * DAY)
  const after = until === undefined ? 0 : await countBetween(lastDay * DAY, until)
  return before + days!.n + after
}

const countOf = async (q: Q, criteria: Criteria): Promise<number> =>
  (await countFound(q, conditionNamesOf(criteria)).one({ ...criteria }))!.n

type Question = typeof question

const CONDITIONS: Record<keyof Criteria, (c: Question, names: string[]) => SQL | undefined> = {
  // A listing or an asker has fewer questions than a seller, which SQLite cannot know: with the plus it takes their
  // index.
  seller: (c, names) =>
    names.includes('item') || names.includes('from')
      ? sql`+${c.seller_id} = ${$('seller')}`
      : eq(c.seller_id, $('seller')),
  item: (c) => eq(c.item_id, $('item')),
  from: (c) => eq(c.from_id, $('from')),
  status: (c) => eq(c.status, $('status')),
  since: (c) => gte(c.date_created, $('since')),
  until: (c) => lt(c.date_created, $('until')),
  owner: (c) => eq(c.seller_id, $('owner')),
  party: (c) => or(eq(c.from_id, $('party')), eq(c.seller_id, $('party'))),
  unhidden: (c) => sql`${c.hidden} = 0`,
}

/** Deleted and banned questions show only when they are asked for. */
const matching = ({ names }: ConditionNames, c: Question) =>
  and(
    ...names.map((name) => CONDITIONS[name as keyof Criteria](c, names)),
    names.includes('status') ? undefined : sql`${c.status} NOT IN ('DELETED', 'BANNED')`,
  )

const countFound = preparedBy(({ db }, conditions: ConditionNames) =>
  db
    .select({ n: sql<number>`count(*)`.as('n') })
    .from(question)
    .where(matching(conditions, question)),
)

const VISIBLE_STATUSES = QUESTION_STATUSES.filter((status) => status !== 'DELETED' && status !== 'BANNED')

const countDays = preparedBy(({ db }, { names }: ConditionNames) =>
  db
    .select({ n: sql<number>`coalesce(sum(${question_day.n}), 0)`.as('n') })
    .from(question_day)
    .where(
      and(
        eq(question_day.seller_id, $('seller')),
        names.includes('status')
          ? eq(question_day.status, $('status'))
          : inArray(question_day.status, VISIBLE_STATUSES),
        gte(question_day.day, $('first')),
        lt(question_day.day, $('last')),
      ),
    ),
)

const found = preparedBy(({ db }, { sort, scan, ...conditions }: ConditionNames & { sort: Sort[]; scan: boolean }) => {
  const order = sortKeysOf(sort)
  return db
    .select()
    .from(question)
    .where(and(matching(conditions, question), scan ? afterCursor(order, question) : undefined))
    .orderBy(...order.map(({ id, type }) => (type === 'ASC' ? asc : desc)(question[id])))
    .limit($('limit'))
    .offset($('offset'))
})

type SortKey = { id: SortField | 'id'; type: 'ASC' | 'DESC' }

/** Ties are broken by id, in the direction of the last field. */
const sortKeysOf = (sort: Sort[]): SortKey[] => [...sort, { id: 'id', type: sort.at(-1)!.type }]

/** What lies behind the last row of the page before, in this order: a scan neither misses nor repeats a question. */
function afterCursor([first, ...rest]: SortKey[], c: Question): SQL {
  const column: AnySQLiteColumn = c[first!.id]
  const placeholder = $(`after_${first!.id}`)
  const isBeyond = first!.type === 'ASC' ? sql`${column} > ${placeholder}` : sql`${column} < ${placeholder}`
  if (rest.length === 0) return isBeyond
  const isAtOrBeyond = first!.type === 'ASC' ? sql`${column} >= ${placeholder}` : sql`${column} <= ${placeholder}`
  return sql`(${isAtOrBeyond} AND (${isBeyond} OR ${afterCursor(rest, c)}))`
}

import { and, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { $, preparedBy, type Q } from '../../db/engine.ts'
import { asker_total, QUESTION_STATUSES, question_day } from './tables.ts'

/** Which questions of a total are counted; undefined filters do not apply. */
interface TotalFilter {
  seller_id?: number | undefined
  /** `visible`: neither deleted nor banned [spec: questions.visibility]. */
  status?: (typeof QUESTION_STATUSES)[number] | 'visible' | undefined
  /** Only questions that the seller has not hidden. */
  unhidden?: boolean | undefined
}

/** The number of questions, of all sellers or one; `since` and `until`: days since 1970, the latter exclusive. */
export const totalOfDays = async (q: Q, filter: TotalFilter & { since?: number; until?: number }): Promise<number> =>
  (await sumDays(q, conditionNames(filter)).one({ ...filter }))!.n

/** The number of an asker's questions, to all sellers or one. */
export const totalOfAsker = async (q: Q, filter: TotalFilter & { from_id: number }): Promise<number> =>
  (await sumAsker(q, conditionNames(filter)).one({ ...filter }))!.n

/** The names of the conditions; `visible` is one of its own. */
const conditionNames = ({ status, unhidden, ...ids }: TotalFilter): string[] => [
  ...Object.keys(ids).filter((name) => ids[name as keyof typeof ids] !== undefined),
  ...(status === undefined ? [] : status === 'visible' ? [status] : ['status']),
  ...(unhidden ? ['unhidden'] : []),
]

/** The sum of a table's counts; `own`: its conditions beyond those that both tables have. */
function sumOf(table: typeof question_day | typeof asker_total, own: Record<string, () => SQL>) {
  const conditions: Record<string, () => SQL> = {
    seller_id: () => eq(table.seller_id, $('seller_id')),
    status: () => eq(table.status, $('status')),
    unhidden: () => sql`${table.hidden} = 0`,
    ...own,
  }
  return preparedBy(({ db }, names: string[]) =>
    db
      .select({ n: sql<number>`coalesce(sum(${table.n}), 0)`.as('n') })
      .from(table as SQLiteTable)
      .where(and(...names.map((name) => conditions[name]!()))),
  )
}

const VISIBLE_STATUSES = QUESTION_STATUSES.filter((status) => status !== 'DELETED' && status !== 'BANNED')

const sumDays = sumOf(question_day, {
  // Unlike NOT IN, it seeks the days of the period.
  visible: () => inArray(question_day.status, VISIBLE_STATUSES),
  since: () => gte(question_day.day, $('since')),
  until: () => lt(question_day.day, $('until')),
})

const sumAsker = sumOf(asker_total, {
  from_id: () => eq(asker_total.from_id, $('from_id')),
  visible: () => sql`${asker_total.status} NOT IN ('DELETED', 'BANNED')`,
})

import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { $, preparedBy, type Q } from '../../db/engine.ts'
import { QUESTION_STATUSES, question_total, type TOTAL_SCOPES } from './tables.ts'

/** What is counted; ids that the scope does not have are left out. */
export interface TotalKey {
  scope: (typeof TOTAL_SCOPES)[number]
  seller_id?: number
  item_id?: string
  from_id?: number
}

interface TotalFilter {
  /** Default: any. `visible`: neither deleted nor banned [spec: questions.visibility]. */
  status?: (typeof QUESTION_STATUSES)[number] | 'visible' | undefined
  /** Only questions that the seller has not hidden. */
  unhidden?: boolean | undefined
}

/** The number of questions of a scope, from the stored totals. */
export async function totalOf(q: Q, key: TotalKey, { status, unhidden = false }: TotalFilter = {}): Promise<number> {
  const statuses = status === undefined ? 'any' : status === 'visible' ? 'visible' : 'one'
  const statement = selectTotal(q, { statuses, unhidden })
  return (await statement.one({ seller_id: 0, item_id: '', from_id: 0, ...key, status: status ?? null }))!.n
}

/** Neither deleted nor banned [spec: questions.visibility]. */
export const VISIBLE_STATUSES = QUESTION_STATUSES.filter((status) => status !== 'DELETED' && status !== 'BANNED')

const STATUS_CONDITIONS: Record<'any' | 'visible' | 'one', () => SQL | undefined> = {
  any: () => undefined,
  visible: () => inArray(question_total.status, VISIBLE_STATUSES),
  one: () => eq(question_total.status, $('status')),
}

const selectTotal = preparedBy(
  ({ db }, { statuses, unhidden }: { statuses: keyof typeof STATUS_CONDITIONS; unhidden: boolean }) =>
    db
      .select({ n: sql<number>`coalesce(sum(${question_total.n}), 0)`.as('n') })
      .from(question_total)
      .where(
        and(
          eq(question_total.scope, $('scope')),
          eq(question_total.seller_id, $('seller_id')),
          eq(question_total.item_id, $('item_id')),
          eq(question_total.from_id, $('from_id')),
          STATUS_CONDITIONS[statuses](),
          unhidden ? sql`${question_total.hidden} = 0` : undefined,
        ),
      ),
)

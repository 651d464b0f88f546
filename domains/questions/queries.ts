import { and, asc, desc, eq, gte, lte, sql } from 'drizzle-orm'
import { $, fixedPlan, prepared, type Q } from '../../db/engine.ts'
import { hasValues, rowById } from '../../db/rows.ts'
import type { World } from '../../db/world.ts'
import { item } from '../items/tables.ts'
import { createBlockList } from '../shared/block_list_queries.ts'
import { userById } from '../users/queries.ts'
import { BLOCKED_ANSWER } from './assumptions.ts'
import { blocked_buyer, question } from './tables.ts'

export type QuestionRow = typeof question.$inferSelect

/** One question; undefined when there is none. */
export const questionById = rowById(question)

/** How many questions of this buyer this seller has answered. */
export const countAnsweredQuestions = async (q: Q, { from_id, seller_id }: QuestionRow): Promise<number> =>
  (await selectAnswered(q).one({ from_id, seller_id }))!.n
const selectAnswered = prepared(({ db }) =>
  db
    .select({ n: sql<number>`count(*)`.as('n') })
    .from(question)
    .where(and(hasValues(question, 'from_id', 'seller_id'), sql`${question.status} = 'ANSWERED'`)),
)

/** Ids of a seller's hidden questions. */
export const hiddenQuestions = (q: Q, seller_id: number) => selectHidden(q).all({ seller_id })
const selectHidden = prepared(({ db }) =>
  db
    .select({ id: question.id })
    .from(question)
    .where(and(eq(question.seller_id, fixedPlan($('seller_id'))), sql`${question.hidden} = 1`))
    .orderBy(asc(question.id)),
)

/** The buyers whose questions sellers do not take. */
export const blockList = createBlockList(blocked_buyer, { rights: 'questions.blacklist.rights', userById })

/** Whether an open question cannot be answered or deleted: its buyer is blocked [spec: questions.blocked_answer]. */
export const isLocked = async (q: Q, world: World, { status, seller_id, from_id }: QuestionRow): Promise<boolean> =>
  status === 'UNANSWERED' && BLOCKED_ANSWER.of(world) === 'refused' && (await blockList.has(q, seller_id, from_id))

/** The questions of a seller's response time from `since` to `until`, ms. */
export const responseTimeQuestions = (q: Q, seller_id: number, since: number, until: number) =>
  selectCounted(q).all({ seller_id, since, until })
const selectCounted = prepared(({ db }) =>
  db
    .select({ date_created: question.date_created, answered_at: question.answered_at })
    .from(question)
    .where(
      and(
        eq(question.seller_id, $('seller_id')),
        gte(question.date_created, $('since')),
        lte(question.date_created, $('until')),
        sql`${question.first_of_buyer} = 1`,
        sql`${question.status} NOT IN ('DELETED', 'BANNED')`,
      ),
    ),
)

/** The question that a seller should answer next: the latest unanswered one on an active listing, from `since` on. */
export const latestUnanswered = (q: Q, seller_id: number, since: number) =>
  selectLatestUnanswered(q).one({ seller_id, since })
const selectLatestUnanswered = prepared(({ db }) =>
  db
    .select({ id: question.id })
    .from(question)
    .innerJoin(item, and(eq(item.id, question.item_id), eq(item.status, 'active')))
    .where(
      and(
        eq(question.seller_id, $('seller_id')),
        eq(question.status, 'UNANSWERED'),
        gte(question.date_created, $('since')),
      ),
    )
    .orderBy(desc(question.date_created))
    .limit(1),
)

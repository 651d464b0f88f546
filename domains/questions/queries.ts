import { and, desc, eq, gte, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { remembered } from '../../db/remembered.ts'
import { countRows, rowById, selectRows } from '../../db/rows.ts'
import type { World } from '../../db/world.ts'
import { item } from '../items/tables.ts'
import { createBlockList } from '../shared/block_list_queries.ts'
import { userById } from '../users/queries.ts'
import { BLOCKED_ANSWER } from './assumptions.ts'
import { addUp, REPORT_WINDOW_MS, type ResponseTimes } from './averages.ts'
import { blocked_buyer, question } from './tables.ts'

export type QuestionRow = typeof question.$inferSelect

/** One question; undefined when there is none. */
export const questionById = rowById(question)

/** How many questions of this buyer this seller has answered. */
export const countAnsweredQuestions = (q: Q, { from_id, seller_id }: QuestionRow): Promise<number> =>
  countAnswered(q, { from_id, seller_id })
const countAnswered = countRows(question, { from_id: $, seller_id: $ }, () => sql`${question.status} = 'ANSWERED'`)

/** Ids of a seller's hidden questions. */
export const hiddenQuestions = (q: Q, seller_id: number) => selectHidden(q).all({ seller_id })
const selectHidden = selectRows(
  question,
  { seller_id: $ },
  { columns: ['id'], order: ['id'], also: () => sql`${question.hidden} = 1` },
)

/** The buyers whose questions sellers do not take. */
export const blockList = createBlockList(blocked_buyer, { rights: 'questions.blacklist.rights', userById })

/** Whether an open question cannot be answered or deleted: its buyer is blocked [spec: questions.blocked_answer]. */
export const isLocked = async (q: Q, world: World, { status, seller_id, from_id }: QuestionRow): Promise<boolean> =>
  status === 'UNANSWERED' && BLOCKED_ANSWER.of(world) === 'refused' && (await blockList.has(q, seller_id, from_id))

/** The response times of a seller, valid at `now`, ms: remembered until a question changes, or until one of them ends. */
export function responseTimes(q: Q, seller_id: number, now: number): Promise<ResponseTimes> {
  const statement = selectCounted(q)
  const lifetime = { now, until: async ({ until }: ResponseTimes) => until }
  return remembered(q, { statement, values: { seller_id }, lifetime }, async () =>
    addUp(await statement.all({ seller_id, since: now - REPORT_WINDOW_MS }), now),
  )
}
const selectCounted = selectRows(
  question,
  { seller_id: $ },
  {
    columns: ['date_created', 'answered_at'],
    also: () => sql`${question.date_created} >= ${$('since')}
      AND ${question.first_of_buyer} = 1 AND ${question.status} NOT IN ('DELETED', 'BANNED')`,
  },
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

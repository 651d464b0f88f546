import { and, asc, desc, eq, gte, lte, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { createList } from '../../db/lists.ts'
import type { question } from '../../db/schema/questions.ts'
import type { CountedQuestion, HourTotals } from './averages.ts'

export type QuestionRow = typeof question.$inferSelect

/** One question; undefined when there is none. */
export const questionById = (q: Q, id: number): Promise<QuestionRow | undefined> => byId(q).one({ id })
const byId = prepared(({ db, t }) =>
  db
    .select()
    .from(t.question)
    .where(eq(t.question.id, $('id'))),
)

/** All questions, of any state, by id; the highest first. */
export const listQuestions = createList(
  (t) => t.question,
  (c) => [desc(c.id)],
)

/** How many questions of this buyer this seller has answered. */
export const countAnsweredQuestions = async (q: Q, { from_id, seller_id }: QuestionRow): Promise<number> =>
  (await selectAnsweredCount(q).one({ from_id, seller_id }))!.n
const selectAnsweredCount = prepared(({ db, t }) =>
  db
    .select({ n: sql<number>`count(*)`.as('n') })
    .from(t.question)
    .where(
      and(
        eq(t.question.from_id, $('from_id')),
        eq(t.question.seller_id, $('seller_id')),
        // Written out: a bound value could not use the index of answered questions.
        sql`${t.question.status} = 'ANSWERED'`,
      ),
    ),
)

/** Ids of a seller's hidden questions. */
export const hiddenQuestions = (q: Q, seller_id: number) => selectHidden(q).all({ seller_id })
const selectHidden = prepared(({ db, t }) =>
  db
    .select({ id: t.question.id })
    .from(t.question)
    .where(and(eq(t.question.seller_id, $('seller_id')), sql`${t.question.hidden} = 1`))
    .orderBy(asc(t.question.id)),
)

export const isBlocked = async (q: Q, seller_id: number, buyer_id: number): Promise<boolean> =>
  (await selectBlockedBuyer(q).one({ seller_id, buyer_id })) !== undefined
const selectBlockedBuyer = prepared(({ db, t: { blocked_buyer: b } }) =>
  db
    .select({ buyer_id: b.buyer_id })
    .from(b)
    .where(and(eq(b.seller_id, $('seller_id')), eq(b.buyer_id, $('buyer_id')))),
)

/** A page of a seller's block list, by buyer. */
export const blockedBuyers = (q: Q, seller_id: number, limit: number, offset: number) =>
  selectBlockedBuyers(q).all({ seller_id, limit, offset })
const selectBlockedBuyers = prepared(({ db, t: { blocked_buyer: b } }) =>
  db
    .select({ id: sql<number>`${b.buyer_id}`.as('id') })
    .from(b)
    .where(eq(b.seller_id, $('seller_id')))
    .orderBy(asc(b.buyer_id))
    .limit($('limit'))
    .offset($('offset')),
)

export const countBlocked = async (q: Q, seller_id: number): Promise<number> =>
  (await selectBlockedCount(q).one({ seller_id }))!.n
const selectBlockedCount = prepared(({ db, t: { blocked_buyer: b } }) =>
  db
    .select({ n: sql<number>`count(*)`.as('n') })
    .from(b)
    .where(eq(b.seller_id, $('seller_id'))),
)

const HOUR = 3_600_000

/**
 * What counts for a seller's response time, asked from `since` to `until`: the hours that `isWhole` as they are added
 * up, the questions of the others one by one.
 */
export async function responseTimeQuestions(
  q: Q,
  seller_id: number,
  { since, until, isCompleteHour }: { since: number; until: number; isCompleteHour: (hour: HourTotals) => boolean },
): Promise<{ hours: HourTotals[]; questions: CountedQuestion[] }> {
  const stored = await selectHours(q).all({
    seller_id,
    first: Math.floor(since / HOUR),
    last: Math.floor(until / HOUR),
  })
  const questions: CountedQuestion[] = []
  for (const hour of stored)
    if (!isCompleteHour(hour)) {
      const from = Math.max(since, hour.hour * HOUR)
      const to = Math.min(until, (hour.hour + 1) * HOUR - 1)
      questions.push(...(await selectCounted(q).all({ seller_id, since: from, until: to })))
    }
  return { hours: stored.filter(isCompleteHour), questions }
}
const selectHours = prepared(({ db, t: { response_hour: h } }) =>
  db
    .select()
    .from(h)
    .where(
      and(
        eq(h.seller_id, $('seller_id')),
        gte(h.hour, $('first')),
        lte(h.hour, $('last')),
        sql`${h.answered} + ${h.open} > 0`,
      ),
    ),
)
const selectCounted = prepared(({ db, t: { question: c } }) =>
  db
    .select({ date_created: c.date_created, answered_at: c.answered_at })
    .from(c)
    .where(
      and(
        eq(c.seller_id, $('seller_id')),
        gte(c.date_created, $('since')),
        lte(c.date_created, $('until')),
        sql`${c.first_of_buyer} = 1`,
        sql`${c.status} NOT IN ('DELETED', 'BANNED')`,
      ),
    ),
)

/** The question that a seller should answer next: the latest unanswered one on an active listing. */
export const latestUnanswered = (q: Q, seller_id: number) => selectLatestUnanswered(q).one({ seller_id })
const selectLatestUnanswered = prepared(({ db, t }) =>
  db
    .select({ id: t.question.id })
    .from(t.question)
    .innerJoin(t.item, and(eq(t.item.id, t.question.item_id), eq(t.item.status, 'active')))
    .where(and(eq(t.question.seller_id, $('seller_id')), eq(t.question.status, 'UNANSWERED')))
    .orderBy(desc(t.question.date_created))
    .limit(1),
)

import { asc, getTableColumns, gt, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { pages } from '../shared/world_file/queries.ts'
import { blocked_buyer, question } from './tables.ts'

/**
 * Questions by id; `guest`: no user asked. `counted`: there is a contact for it; of several of one buyer in one
 * millisecond, the first ones are counted.
 */
export const allQuestions = (q: Q, origin: number) =>
  pages(questions(q), { after: -1, origin }, ({ id }) => ({ after: id, origin }))

// Raw SQL: drizzle omits the table's name where it selects from one table alone.
const isGuest = (name: string) => `NOT EXISTS (SELECT 1 FROM user WHERE user.id = ${name}.from_id)`
const guest = sql.raw(isGuest('question'))
const contacts = sql`(SELECT count(*) FROM contact_event e WHERE e.user_id = question.seller_id AND e.kind = 'questions'
  AND e.at = question.date_created - ${$('origin')} AND e.item_id = question.item_id
  AND e.buyer_id IS CASE WHEN ${guest} THEN NULL ELSE question.from_id END)`
const before =
  sql.raw(`(SELECT count(*) FROM question p WHERE p.item_id = question.item_id AND p.date_created = question.date_created
  AND p.id < question.id AND (p.from_id = question.from_id OR (${isGuest('question')} AND ${isGuest('p')})))`)
const questions = prepared(({ db }) =>
  db
    .select({
      ...getTableColumns(question),
      guest: sql<number>`${guest}`.as('guest'),
      counted: sql<number>`${contacts} > ${before}`.as('counted'),
    })
    .from(question)
    .where(gt(question.id, $('after')))
    .orderBy(asc(question.id))
    .limit($('page')),
)
type PageOf<Pages> = Pages extends AsyncIterable<(infer Row)[]> ? Row : never
export type ExportedQuestion = PageOf<ReturnType<typeof allQuestions>>

export const allBlocks = (q: Q) =>
  pages(blocks(q), { seller: -1, buyer: -1 }, ({ seller_id, buyer_id }) => ({ seller: seller_id, buyer: buyer_id }))
const blocks = prepared(({ db }) =>
  db
    .select()
    .from(blocked_buyer)
    .where(sql`(${blocked_buyer.seller_id}, ${blocked_buyer.buyer_id}) > (${$('seller')}, ${$('buyer')})`)
    .orderBy(asc(blocked_buyer.seller_id), asc(blocked_buyer.buyer_id))
    .limit($('page')),
)

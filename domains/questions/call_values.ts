import type { CallContext } from '../../http/errors/checks.ts'
import { itemById, listItems } from '../items/queries.ts'
import { listUsers, userById } from '../users/queries.ts'
import { listQuestions } from './list_queries.ts'
import { blockList, isLocked, questionById } from './queries.ts'
import type { QUESTION_STATUSES } from './tables.ts'
import { isGone } from './unanswered_queries.ts'

// Values with which calls about questions succeed, for explanations.

const PAGE = { limit: 20, offset: 0 }

async function questionsOfSeller({ q, caller }: CallContext, status?: (typeof QUESTION_STATUSES)[number]) {
  if (!caller) return []
  return (await listQuestions(q, { seller_id: caller.user_id, status }, PAGE)).rows
}

/** Unanswered questions of the caller that may be answered or deleted. */
async function openQuestions(context: CallContext) {
  const { q, world } = context
  const open = []
  for (const question of await questionsOfSeller(context, 'UNANSWERED'))
    if (!isGone(world, question) && !(await isLocked(q, world, question))) open.push(question)
  return open
}

/** Unanswered questions on active listings of the caller. */
export async function answerableQuestions(context: CallContext): Promise<number[]> {
  const ids: number[] = []
  for (const { id, item_id } of await openQuestions(context))
    if ((await itemById(context.q, item_id))?.status === 'active') ids.push(id)
  return ids
}

export const deletableQuestions = async (context: CallContext): Promise<number[]> =>
  (await openQuestions(context)).map(({ id }) => id)

export const ownQuestions = async (context: CallContext): Promise<number[]> =>
  (await questionsOfSeller(context)).map(({ id }) => id)

/** Questions that the caller received, else some that were asked and answered. */
export async function readableQuestions(context: CallContext): Promise<number[]> {
  const own = (await questionsOfSeller(context)).filter((one) => !isGone(context.world, one))
  if (own.length > 0) return own.map(({ id }) => id)
  return (await listQuestions(context.q, { status: 'ANSWERED' }, PAGE)).rows.map(({ id }) => id)
}

export async function sellerOfQuestion({ q, sent }: CallContext): Promise<number[]> {
  const question = await questionById(q, Number(sent('question_id')))
  return question ? [question.seller_id] : []
}

/** Active listings on the caller's site, of sellers who have not blocked the caller; else on any site. */
export async function askableItems({ q, caller }: CallContext): Promise<string[]> {
  const user = caller && (await userById(q, caller.user_id))
  if (!user) return []
  const ids: string[] = []
  for (const site_id of [user.site_id, undefined]) {
    const { rows } = await listItems(q, { status: 'active', site_id }, { limit: 200, offset: 0 })
    for (const { id, seller_id } of rows)
      if (ids.length < PAGE.limit && seller_id !== user.id && !(await blockList.has(q, seller_id, user.id)))
        ids.push(id)
    if (ids.length > 0) return ids
  }
  return ids
}

/** Buyers. */
export async function otherUsers({ q, caller }: CallContext): Promise<number[]> {
  const { rows } = await listUsers(q, { kind: 'buyer' }, PAGE)
  return rows.map(({ id }) => id).filter((id) => id !== caller?.user_id)
}

import { and, eq, ne, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { announce } from '../../db/outbox.ts'
import type { World } from '../../db/world.ts'
import { followItem } from '../questions/operations.ts'
import type { ItemRow } from './queries.ts'

/**
 * Moves a listing to another status, and its questions with it. Answers undefined when there is no such listing or it
 * has that status. Call it inside `world.tx`.
 */
export async function setItemStatus(
  q: Q,
  world: World,
  id: string,
  status: ItemRow['status'],
): Promise<ItemRow | undefined> {
  const now = world.clock.now()
  const item = await update(q).one({ id, status, now })
  if (!item) return undefined
  await followItem(q, world, id, status)
  await announce(q, { topic: 'items', resource: `/items/${id}`, users: [item.seller_id], at: now })
  return item
}
const update = prepared(({ db, t }) =>
  db
    .update(t.item)
    .set({ status: sql`${$('status')}`, last_updated: sql`${$('now')}` })
    .where(and(eq(t.item.id, $('id')), ne(t.item.status, $('status'))))
    .returning(),
)

/** Offers a listing with Flex, or stops to. Answers undefined where it is so already. Call it inside `world.tx`. */
export async function setItemInFlex(q: Q, world: World, id: string, on: boolean): Promise<ItemRow | undefined> {
  const now = world.clock.now()
  const item = await updateInFlex(q).one({ id, in_flex: on ? 1 : 0, now })
  if (!item) return undefined
  await announce(q, { topic: 'items', resource: `/items/${id}`, users: [item.seller_id], at: now })
  return item
}
const updateInFlex = prepared(({ db, t }) =>
  db
    .update(t.item)
    .set({ in_flex: sql`${$('in_flex')}`, last_updated: sql`${$('now')}` })
    .where(and(eq(t.item.id, $('id')), ne(t.item.in_flex, $('in_flex'))))
    .returning(),
)

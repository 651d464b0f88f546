import { eq } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import type { item } from '../../db/schema/items.ts'

export type ItemRow = typeof item.$inferSelect

/** One listing; undefined when there is none. */
export const itemById = (q: Q, id: string): Promise<ItemRow | undefined> => byId(q).one({ id })
const byId = prepared(({ db, t }) =>
  db
    .select()
    .from(t.item)
    .where(eq(t.item.id, $('id'))),
)

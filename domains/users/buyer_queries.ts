import { and, asc, eq, isNull, like, ne } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { item } from '../items/tables.ts'
import { user } from './tables.ts'

/** The first test buyer of a listing's site who is not its seller; undefined when there is none. */
export const firstTestBuyer = async (q: Q, item_id: string): Promise<number | undefined> =>
  (await buyer(q).one({ item_id }))?.id
const buyer = prepared(({ db }) =>
  db
    .select({ id: user.id })
    .from(item)
    .innerJoin(user, and(eq(user.site_id, item.site_id), ne(user.id, item.seller_id)))
    .where(and(eq(item.id, $('item_id')), isNull(user.level_id), like(user.tags, '%"test_user"%')))
    .orderBy(asc(user.id))
    .limit(1),
)

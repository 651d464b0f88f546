import { eq, sql } from 'drizzle-orm'
import { $, prepared } from '../../db/engine.ts'
import { item } from './tables.ts'

export { moveStock, stockOf } from './details.ts'

/** Sets what was sold of a listing, for an import: `n` units. */
export const setSold = prepared(({ db }) =>
  db
    .update(item)
    .set({ sold_quantity: sql`${$('n')}` })
    .where(eq(item.id, $('id'))),
)

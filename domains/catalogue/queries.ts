import { and, desc, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { item } from '../items/tables.ts'

// The id of a listing begins with its site: the primary key is the index of a site's listings.
const ofSite = sql`${item.id} >= ${$('site_id')} AND ${item.id} < ${$('site_id')} || ':'`

/** Active listings of a site by category; those without one under null. */
export const countsByCategory = (q: Q, site_id: string) => selectCounts(q).all({ site_id })
const selectCounts = prepared(({ db }) =>
  db
    .select({ category_id: item.category_id, n: sql<number>`count(*)`.as('n') })
    .from(item)
    .where(and(ofSite, sql`${item.status} = 'active'`))
    .groupBy(item.category_id),
)

/** Titles and categories of the latest listings of a site. */
export const titlesOfSite = (q: Q, site_id: string, limit: number) => selectTitles(q).all({ site_id, limit })
const selectTitles = prepared(({ db }) =>
  db
    .select({ title: item.title, category_id: item.category_id })
    .from(item)
    .where(ofSite)
    .orderBy(desc(item.id))
    .limit($('limit')),
)

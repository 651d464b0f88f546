import { and, asc, desc, eq, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { item } from '../items/tables.ts'
import { user } from '../users/tables.ts'

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

/** Listings that are compared, of a site. */
const MAX_LISTINGS = 5000

/** Listings of a site that point to a product of the catalogue. */
export const listingsWithProduct = (q: Q, site_id: string) => selectListings(q).all({ site_id, limit: MAX_LISTINGS })
const selectListings = prepared(({ db }) =>
  db
    .select()
    .from(item)
    .where(and(ofSite, sql`json_extract(${item.details}, '$.catalog_product_id') IS NOT NULL`))
    .limit($('limit')),
)

const inAddress = (member: string) => sql`json_extract(${user.address}, ${sql.raw(`'$.${member}'`)})`

/** Addresses in a state, one for each city. */
export const addressesOfState = (q: Q, state: string) => selectAddresses(q).all({ state })
const selectAddresses = prepared(({ db }) =>
  db
    .select({ address: user.address })
    .from(user)
    .where(eq(inAddress('state'), $('state')))
    .groupBy(inAddress('city')),
)

/** The same of a site. */
export const addressesOfSite = (q: Q, site_id: string) => selectOfSite(q).all({ site_id })
const selectOfSite = prepared(({ db }) =>
  db
    .select({ address: user.address })
    .from(user)
    .where(eq(user.site_id, $('site_id')))
    .groupBy(inAddress('state'), inAddress('city')),
)

/** An address with a postal code; undefined if no user of the site lives there. */
export const addressOfZipCode = (q: Q, site_id: string, zip_code: string) => selectByZip(q).one({ site_id, zip_code })
const selectByZip = prepared(({ db }) =>
  db
    .select({ address: user.address })
    .from(user)
    .where(and(eq(user.site_id, $('site_id')), eq(inAddress('zip_code'), $('zip_code'))))
    .orderBy(asc(user.id))
    .limit(1),
)

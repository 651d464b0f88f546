import { and, asc, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { $, preparedBy, type Q } from '../../db/engine.ts'
import { rememberedRow } from '../../db/remembered.ts'
import { user } from '../users/tables.ts'
import { STOPS_AFTER_MS, TAGS } from './present.ts'
import type { ItemRow } from './queries.ts'
import { item } from './tables.ts'

const detail = (path: string): SQL => sql`json_extract(${item.details}, ${sql.raw(`'$.${path}'`)})`
const ownTags = sql`coalesce(${detail('tags')}, CASE ${detail('buying_mode')} WHEN 'classified' THEN ${sql.raw(`'${JSON.stringify(TAGS.classified)}'`)} ELSE ${sql.raw(`'${JSON.stringify(TAGS.sold)}'`)} END)`

/** The filters of a search: what each asks of a listing, as its answer shows it. */
const CONDITIONS = {
  status: eq(item.status, $('status')),
  // Letter case of A to Z does not matter.
  q: sql`instr(lower(${item.title}), lower(${$('q')})) > 0`,
  seller_sku: eq(item.seller_sku, $('seller_sku')),
  sku: eq(item.seller_sku, $('sku')),
  seller_custom_field: sql`${detail('seller_custom_field')} = ${$('seller_custom_field')}`,
  user_product_id: sql`${item.site_id} || 'U' || substr(${item.id}, 4) = ${$('user_product_id')}`,
  catalog_listing: sql`iif(${detail('catalog_listing')}, 'true', 'false') = ${$('catalog_listing')}`,
  listing_type_id: sql`coalesce(${detail('listing_type_id')}, 'gold_special') = ${$('listing_type_id')}`,
  // A listing of no particular category is among other articles; the value is a JSON list of ids.
  category: sql`coalesce(${item.category_id}, ${item.site_id} || '3530') IN (SELECT value FROM json_each(${$('category')}))`,
  tags: sql`(${$('tags')} IN (SELECT value FROM json_each(${ownTags})) OR ${$('tags')} = 'test_item' AND EXISTS (SELECT 1 FROM ${user} WHERE ${user.id} = ${item.seller_id} AND instr(${user.tags}, '"test_user"') > 0))`,
  logistic_type: sql`CASE WHEN ${item.in_flex} THEN 'self_service' WHEN ${item.shipping_mode} = 'me2' THEN coalesce(${detail('shipping.logistic_type')}, 'drop_off') ELSE 'default' END = ${$('logistic_type')}`,
}
type Filter = keyof typeof CONDITIONS
export const FILTERS = Object.keys(CONDITIONS) as Filter[]

/** The seller, and a value for each filter that applies; that of `category` is a JSON list of ids. */
export type ItemCriteria = { seller_id: number } & { [Name in Filter]?: string }

export interface ItemOrder {
  by: 'date_created' | 'price' | 'stop_time'
  direction: 'ASC' | 'DESC'
}

/** A found listing: its id, and the value that it is sorted by. */
export interface FoundItem {
  id: string
  value: number
}

/** A page of a seller's listings and their total; `after`: the last one of the previous page. */
export async function findOwnItems(
  q: Q,
  criteria: ItemCriteria,
  order: ItemOrder,
  { limit, offset, after }: { limit: number; offset: number; after?: FoundItem | undefined },
): Promise<{ total: number; rows: FoundItem[] }> {
  const filters = FILTERS.filter((name) => criteria[name] !== undefined)
  const total = (await rememberedRow(q, countFound(q, { filters }), { ...criteria }))!.n
  if (limit === 0) return { total, rows: [] }
  const cursor = after && { after_id: after.id, after_value: after.value }
  const { by, direction } = order
  const statement = selectPage(q, { filters, by, direction, isScan: after !== undefined })
  return { total, rows: await statement.all({ ...criteria, ...cursor, limit, offset }) }
}

interface Filters {
  filters: Filter[]
}
const matching = ({ filters }: Filters): SQL =>
  and(eq(item.seller_id, $('seller_id')), ...filters.map((name) => CONDITIONS[name]))!

const countFound = preparedBy(({ db }, key: Filters) =>
  db
    .select({ n: sql<number>`count(*)`.as('n') })
    .from(item)
    .where(matching(key)),
)

/** With `20 years` a used article stops earlier than the others [spec: items.search.stop_time]. */
const STOP_TIME_COLUMN = sql`(${item.date_created} + CASE json_extract(${item.details}, '$.condition') WHEN 'used' THEN ${sql.raw(String(STOPS_AFTER_MS['60 days']))} ELSE ${sql.raw(String(STOPS_AFTER_MS['20 years']))} END)`

const selectPage = preparedBy(
  ({ db }, { by, direction, isScan, filters }: Filters & ItemOrder & { isScan: boolean }) => {
    const column = by === 'stop_time' ? STOP_TIME_COLUMN : item[by]
    const compared = sql.raw(direction === 'ASC' ? '>' : '<')
    const beyond = sql`(${column}, ${item.id}) ${compared} (${$('after_value')}, ${$('after_id')})`
    const sorted = direction === 'ASC' ? asc : desc
    return db
      .select({ id: item.id, value: sql<number>`${column}`.as('value') })
      .from(item)
      .where(and(matching({ filters }), isScan ? beyond : undefined))
      .orderBy(sorted(column), sorted(item.id))
      .limit($('limit'))
      .offset($('offset'))
  },
)

/** What the public search asks of a listing. */
const SITE_CONDITIONS = {
  q: CONDITIONS.q,
  category: CONDITIONS.category,
  seller_id: eq(item.seller_id, $('seller_id')),
  nickname: eq(user.nickname, $('nickname')),
}
type SiteFilter = keyof typeof SITE_CONDITIONS
type SiteCriteria = { site_id: string } & { [Name in SiteFilter]?: number | string | undefined }

export type FoundOnSite = ItemRow & { nickname: string }
const ORDERS = { relevance: [], price_asc: [asc(item.price)], price_desc: [desc(item.price)] }

/** A page of the active listings of a site with the seller's nickname, ties by id, and their total. */
export async function findOnSite(
  q: Q,
  criteria: SiteCriteria,
  sort: keyof typeof ORDERS,
  page: { limit: number; offset: number },
): Promise<{ total: number; rows: FoundOnSite[] }> {
  const names = (Object.keys(SITE_CONDITIONS) as SiteFilter[]).filter((name) => criteria[name] !== undefined)
  const total = (await rememberedRow(q, countOnSite(q, names), { ...criteria }))!.n
  if (page.limit === 0) return { total, rows: [] }
  return { total, rows: await selectOnSite(q, { names, sort }).all({ ...criteria, ...page }) }
}

// The id of a listing begins with its site: the primary key is the index of a site's listings.
const onSite = (names: SiteFilter[]): SQL =>
  and(
    sql`${item.id} >= ${$('site_id')} AND ${item.id} < ${$('site_id')} || ':'`,
    sql`${item.status} = 'active'`,
    ...names.map((name) => SITE_CONDITIONS[name]),
  )!
const countOnSite = preparedBy(({ db }, names: SiteFilter[]) =>
  db
    .select({ n: sql<number>`count(*)`.as('n') })
    .from(item)
    .innerJoin(user, eq(user.id, item.seller_id))
    .where(onSite(names)),
)
const selectOnSite = preparedBy(({ db }, { names, sort }: { names: SiteFilter[]; sort: keyof typeof ORDERS }) =>
  db
    .select({ ...getTableColumns(item), nickname: user.nickname })
    .from(item)
    .innerJoin(user, eq(user.id, item.seller_id))
    .where(onSite(names))
    .orderBy(...ORDERS[sort], asc(item.id))
    .limit($('limit'))
    .offset($('offset')),
)

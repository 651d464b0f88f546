import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm'
import { $, preparedBy, type Q } from '../../db/engine.ts'
import { STOPS_AFTER_MS } from './present.ts'
import type { ItemRow } from './queries.ts'
import { item } from './tables.ts'

/** Conditions of a search, joined with AND; undefined ones do not apply. */
export interface ItemCriteria {
  seller_id: number
  status?: ItemRow['status']
  /** A text of the title; letter case of A to Z does not matter. */
  q?: string
  /** The seller's code, by both names of the filter: each must be that of the listing. */
  seller_sku?: string
  sku?: string
}

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
  const filters = {
    status: criteria.status !== undefined,
    q: criteria.q !== undefined,
    seller_sku: criteria.seller_sku !== undefined,
    sku: criteria.sku !== undefined,
  }
  const total = (await countFound(q, filters).one({ ...criteria }))!.n
  if (limit === 0) return { total, rows: [] }
  const cursor = after && { after_id: after.id, after_value: after.value }
  const { by, direction } = order
  const statement = selectPage(q, { ...filters, by, direction, isScan: after !== undefined })
  return { total, rows: await statement.all({ ...criteria, ...cursor, limit, offset }) }
}

type Filters = Record<'status' | 'q' | 'seller_sku' | 'sku', boolean>
const matching = ({ status, q, seller_sku, sku }: Filters): SQL =>
  and(
    eq(item.seller_id, $('seller_id')),
    status ? eq(item.status, $('status')) : undefined,
    q ? sql`instr(lower(${item.title}), lower(${$('q')})) > 0` : undefined,
    seller_sku ? eq(item.seller_sku, $('seller_sku')) : undefined,
    sku ? eq(item.seller_sku, $('sku')) : undefined,
  )!

const countFound = preparedBy(({ db }, filters: Filters) =>
  db
    .select({ n: sql<number>`count(*)`.as('n') })
    .from(item)
    .where(matching(filters)),
)

/** With `20 years` a used article stops earlier than the others [spec: items.search.stop_time]. */
const STOP_TIME_COLUMN = sql`(${item.date_created} + CASE json_extract(${item.details}, '$.condition') WHEN 'used' THEN ${sql.raw(String(STOPS_AFTER_MS['60 days']))} ELSE ${sql.raw(String(STOPS_AFTER_MS['20 years']))} END)`

const selectPage = preparedBy(
  ({ db }, { by, direction, isScan, ...filters }: Filters & ItemOrder & { isScan: boolean }) => {
    const column = by === 'stop_time' ? STOP_TIME_COLUMN : item[by]
    const compared = sql.raw(direction === 'ASC' ? '>' : '<')
    const beyond = sql`(${column}, ${item.id}) ${compared} (${$('after_value')}, ${$('after_id')})`
    const sorted = direction === 'ASC' ? asc : desc
    return db
      .select({ id: item.id, value: sql<number>`${column}`.as('value') })
      .from(item)
      .where(and(matching(filters), isScan ? beyond : undefined))
      .orderBy(sorted(column), sorted(item.id))
      .limit($('limit'))
      .offset($('offset'))
  },
)

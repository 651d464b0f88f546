import { ne, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { publish } from '../../db/outbox.ts'
import { columnValues, selectRows, updateById, updateRows } from '../../db/rows.ts'
import type { Moment, World } from '../../db/world.ts'
import { followItemStatus } from '../questions/operations.ts'
import { conflict } from '../shared/errors.ts'
import { type DetailChanges, detailsOf, followStock, type ItemDetails, mergeDetails } from './details.ts'
import { type ItemRow, itemById } from './queries.ts'
import { item } from './tables.ts'

// Call these inside `world.tx`: they publish the events in the same transaction.

export const publishItem = (q: Q, { id, seller_id }: ItemRow, at: number) =>
  publish(q, { topic: 'items', resource: `/items/${id}`, users: [seller_id], at })

export type NewItem = Pick<
  ItemRow,
  'site_id' | 'seller_id' | 'title' | 'price' | 'currency_id' | 'status' | 'shipping_mode' | 'available_quantity'
> &
  Partial<Pick<ItemRow, 'id' | 'seller_sku' | 'category_id' | 'details'>>

/** Creates a listing, not offered with Flex. Throws 409 if the id exists. */
export async function createItem(q: Q, world: World, { id, ...fields }: NewItem): Promise<ItemRow> {
  const now = world.clock.now()
  const item = await insert(q).one({
    ...{ seller_sku: null, category_id: null, details: '{}' },
    ...{ in_flex: 0, sold_quantity: 0, promotion_until: null },
    ...fields,
    ...{ id: id ?? null, date_created: now, last_updated: now },
  })
  if (!item) throw conflict(`id: listing ${id} exists already`)
  await publishItem(q, item, now)
  return item
}
// Ids with ten digits sort as text like their numbers. The next id follows the highest one whose successor is free: a
// caller may have chosen the last possible id.
const insert = prepared(({ db }) =>
  db
    .insert(item)
    .values({
      ...columnValues(item),
      id: sql`coalesce(${$('id')}, (SELECT ${$('site_id')} || (CAST(substr(i.id, 4) AS INTEGER) + 1) FROM ${item} i WHERE i.id >= ${$('site_id')} || '1400000001' AND i.id < ${$('site_id')} || '9999999999' AND length(i.id) = 13 AND NOT EXISTS (SELECT 1 FROM ${item} above WHERE above.id = ${$('site_id')} || (CAST(substr(i.id, 4) AS INTEGER) + 1)) ORDER BY i.id DESC LIMIT 1), ${$('site_id')} || '1400000001')`,
    })
    .onConflictDoNothing()
    .returning(),
)

/** What a write can change of a listing. */
const CHANGEABLE = [
  ...(['title', 'price', 'status', 'shipping_mode', 'in_flex', 'available_quantity', 'seller_sku'] as const),
  ...(['category_id', 'sold_quantity', 'promotion_until', 'details'] as const),
] as const
export type ItemFields = Partial<Pick<ItemRow, (typeof CHANGEABLE)[number]>>

/**
 * Changes a listing, with its questions and events; returns it as it is then. Its stock decides its state, unless
 * `fields` has one [spec: items.stock].
 */
export async function changeItem(q: Q, world: Moment, before: ItemRow, fields: ItemFields): Promise<ItemRow> {
  const asked = { ...before, ...fields }
  const hasOwnState = fields.available_quantity === undefined || fields.status !== undefined
  const after = hasOwnState ? asked : followStock(asked)
  if (CHANGEABLE.every((name) => after[name] === before[name])) return before
  const now = world.clock.now()
  const { id, seller_id, date_created: _, ...values } = after
  const changed = (await updateItem(q, { ...values, id, last_updated: now }, before))!
  if (changed.status !== before.status) await followItemStatus(q, world, id, changed.status)
  await publishItem(q, changed, now)
  if (pricesOf(changed) !== pricesOf(before))
    await publish(q, { topic: 'items_prices', resource: `/items/${id}`, users: [seller_id], at: now })
  return changed
}
const pricesOf = (row: ItemRow): string =>
  [row.price, ...(detailsOf(row).variations ?? []).map(({ price }) => price)].join()
const updateItem = updateById(item, [...CHANGEABLE, 'last_updated'])

/** Replaces members of the details; null removes one. Returns the listing. */
export const changeDetails = (q: Q, world: World, row: ItemRow, changes: DetailChanges): Promise<ItemRow> =>
  changeItem(q, world, row, { details: mergeDetails(row, changes) })

interface MovedUnits {
  id: string
  variation_id: number | null
  quantity: number
  sold?: number
}

/**
 * Moves units from stock to sold, or back with a negative quantity; `sold` differs from it where cancelled units do not
 * return to stock. Call `stockOf` before: a stock below 0 is an error of the caller.
 */
export async function moveStock(
  q: Q,
  world: Moment,
  { id, variation_id, quantity, sold = quantity }: MovedUnits,
): Promise<ItemRow> {
  const row = (await itemById(q, id))!
  const variations = detailsOf(row).variations?.map((one) =>
    one.id === variation_id
      ? {
          ...one,
          available_quantity: one.available_quantity - quantity,
          sold_quantity: Math.max(0, one.sold_quantity + sold),
        }
      : one,
  )
  return changeItem(q, world, row, {
    available_quantity: row.available_quantity - quantity,
    sold_quantity: Math.max(0, row.sold_quantity + sold),
    ...(variations && { details: mergeDetails(row, { variations }) }),
  })
}

/** Sets what was sold of a listing, for an import: `n` units. Publishes nothing. */
export const setSold = updateRows(item, { sold_quantity: $('n') }, { id: $ })

/** Changes the shipping mode; a listing that leaves ME2 leaves Flex. Undefined when it already has the mode. */
export async function setItemShipping(
  q: Q,
  world: World,
  id: string,
  shipping_mode: ItemRow['shipping_mode'],
): Promise<ItemRow | undefined> {
  const before = await itemById(q, id)
  if (!before || before.shipping_mode === shipping_mode) return undefined
  return changeItem(q, world, before, { shipping_mode, ...(shipping_mode !== 'me2' && { in_flex: 0 }) })
}

/** Changes the shipping mode of all listings of a seller. */
export async function setShippingOfSeller(
  q: Q,
  world: World,
  seller_id: number,
  shipping_mode: ItemRow['shipping_mode'],
): Promise<void> {
  for (const { id } of await selectOtherShipping(q).all({ seller_id, shipping_mode }))
    await setItemShipping(q, world, id, shipping_mode)
}
const selectOtherShipping = selectRows(
  item,
  { seller_id: $ },
  { columns: ['id'], also: () => ne(item.shipping_mode, $('shipping_mode')) },
)

/** Why a listing is in a state that it was given. */
export const SUB_STATUS_OF: Partial<Record<ItemRow['status'], ItemDetails['sub_status']>> = {
  paused: ['paused_by_seller'],
}

/** Changes the status of a listing and of its questions. Undefined when nothing changes or there is no such listing. */
export async function setItemStatus(
  q: Q,
  world: World,
  id: string,
  status: ItemRow['status'],
): Promise<ItemRow | undefined> {
  const before = await itemById(q, id)
  if (!before || before.status === status) return undefined
  const details = mergeDetails(before, { sub_status: SUB_STATUS_OF[status] ?? null })
  return changeItem(q, world, before, { status, details })
}

/** Starts or stops offering a listing with Flex. Undefined when nothing changes. */
export async function setItemInFlex(q: Q, world: World, id: string, on: boolean): Promise<ItemRow | undefined> {
  const before = await itemById(q, id)
  const in_flex = on ? 1 : 0
  return !before || before.in_flex === in_flex ? undefined : changeItem(q, world, before, { in_flex })
}

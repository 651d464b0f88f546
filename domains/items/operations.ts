import { and, eq, ne, or, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { publish } from '../../db/outbox.ts'
import type { World } from '../../db/world.ts'
import { forbidden } from '../../http/errors/errors.ts'
import { followItemStatus } from '../questions/operations.ts'
import { conflict, itemNotFound } from '../shared/errors.ts'
import { type ItemRow, itemById } from './queries.ts'
import { itemStatusIs } from './schemas.ts'
import { item } from './tables.ts'

// Call these inside `world.tx`: they publish the event in the same transaction.

const publishItem = (q: Q, { id, seller_id }: ItemRow, at: number) =>
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
    ...fields,
    ...{ id: id ?? null, now },
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
      id: sql`coalesce(${$('id')}, (SELECT ${$('site_id')} || (CAST(substr(i.id, 4) AS INTEGER) + 1) FROM ${item} i WHERE i.id >= ${$('site_id')} || '1400000001' AND i.id < ${$('site_id')} || '9999999999' AND length(i.id) = 13 AND NOT EXISTS (SELECT 1 FROM ${item} above WHERE above.id = ${$('site_id')} || (CAST(substr(i.id, 4) AS INTEGER) + 1)) ORDER BY i.id DESC LIMIT 1), ${$('site_id')} || '1400000001')`,
      site_id: $('site_id'),
      title: $('title'),
      seller_id: $('seller_id'),
      price: $('price'),
      currency_id: $('currency_id'),
      status: $('status'),
      shipping_mode: $('shipping_mode'),
      in_flex: 0,
      date_created: $('now'),
      last_updated: $('now'),
      available_quantity: $('available_quantity'),
      seller_sku: $('seller_sku'),
      category_id: $('category_id'),
      sold_quantity: 0,
      promotion_until: null,
      details: $('details'),
    })
    .onConflictDoNothing()
    .returning(),
)

export type ItemFields = Partial<Pick<ItemRow, 'title' | 'price' | 'available_quantity' | 'seller_sku'>>

/** Changes fields; returns the listing. No event: only changes of status and Flex publish one. */
export async function changeItem(q: Q, world: World, before: ItemRow, fields: ItemFields): Promise<ItemRow> {
  const { id, title, price, available_quantity, seller_sku } = { ...before, ...fields }
  const now = world.clock.now()
  return (
    (await updateFields(q).one({ id, title, price, available_quantity, seller_sku, now })) ?? (await itemById(q, id))!
  )
}
const updateFields = prepared(({ db }) =>
  db
    .update(item)
    .set({
      title: sql`${$('title')}`,
      price: sql`${$('price')}`,
      available_quantity: sql`${$('available_quantity')}`,
      seller_sku: sql`${$('seller_sku')}`,
      last_updated: sql`${$('now')}`,
    })
    .where(
      and(
        eq(item.id, $('id')),
        or(
          ne(item.title, $('title')),
          ne(item.price, $('price')),
          ne(item.available_quantity, $('available_quantity')),
          sql`${item.seller_sku} IS NOT ${$('seller_sku')}`,
        ),
      ),
    )
    .returning(),
)

/**
 * A seller changes a listing. Throws, in this order: no such listing, not the caller's, its state
 * [spec: items.change.order].
 */
export async function changeOwnItem(
  q: Q,
  world: World,
  caller: number,
  id: string,
  { status, ...fields }: ItemFields & { status?: ItemRow['status'] },
): Promise<ItemRow> {
  const before = await itemById(q, id)
  if (!before) throw itemNotFound(id)
  if (before.seller_id !== caller) throw forbidden('http.errors.foreign_data')
  const hasChanges = status !== undefined || Object.keys(fields).length > 0
  if (before.status === 'closed' && hasChanges) throw itemStatusIs('closed')
  if (before.status === 'under_review' && status !== undefined) throw itemStatusIs('under_review')
  const changed = await changeItem(q, world, before, fields)
  return (status !== undefined && (await setItemStatus(q, world, id, status))) || changed
}

/** Changes the shipping mode; a listing that leaves ME2 leaves Flex. Undefined when it already has the mode. */
export async function setItemShipping(
  q: Q,
  world: World,
  id: string,
  shipping_mode: ItemRow['shipping_mode'],
): Promise<ItemRow | undefined> {
  if (shipping_mode !== 'me2') await setItemInFlex(q, world, id, false)
  return updateShipping(q).one({ id, shipping_mode, now: world.clock.now() })
}
const updateShipping = prepared(({ db }) =>
  db
    .update(item)
    .set({ shipping_mode: sql`${$('shipping_mode')}`, last_updated: sql`${$('now')}` })
    .where(and(eq(item.id, $('id')), ne(item.shipping_mode, $('shipping_mode'))))
    .returning(),
)

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
const selectOtherShipping = prepared(({ db }) =>
  db
    .select({ id: item.id })
    .from(item)
    .where(and(eq(item.seller_id, $('seller_id')), ne(item.shipping_mode, $('shipping_mode')))),
)

/** Changes the status of a listing and of its questions. Undefined when nothing changes or there is no such listing. */
export async function setItemStatus(
  q: Q,
  world: World,
  id: string,
  status: ItemRow['status'],
): Promise<ItemRow | undefined> {
  const now = world.clock.now()
  const item = await updateStatus(q).one({ id, status, now })
  if (!item) return undefined
  await followItemStatus(q, world, id, status)
  await publishItem(q, item, now)
  return item
}
const updateStatus = prepared(({ db }) =>
  db
    .update(item)
    .set({ status: sql`${$('status')}`, last_updated: sql`${$('now')}` })
    .where(and(eq(item.id, $('id')), ne(item.status, $('status'))))
    .returning(),
)

/** Starts or stops offering a listing with Flex. Undefined when nothing changes. */
export async function setItemInFlex(q: Q, world: World, id: string, on: boolean): Promise<ItemRow | undefined> {
  const now = world.clock.now()
  const item = await updateInFlex(q).one({ id, in_flex: on ? 1 : 0, now })
  if (!item) return undefined
  await publishItem(q, item, now)
  return item
}
const updateInFlex = prepared(({ db }) =>
  db
    .update(item)
    .set({ in_flex: sql`${$('in_flex')}`, last_updated: sql`${$('now')}` })
    .where(and(eq(item.id, $('id')), ne(item.in_flex, $('in_flex'))))
    .returning(),
)

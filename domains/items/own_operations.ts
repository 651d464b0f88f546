import type { Q } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import { forbidden } from '../../http/errors/errors.ts'
import { itemNotFound } from '../shared/errors.ts'
import { withoutUndefined } from '../shared/texts.ts'
import { userById } from '../users/queries.ts'
import { type DetailChanges, detailsOf, type ItemDetails, mergeDetails, type Variation } from './details.ts'
import { changeItem, createItem, type ItemFields, SUB_STATUS_OF } from './operations.ts'
import { copyDescription, insertDescription, newPicture, newVariation, unknownPictures } from './part_operations.ts'
import { type ItemRow, itemById } from './queries.ts'
import {
  descriptionOf,
  mergeValues,
  mergeVariation,
  type SentListing,
  takeSku,
  titleOf,
  totalsOf,
} from './sent_listing.ts'
import {
  alreadyRelisted,
  type Cause,
  cannotRelist,
  checkListing,
  lastVariation,
  priceNotModifiable,
  refuseMembers,
  variationNotFound,
} from './validation.ts'
import type { ItemChange, NewListing, Relisting, SentPicture, SentVariation } from './write_schemas.ts'

// What a seller does with their listings. Call these inside `world.tx`: they publish the events in the same transaction.

/** A listing of the caller. Throws, in this order: no such listing, not the caller's. */
export async function requireOwnItem(q: Q, caller: number, id: string): Promise<ItemRow> {
  const row = await itemById(q, id)
  if (!row) throw itemNotFound(id)
  if (row.seller_id !== caller) throw forbidden('http.errors.foreign_data')
  return row
}

/** Writes to a listing of the caller in one unit, with the errors of `requireOwnItem`. */
export const writeOwnItem = <Written>(
  world: World,
  caller: number,
  id: string,
  write: (q: Q, row: ItemRow) => Promise<Written>,
): Promise<Written> => world.tx(async (q) => write(q, await requireOwnItem(q, caller, id)))

/** Throws a 400 if members of a listing are to be changed that is closed. */
export const requireOpen = (row: ItemRow, ...names: string[]): void =>
  refuseMembers(row, row.status === 'closed' ? [{ rule: 'items.change.closed', check: 'changeable', names }] : [])

/** What a listing was created with, and the warnings about it. */
interface Created {
  row: ItemRow
  warnings: Cause[]
}

/** Checks a new listing of the caller as `createOwnItem` does. */
export async function checkOwnItem(
  q: Q,
  caller: number,
  sent: SentListing,
): Promise<{ site_id: string; warnings: Cause[] }> {
  const { site_id } = (await userById(q, caller))!
  const facts = { site_id, unknownPictures: await unknownPictures(q, caller, sent.pictures) }
  return { site_id, warnings: checkListing(sent, facts, true) }
}

/** Creates a listing of the caller. Throws a 400 with all causes. */
export async function createOwnItem(q: Q, world: World, caller: number, sent: SentListing): Promise<Created> {
  const { site_id, warnings } = await checkOwnItem(q, caller, sent)
  const { price = 0, category_id, currency_id, shipping: { mode = 'me2', ...shipping } = {} } = sent as NewListing
  const variations: Variation[] = []
  for (const one of sent.variations ?? []) variations.push(await newVariation(q, variations, price, one))
  const { others, sku } = takeSku(sent.attributes ?? [])
  const pictures = await storePictures(q, world, { id: caller, site_id }, sent.pictures ?? [])
  const own = withoutNull(sent, OWN_TEXTS)
  const row = await insertItem(q, world, {
    ...{ site_id, seller_id: caller, title: titleOf(sent)!, currency_id: currency_id!, category_id: category_id! },
    ...{ price, available_quantity: sent.available_quantity ?? 0, shipping_mode: mode, ...sku },
    ...(variations.length > 0 && totalsOf(variations)),
    isPaused: sent.status === 'paused',
    details: {
      ...own,
      pictures,
      ...(sent.attributes && { attributes: mergeValues([], others) }),
      ...(sent.sale_terms && { sale_terms: mergeValues([], sent.sale_terms) }),
      ...(variations.length > 0 && { variations }),
      ...(Object.keys(shipping).length > 0 && { shipping: withoutNull(shipping) as ShippingDetails }),
    },
  })
  const description = descriptionOf(sent)
  if (description) await insertDescription(q, { item_id: row.id, plain_text: description, now: row.date_created })
  return { row, warnings }
}

/** Members that are stored as they are sent. */
const OWN_TEXTS = [
  ...(['family_name', 'subtitle', 'condition', 'listing_type_id', 'buying_mode', 'video_id', 'warranty'] as const),
  ...(['catalog_product_id', 'catalog_listing', 'official_store_id', 'seller_custom_field'] as const),
] as const

/** Members with a value, or those of these names. */
const withoutNull = (members: object, names: readonly string[] = Object.keys(members)) =>
  Object.fromEntries(Object.entries(members).filter(([name, value]) => value != null && names.includes(name)))

type ShippingDetails = NonNullable<ItemDetails['shipping']>

type Insertion = Omit<Parameters<typeof createItem>[2], 'details' | 'status'> & {
  isPaused?: boolean
  details: ItemDetails
}

/** Stores a listing in the state that follows from its stock. */
function insertItem(q: Q, world: World, { isPaused = false, details, ...fields }: Insertion): Promise<ItemRow> {
  const sub_status: ItemDetails['sub_status'] = isPaused
    ? ['paused_by_seller']
    : fields.available_quantity === 0
      ? ['out_of_stock']
      : []
  return createItem(q, world, {
    ...fields,
    status: sub_status.length > 0 ? 'paused' : 'active',
    details: mergeDetails(
      { details: '{}' },
      {
        ...details,
        initial_quantity: fields.available_quantity,
        sub_status: sub_status.length > 0 ? sub_status : null,
      },
    ),
  })
}

async function storePictures(
  q: Q,
  world: World,
  owner: { id: number; site_id: string },
  sent: readonly SentPicture[],
): Promise<string[]> {
  const ids: string[] = []
  for (const { id } of sent) ids.push(id ?? (await newPicture(q, world, owner)))
  return ids
}

/** A new listing that continues a closed one, once. */
export async function relistOwnItem(
  q: Q,
  world: World,
  before: ItemRow,
  { price, quantity, listing_type_id }: Relisting,
): Promise<ItemRow> {
  const { id } = before
  const { sub_status = [], relisted, price_automation: _, original_price, ...details } = detailsOf(before)
  if (before.status !== 'closed' || sub_status.includes('deleted')) throw cannotRelist(id)
  if (relisted) throw alreadyRelisted(id)
  checkListing(withoutUndefined({ price }), { site_id: before.site_id, unknownPictures: [] }, false)
  const variations = details.variations?.map((one) => ({ ...one, sold_quantity: 0, price: price ?? one.price }))
  const { site_id, seller_id, title, currency_id, category_id, shipping_mode, seller_sku } = before
  const row = await insertItem(q, world, {
    ...{ site_id, seller_id, title, currency_id, category_id, shipping_mode, seller_sku },
    ...{ price: price ?? original_price ?? before.price, available_quantity: quantity ?? before.available_quantity },
    ...(variations && totalsOf(variations)),
    details: {
      ...details,
      ...(variations && { variations }),
      ...(listing_type_id && { listing_type_id }),
      parent_item_id: id,
    },
  })
  await copyDescription(q, id, row)
  await changeItem(q, world, before, { details: mergeDetails(before, { relisted: true }) })
  return row
}

/** A seller changes a listing. Throws, in this order: members that cannot be changed, causes [spec: items.change.order]. */
export async function changeOwnItem(q: Q, world: World, before: ItemRow, sent: ItemChange): Promise<ItemRow> {
  const { deleted, ...change } = sent
  const isDeleted = deleted === true || deleted === 'true'
  requireChangeable(before, { ...change, ...(isDeleted && { deleted }) })
  if (isDeleted) return changeItem(q, world, before, { details: mergeDetails(before, { sub_status: ['deleted'] }) })
  const variations = await changedVariations(q, before, change.variations)
  const facts = {
    site_id: before.site_id,
    unknownPictures: await unknownPictures(q, before.seller_id, change.pictures),
  }
  checkListing(change as SentListing, facts, false)
  return changeItem(q, world, before, await changedFields(q, world, before, { ...change, variations }))
}

function requireChangeable(before: ItemRow, change: ItemChange): void {
  const { status, sold_quantity } = before
  const { variations = [], price_automation } = detailsOf(before)
  const sent = Object.keys(change)
  const of = (isRefused: boolean, ...names: string[]) => (isRefused ? sent.filter((name) => names.includes(name)) : [])
  if (status === 'closed' && sent.join() !== 'deleted') requireOpen(before, ...sent)
  refuseMembers(before, [
    { rule: 'items.change.under_review', check: 'changeable', names: of(status === 'under_review', 'status') },
    { rule: 'items.change.deleted', check: 'deletable', names: of(status !== 'closed', 'deleted') },
    { rule: 'items.change.sold', check: 'unsold', names: of(sold_quantity > 0, 'title', 'condition', 'buying_mode') },
    {
      rule: 'items.change.variations',
      check: 'by_variation',
      names: of(variations.length > 0, 'price', 'available_quantity'),
    },
  ])
  const hasPrice = change.price !== undefined || change.variations?.some(({ price }) => price !== undefined)
  if (price_automation && hasPrice) throw priceNotModifiable()
}

/** The variations after a change; undefined: they stay. Those that are not sent go [spec: items.change.variations]. */
async function changedVariations(
  q: Q,
  row: ItemRow,
  sent: SentVariation[] | undefined,
): Promise<Variation[] | undefined> {
  const { variations: before = [] } = detailsOf(row)
  if (!sent || (sent.length === 0 && before.length === 0)) return undefined
  if (sent.length === 0) throw lastVariation()
  const after: Variation[] = []
  for (const { id, ...one } of sent) {
    const known = before.find((other) => other.id === id)
    if (id !== undefined && !known) throw variationNotFound(id)
    after.push(known ? mergeVariation(known, one) : await newVariation(q, [...before, ...after], row.price, one))
  }
  return after
}

type Change = Omit<ItemChange, 'deleted' | 'variations'> & { variations: Variation[] | undefined }

/** The columns and details that follow from a change. */
export async function changedFields(q: Q, world: World, before: ItemRow, change: Change): Promise<ItemFields> {
  const { status, title, category_id, variations, pictures, attributes, sale_terms, shipping, ...own } = change
  const { available_quantity, price, ...texts } = own
  const details = detailsOf(before)
  const totals = variations ? totalsOf(variations) : withoutUndefined({ price, available_quantity })
  const { price: newPrice, available_quantity: newQuantity } = { ...before, ...totals }
  const increase = newQuantity - before.available_quantity
  const { initial_quantity = before.available_quantity + before.sold_quantity } = details
  const { others, sku } = takeSku(attributes ?? [])
  const { mode, ...shippingDetails } = shipping ?? {}
  const owner = { id: before.seller_id, site_id: before.site_id }
  const changes: DetailChanges = {
    ...texts,
    ...(increase !== 0 && { initial_quantity: initial_quantity + Math.max(0, increase) }),
    ...(variations && { variations }),
    ...(pictures && { pictures: await storePictures(q, world, owner, pictures) }),
    ...(attributes && { attributes: mergeValues(details.attributes ?? [], others) }),
    ...(sale_terms && { sale_terms: mergeValues(details.sale_terms ?? [], sale_terms) }),
    ...(shipping && { shipping: withoutNull({ ...details.shipping, ...shippingDetails }) as ShippingDetails }),
    // Another price ends the promotion.
    ...(newPrice !== before.price && { original_price: null }),
  }
  const isOut = status === 'active' && newQuantity === 0
  const sub_status = isOut ? (['out_of_stock'] as const) : status && SUB_STATUS_OF[status]
  return {
    ...withoutUndefined({ title, category_id, shipping_mode: mode, status: isOut ? ('paused' as const) : status }),
    ...sku,
    ...totals,
    ...(mode !== undefined && mode !== 'me2' && { in_flex: 0 }),
    ...(newPrice !== before.price && { promotion_until: null }),
    details: mergeDetails(before, { ...changes, ...(status && { sub_status: sub_status ? [...sub_status] : null }) }),
  }
}

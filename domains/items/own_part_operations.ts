import type { Q } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import { detailsOf, mergeDetails, type Variation } from './details.ts'
import { changeItem, publishItem } from './operations.ts'
import { changedFields, requireOpen } from './own_operations.ts'
import { insertDescription, newPicture, newVariation, unknownPictures, updateDescription } from './part_operations.ts'
import { type DescriptionRow, descriptionOf, type ItemRow } from './queries.ts'
import { mergeVariation } from './sent_listing.ts'
import {
  checkListing,
  descriptionNotFound,
  hasDescription,
  lastVariation,
  priceNotModifiable,
  variationNotFound,
} from './validation.ts'
import type { SentPicture, SentVariation } from './write_schemas.ts'

// Description, variations and pictures of a seller's listing. Call these inside `world.tx`.

const NO_FACTS = { unknownPictures: [] }

/** Writes or replaces the description of a listing. */
export async function describeOwnItem(
  q: Q,
  world: World,
  row: ItemRow,
  { plain_text, isNew }: { plain_text: string; isNew: boolean },
): Promise<DescriptionRow> {
  const { id } = row
  requireOpen(row, 'description')
  const before = await descriptionOf(q, id)
  if (isNew && before) throw hasDescription()
  if (!isNew && !before) throw descriptionNotFound(id)
  checkListing({ description: plain_text }, { site_id: row.site_id, ...NO_FACTS }, false)
  const now = world.clock.now()
  if (isNew) await insertDescription(q, { item_id: id, plain_text, now })
  else if (plain_text !== before!.plain_text) await updateDescription(q, id, plain_text, now)
  if (plain_text !== before?.plain_text) await publishItem(q, row, now)
  return (await descriptionOf(q, id))!
}

/** Adds a variation, or changes that of `variation_id`. Answers the listing, and the variation's id. */
export async function writeOwnVariation(
  q: Q,
  world: World,
  row: ItemRow,
  { variation_id, sent }: { variation_id?: number; sent: SentVariation },
): Promise<{ row: ItemRow; variation_id: number }> {
  const variations = requireVariations(row, variation_id)
  if (sent.price !== undefined && detailsOf(row).price_automation) throw priceNotModifiable()
  checkListing({ variations: [sent] }, { site_id: row.site_id, ...NO_FACTS }, false)
  const before = variations.find((one) => one.id === variation_id)
  const after = before ? mergeVariation(before, sent) : await newVariation(q, variations, row.price, sent)
  const all = before ? variations.map((one) => (one === before ? after : one)) : [...variations, after]
  return { row: await setVariations(q, world, row, all), variation_id: after.id }
}

/** Removes a variation that is not the last one. */
export async function removeOwnVariation(q: Q, world: World, row: ItemRow, variation_id: number): Promise<ItemRow> {
  const variations = requireVariations(row, variation_id)
  if (variations.length === 1) throw lastVariation()
  return setVariations(
    q,
    world,
    row,
    variations.filter((one) => one.id !== variation_id),
  )
}

function requireVariations(row: ItemRow, variation_id: number | undefined): Variation[] {
  requireOpen(row, 'variations')
  const { variations = [] } = detailsOf(row)
  if (variation_id !== undefined && !variations.some((one) => one.id === variation_id))
    throw variationNotFound(variation_id)
  return variations
}

/** Stores variations, and the price and stock of the listing that follow from them. */
const setVariations = async (q: Q, world: World, row: ItemRow, variations: Variation[]): Promise<ItemRow> =>
  changeItem(q, world, row, await changedFields(q, world, row, { variations }))

/** Adds a picture to a listing. */
export async function addOwnPicture(q: Q, world: World, row: ItemRow, sent: SentPicture): Promise<ItemRow> {
  requireOpen(row, 'pictures')
  const { pictures = [] } = detailsOf(row)
  const all = [...pictures.map((id) => ({ id })), sent]
  checkListing(
    { pictures: all },
    { site_id: row.site_id, unknownPictures: await unknownPictures(q, row.seller_id, [sent]) },
    false,
  )
  const added = sent.id ?? (await newPicture(q, world, { id: row.seller_id, site_id: row.site_id }))
  return changeItem(q, world, row, { details: mergeDetails(row, { pictures: [...pictures, added] }) })
}

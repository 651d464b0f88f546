import { and, eq, sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import { nextNumber } from '../../db/ids.ts'
import { insertInto, rowById, updateReturning } from '../../db/rows.ts'
import type { World } from '../../db/world.ts'
import type { Variation } from './details.ts'
import { type DescriptionRow, descriptionOf, type ItemRow } from './queries.ts'
import { mergeVariation } from './sent_listing.ts'
import { item, item_description, picture } from './tables.ts'
import type { SentPicture, SentVariation } from './write_schemas.ts'

// Rows and numbers of what belongs to a listing, without its checks and events.

// Pictures

const FIRST_PICTURE = 80_000_000_000

/** Stores that a user has a new picture; returns its id. */
export async function newPicture(q: Q, world: World, { id: user_id, site_id }: { id: number; site_id: string }) {
  const n = await nextNumber(q, 'picture')
  const now = world.clock.now()
  const [year, month] = new Date(now).toISOString().split('-')
  const id = `${600_000 + (n % 400_000)}-${site_id}${FIRST_PICTURE + n}_${month}${year}`
  await insertPicture(q, { id, user_id, date_created: now })
  return id
}
const insertPicture = insertInto(picture)

/** Whether a user has uploaded a picture, or has it in a listing. */
export async function hasPicture(q: Q, seller_id: number, id: string): Promise<boolean> {
  const row = await pictureById(q, id)
  if (row) return row.user_id === seller_id
  return (await selectUse(q).one({ seller_id, quoted: JSON.stringify(id) })) !== undefined
}
const pictureById = rowById(picture)
const selectUse = prepared(({ db }) =>
  db
    .select({ id: item.id })
    .from(item)
    .where(and(eq(item.seller_id, $('seller_id')), sql`instr(${item.details} -> 'pictures', ${$('quoted')}) > 0`))
    .limit(1),
)

/** Ids of pictures that the seller cannot use. */
export async function unknownPictures(q: Q, seller_id: number, sent: readonly SentPicture[] = []): Promise<string[]> {
  const unknown: string[] = []
  // Of more pictures there are too many in any case.
  for (const { id } of sent.slice(0, 12))
    if (id !== undefined && !(await hasPicture(q, seller_id, id))) unknown.push(id)
  return unknown
}

// Variations

const FIRST_VARIATION = 180_000_000_000

/** A new variation beside others; `price` is that of the listing. */
export async function newVariation(
  q: Q,
  others: readonly Variation[],
  price: number,
  sent: SentVariation,
): Promise<Variation> {
  const used = new Set(others.map(({ id }) => id))
  let id: number
  do id = FIRST_VARIATION + (await nextNumber(q, 'variation'))
  while (used.has(id))
  return mergeVariation({ id, price }, sent)
}

// Descriptions

/** Stores the description of a listing that has none. */
export const insertDescription = (
  q: Q,
  { now, ...row }: Pick<DescriptionRow, 'item_id' | 'plain_text'> & { now: number },
) => insertText(q, { ...row, date_created: now, last_updated: now })
const insertText = insertInto(item_description)

/** Replaces a description; undefined if there is none. */
export const updateDescription = (q: Q, item_id: string, plain_text: string, now: number) =>
  updateText(q).one({ item_id, plain_text, now })
const updateText = updateReturning(item_description, { plain_text: $, last_updated: $('now') }, { item_id: $ })

/** Gives a listing the description of another one. */
export async function copyDescription(q: Q, from: string, { id: item_id, date_created: now }: ItemRow): Promise<void> {
  const description = await descriptionOf(q, from)
  if (description) await insertDescription(q, { item_id, plain_text: description.plain_text, now })
}

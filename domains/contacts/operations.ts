import { sql } from 'drizzle-orm'
import { $, prepared, type Q } from '../../db/engine.ts'
import type { ContactKind } from '../../db/schema/contacts.ts'
import type { World } from '../../db/world.ts'

export interface Contact {
  kind: ContactKind
  item_id: string
  /** The seller of the listing. */
  user_id: number
  /** null for a guest. */
  buyer_id: number | null
  /** World time, ms. */
  at: number
}

const HOUR = 3_600_000

/** Records one contact and counts it, for its listing and for its seller. Call it inside `world.tx`. */
export async function recordContact(
  q: Q,
  { origin }: World,
  { kind, item_id, user_id, buyer_id, at }: Contact,
): Promise<void> {
  const since = at - origin
  const hour = Math.floor(since / HOUR)
  await insertEvent(q).run({ kind, item_id, user_id, buyer_id, at: since })
  await countForItem(q).run({ item_id, kind, hour })
  await countForUser(q).run({ user_id, kind, hour })
}

const insertEvent = prepared(({ db, t: { contact_event: e } }) =>
  db.insert(e).values({
    user_id: $('user_id'),
    kind: $('kind'),
    at: $('at'),
    seq: sql`(SELECT coalesce(max(seq) + 1, 0) FROM ${e} WHERE user_id = ${$('user_id')} AND kind = ${$('kind')} AND at = ${$('at')})`,
    item_id: $('item_id'),
    buyer_id: $('buyer_id'),
  }),
)
const countForItem = prepared(({ db, t: { contact_item_hour: h } }) =>
  db
    .insert(h)
    .values({ item_id: $('item_id'), kind: $('kind'), hour: $('hour'), n: 1 })
    .onConflictDoUpdate({ target: [h.item_id, h.kind, h.hour], set: { n: sql`${h.n} + 1` } }),
)
const countForUser = prepared(({ db, t: { contact_user_hour: h } }) =>
  db
    .insert(h)
    .values({ user_id: $('user_id'), kind: $('kind'), hour: $('hour'), n: 1 })
    .onConflictDoUpdate({ target: [h.user_id, h.kind, h.hour], set: { n: sql`${h.n} + 1` } }),
)

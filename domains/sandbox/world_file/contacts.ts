import type { World } from '../../../db/world.ts'
import { badRequest } from '../../../plugins/errors.ts'
import { recordContact } from '../../contacts/operations.ts'
import type { Laying } from './loading.ts'
import { KINDS, MOST_CONTACTS } from './schema.ts'

/** What buyers did with a listing besides asking. */
export async function layContacts(laying: Laying): Promise<void> {
  const { q, origin, people, items } = laying
  let total = 0
  await laying.each('contacts', async ({ kind, item_id, at, buyer_ids, count = 1 }, place) => {
    const item = items.get(item_id)
    if (!item) throw badRequest(`${place}.item_id: the file has no listing ${item_id}`)
    if (buyer_ids && buyer_ids.length !== at.length)
      throw badRequest(`${place}.buyer_ids: must be a list with one user, or null, for each instant`)
    total += at.length * count
    if (total > MOST_CONTACTS) throw badRequest(`${place}: a world may have at most ${MOST_CONTACTS} contacts`)
    for (const [n, text] of at.entries()) {
      const buyer = buyer_ids?.[n] ?? null
      const contact = {
        kind: KINDS[kind],
        item_id,
        user_id: item.seller_id,
        buyer_id: buyer === null ? null : people.find(`${place}.buyer_ids[${n}]`, buyer),
        at: laying.at(`${place}.at[${n}]`, text),
      }
      for (let time = 0; time < count; time++) {
        await recordContact(q, { origin } as World, contact)
        await laying.wrote(1)
      }
    }
  })
}

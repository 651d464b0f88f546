import type { World } from '../../../db/world.ts'
import { badRequest } from '../../../plugins/errors.ts'
import { type Contact, recordContacts } from '../../contacts/operations.ts'
import type { Laying } from './loading.ts'
import { KINDS, MOST_CONTACTS } from './schema.ts'

/** Contacts that are recorded at a time. */
const BATCH = 2000

/** Takes contacts and records them, many at a time; `flush` records the last ones. */
export function recorder({ q, origin }: Laying) {
  let waiting: (Contact & { count: number })[] = []
  const flush = async () => {
    const batch = waiting
    waiting = []
    await recordContacts(q, { origin } as World, batch)
  }
  return {
    async add(contact: Contact, count = 1): Promise<void> {
      waiting.push({ ...contact, count })
      if (waiting.length === BATCH) await flush()
    },
    flush,
  }
}

/** What buyers did with a listing besides asking. */
export async function layContacts(laying: Laying): Promise<void> {
  const { people, items } = laying
  const contacts = recorder(laying)
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
      await contacts.add(contact, count)
    }
  })
  await contacts.flush()
}

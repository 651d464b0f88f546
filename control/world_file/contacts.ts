import type { World } from '../../db/world.ts'
import { type Contact, recordContacts } from '../../domains/contacts/operations.ts'
import { badRequest } from '../../http/errors.ts'
import type { ImportContext } from './import.ts'
import { CONTACT_KIND_BY_NAME, MAX_CONTACTS } from './schemas.ts'

/** Contacts that are recorded at a time. */
const BATCH_SIZE = 2000

/** Takes contacts and records them, many at a time; `flush` records the last ones. */
export function createContactWriter({ q, origin }: ImportContext) {
  let pending: (Contact & { count: number })[] = []
  const flush = async () => {
    const batch = pending
    pending = []
    await recordContacts(q, { origin } as World, batch)
  }
  return {
    async add(contact: Contact, count = 1): Promise<void> {
      pending.push({ ...contact, count })
      if (pending.length === BATCH_SIZE) await flush()
    },
    flush,
  }
}

/** What buyers did with a listing besides asking. */
export async function importContacts(context: ImportContext): Promise<void> {
  const { people, items } = context
  const contacts = createContactWriter(context)
  let total = 0
  await context.each('contacts', async ({ kind, item_id, at, buyer_ids, count = 1 }, place) => {
    const item = items.get(item_id)
    if (!item) throw badRequest(`${place}.item_id: the file has no listing ${item_id}`)
    if (buyer_ids && buyer_ids.length !== at.length)
      throw badRequest(`${place}.buyer_ids: must be a list with one user, or null, for each instant`)
    total += at.length * count
    if (total > MAX_CONTACTS) throw badRequest(`${place}: a world may have at most ${MAX_CONTACTS} contacts`)
    for (const [n, text] of at.entries()) {
      const buyer = buyer_ids?.[n] ?? null
      const contact = {
        kind: CONTACT_KIND_BY_NAME[kind],
        item_id,
        user_id: item.seller_id,
        buyer_id: buyer === null ? null : people.resolve(`${place}.buyer_ids[${n}]`, buyer),
        at: context.instantOf(`${place}.at[${n}]`, text),
      }
      await contacts.add(contact, count)
    }
  })
  await contacts.flush()
}

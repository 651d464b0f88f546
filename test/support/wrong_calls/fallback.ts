import { eq } from 'drizzle-orm'
import { FISCAL_DOCUMENTS, TYPED } from '../../../domains/fallback/table.ts'
import { item as itemTable } from '../../../domains/items/tables.ts'
import type { TestApp } from '../app.ts'
import { JPG, MULTIPART_TYPE, multipart } from '../multipart.ts'
import { questionFixtures } from '../questions.ts'
import type { Draft, WrongCalls } from './draft.ts'

/** The answers without state: what is wrong of a path follows from its parameters. */
export async function fallbackCalls(app: TestApp): Promise<WrongCalls[]> {
  const { createListing, createParties, createUser } = questionFixtures(app)
  const { seller, buyer, item } = await createParties()
  const inventory = await createListing(seller)
  const details = JSON.stringify({ shipping: { logistic_type: 'fulfillment' } })
  await app.world.tx(async (q) => q.db.update(itemTable).set({ details }).where(eq(itemTable.id, inventory)).run())
  const stranger = await createUser()
  const { pack } = (await app.control('POST /orders', { item_id: item, buyer: buyer.id })).body
  const values: Record<string, unknown> = {
    ...{ user_id: seller.id, item_id: item, site_id: 'MLA', category_id: 'MLA7001', pack_id: pack.id },
    ...{ user_product_id: item.replace('MLA', 'MLAU'), inventory_id: inventory.replace('MLA', 'MLAI') },
  }
  const set = (name: string, value: unknown) => (call: Draft) => call.setParam(name, value)
  const by = (name: string) => (call: Draft) => {
    call.uses(`param ${name}`)
    call.setCaller(stranger)
  }
  const breaksOf: Record<string, WrongCalls['breaks']> = {
    user_id: { own_user: set('user_id', 999) },
    site_id: { site: set('site_id', 'XXX') },
    category_id: { category: set('category_id', 'MLA1') },
    pack_id: { pack: set('pack_id', 1), own_pack: by('pack_id') },
  }
  for (const [name, id] of [
    ['item_id', ''],
    ['user_product_id', 'U'],
    ['inventory_id', 'I'],
  ] as const)
    breaksOf[name] = { listing_exists: set(name, `MLA${id}9999999999`), own_listing: by(name) }
  const exclusive = {
    'param user_id': 'an id that is none is not that of the caller',
    'param item_id': 'an id that is none names no listing, and one that does not exist belongs to no user',
    'param user_product_id': 'a product that does not exist belongs to no user',
    'param inventory_id': 'stock that does not exist belongs to no user',
    'param pack_id': 'an id that is none, or of no pack, belongs to no user',
    token: 'a call without a valid token has no caller who could be another one',
    text: 'a body has a file or none',
    'header content-type': 'a body has a file or none',
  }
  return [FISCAL_DOCUMENTS, ...TYPED].flatMap((row) => {
    const [call, , answer, { isPublic = false } = {}] = row
    const [methods, path] = call.split(' ') as [string, string]
    const names = path.match(/(?<=:)\w+/g) ?? []
    const none = { absent: 'absent', refused: 'refused' }[answer.name]
    return methods.split(',').map(
      (method): WrongCalls => ({
        route: `${method} ${path}`,
        caller: isPublic ? null : seller,
        params: Object.fromEntries(names.map((name) => [name, values[name] ?? 'x1'])),
        breaks: {
          ...Object.assign({}, ...names.map((name) => breaksOf[name])),
          ...(row === FISCAL_DOCUMENTS && {
            body_size: (call: Draft) => call.setHeader('content-length', String(25 * 1024 * 1024 + 1)),
            file: (call: Draft) => call.setHeader('content-type', 'text/plain'),
          }),
        },
        ...(row === FISCAL_DOCUMENTS && { headers: { 'content-type': MULTIPART_TYPE }, text: multipart(JPG) }),
        ...(none && { alwaysRefused: none }),
        exclusive,
      }),
    )
  })
}

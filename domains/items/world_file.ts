import { type Static, Type } from '@sinclair/typebox'
import { StrictBody } from '../shared/control_schemas.ts'
import { utcOrNull } from '../shared/instants.ts'
import { ITEM_ID, OneOf } from '../shared/schemas.ts'
import { Amount, Flag, Int, OptionalInstant, Text, UserRef } from '../shared/world_file/fields.ts'
import { importIdentified } from '../shared/world_file/import_elements.ts'
import { insertInto } from '../shared/world_file/operations.ts'
import { mapPages, rowsById } from '../shared/world_file/queries.ts'
import { CURRENCY_OF, Site, type SiteId } from '../users/sites.ts'
import { type WorldFileSection, worldFileList } from '../world_file.ts'
import { ITEM_STATUSES, item, SHIPPING_MODES } from './tables.ts'

const FileItem = StrictBody(
  {
    id: Type.Optional(
      Type.String({
        pattern: ITEM_ID.source,
        description: 'Listing identifier; default: a new one',
        examples: ['MLA1400000001'],
        'x-message': 'must be M, two letters of the site, and 1 to 20 digits',
      }),
    ),
    seller_id: UserRef('Seller'),
    site_id: Type.Optional(Site),
    title: Text('Title, as buyers see it', 255),
    price: Amount('Price in the currency of the listing'),
    currency_id: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{3}$',
        description: 'Currency; default: that of the site',
        'x-message': 'must be three letters',
      }),
    ),
    status: Type.Optional(OneOf([...ITEM_STATUSES], { description: 'State', default: 'active' })),
    shipping_mode: Type.Optional(OneOf([...SHIPPING_MODES], { description: 'Shipping mode', default: 'me2' })),
    in_flex: Flag('Offered with Flex'),
    date_created: OptionalInstant('Time of creation; default: world time'),
    last_updated: OptionalInstant('Time of the last change; default: date_created'),
    available_quantity: Type.Optional(Int('Units for sale', 0, 999_999_999, { default: 1 })),
  },
  { title: 'FileItem', description: 'A listing' },
)

const FIRST_ITEM_NUMBER = 1_400_000_001

const insertItem = insertInto(item)
const allItems = rowsById(item)

const items = worldFileList({
  description: 'Listings',
  element: FileItem,
  maxElements: 200_000,
  async import(context, list) {
    const { q, users } = context
    const siteOf = ({ site_id, seller_id }: Static<typeof FileItem>, place: string): SiteId =>
      site_id ?? (users.siteOf(users.resolve(place, seller_id)) as SiteId)
    const lastNumbers = new Map<string, number>()
    const nextId = (item: Static<typeof FileItem>) => {
      const site = siteOf(item, 'items')
      const number = (lastNumbers.get(site) ?? FIRST_ITEM_NUMBER - 1) + 1
      lastNumbers.set(site, number)
      return site + number
    }
    await importIdentified(list, nextId, async (item, place, id) => {
      const seller_id = users.resolve(`${place}.seller_id`, item.seller_id)
      const site_id = siteOf(item, `${place}.seller_id`)
      const status = item.status!
      const date_created = context.instantOf(`${place}.date_created`, item.date_created)
      const isInserted = await insertItem(q, {
        id,
        site_id,
        title: item.title,
        seller_id,
        price: item.price,
        currency_id: item.currency_id ?? CURRENCY_OF[site_id],
        status,
        shipping_mode: item.shipping_mode!,
        in_flex: item.in_flex ? 1 : 0,
        date_created,
        last_updated: item.last_updated ? context.instantOf(`${place}.last_updated`, item.last_updated) : date_created,
        available_quantity: item.available_quantity!,
      })
      if (isInserted) context.items.add(id, { seller_id, status })
      return isInserted
    })
  },
  export: ({ q }) =>
    mapPages(allItems(q), ({ in_flex, date_created, last_updated, available_quantity, ...row }) => ({
      ...row,
      in_flex: in_flex === 1,
      date_created: utcOrNull(date_created),
      ...(last_updated !== date_created && { last_updated: utcOrNull(last_updated) }),
      available_quantity,
    })),
})

export const worldFile: WorldFileSection = { after: ['users'], lists: { items }, tables: { item: 'exported' } }

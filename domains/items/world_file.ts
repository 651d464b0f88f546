import { type Static, Type } from '@sinclair/typebox'
import { StrictBody } from '../shared/control_schemas.ts'
import { ITEM_ID, OneOf } from '../shared/schemas.ts'
import { Amount, Flag, Int, OptionalInstant, Text, TextOrNull, UserRef } from '../shared/world_file/fields.ts'
import { tableList } from '../shared/world_file/table_list.ts'
import { CURRENCY_OF, Site, type SiteId } from '../users/sites.ts'
import type { ImportContext, WorldFileSection } from '../world_file.ts'
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
    site_id: Type.Optional(Site),
    title: Text('Title, as buyers see it', 255),
    seller_id: UserRef('Seller'),
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
    seller_sku: TextOrNull('Code of the seller', 255),
    available_quantity: Type.Optional(Int('Units for sale', 0, 999_999_999, { default: 1 })),
  },
  { title: 'FileItem', description: 'A listing' },
)

const FIRST_ITEM_NUMBER = 1_400_000_001

const items = tableList(item, {
  description: 'Listings',
  element: FileItem,
  maxElements: 200_000,
  ids(context) {
    const lastNumbers = new Map<string, number>()
    return (element) => {
      const site = siteOf(context, element, 'items')
      const number = (lastNumbers.get(site) ?? FIRST_ITEM_NUMBER - 1) + 1
      lastNumbers.set(site, number)
      return site + number
    }
  },
  complete(context, element, place) {
    const seller_id = context.users.resolve(`${place}.seller_id`, element.seller_id)
    const site_id = siteOf(context, element, `${place}.seller_id`)
    const { currency_id = CURRENCY_OF[site_id], date_created, last_updated = date_created } = element
    const created = context.instantOf(`${place}.date_created`, date_created)
    const updated = last_updated === date_created ? created : context.instantOf(`${place}.last_updated`, last_updated)
    return {
      ...{ seller_id, site_id, currency_id, date_created: created, last_updated: updated },
      ...{ category_id: null, sold_quantity: 0, promotion_until: null, details: '{}' },
    }
  },
  added: ({ items }, { id, seller_id, status }) => items.add(id, { seller_id, status }),
  present: ({ date_created, last_updated }) => (last_updated === date_created ? { last_updated: undefined } : {}),
})

const siteOf = ({ users }: ImportContext, { site_id, seller_id }: Static<typeof FileItem>, place: string): SiteId =>
  site_id ?? (users.siteOf(users.resolve(place, seller_id)) as SiteId)

export const worldFile: WorldFileSection = {
  after: ['users'],
  lists: { items },
  tables: { item: 'exported', item_description: 'omitted', picture: 'omitted' },
}

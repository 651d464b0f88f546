import { type Static, Type } from '@sinclair/typebox'
import type { Q } from '../../db/engine.ts'
import { insertInto } from '../../db/rows.ts'
import { StrictBody } from '../shared/control_schemas.ts'
import { utcMillis } from '../shared/instants.ts'
import { ITEM_ID, OneOf } from '../shared/schemas.ts'
import {
  Amount,
  Flag,
  InstantOrNull,
  Int,
  OptionalInstant,
  Text,
  TextOrNull,
  UserRef,
} from '../shared/world_file/fields.ts'
import { tableList } from '../shared/world_file/table_list.ts'
import { CURRENCY_OF, Site, type SiteId } from '../users/sites.ts'
import type { ImportContext, WorldFileList, WorldFileSection } from '../world_file.ts'
import { FileDetails } from './file_details.ts'
import { descriptionOf } from './queries.ts'
import { MAX_DESCRIPTION, MAX_QUANTITY } from './schemas.ts'
import { ITEM_STATUSES, item, item_description, SHIPPING_MODES } from './tables.ts'

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
    available_quantity: Type.Optional(Int('Units for sale', 0, MAX_QUANTITY, { default: 1 })),
    sold_quantity: Type.Optional(Int('Units sold; default: those of its paid orders', 0, MAX_QUANTITY)),
    category_id: TextOrNull('Category; null: none in particular', 30),
    promotion_until: InstantOrNull('End of the promotion that the details tell of; null: no end'),
    details: Type.Optional(FileDetails),
    description: Type.Optional(
      StrictBody(
        {
          plain_text: Text('Text below the listing', MAX_DESCRIPTION, { mayBeBlank: true }),
          date_created: OptionalInstant('When it was written; default: that of the listing'),
          last_updated: OptionalInstant('When it was last changed; default: date_created'),
        },
        { description: 'The text below the listing', 'x-message': 'must be an object' },
      ),
    ),
  },
  { title: 'FileItem', description: 'A listing' },
)

const FIRST_ITEM_NUMBER = 1_400_000_001

const table = tableList(item, {
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
    const { currency_id = CURRENCY_OF[site_id], sold_quantity = 0 } = element
    return { seller_id, site_id, currency_id, sold_quantity, ...datesOf(context, element, place) }
  },
  async added(context, { id, seller_id, status, date_created }, { description, sold_quantity }, place) {
    context.items.add(id, { seller_id, status, hasSold: sold_quantity !== undefined })
    if (!description) return
    const { plain_text, ...dates } = description
    const created = context.instantOf(
      `${place}.description.date_created`,
      dates.date_created ?? utcMillis(date_created),
    )
    const at = { ...dates, date_created: utcMillis(created) }
    await insertDescription(context.q, { item_id: id, plain_text, ...datesOf(context, at, `${place}.description`) })
  },
  present: ({ date_created, last_updated, details }) => ({
    ...(last_updated === date_created && { last_updated: undefined }),
    ...(details === '{}' && { details: undefined }),
    description: undefined,
  }),
})

const insertDescription = insertInto(item_description)

interface Dates {
  date_created?: string
  last_updated?: string
}

/** A row that was not changed has one date for both. */
function datesOf(context: ImportContext, { date_created, last_updated = date_created }: Dates, place: string) {
  const created = context.instantOf(`${place}.date_created`, date_created)
  const updated = last_updated === date_created ? created : context.instantOf(`${place}.last_updated`, last_updated)
  return { date_created: created, last_updated: updated }
}

/** An element with the description of its listing. */
async function withDescription(q: Q, element: { id?: string }): Promise<object> {
  const row = await descriptionOf(q, element.id!)
  if (!row) return element
  const { plain_text, date_created, last_updated } = row
  const changed = last_updated !== date_created && { last_updated: utcMillis(last_updated) }
  return { ...element, description: { plain_text, date_created: utcMillis(date_created), ...changed } }
}

const items: WorldFileList = {
  ...table,
  async *export(context) {
    for await (const elements of table.export(context))
      yield await Promise.all(elements.map((element) => withDescription(context.q, element)))
  },
}

const siteOf = ({ users }: ImportContext, { site_id, seller_id }: Static<typeof FileItem>, place: string): SiteId =>
  site_id ?? (users.siteOf(users.resolve(place, seller_id)) as SiteId)

export const worldFile: WorldFileSection = {
  after: ['users'],
  lists: { items },
  tables: { item: 'exported', item_description: 'exported', picture: 'omitted' },
}

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import type { Q } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import { CURRENCY_IDS } from '../currencies/currencies.ts'
import { switchItem } from '../flex/item_operations.ts'
import {
  CountMember,
  Counts,
  controlConfig,
  Page,
  PagingQuery,
  SearchText,
  StrictBody,
  viewable,
} from '../shared/control_schemas.ts'
import { itemNotFound, userNotFound } from '../shared/errors.ts'
import { parseInstant, utcOrNull } from '../shared/instants.ts'
import { routesOf } from '../shared/routes.ts'
import {
  Bool,
  errorResponses,
  INSTANT_MESSAGE,
  ITEM_ID,
  ItemIdInPath,
  MAX_ID,
  Nullable,
  OneOf,
  UserId,
} from '../shared/schemas.ts'
import { orNull, shape } from '../shared/shape.ts'
import { toWellFormed, withoutUndefined } from '../shared/texts.ts'
import { userById } from '../users/queries.ts'
import { CURRENCY_OF, languageOf, type SiteId } from '../users/sites.ts'
import { type ItemState, setDescription, setItemState } from './control_operations.ts'
import { StateFields } from './control_schemas.ts'
import { detailsOf } from './details.ts'
import { changeItem, createItem, setItemShipping, setItemStatus } from './operations.ts'
import { answerItem } from './present.ts'
import { countsOfItem, descriptionOf, type ItemRow, itemById, listItems } from './queries.ts'
import { Item, Price, Quantity, Sku, Title } from './schemas.ts'
import { ITEM_STATUSES, SHIPPING_MODES } from './tables.ts'

const ItemFields = {
  title: Type.Optional(Title),
  price: Type.Optional(Price),
  available_quantity: Type.Optional(Quantity),
  seller_sku: Type.Optional(
    Nullable(Sku, { description: 'Code of the seller, which `seller_sku` and `sku` find; null: none' }),
  ),
  status: Type.Optional(
    OneOf([...ITEM_STATUSES], {
      description:
        'State of the listing. Its questions follow: closed closes the unanswered ones and those under review, under_review puts the unanswered ones under review, and active reverts that',
      examples: ['paused'],
    }),
  ),
  shipping_mode: Type.Optional(
    OneOf([...SHIPPING_MODES], {
      description: 'Shipping mode; any mode but me2 ends Flex',
      examples: ['me2'],
    }),
  ),
  in_flex: Type.Optional(
    Bool('Offered with Flex; rejected under the same conditions as the public call', { examples: [false] }),
  ),
  ...StateFields,
}
const ItemChanges = StrictBody(ItemFields, { examples: [{ status: 'under_review' }] })

export const NewItem = StrictBody(
  {
    seller_id: UserId,
    id: Type.Optional(
      Type.String({
        pattern: ITEM_ID.source,
        description: 'Identifier: the site of the seller, then digits; default: a new one',
        examples: ['MLA900000001'],
        'x-message': 'must be a site followed by 1 to 20 digits',
      }),
    ),
    currency_id: Type.Optional(
      OneOf(CURRENCY_IDS, { description: 'Currency of the price; default: that of the site', examples: ['ARS'] }),
    ),
    ...ItemFields,
  },
  { examples: [{ seller_id: 2500000101, title: 'Mate de calabaza', price: 12999 }] },
)

const sandbox = {
  ...{ ...Item.properties, initial_quantity: 1, available_quantity: 1, sold_quantity: 0, in_flex: false },
  ...{ seller_sku: orNull('MATE-001'), price_automation: false, promotion_until: orNull('2026-03-09T12:00:00.000Z') },
  description: Type.Optional(Nullable(Type.String(), { description: 'Text below the listing; not in lists' })),
}
const notes = {
  initial_quantity: 'Units that were ever for sale',
  in_flex: 'Offered with Flex',
  seller_sku: 'Code of the seller',
  price_automation: 'A rule of the seller changes the price, so the seller cannot',
  promotion_until: 'When its promotion ends, UTC; null: never, or none',
}
export const Listing = shape(sandbox, {
  title: 'Listing',
  description: 'A listing, with members of the sandbox',
  notes,
})
export type Listing = Static<typeof Listing>

const ListedItem = shape(
  {
    ...sandbox,
    questions: CountMember('Questions on it'),
    unanswered: CountMember('Those without an answer'),
    contacts: CountMember('Views of its telephone number, and clicks on messaging'),
  },
  { title: 'ListedItem', description: 'A listing, with members of the sandbox', notes },
)

export const ItemParams = Type.Object({ id: ItemIdInPath(itemNotFound) })

const ItemList = Type.Object({
  seller_id: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_ID,
      description: 'Only those of a seller',
      'x-message': 'must be an integer',
    }),
  ),
  status: Type.Optional(OneOf([...ITEM_STATUSES], { description: 'Only those in this state' })),
  q: SearchText('title'),
  counts: Counts('`questions`, `unanswered` and `contacts`'),
  ...PagingQuery,
})

const config = controlConfig('Listings', 'Listings of any seller')

const present = async (world: World, row: ItemRow): Promise<Listing> =>
  ({
    ...(await answerItem(world, row, { isAdmin: true })),
    in_flex: row.in_flex === 1,
    seller_sku: row.seller_sku,
    price_automation: detailsOf(row).price_automation ?? false,
    promotion_until: utcOrNull(row.promotion_until),
  }) as Listing

const presentWhole = async (world: World, row: ItemRow): Promise<Listing> => ({
  ...(await present(world, row)),
  description: (await descriptionOf(world.read, row.id))?.plain_text ?? null,
})

const reads: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/items',
    {
      config: viewable(config),
      schema: {
        summary: 'List the listings, by id',
        querystring: ItemList,
        response: { 200: Page(ListedItem, 'Listings'), ...errorResponses(400, 404) },
      },
    },
    async ({ world, query: { seller_id, status, q: text, counts, limit, offset } }) => {
      const { total, rows } = await listItems(world.read, { seller_id, status }, { limit, offset, text })
      const results = rows.map(async (row) => ({
        ...(await present(world, row)),
        ...(counts === 'true' && (await countsOfItem(world.read, row.id))),
      }))
      return { paging: { total, limit, offset }, results: await Promise.all(results) }
    },
  )

  app.get(
    '/items/:id',
    {
      config: viewable(config),
      schema: { summary: 'Read a listing', params: ItemParams, response: { 200: Listing, ...errorResponses(404) } },
    },
    async ({ world, params: { id } }) => {
      const row = await itemById(world.read, id)
      if (!row) throw itemNotFound(id)
      return presentWhole(world, row)
    },
  )
}

const writes: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/items',
    {
      config,
      schema: {
        summary: 'Create a listing',
        description:
          'By default the listing is active and shipped by ME2; title, price and currency have defaults, too.',
        body: NewItem,
        response: { 201: Listing, ...errorResponses(400, 403, 404, 409) },
      },
    },
    async ({ world, body }, reply) => {
      const { id, title, price = 1000, currency_id, available_quantity = 1, seller_sku, ...sent } = toWellFormed(body)
      const { seller_id, status = 'active', shipping_mode = 'me2', in_flex = false, ...state } = sent
      const created = await world.tx(async (q) => {
        const seller = await userById(q, seller_id)
        if (!seller) throw userNotFound(seller_id)
        const site_id = seller.site_id as SiteId
        if (id !== undefined && !id.startsWith(site_id))
          throw badRequest(`id: must begin with the site of the seller, ${site_id}`)
        const created = await createItem(q, world, {
          ...withoutUndefined({ id, seller_sku }),
          title: title ?? (languageOf(site_id) === 'pt' ? 'Produto de teste' : 'Producto de prueba'),
          currency_id: currency_id ?? CURRENCY_OF[site_id],
          ...{ site_id, seller_id, price, status, shipping_mode, available_quantity },
        })
        await applyState(q, world, created, state)
        return setFlex(q, world, created.id, in_flex)
      })
      return reply.code(201).send(await presentWhole(world, created))
    },
  )

  app.patch(
    '/items/:id',
    {
      config,
      schema: {
        summary: 'Change a listing',
        description:
          'Changes are applied in this order: title, price (which ends a promotion), quantity and code, the members of the sandbox, shipping, state, Flex. If one is rejected, none is applied.',
        params: ItemParams,
        body: ItemChanges,
        response: { 200: Listing, ...errorResponses(400, 403, 404) },
      },
    },
    async ({ world, params: { id }, body }) => {
      const { title, price, available_quantity, seller_sku, ...sent } = toWellFormed(body)
      const { shipping_mode, status, in_flex, ...state } = sent
      const changes = withoutUndefined({ title, price, available_quantity, seller_sku })
      const changed = await world.tx(async (q) => {
        const before = await itemById(q, id)
        if (!before) throw itemNotFound(id)
        // A price of its own ends a promotion.
        const usual = price === undefined ? before : await setItemState(q, world, before, { promotion: null })
        const after = await changeItem(q, world, usual, changes)
        await applyState(q, world, after, state)
        if (shipping_mode !== undefined) await setItemShipping(q, world, id, shipping_mode)
        if (status !== undefined) await setItemStatus(q, world, id, status)
        return setFlex(q, world, id, in_flex)
      })
      return presentWhole(world, changed)
    },
  )
}

const items = routesOf(reads, writes)

type StateMembers = Static<ReturnType<typeof StrictBody<typeof StateFields>>>

async function applyState(q: Q, world: World, row: ItemRow, { promotion, description, ...state }: StateMembers) {
  const until = promotion?.until == null ? null : parseInstant(promotion.until)
  if (until === undefined) throw badRequest(`promotion.until: ${INSTANT_MESSAGE}`)
  const promoted = promotion && { price: promotion.price, until }
  await setItemState(q, world, row, {
    ...state,
    ...(promotion !== undefined && { promotion: promoted ?? null }),
  } as ItemState)
  if (description !== undefined) await setDescription(q, world, row.id, description)
}

/** Switches Flex of a listing, with the checks of the seller's call; returns the listing. */
async function setFlex(q: Q, world: World, item_id: string, isOn: boolean | undefined): Promise<ItemRow> {
  const item = (await itemById(q, item_id))!
  if (isOn === undefined || isOn === (item.in_flex === 1)) return item
  await switchItem(q, world, item.seller_id, { site_id: item.site_id, item_id, on: isOn })
  return (await itemById(q, item_id))!
}

export default items

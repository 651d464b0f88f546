import { type Static, Type } from '@sinclair/typebox'
import type { FastifyPluginAsync } from 'fastify'
import type { World } from '../../db/world.ts'
import { defineChecks } from '../../http/errors/checks.ts'
import { badParameter, notFound } from '../../http/errors/errors.ts'
import { domainOfCategory } from '../items/categories.ts'
import { currentPrice, detailsOf } from '../items/details.ts'
import type { ItemRow } from '../items/queries.ts'
import { siteNotFound } from '../shared/errors.ts'
import { utcMillis } from '../shared/instants.ts'
import { Limit, Offset } from '../shared/paging.ts'
import { type About, named, type Read } from '../shared/reads.ts'
import { decimal, orNull, shape } from '../shared/shape.ts'
import { isSite } from '../users/sites.ts'
import { othersOf } from './categories.ts'
import { listingsWithProduct } from './queries.ts'
import { addReads, OWN_ITEM, SITE } from './reads.ts'

// Products of the catalogue: what the listings that point to one say of it [spec: catalogue.products].

interface Product {
  id: string
  /** The active ones first, the cheapest of them before the others. */
  listings: [ItemRow, ...ItemRow[]]
}

const priceOf = (world: World, row: ItemRow) => currentPrice(world, row).price
const isActive = ({ status }: ItemRow) => status === 'active'
const competes = (row: ItemRow) => isActive(row) && detailsOf(row).catalog_listing === true

async function productsOf(world: World, site_id: string): Promise<Product[]> {
  const rows = (await listingsWithProduct(world.read, site_id)).toSorted(
    (a, b) =>
      Number(isActive(b)) - Number(isActive(a)) || priceOf(world, a) - priceOf(world, b) || (a.id < b.id ? -1 : 1),
  )
  const byProduct = Map.groupBy(rows, (row) => detailsOf(row).catalog_product_id!)
  return [...byProduct].map(([id, listings]) => ({ id, listings: listings as Product['listings'] }))
}

const PRODUCT = named('product_id', {
  rule: 'catalogue.products.not_found',
  words: ['product', 'MLA12345678', 'El producto', 'O produto'],
  find: async (id, { world }) => (await productsOf(world, id.slice(0, 3))).find((one) => one.id === id),
})

const SAMPLE = {
  ...{ id: 'MLA1400000005', site_id: 'MLA', seller_id: 2500000101, category_id: 'MLA7001', status: 'active' },
  ...{ title: 'Parlante bluetooth', date_created: Date.UTC(2026, 0, 1, 12), price: 129_999, currency_id: 'ARS' },
  ...{ sold_quantity: 3, available_quantity: 5, shipping_mode: 'me2', in_flex: 0 },
  details: JSON.stringify({
    ...{ catalog_product_id: 'MLA12345678', catalog_listing: true, shipping: { free_shipping: true } },
    attributes: [{ id: 'BRAND', name: 'Marca', value_id: '52049', value_name: 'Tarvik' }],
    pictures: ['600001-MLA1400000005_032023'],
  }),
} as ItemRow
const SAMPLE_PRODUCT: Product = { id: 'MLA12345678', listings: [SAMPLE] }
/** The price of the sample depends on no world. */
const NO_WORLD = {} as World

function present({ id, listings: [row] }: Product) {
  const { attributes = [], pictures = [] } = detailsOf(row)
  return {
    id,
    date_created: utcMillis(row.date_created),
    catalog_product_id: id,
    pdp_types: [],
    status: isActive(row) ? 'active' : 'inactive',
    domain_id: domainOfCategory(row.site_id, row.category_id),
    settings: { listing_strategy: 'catalog_required' },
    name: row.title,
    main_features: [],
    attributes,
    pictures: pictures.map((one) => ({ id: one, url: `https://http2.example.com/D_${one}-O.jpg` })),
    parent_id: null,
    children_ids: [],
    quality_type: 'COMPLETE',
  }
}
const nullable = {
  domain_id: orNull('MLA-SPEAKERS'),
  attributes: [{ id: 'BRAND', name: 'Marca', value_id: orNull('52049'), value_name: orNull('Tarvik') }],
}
const FoundProduct = shape({ ...present(SAMPLE_PRODUCT), ...nullable })
const FoundProducts = shape(
  { keywords: orNull('parlante'), paging: { total: 1, limit: 10, offset: 0 }, results: [FoundProduct] },
  { title: 'FoundProducts', description: 'Products of the catalogue' },
)
const ProductQuery = Type.Object({
  site_id: Type.String({ description: 'Site', examples: ['MLA'], 'x-message': 'must be a site' }),
  q: Type.Optional(Type.String({ maxLength: 255, description: 'A text of its name', examples: ['parlante'] })),
  product_identifier: Type.Optional(Type.String({ description: 'Universal code', examples: ['2000000000008'] })),
  status: Type.Optional(Type.String({ description: 'active or inactive', examples: ['active'] })),
  limit: Limit(100, 10),
  offset: Offset,
})

async function search(_none: unknown, { world, query }: Read<Static<typeof ProductQuery>>) {
  const { site_id, q, product_identifier: code, status, limit, offset } = query
  if (q === undefined && code === undefined)
    throw badParameter('q', 'or product_identifier is required', 'catalogue.products.search')
  if (!isSite(site_id)) throw siteNotFound(site_id, 'site_id')
  const all = (await productsOf(world, site_id)).map(present)
  const found = all.filter(
    (one) =>
      (q === undefined || one.name.toLowerCase().includes(q.toLowerCase())) &&
      (code === undefined || one.attributes.some(({ id, value_name }) => id === 'GTIN' && value_name === code)) &&
      (status === undefined || one.status === status),
  )
  const paging = { total: found.length, limit, offset }
  return { keywords: q ?? code ?? null, paging, results: found.slice(offset, offset + limit) }
}

function offerOf(world: World, row: ItemRow) {
  const { shipping = {}, condition = 'new', listing_type_id = 'gold_special' } = detailsOf(row)
  return {
    item_id: row.id,
    category_id: row.category_id ?? othersOf(row.site_id),
    site_id: row.site_id,
    seller_id: row.seller_id,
    price: priceOf(world, row),
    currency_id: row.currency_id,
    sold_quantity: row.sold_quantity,
    available_quantity: row.available_quantity,
    shipping: { mode: row.shipping_mode, free_shipping: shipping.free_shipping ?? false },
    condition,
    listing_type_id,
  }
}
const price = decimal(SAMPLE.price)
const Offer = shape({ ...offerOf(NO_WORLD, SAMPLE), price })
const Offers = shape({ paging: { total: 1, offset: 0, limit: 100 }, results: [Offer] }, { title: 'Offers' })
const Page = Type.Object({ limit: Limit(100, 100), offset: Offset })

function offers({ listings }: Product, { world, query: { limit, offset } }: Read<Static<typeof Page>>) {
  const active = listings.filter(isActive)
  const results = active.slice(offset, offset + limit).map((row) => offerOf(world, row))
  return { paging: { total: active.length, offset, limit }, results }
}

/** The members in the order of the public pages. */
function whole(product: Product, { world }: Pick<Read, 'world'>) {
  const one = present(product)
  const offered = product.listings.filter(competes)
  const prices = offered.map((row) => priceOf(world, row))
  return {
    ...{ id: one.id, catalog_product_id: one.id, status: one.status, pdp_types: [], domain_id: one.domain_id },
    permalink: `https://producto.example.com/p/${one.id}`,
    ...{ name: one.name, family_name: one.name },
    buy_box_winner: offered[0] ? offerOf(world, offered[0]) : null,
    buy_box_winner_price_range: offered[0] ? { min: Math.min(...prices), max: Math.max(...prices) } : null,
    ...{ pickers: null, pictures: one.pictures, main_features: [], disclaimers: [], attributes: one.attributes },
    short_description: { type: 'plaintext', content: one.name },
    ...{ parent_id: null, children_ids: [], settings: one.settings, date_created: one.date_created },
  }
}
const ProductOfCatalogue = shape(
  {
    ...{ ...whole(SAMPLE_PRODUCT, { world: NO_WORLD }), ...nullable, buy_box_winner: orNull(Offer) },
    buy_box_winner_price_range: orNull({ min: decimal(9), max: decimal(10) }),
  },
  { title: 'Product', notes: { buy_box_winner: 'The cheapest active listing of the catalogue; null: there is none' } },
)

const CHECKS = defineChecks({
  searched: [
    'catalogue.products.search',
    'q or product_identifier is sent',
    'Se envía q o product_identifier',
    'q ou product_identifier é enviado',
    'q',
  ],
  catalogue_listing: [
    'catalogue.price_to_win.not_found',
    'The listing is one of the catalogue',
    'La publicación es de catálogo',
    'O anúncio é de catálogo',
    'item_id',
  ],
})

/** A listing of the catalogue of the caller. */
const COMPETITOR: About<ItemRow> = {
  ...OWN_ITEM,
  checks: [...OWN_ITEM.checks, CHECKS.catalogue_listing],
  async find(request) {
    const row = await OWN_ITEM.find(request)
    const { catalog_listing, catalog_product_id } = detailsOf(row)
    if (catalog_listing && catalog_product_id !== undefined) return row
    throw notFound('catalogue.price_to_win.not_found', `Item ${row.id} is not a catalog listing`, 'item_id')
  },
}

function boostsOf(row: ItemRow) {
  const { shipping = {} } = detailsOf(row)
  const boost = (id: string, description: string, has: boolean) => ({
    id,
    status: has ? 'boosted' : 'opportunity',
    description,
  })
  return [
    boost('free_shipping', 'Free shipping', shipping.free_shipping ?? false),
    boost('fulfillment', 'Stored by the marketplace', shipping.logistic_type === 'fulfillment'),
    boost('same_day_shipping', 'Delivered on the same day', row.in_flex === 1),
  ]
}

const SHARES = { winning: 'maximum', sharing_first_place: 'medium', competing: 'minimum', listed: 'minimum' } as const

function competitionOf(row: ItemRow, product: Product, world: World) {
  const rivals = product.listings.filter((one) => competes(one) && one.id !== row.id)
  const price = priceOf(world, row)
  const best = Math.min(...rivals.map((one) => priceOf(world, one)))
  const sharing = rivals.filter((one) => priceOf(world, one) === price).length
  const status = !competes(row)
    ? 'listed'
    : price < best
      ? 'winning'
      : price === best
        ? 'sharing_first_place'
        : 'competing'
  const winner = product.listings.find(competes)
  return {
    item_id: row.id,
    current_price: price,
    currency_id: row.currency_id,
    price_to_win: status === 'listed' ? null : Math.min(price, best),
    boosts: boostsOf(row),
    status,
    consistent: true,
    visit_share: SHARES[status],
    competitors_sharing_first_place: status === 'sharing_first_place' ? sharing : null,
    reason: status === 'listed' ? ['item_not_active'] : [],
    catalog_product_id: product.id,
    winner: winner
      ? { item_id: winner.id, price: priceOf(world, winner), currency_id: winner.currency_id, boosts: boostsOf(winner) }
      : null,
  }
}
const sample = competitionOf(SAMPLE, SAMPLE_PRODUCT, NO_WORLD)
const PriceToWin = shape(
  {
    ...{ ...sample, current_price: price, price_to_win: orNull(decimal(9)), reason: ['item_not_active'] },
    ...{ competitors_sharing_first_place: orNull(1), winner: orNull({ ...sample.winner!, price }) },
  },
  { title: 'PriceToWin', description: 'Where a listing stands among those of its product' },
)

async function priceToWin(row: ItemRow, { world }: Read) {
  const product_id = detailsOf(row).catalog_product_id
  const product = (await productsOf(world, row.site_id)).find(({ id }) => id === product_id)!
  return competitionOf(row, product, world)
}

const resource = { name: 'Products', description: 'Products of the catalogue, and who sells them', id: 'product_id' }
const config = { resource, access: 'token' } as const

const products: FastifyPluginAsync = async (app) => {
  addReads(app, config, { checks: [CHECKS.searched, ...SITE.checks], params: {}, find: () => undefined }, [
    ['/products/search', 'Search products', FoundProducts, search, ProductQuery],
  ])
  addReads(app, config, PRODUCT, [
    ['/products/:product_id', 'Read one product', ProductOfCatalogue, whole],
    ['/products/:product_id/items', 'List who sells a product', Offers, offers, Page],
  ])
  const Version = Type.Object({ version: Type.Optional(Type.String({ description: 'v2', examples: ['v2'] })) })
  addReads(app, config, COMPETITOR, [
    ['/items/:item_id/price_to_win', 'Read with which price a listing wins', PriceToWin, priceToWin, Version],
  ])
}
export default products

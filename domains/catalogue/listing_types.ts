import { type Static, Type } from '@sinclair/typebox'
import type { FastifyPluginAsync } from 'fastify'
import { CURRENCY_IDS } from '../currencies/currencies.ts'
import { saleFee } from '../items/fees.ts'
import { LISTING_TYPES } from '../items/tables.ts'
import { categoryNotFound } from '../shared/errors.ts'
import { utcMillis } from '../shared/instants.ts'
import { type About, both, named, type Read } from '../shared/reads.ts'
import { OneOf } from '../shared/schemas.ts'
import { decimal, orNull, shape } from '../shared/shape.ts'
import type { UserRow } from '../users/queries.ts'
import { CURRENCY_OF, languageOf, type SiteId } from '../users/sites.ts'
import { categoryById } from './categories.ts'
import { addReads, CATEGORY, OWN_USER, SITE } from './reads.ts'

type ListingTypeId = (typeof LISTING_TYPES)[number]

const TYPES: Record<ListingTypeId, { es: string; pt: string; exposure: string }> = {
  gold_pro: { es: 'Premium', pt: 'Premium', exposure: 'highest' },
  gold_premium: { es: 'Oro Premium', pt: 'Diamante', exposure: 'highest' },
  gold_special: { es: 'Clásica', pt: 'Clássico', exposure: 'highest' },
  gold: { es: 'Oro', pt: 'Ouro', exposure: 'high' },
  silver: { es: 'Plata', pt: 'Prata', exposure: 'mid' },
  bronze: { es: 'Bronce', pt: 'Bronze', exposure: 'low' },
  free: { es: 'Gratuita', pt: 'Grátis', exposure: 'lowest' },
}
const DAY_MS = 86_400_000

const nameOf = (site_id: string, id: ListingTypeId) => ({ site_id, id, name: TYPES[id][languageOf(site_id)] })
export const listingTypesOf = (site_id: string) => LISTING_TYPES.map((id) => nameOf(site_id, id))
export const ListingTypeNames = Type.Array(
  shape(nameOf('MLA', 'gold_special'), { title: 'ListingTypeName', description: 'A way to be listed' }),
)

const LISTING_TYPE = named('listing_type_id', {
  rule: 'catalogue.listing_types.not_found',
  words: ['listing type', 'gold_special', 'El tipo de publicación', 'O tipo de anúncio'],
  find: (id) => (Object.hasOwn(TYPES, id) ? (id as ListingTypeId) : undefined),
})

const detailed = (site_id: string, id: ListingTypeId) => ({
  ...nameOf(site_id, id),
  not_available_in_categories: [],
  configuration: {
    name: TYPES[id][languageOf(site_id)],
    listing_exposure: TYPES[id].exposure,
    requires_picture: id !== 'free',
    max_stock_per_item: id === 'free' ? 1 : 99_999,
    duration_days: { buy_it_now: 60, auction: 7, classified: 60 },
  },
})
const ListingType = shape(detailed('MLA', 'gold_special'), { title: 'ListingType', description: 'A way to be listed' })

const category_id = Type.Optional(Type.String({ description: 'Category', examples: ['MLA7001'] }))
const OfCategory = Type.Object({ category_id })

/** Throws 404 for an unknown category. */
function checkCategory({ category_id }: Static<typeof OfCategory>): void {
  if (category_id !== undefined && !categoryById(category_id)) throw categoryNotFound(category_id)
}

function available({ site_id }: UserRow, { query }: Read<Static<typeof OfCategory>>) {
  checkCategory(query)
  const types = listingTypesOf(site_id).map((type) => ({ ...type, remaining_listings: null }))
  return { category_id: query.category_id ?? null, available: types }
}
const AvailableTypes = shape(
  { category_id: orNull('MLA7001'), available: [{ ...nameOf('MLA', 'gold_special'), remaining_listings: null }] },
  { title: 'AvailableListingTypes', notes: { remaining_listings: 'null: without limit' } },
)
const AVAILABLE = { available: true, code: null, cause: null }
const AvailableType = shape(AVAILABLE, { title: 'AvailableListingType' })

const PriceQuery = Type.Object({
  price: Type.String({
    ...{ pattern: '^\\d{1,12}(\\.\\d{1,4})?$', description: 'Price of a unit', examples: ['129999'] },
    ...{ 'x-message': 'must be a number such as 129999 or 12.5', 'x-rule': 'catalogue.listing_prices.price' },
  }),
  listing_type_id: Type.Optional(
    OneOf([...LISTING_TYPES], { description: 'Only this one', examples: ['gold_special'] }),
  ),
  category_id,
  currency_id: Type.Optional(OneOf(CURRENCY_IDS, { description: 'Default: that of the site', examples: ['ARS'] })),
  ...Object.fromEntries(
    ['quantity', 'logistic_type', 'shipping_mode', 'billable_weight'].map((name) => [
      name,
      Type.Optional(Type.String({ description: 'Accepted, without effect', examples: ['1'] })),
    ]),
  ),
})

/** What the marketplace charges for a listing of a type; the sale is that of an order [spec: orders.sale_fee]. */
function priceOf(
  site_id: SiteId,
  id: ListingTypeId,
  { price, currency_id }: { price: number; currency_id: string },
  now: number,
) {
  const { amount, meli_percentage_fee, ...fees } = saleFee(price, { site_id, currency_id, listing_type_id: id })
  const { name, configuration } = detailed(site_id, id)
  return {
    currency_id,
    free_relist: false,
    listing_exposure: configuration.listing_exposure,
    listing_fee_amount: 0,
    listing_fee_details: { fixed_fee: 0, gross_amount: 0 },
    listing_type_id: id,
    listing_type_name: name,
    mapping: id,
    requires_picture: configuration.requires_picture,
    sale_fee_amount: amount,
    sale_fee_details: {
      ...fees,
      gross_amount: amount,
      meli_percentage_fee,
      percentage_fee: meli_percentage_fee + fees.financing_add_on_fee,
    },
    stop_time: utcMillis(now + configuration.duration_days.buy_it_now * DAY_MS),
  }
}
const sample = priceOf('MLA', 'gold_special', { price: 12_999, currency_id: 'ARS' }, 0)
const ListingPrice = shape(
  { ...sample, sale_fee_details: { ...sample.sale_fee_details, fixed_fee: decimal(1000) } },
  { title: 'ListingPrice', description: 'What is charged for a listing, and for the sale of a unit' },
)
const ListingPrices = Type.Union([ListingPrice, Type.Array(ListingPrice)], {
  description: 'One element for each listing type; the only one itself if listing_type_id and category_id are given',
})

function prices(site_id: SiteId, { world, query }: Read<Static<typeof PriceQuery>>) {
  checkCategory(query)
  const { price, listing_type_id, currency_id = CURRENCY_OF[site_id] } = query
  const ids = listing_type_id ? [listing_type_id] : LISTING_TYPES
  const found = ids.map((id) => priceOf(site_id, id, { price: Number(price), currency_id }, world.clock.now()))
  return listing_type_id && query.category_id !== undefined ? found[0] : found
}

const resource = { name: 'Listing types', description: 'Ways to be listed, and what they cost' }
/** With the category of the query. */
const inCategory = <Subject>(of: About<Subject>): About<Subject> => ({
  ...of,
  checks: [...of.checks, ...CATEGORY.checks],
})

const listingTypes: FastifyPluginAsync = async (app) => {
  const types = '/sites/:site_id/listing_types'
  const ofSite = { resource, access: 'public' } as const
  addReads(app, ofSite, SITE, [[types, 'List the listing types of a site', ListingTypeNames, listingTypesOf]])
  addReads(app, ofSite, both(SITE, LISTING_TYPE), [
    [`${types}/:listing_type_id`, 'Read one listing type', ListingType, ([site, type]) => detailed(site, type)],
  ])
  addReads(app, ofSite, inCategory(SITE), [
    ['/sites/:site_id/listing_prices', 'Read what listings and sales cost', ListingPrices, prices, PriceQuery],
  ])
  const ofUser = { resource, access: 'token' } as const
  const lists = '/users/:user_id/available_listing_types'
  addReads(app, ofUser, inCategory(OWN_USER), [
    [lists, 'List those of the caller', AvailableTypes, available, OfCategory],
  ])
  const one = '/users/:user_id/available_listing_type/:listing_type_id'
  addReads(app, ofUser, both(OWN_USER, LISTING_TYPE), [
    [one, 'Read whether the caller may use one', AvailableType, () => AVAILABLE],
  ])
}
export default listingTypes

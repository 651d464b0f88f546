import { domainOfCategory, ROOTS } from '../items/categories.ts'
import { detailsOf } from '../items/details.ts'
import type { ItemRow } from '../items/queries.ts'
import { LISTING_TYPES } from '../items/tables.ts'
import { utcMillis } from '../shared/instants.ts'
import type { UserRow } from '../users/queries.ts'
import { CURRENCY_OF, languageOf } from '../users/sites.ts'
import { absent, refused, type Subject } from './subjects.ts'

// The answers without state [spec: fallback.no_state]. The schema of an answer is that of the answer to SAMPLE: `[]` is a
// list that is always empty.

/** `GET,POST /path/:item_id`; `*` at its end: every path below. */
export type TypedRow = readonly [
  call: string,
  summary: string,
  answer: (of: Subject) => unknown,
  options?: {
    /** Without a token, too. */
    isPublic?: boolean
    /** Also about listings of others. */
    ofAnyone?: boolean
    headers?: Record<string, string>
  },
]

const BRAND = { id: 'BRAND', name: 'Marca', value_id: '1', value_name: 'Pampa' }
export const SAMPLE: Subject = {
  user: { id: 2500000101, nickname: 'TIENDA', site_id: 'MLA' } as UserRow,
  item: {
    ...{ id: 'MLA1400000001', site_id: 'MLA', title: 'Mate de calabaza', category_id: null, available_quantity: 5 },
    details: JSON.stringify({ attributes: [BRAND], pictures: ['1-MLA'] }),
  } as ItemRow,
  ...{ site_id: 'MLA', category_id: 'MLA7001', page: { limit: 50, offset: 0 }, hour: 0 },
}

const paging = ({ page: { limit, offset } }: Subject) => ({ total: 0, offset, limit })
const page = (of: Subject) => ({ paging: paging(of), results: [] })
const promotions = (of: Subject) => ({ results: [], paging: paging(of) })
const flatPage = ({ page: { limit, offset } }: Subject) => ({ offset, limit, total: 0, results: [] })
const nothing = () => []

function userProduct({ user, item }: Subject) {
  const { family_name, domain_id, attributes = [], pictures = [] } = detailsOf(item)
  return {
    ...{ id: `${item.site_id}U${item.id.slice(3)}`, name: family_name ?? item.title, user_id: user.id },
    domain_id: domain_id ?? domainOfCategory(item.site_id, item.category_id) ?? `${item.site_id}-UNCLASSIFIED_PRODUCTS`,
    attributes: attributes.map(({ id, name, value_name }) => ({ id, name, values: [{ name: value_name ?? '' }] })),
    pictures: pictures.map((id) => ({ id })),
  }
}

const userProductStock = ({ user, item }: Subject) => ({
  locations: [{ type: 'selling_address', quantity: item.available_quantity }],
  ...{ user_id: user.id, id: `${item.site_id}U${item.id.slice(3)}` },
})

const fulfillmentStock = ({ item: { site_id, id, available_quantity: n } }: Subject) => ({
  ...{ inventory_id: `${site_id}I${id.slice(3)}`, total: n, available_quantity: n, not_available_quantity: 0 },
  not_available_detail: [],
  external_references: [{ type: 'item', id, variation_id: null }],
})

/** The present month, of which nothing is charged. */
function periods({ hour, page: { limit, offset } }: Subject) {
  const day = (months: number, date: number) => {
    const instant = new Date(hour)
    return utcMillis(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth() + months, date)).slice(0, 10)
  }
  const period = { date_from: day(0, 1), date_to: day(1, 0) }
  const due = { expiration_date: day(1, 10), debt_expiration_date: day(1, 20), period_status: 'OPEN' }
  const results = [{ amount: 0, unpaid_amount: 0, period, key: day(0, 1), ...due }]
  return { offset, limit, total: 1, results: results.slice(offset, offset + limit) }
}

const PAYMENT_METHODS = (
  [
    ['visa', 'Visa', 'credit_card'],
    ['master', 'Mastercard', 'credit_card'],
    ['debvisa', 'Visa Débito', 'debit_card'],
    ['account_money', 'Dinero en cuenta', 'account_money'],
    ['ticket', 'Ticket', 'ticket'],
  ] as const
).map(([id, name, payment_type_id]) => ({ ...{ id, name, payment_type_id }, status: 'active' }))

const EXPOSURES = (['lowest', 'low', 'mid', 'high', 'highest'] as const).map((id, n) => ({
  ...{ id, name: id, home_page: n === 4, category_home_page: n > 2, advertising_on_listing_page: false },
  priority_in_search: 4 - n,
}))

/** Documents of persons; of the sites that are not here any text. */
const DOCUMENTS: Partial<Record<string, [id: string, minimum: number, maximum: number]>> = {
  ...{ MLA: ['DNI', 7, 8], MLB: ['CPF', 11, 11], MLM: ['RFC', 12, 13], MLC: ['RUT', 7, 20], MCO: ['CC', 5, 20] },
  ...{ MLU: ['CI', 1, 20], MPE: ['DNI', 8, 8] },
}
function identificationTypes({ site_id }: Subject) {
  const [id, min_length, max_length] = DOCUMENTS[site_id] ?? ['OTHER', 1, 20]
  return [{ id, name: id, type: id === 'RFC' ? 'string' : 'number', min_length, max_length }]
}

const SHIPPING_METHODS = [
  { id: 73328, name: 'Estándar a domicilio', type: 'standard', deliver_to: 'address', shipping_modes: ['me2'] },
  { id: 503045, name: 'Express a domicilio', type: 'express', deliver_to: 'address', shipping_modes: ['me2'] },
]

const trends = ({ site_id }: Subject) =>
  Object.values(ROOTS).map((root) => {
    const keyword = root[languageOf(site_id)].toLowerCase()
    return { keyword, url: `https://listado.example.com/${encodeURIComponent(keyword)}` }
  })

const reviews = (of: Subject) => ({
  ...{ paging: paging(of), reviews: [], rating_average: 0 },
  rating_levels: { one_star: 0, two_star: 0, three_star: 0, four_star: 0, five_star: 0 },
  ...{ helpful_reviews: {}, attributes: [] },
})

const balance = ({ user: { id: user_id }, site_id }: Subject) => ({
  ...{ user_id, total_amount: 0, available_balance: 0, unavailable_balance: 0, currency_id: CURRENCY_OF[site_id] },
})

const advertisers = ({ user: { id, nickname, site_id } }: Subject) => ({
  advertisers: [{ advertiser_id: id, site_id, advertiser_name: nickname, account_name: nickname }],
})

const listingType = ({ item }: Subject) => ({ id: detailsOf(item).listing_type_id ?? 'gold_special' })
const listingTypes = () => LISTING_TYPES.map((id) => ({ id }))
const highlights = ({ category_id: id }: Subject) => ({
  query_data: { highlight_type: 'BEST_SELLER', criteria: 'CATEGORY', id },
  content: [],
})
const infractions = (of: Subject) => ({ paging: paging(of), infractions: [] })
const VERSIONED = { headers: { 'x-version': '1' } }
const ALLOWED = { aggregations_allowed: true, query_allowed: true, sort_allowed: true }

const ADS = '/advertising/advertisers/:advertiser_id/product_ads'
const SITE_ADS = '/advertising/:site_id/advertisers/:advertiser_id/product_ads'
const BILL = '/billing/integration/periods/key/:key'
const ANY = 'GET,POST,PUT,DELETE'

const ids = () => ({ ids: ['3f0b6c1d'] })
export const FISCAL_DOCUMENTS: TypedRow = ['POST /packs/:pack_id/fiscal_documents', 'Upload the invoice of a pack', ids]

export const TYPED: readonly TypedRow[] = [
  ['GET /advertising/advertisers', 'List the advertisers of the caller', advertisers],
  [`GET ${ADS}/campaigns`, 'List campaigns', page],
  [`GET ${ADS}/campaigns/search`, 'Search campaigns', page],
  [`GET ${ADS}/ads/search`, 'Search advertisements', page],
  [`GET ${ADS}/items`, 'List advertised listings', page],
  [`GET ${SITE_ADS}/campaigns/search`, 'Search campaigns of a site', page],
  [`GET ${SITE_ADS}/ads/search`, 'Search advertisements of a site', page],
  ['GET /advertising/product_ads/items/:ad_id', 'Read an advertised listing: none', absent],
  ['GET /advertising/product_ads/campaigns/:campaign_id', 'Read a campaign: none', absent],
  ['GET /seller-promotions/users/:user_id', 'List the promotions that the caller is invited to', promotions],
  ['GET /seller-promotions/promotions/:promotion_id', 'Read a promotion: none', absent],
  ['GET /seller-promotions/promotions/:promotion_id/items', 'List the listings of a promotion', promotions],
  ['GET /seller-promotions/offers/:offer_id', 'Read an offer: none', absent],
  ['GET /user-products/:user_product_id', 'Read the product of a listing', userProduct],
  ['GET /user-products/:user_product_id/stock', 'Read where the units of a product are', userProductStock, VERSIONED],
  ['GET /inventories/:inventory_id/stock/fulfillment', 'Read the stock in a warehouse', fulfillmentStock],
  ['GET /billing/integration/monthly/periods', 'List the months that are charged', periods],
  [`GET ${BILL}/documents`, 'List the bills of a month', flatPage],
  [`GET ${BILL}/summary/details`, 'List the sums of a month', flatPage],
  [`GET ${BILL}/details`, 'List the charges of a month', flatPage],
  [`GET ${BILL}/group/:group/details`, 'List the charges of a month by group', flatPage],
  ['GET,DELETE /packs/:pack_id/fiscal_documents', 'The invoice of a pack: none', absent],
  ['GET /packs/:pack_id/fiscal_documents/:document_id', 'Read an invoice of a pack: none', absent],
  ['GET /shipments/:shipment_id/invoice_data', 'Read the invoice of a shipment: none', absent],
  ['GET /shipments/:shipment_id/tracking', 'Read the tracking of a shipment: none', absent],
  ['GET /shipments/:shipment_id/labels', 'Read the labels of a shipment: none', absent],
  ['GET /users/:user_id/invoices/:invoice_id', 'Read an invoice of the caller: none', absent],
  ['GET /users/:user_id/invoices/:kind/:invoice_id', 'Read the invoice of an order or shipment: none', absent],
  ['GET /items/:item_id/listing_type', 'Read the listing type of a listing', listingType],
  ['GET /items/:item_id/available_listing_types', 'List its other listing types', listingTypes],
  ['GET /users/:user_id/items/search/restrictions', 'Read what searches of listings may do', () => ALLOWED],
  ['GET /trends/:site_id', 'List what buyers look for', trends, { isPublic: true }],
  ['GET /trends/:site_id/:category_id', 'List what buyers look for in a category', trends, { isPublic: true }],
  ['GET /highlights/:site_id/category/:category_id', 'List the best sellers of a category: none', highlights],
  ['GET /reviews/item/:item_id', 'List the reviews of a listing: none', reviews, { ofAnyone: true }],
  ['GET /users/:user_id/brands', 'List the brands of the caller', ({ user }) => ({ cust_id: user.id, brands: [] })],
  ['GET /users/:user_id/accepted_payment_methods', 'List how buyers may pay', () => PAYMENT_METHODS],
  ['GET /sites/:site_id/payment_methods', 'List the payment methods of a site', () => PAYMENT_METHODS],
  ['GET /sites/:site_id/shipping_methods', 'List the shipping methods of a site', () => SHIPPING_METHODS],
  ['GET /sites/:site_id/listing_exposures', 'List how listings are shown', () => EXPOSURES],
  ['GET /sites/:site_id/identification_types', 'List the documents of persons', identificationTypes],
  ['GET /users/:user_id/mercadopago_account/balance', 'Read the balance of the caller', balance],
  ['GET /users/:user_id/classifieds_promotion_packs', 'List the packages of the caller', nothing],
  ['GET /users/me/bookmarks', 'List the bookmarks of the caller', nothing],
  ['GET /moderations/infractions/:user_id', 'List what was moderated of the caller', infractions],
  ['GET,POST /catalog/charts/search', 'Search size charts', (of) => ({ charts: [], paging: paging(of) })],
  ['GET /catalog/charts/:chart_id', 'Read a size chart: none', absent],
  ['GET /vis/leads/:lead_id', 'Read a lead: none', absent],
  [`${ANY} /v1/claims/*`, 'Older calls of claims: gone', absent],
  [`${ANY} /marketplace/v2/claims/*`, 'Older calls of claims: gone', absent],
  [`${ANY} /pricing-automation/*`, 'Rules that change prices: none', absent],
  [`${ANY} /suggestions/*`, 'Suggestions of prices: none', absent],
  [`${ANY} /marketplace/*`, 'Global selling: for other accounts', refused],
  [`${ANY} /global/*`, 'Global selling: for other accounts', refused],
]

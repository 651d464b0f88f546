import { eq } from 'drizzle-orm'
import { item as itemTable } from '../../../domains/items/tables.ts'
import type { Person, TestApp } from '../app.ts'
import { questionFixtures } from '../questions.ts'
import type { Draft, WrongCalls } from './draft.ts'

const OF_SITE: Record<string, WrongCalls['query']> = {
  categories: {},
  'domain_discovery/search': { q: 'mate' },
  'category_predictor/predict': { title: 'mate' },
}
const OF_CATEGORY = [
  '',
  '/attributes',
  '/technical_specs/input',
  '/sale_terms',
  '/listing_types',
  '/shipping_preferences',
]

type Parties = Awaited<ReturnType<ReturnType<typeof questionFixtures>['createParties']>>

/** The routes of the catalogue. */
export async function catalogueCalls(app: TestApp): Promise<WrongCalls[]> {
  const { seller, buyer, item } = await questionFixtures(app).createParties()
  const site = (call: Draft) => call.setParam('site_id', 'XXX')
  const listing_type = (call: Draft) => call.setParam('listing_type_id', 'x')
  const category = (call: Draft) => call.setQuery('category_id', 'MLA1')
  const user = {
    user_exists: (call: Draft) => call.setParam('user_id', 999),
    own_user: (call: Draft) => call.setParam('user_id', buyer.id),
  }
  const exclusive = { 'param user_id': 'a user who does not exist is not another one' }
  return [
    ...visitCalls(seller, item),
    ...(await placeCalls(app)),
    ...(await listingCalls(app, { seller, buyer, item })),
    ...Object.entries(OF_SITE).map(
      ([path, query]): WrongCalls => ({
        route: `GET /sites/:site_id/${path}`,
        caller: null,
        params: { site_id: 'MLA' },
        query: query!,
        breaks: { site },
      }),
    ),
    ...OF_CATEGORY.map(
      (path): WrongCalls => ({
        route: `GET /categories/:category_id${path}`,
        caller: null,
        params: { category_id: 'MLA7001' },
        breaks: { category: (call) => call.setParam('category_id', 'MLA1') },
      }),
    ),
    ...['catalog_domains/:domain_id/categories', 'domains/:domain_id/technical_specs'].map(
      (path): WrongCalls => ({
        route: `GET /${path}`,
        caller: null,
        params: { domain_id: 'MLA-SPEAKERS' },
        breaks: { domain: (call) => call.setParam('domain_id', 'MLA-X') },
      }),
    ),
    {
      route: 'GET /sites/:site_id/listing_types',
      caller: null,
      params: { site_id: 'MLA' },
      breaks: { site },
    },
    {
      route: 'GET /sites/:site_id/listing_types/:listing_type_id',
      caller: null,
      params: { site_id: 'MLA', listing_type_id: 'gold' },
      breaks: { site, listing_type },
    },
    {
      route: 'GET /sites/:site_id/listing_prices',
      caller: null,
      params: { site_id: 'MLA' },
      query: { price: '5' },
      breaks: { query: (call) => call.setQuery('price', 'x'), site, category },
    },
    ...['addresses', 'shipping_preferences'].map(
      (path): WrongCalls => ({
        route: `GET /users/:user_id/${path}`,
        caller: seller,
        params: { user_id: seller.id },
        breaks: user,
        exclusive,
      }),
    ),
    {
      route: 'GET /users/:user_id/available_listing_types',
      caller: seller,
      params: { user_id: seller.id },
      breaks: { ...user, query: (call) => call.setQuery('category_id', ['x', 'y']), category },
      exclusive: { ...exclusive, 'query category_id': 'two categories are none' },
    },
    {
      route: 'GET /users/:user_id/available_listing_type/:listing_type_id',
      caller: seller,
      params: { user_id: seller.id, listing_type_id: 'gold' },
      breaks: { ...user, listing_type },
      exclusive,
    },
  ]
}

function visitCalls(seller: Person, item: string): WrongCalls[] {
  const range = { date_from: '2026-01-01', date_to: '2026-02-01' }
  const window = { last: 2, unit: 'day' }
  const none = (name: string, id: unknown) => (call: Draft) => call.setParam(name, id)
  const byIds = {
    visit_ids: (call: Draft) => call.setQuery('ids', [item, item].join()),
    subject_exists: (call: Draft) => call.setQuery('ids', 'MLA9999999999'),
    query: (call: Draft) => call.setQuery('ids', undefined),
  }
  const ofItem = { subject_exists: none('item_id', 'MLA9999999999') }
  const ofUser = { subject_exists: none('user_id', 999) }
  const rows: [path: string, params: object, query: object, breaks: WrongCalls['breaks']][] = [
    ['/items/:item_id/visits', { item_id: item }, window, ofItem],
    ['/items/:item_id/visits/time_window', { item_id: item }, window, ofItem],
    ['/items/visits', {}, { ids: item, ...range }, byIds],
    ['/items/visits/time_window', {}, { ids: item, ...window }, byIds],
    ['/visits/items', {}, { ids: item }, byIds],
    ['/users/:user_id/items_visits', { user_id: seller.id }, range, ofUser],
    ['/users/:user_id/items_visits/time_window', { user_id: seller.id }, window, ofUser],
    ['/users/me/items_visits', {}, range, {}],
    ['/users/me/items_visits/time_window', {}, window, {}],
  ]
  return rows.map(([path, params, query, breaks]) => ({
    route: `GET ${path}`,
    caller: seller,
    params: { ...params },
    query: { ...query },
    breaks: {
      visit_range: (call) => call.setQuery('date_to', 'x'),
      ending: (call) => call.setQuery('ending', 'x'),
      ...(!('ids' in query) && {
        query: (call) => ('last' in query ? call.setQuery('last', 'x') : call.setQuery('date_from', 'x'.repeat(99))),
      }),
      ...breaks,
    },
    exclusive: {
      'query ids': 'one list is missing, too long or unknown',
      'param item_id': 'an id that is none names no listing',
      'param user_id': 'an id that is none names no user',
    },
  }))
}

async function placeCalls({ sellers }: TestApp): Promise<WrongCalls[]> {
  const { zip_code } = (await sellers[0]!.get('/users/me')).body.address
  const calls: [path: string, params: Record<string, string>][] = [
    ['/classified_locations/countries', {}],
    ['/classified_locations/countries/:country_id', { country_id: 'AR' }],
    ['/countries/:country_id', { country_id: 'AR' }],
    ['/classified_locations/states/:state_id', { state_id: 'AR-C' }],
    ['/classified_locations/cities/:city_id', { city_id: 'TUxBQ0JVRU5PU0FJ' }],
    ['/countries/:country_id/zip_codes/:zip_code', { country_id: 'AR', zip_code }],
  ]
  const broken = (name: string) => (call: Draft) => call.setParam(name, 'x')
  return calls.map(([path, params]) => ({
    route: `GET ${path}`,
    caller: null,
    params,
    breaks: Object.fromEntries(Object.keys(params).map((name) => [name.replace('_id', ''), broken(name)])),
  }))
}

async function listingCalls({ world }: TestApp, { seller, buyer, item }: Parties): Promise<WrongCalls[]> {
  const product_id = 'MLA12345678'
  const details = JSON.stringify({ catalog_product_id: product_id, catalog_listing: true })
  await world.tx(async (q) => {
    q.db.update(itemTable).set({ details }).where(eq(itemTable.id, item)).run()
  })
  const listing = {
    listing_exists: (call: Draft) => call.setParam('item_id', 'MLA9999999999'),
    own_listing: (call: Draft) => call.setCaller(buyer),
  }
  const exclusive = { 'param item_id': 'a listing that does not exist is not another one' }
  const own = ['/item/:item_id/performance', '/items/:item_id/health', '/items/:item_id/health/actions']
  return [
    ...[...own, '/items/:item_id/price_to_win'].map(
      (path): WrongCalls => ({
        route: `GET ${path}`,
        caller: seller,
        params: { item_id: item },
        breaks: listing,
        // The world has opened the paths, and the listing is one of the catalogue.
        unreachable: ['health_open', 'catalogue_listing'],
        exclusive,
      }),
    ),
    {
      route: 'GET /sites/:site_id/health_levels',
      caller: seller,
      params: { site_id: 'MLA' },
      breaks: { site: (call) => call.setParam('site_id', 'XXX') },
      unreachable: ['health_open'],
    },
    ...['', '/items'].map(
      (path): WrongCalls => ({
        route: `GET /products/:product_id${path}`,
        caller: seller,
        params: { product_id },
        breaks: { product: (call) => call.setParam('product_id', 'MLA1') },
      }),
    ),
    {
      route: 'GET /products/search',
      caller: seller,
      query: { site_id: 'MLA', q: 'mate' },
      breaks: {
        query: (call) => call.setQuery('limit', 'x'),
        searched: (call) => call.setQuery('q', undefined),
        site: (call) => call.setQuery('site_id', 'XXX'),
      },
    },
  ]
}

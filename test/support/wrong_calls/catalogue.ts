import type { TestApp } from '../app.ts'
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

/** The routes of the catalogue. */
export async function catalogueCalls(app: TestApp): Promise<WrongCalls[]> {
  const { seller, buyer } = await questionFixtures(app).createParties()
  const site = (call: Draft) => call.setParam('site_id', 'XXX')
  const listing_type = (call: Draft) => call.setParam('listing_type_id', 'x')
  const category = (call: Draft) => call.setQuery('category_id', 'MLA1')
  const user = {
    user_exists: (call: Draft) => call.setParam('user_id', 999),
    own_user: (call: Draft) => call.setParam('user_id', buyer.id),
  }
  const exclusive = { 'param user_id': 'a user who does not exist is not another one' }
  return [
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

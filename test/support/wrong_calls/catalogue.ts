import type { WrongCalls } from './draft.ts'

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
export async function catalogueCalls(): Promise<WrongCalls[]> {
  return [
    ...Object.entries(OF_SITE).map(
      ([path, query]): WrongCalls => ({
        route: `GET /sites/:site_id/${path}`,
        caller: null,
        params: { site_id: 'MLA' },
        query: query!,
        breaks: { site_exists: (call) => call.setParam('site_id', 'XXX') },
      }),
    ),
    ...OF_CATEGORY.map(
      (path): WrongCalls => ({
        route: `GET /categories/:category_id${path}`,
        caller: null,
        params: { category_id: 'MLA7001' },
        breaks: { category_exists: (call) => call.setParam('category_id', 'MLA1') },
      }),
    ),
    ...['catalog_domains/:domain_id/categories', 'domains/:domain_id/technical_specs'].map(
      (path): WrongCalls => ({
        route: `GET /${path}`,
        caller: null,
        params: { domain_id: 'MLA-SPEAKERS' },
        breaks: { domain_exists: (call) => call.setParam('domain_id', 'MLA-X') },
      }),
    ),
  ]
}

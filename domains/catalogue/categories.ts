import { categoryOf, LEAVES, type Leaf, MAX_PICTURES, ROOTS } from '../items/categories.ts'
import { orNull, shape } from '../shared/shape.ts'
import { CURRENCY_OF, isSite, languageOf, type SiteId } from '../users/sites.ts'

// The tree of categories: roots, and leaves below them [spec: catalogue.ids].

export interface CategoryName {
  id: string
  name: string
}

/** A category of a site. */
export interface CategoryNode extends CategoryName {
  site_id: SiteId
  number: number
  /** Undefined for a root. */
  leaf?: Leaf
}

/** The category with an id; undefined if there is none. */
export function categoryById(id: string): CategoryNode | undefined {
  const site_id = id.slice(0, 3)
  const number = Number(id.slice(3))
  const leaf = LEAVES[number]
  const found = leaf ?? ROOTS[number]
  if (!found || `${site_id}${number}` !== id || !isSite(site_id)) return undefined
  return { site_id, number, id, name: found[languageOf(site_id)], ...(leaf && { leaf }) }
}

const nodesOf = (site_id: SiteId, numbers: Readonly<Record<number, unknown>>): CategoryNode[] =>
  Object.keys(numbers).map((number) => categoryById(`${site_id}${number}`)!)
export const rootsOf = (site_id: SiteId) => nodesOf(site_id, ROOTS)
export const leavesOf = (site_id: SiteId) => nodesOf(site_id, LEAVES)

export const nameOf = ({ id, name }: CategoryName): CategoryName => ({ id, name })

/** The category of a listing without one [spec: items.plain]. */
export const othersOf = (site_id: string) => `${site_id}3530`

/** The leaves of a domain such as `MLA-SPEAKERS`; it has one, or does not exist. */
export function leafOfDomain(domain_id: string): CategoryNode | undefined {
  const site_id = domain_id.slice(0, 3)
  const domain = domain_id.slice(4)
  const isDomain = isSite(site_id) && domain_id[3] === '-'
  return isDomain ? leavesOf(site_id).find(({ leaf }) => leaf!.domain === domain) : undefined
}

const rootOf = ({ site_id, leaf }: CategoryNode) => (leaf ? categoryById(`${site_id}${leaf.root}`) : undefined)

/** From its root to itself. */
export const pathOf = (node: CategoryNode): CategoryName[] =>
  [rootOf(node), node].flatMap((one) => (one ? [nameOf(one)] : []))

/** Roots whose listings are contacted, not bought, with their vertical. */
const CLASSIFIED: Record<number, string> = { 1743: 'motors', 1459: 'realEstate' }

export const isClassified = ({ number, leaf }: CategoryNode): boolean => (leaf?.root ?? number) in CLASSIFIED

/** The whole category; `counts`: active listings by leaf category. */
export function presentCategory(node: CategoryNode, counts: ReadonlyMap<string, number>) {
  const { id, name, site_id, number, leaf } = node
  const children = leaf ? [] : leavesOf(site_id).filter((one) => one.leaf!.root === number)
  const total = ({ id }: CategoryNode) => counts.get(id) ?? 0
  return {
    id,
    name,
    picture: leaf ? null : `https://http2.example.com/categories/${id}.png`,
    permalink: null,
    total_items_in_this_category: [node, ...children].reduce((sum, one) => sum + total(one), 0),
    path_from_root: pathOf(node),
    children_categories: children.map((one) => ({ ...nameOf(one), total_items_in_this_category: total(one) })),
    attribute_types: leaf ? 'attributes' : 'none',
    settings: settingsOf(node),
    channels_settings: [],
    meta_categ_id: null,
    attributable: leaf !== undefined,
    date_created: '2018-04-25T08:12:56.000Z',
  }
}

export function settingsOf(node: CategoryNode) {
  const { id, site_id, number, leaf } = node
  const { max_title_length = 60, minimum_price = null } = categoryOf(site_id, id) ?? {}
  const isSold = !isClassified(node)
  return {
    adult_content: false,
    buying_allowed: true,
    buying_modes: isSold ? ['buy_it_now', 'auction'] : ['classified'],
    catalog_domain: leaf?.domain ? `${site_id}-${leaf.domain}` : null,
    coverage_areas: 'not_allowed',
    currencies: [CURRENCY_OF[site_id]],
    fragile: false,
    immediate_payment: isSold ? 'required' : 'optional',
    item_conditions: ['used', 'not_specified', 'new'],
    items_reviews_allowed: isSold,
    listing_allowed: leaf !== undefined,
    max_description_length: 50_000,
    max_pictures_per_item: MAX_PICTURES,
    max_pictures_per_item_var: 10,
    max_sub_title_length: 70,
    max_title_length,
    max_variations_allowed: 100,
    maximum_price: null,
    minimum_price,
    price: 'required',
    restrictions: [],
    shipping_options: isSold ? ['custom', 'carrier'] : ['custom'],
    status: 'enabled',
    stock: 'required',
    vertical: CLASSIFIED[leaf?.root ?? number] ?? 'consumerGoods',
  }
}

/** For the schemas of answers. */
export const SAMPLE = categoryById('MLA7001')!
export const CategoryName = shape(nameOf(SAMPLE), { title: 'CategoryName', description: 'A category by its name' })
export const CategorySettings = shape(
  { ...settingsOf(SAMPLE), catalog_domain: orNull('MLA-SPEAKERS'), minimum_price: orNull(1) },
  { description: 'What listings of it may be', notes: { listing_allowed: 'Listings are in leaves only' } },
)
export const Category = shape(
  {
    ...presentCategory(SAMPLE, new Map()),
    picture: orNull('https://http2.example.com/categories/MLA1000.png'),
    children_categories: [{ ...nameOf(SAMPLE), total_items_in_this_category: 3 }],
    settings: CategorySettings,
  },
  {
    title: 'Category',
    description: 'A category of a site',
    notes: {
      total_items_in_this_category: 'Active listings',
      path_from_root: 'The categories above it, and itself',
    },
  },
)

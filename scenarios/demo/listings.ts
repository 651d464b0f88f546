import type { Category, DemoSiteId, ItemRow, Listing } from '../../domains/demo.ts'
import type { Random } from '../../domains/shared/demo/random.ts'
import { DAY, LAST_DAY, named, type Voice } from '../../domains/shared/demo/wording.ts'
import { CATALOGUE } from './catalogue.ts'
import { descriptionOf, detailsOf } from './details.ts'
import { priceOf, SITES } from './sites.ts'

type Place = Pick<ItemRow, 'status' | 'shipping_mode' | 'in_flex'> & { category: Category }

const places = (n: number, place: Place): Place[] => Array.from({ length: n }, () => place)

// An id has the same product under every seed, so that tests can use literal ids: the first eight listings of each
// seller are in Flex, the next five could be, and so on.
const PLACES: readonly Place[] = [
  ...places(8, { status: 'active', shipping_mode: 'me2', in_flex: 1, category: 'parcel' }),
  ...places(5, { status: 'active', shipping_mode: 'me2', in_flex: 0, category: 'parcel' }),
  ...places(1, { status: 'active', shipping_mode: 'custom', in_flex: 0, category: 'bulky' }),
  ...places(1, { status: 'active', shipping_mode: 'not_specified', in_flex: 0, category: 'car' }),
  ...places(1, { status: 'active', shipping_mode: 'not_specified', in_flex: 0, category: 'motorbike' }),
  ...places(1, { status: 'active', shipping_mode: 'not_specified', in_flex: 0, category: 'flat' }),
  ...places(2, { status: 'paused', shipping_mode: 'me2', in_flex: 0, category: 'parcel' }),
  ...places(1, { status: 'paused', shipping_mode: 'custom', in_flex: 0, category: 'bulky' }),
  ...places(2, { status: 'closed', shipping_mode: 'me2', in_flex: 0, category: 'parcel' }),
  ...places(1, { status: 'closed', shipping_mode: 'not_specified', in_flex: 0, category: 'car' }),
  ...places(1, { status: 'under_review', shipping_mode: 'me2', in_flex: 0, category: 'parcel' }),
  ...places(1, { status: 'inactive', shipping_mode: 'me2', in_flex: 0, category: 'parcel' }),
]

const FIRST_ID = 1_400_000_001

const CATEGORIES = ['parcel', 'bulky', 'car', 'motorbike', 'flat'] as const

/** A seller's 25 listings. Times are relative to the origin. */
export function listingsOf(site_id: DemoSiteId, seller_id: number, voice: Voice, r: Random): Listing[] {
  const site = SITES[site_id]
  const stock = Object.fromEntries(
    CATEGORIES.map((category) => [category, r.shuffle(CATALOGUE.filter((product) => product.category === category))]),
  )
  // Newer listings have higher ids.
  const createdAt = PLACES.map(() => -r.int(100 * 86_400, 800 * 86_400) * 1000).sort((a, b) => a - b)
  const ranks = r.shuffle(PLACES.map((_, rank) => rank))
  const quantities = r.fork('quantities')
  return PLACES.map(({ category, ...place }, i) => {
    const product = stock[category]!.pop()!
    const { the, title } = named(product[site.language], voice.words)
    const active = place.status === 'active'
    const updatedAt = -(active ? r.int(30 * 3600, 40 * 86_400) : r.int(16 * 86_400, 45 * 86_400)) * 1000
    const available_quantity = category === 'parcel' ? quantities.int(2, 60) : 1
    const id = `${site_id}${FIRST_ID + i}`
    const price = priceOf(site, product.dollars * (0.85 + 0.4 * r.next()))
    const kind = { index: i, id, site_id, language: site.language, status: place.status, price, available_quantity }
    const details = detailsOf({ ...kind, product }, r.fork(`details ${i}`))
    const row: ItemRow = {
      id,
      site_id,
      title,
      seller_id,
      price,
      currency_id: site.currency,
      ...place,
      date_created: createdAt[i]!,
      last_updated: updatedAt,
      available_quantity,
      seller_sku: category === 'parcel' ? `SKU-${i + 1}` : null,
      category_id: `${site_id}${product.leaf}`,
      details: JSON.stringify(details),
    }
    const described = active ? { description: descriptionOf(title, site.language, product, details) } : {}
    return {
      row,
      product,
      ...described,
      the,
      until: active ? LAST_DAY * DAY : updatedAt,
      popularity: 1 / (ranks[i]! + 2),
    }
  })
}

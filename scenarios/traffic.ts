import type { DemoSiteId, ItemRow, Listing, Person, Product, UserRow } from '../domains/demo.ts'
import type { SellerStyle } from '../domains/questions/demo/question_texts.ts'
import { createInbox, type Draft } from '../domains/questions/demo/seller_questions.ts'
import { TEXTS } from '../domains/questions/demo/texts.ts'
import type { Random } from '../domains/shared/demo/random.ts'
import { DAY, instantOn, named, TYPING_STYLES, trafficOfWeekday } from '../domains/shared/demo/wording.ts'
import { CATALOGUE } from './demo/catalogue.ts'
import { SITES } from './demo/sites.ts'
import { VOICES } from './demo/voices.ts'
import type { Profile } from './profiles.ts'

// Loaded by the first simulation: the texts of questions in two languages belong to it.

/** A seller whose traffic is simulated. */
export interface Shop {
  seller: UserRow
  /** The active listings. */
  items: readonly ItemRow[]
  /** Users who may be buyers. */
  shoppers: readonly UserRow[]
}

/** Times are ms from the world's origin. */
export type TrafficEvent =
  | { kind: 'phone_views' | 'whatsapp'; item_id: string; user_id: number; buyer_id: number | null; at: number }
  /** `from_id` is null if the asker has no account. */
  | { kind: 'questions'; question: Omit<Draft, 'from_id'> & { from_id: number | null } }
  /** The end of a day: later questions are asked at `at` or after it. */
  | { kind: 'day_over'; at: number }

/** `known`: the share of buyers who are logged in. */
const VIEWS = [
  { kind: 'phone_views', known: 0.4 },
  { kind: 'whatsapp', known: 0.7 },
] as const

/** Contacts with one seller from `from` up to and including `now`, day by day. */
export function* traffic(
  shop: Shop,
  profile: Profile,
  { from, now }: { from: number; now: number },
  r: Random,
): Generator<TrafficEvent> {
  const { seller, shoppers } = shop
  const style = styleOf(seller)
  const listings = listingsOf(shop, style, now, r.fork('listings'))
  const pickAsked = weightedChoice(listings, ({ popularity }) => popularity)
  // Buyers prefer the phone for cars and flats.
  const pickCalled = weightedChoice(
    listings,
    ({ popularity, product }) => popularity * (product.tags.includes('classified') ? 3 : 1),
  )
  const crowd = shoppers.map((row) => person(row, style, r.fork(`shopper ${row.id}`)))
  for (let day = Math.floor(from / DAY); day * DAY <= now; day++) {
    const dayRandom = r.fork(`day ${day}`)
    const rush = dayRandom.chance(profile.rush.days) ? profile.rush.times : 1
    const instants = function* (rate: number) {
      const mean = rate * listings.length * trafficOfWeekday(day) * rush * (0.85 + 0.3 * dayRandom.next())
      for (let n = Math.floor(mean) + (dayRandom.chance(mean % 1) ? 1 : 0); n > 0; n--) {
        const at = instantOn(day, dayRandom)
        if (at >= from && at <= now) yield at
      }
    }
    for (const { kind, known } of VIEWS)
      for (const at of instants(profile[kind])) {
        const buyer_id = crowd.length > 0 && dayRandom.chance(known) ? dayRandom.pick(crowd).row.id : null
        yield { kind, item_id: pickCalled(dayRandom).row.id, user_id: seller.id, buyer_id, at }
      }
    const questionInbox = createInbox(style, dayRandom)
    let yielded = 0
    for (const at of instants(profile.questions)) {
      questionInbox.simulate(pickAsked(dayRandom), asker(crowd, style, dayRandom), at)
      for (const { draft } of questionInbox.all.slice(yielded))
        yield { kind: 'questions', question: { ...draft, from_id: draft.from_id === GUEST ? null : draft.from_id } }
      yielded = questionInbox.all.length
    }
    yield { kind: 'day_over', at: (day + 1) * DAY }
  }
}

const GUEST = -1
/** With this many shoppers, half of the questions come from guests. */
const GUEST_WEIGHT = 10

function asker(crowd: readonly Person[], { site }: SellerStyle, r: Random): Person {
  if (r.chance(crowd.length / (crowd.length + GUEST_WEIGHT))) return r.pick(crowd)
  const city = r.chance(0.55) ? site.home.city : r.pick(site.elsewhere).city
  // Only these members of a guest are read.
  return { row: { id: GUEST } as UserRow, city, typing: r.pick(TYPING_STYLES) }
}

function person(row: UserRow, { site }: SellerStyle, r: Random): Person {
  const { city } = JSON.parse(row.address) as { city?: unknown }
  return { row, city: isShortText(city) ? city : site.home.city, typing: r.pick(TYPING_STYLES) }
}

/** Maximum length of texts of users that are inserted in a question. */
const isShortText = (text: unknown): text is string => typeof text === 'string' && text !== '' && text.length <= 60

/** The voice of the seller's country, or of Mexico where the demo has no seller; signs with the shop's name. */
function styleOf({ site_id, nickname }: UserRow): SellerStyle {
  const siteId = site_id in SITES ? (site_id as DemoSiteId) : 'MLM'
  const site = SITES[siteId]
  const shop = nickname === site.seller.nickname || !isShortText(nickname) ? site.seller.shop : nickname
  return {
    site: { ...site, seller: { ...site.seller, shop } },
    voice: VOICES[siteId],
    texts: TEXTS[site.language],
  }
}

/** The product of a listing that is not in the catalogue. */
const genericProduct = (category: 'parcel' | 'bulky'): Product => ({
  category,
  tags: ['goods', category],
  dollars: 0,
  es: 'el producto | ',
  pt: 'o produto | ',
})

function listingsOf({ items }: Shop, { site, voice }: SellerStyle, now: number, r: Random): Listing[] {
  const titles = new Map(CATALOGUE.map((product) => [named(product[site.language], voice.words).title, product]))
  const ranks = r.shuffle(items.map((_, rank) => rank))
  return items.map((row, i) => {
    const product = titles.get(row.title) ?? genericProduct(row.shipping_mode === 'me2' ? 'parcel' : 'bulky')
    const { the } = named(product[site.language], voice.words)
    return { row, product, the, until: now, popularity: 1 / (ranks[i]! + 2) }
  })
}

/** Picks by weight in logarithmic time: a seller may have thousands of listings. */
function weightedChoice<T>(list: readonly T[], weightOf: (one: T) => number): (r: Random) => T {
  let total = 0
  const sums = list.map((one) => (total += weightOf(one)))
  return (r) => {
    const drawn = r.next() * total
    let [low, high] = [0, list.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (sums[middle]! > drawn) high = middle
      else low = middle + 1
    }
    return list[low]!
  }
}

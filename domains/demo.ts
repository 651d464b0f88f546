import type { item } from './items/tables.ts'
import type { Random } from './shared/demo/random.ts'
import type { Rhythm, TypingStyle, Voice } from './shared/demo/wording.ts'
import type { user } from './users/tables.ts'

// The input from which each domain generates its rows of the demo scenario.

/** The sites that have a seller in the demo. */
export type DemoSiteId = 'MLA' | 'MLB' | 'MLM' | 'MLC' | 'MCO' | 'MLU' | 'MPE' | 'MEC'

export interface Place {
  city: string
  /** ISO 3166-2. */
  state: string
  /** Each # is a digit. */
  zip: string
}

export interface Site {
  language: 'es' | 'pt'
  currency: string
  price: {
    symbol: string
    /** Units of the currency per US dollar, roughly. */
    perDollar: number
    /** Prices are `less` below a multiple of `step`. */
    step: number
    less: number
    thousands: '.' | ','
  }
  /** Each # is a digit; all numbers are in ranges that are never assigned. */
  phone: string
  /** Place of the seller and of most buyers; in a coverage area of Flex. */
  home: Place
  /** Parts of the home city where buyers collect their purchases. */
  neighborhoods: readonly string[]
  elsewhere: readonly Place[]
  streets: readonly string[]
  firstNames: readonly string[]
  lastNames: readonly string[]
  seller: {
    shop: string
    nickname: string
    level_id: '5_green' | '4_light_green' | '3_yellow'
    power_seller_status: 'silver' | 'gold' | 'platinum' | null
    /** Sales in thousands, approximately. */
    sales: number
    /**
     * Typical minutes to an answer, by the time of the question, and the share of questions outside office hours without one.
     */
    pace: { office: number; evening: number; weekend: number; unansweredShare: number }
    /** Unanswered questions of the weekend before the origin. */
    backlog: number
  }
  buyer: string
}

export type UserRow = typeof user.$inferInsert & { id: number }
export type ItemRow = typeof item.$inferInsert

export interface Person {
  row: UserRow
  city: string
  typing: TypingStyle
}

/** The users of one site. */
export interface Cast {
  seller: Person
  /** The two test buyers. */
  buyers: Person[]
  shoppers: Person[]
  /** Shoppers who send spam. */
  spammers: Person[]
}

export type Category = 'parcel' | 'bulky' | 'car' | 'motorbike' | 'flat'

export interface Product {
  category: Category
  /** Tags of a product; topics of questions name the tags that they fit. */
  tags: readonly string[]
  dollars: number
  /** Noun with its article, a bar, rest of the title. A name in braces is replaced by the word of the country. */
  es: string
  pt: string
}

export interface Listing {
  row: ItemRow
  product: Product
  description?: string
  /** The product's noun with its article. */
  the: string
  /** End of its visibility; the end of the history for an active listing. */
  until: number
  popularity: number
}

/** A random listing that is visible at that instant, weighted by popularity; null if there is none. */
export function seenAt(listings: readonly Listing[], at: number, r: Random): Listing | null {
  const weights = listings.map(({ until, popularity }) => (until > at ? popularity : 0))
  return weights.some((weight) => weight > 0) ? listings[r.weighted(weights)]! : null
}

/** One seller of the demo. Times are relative to the origin, ms. */
export interface Shop {
  siteId: DemoSiteId
  site: Site
  voice: Voice
  cast: Cast
  listings: readonly Listing[]
  rhythm: Rhythm
  /** Random numbers of the seller; each use forks it under a name. */
  random: Random
}

/** Rows by table; columns with a default may be missing. */
export type DemoRows = Record<string, object[]>

/**
 * The rows of a domain. Times are relative to the origin; the scenario adds it to the columns that the descriptor declares.
 * `earlier` has the rows of the domains before this one in the roster.
 */
export type DemoGenerator = (shops: readonly Shop[], earlier: Readonly<DemoRows>) => DemoRows

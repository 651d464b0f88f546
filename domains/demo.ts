import type { item } from './items/tables.ts'
import type { Random } from './shared/demo/random.ts'
import type { Rhythm } from './shared/demo/rhythm.ts'
import type { TypingStyle, Voice } from './shared/demo/wording.ts'
import type { user } from './users/tables.ts'

// What the demo scenario gives to each domain, which makes its own rows of it.

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
    /** Roughly, units for what costs one US dollar. */
    perDollar: number
    /** Shops here price a little below a round number: `less` below a multiple of `step`. */
    step: number
    less: number
    thousands: '.' | ','
  }
  /** Each # is a digit; all numbers are in ranges that are never assigned. */
  phone: string
  /** The seller's, covered by Flex; most buyers live there too. */
  home: Place
  /** Parts of the home city where buyers collect what they bought. */
  hoods: readonly string[]
  elsewhere: readonly Place[]
  streets: readonly string[]
  firstNames: readonly string[]
  lastNames: readonly string[]
  seller: {
    shop: string
    nickname: string
    level_id: '5_green' | '4_light_green' | '3_yellow'
    power_seller_status: 'silver' | 'gold' | 'platinum' | null
    /** Sales in thousands, about. */
    sales: number
    /**
     * Typical minutes to an answer, by when the question came, and the share outside the office that never gets one.
     */
    pace: { office: number; evening: number; weekend: number; neglect: number }
    /** Questions left waiting at the weekend before the origin. */
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

/** The people of one site. */
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
  /** What a question may be about: topics name the tags that they fit. */
  tags: readonly string[]
  dollars: number
  /** Its noun with the article, a bar, the rest of the title. A name in braces is the country's own word. */
  es: string
  pt: string
}

export interface Listing {
  row: ItemRow
  product: Product
  /** The product's noun with its article. */
  the: string
  /** When buyers stop seeing it; the end of the history for an active one. */
  until: number
  popularity: number
}

/** A listing that buyers see at that instant, the popular ones more often; null when there is none. */
export function seenAt(listings: readonly Listing[], at: number, r: Random): Listing | null {
  const weights = listings.map(({ until, popularity }) => (until > at ? popularity : 0))
  return weights.some((weight) => weight > 0) ? listings[r.weighted(weights)]! : null
}

/** One seller of the demo. Times count from the origin, ms. */
export interface Shop {
  siteId: DemoSiteId
  site: Site
  voice: Voice
  cast: Cast
  listings: readonly Listing[]
  rhythm: Rhythm
  /** The seller's own; each use forks it by a name. */
  random: Random
}

/** Rows by table, complete but for columns that have a default. */
export type DemoRows = Record<string, object[]>

/**
 * The rows of a domain. Times count from the origin; the scenario adds it to those that the descriptor declares.
 * `earlier` has the rows of the domains before this one in the roster.
 */
export type DemoGenerator = (shops: readonly Shop[], earlier: Readonly<DemoRows>) => DemoRows

import type { Listing, Person, Site } from '../../demo.ts'
import type { Random } from '../../shared/demo/random.ts'
import { fill, hourOf, type Voice, type Words } from '../../shared/demo/wording.ts'
import { applyTyping, join, type Texts, type Topic } from './language.ts'

interface QuestionText {
  topic: Topic
  text: string
  /** The seller's answer at that instant. */
  answer(at: number): string
}

export interface SellerStyle {
  site: Site
  voice: Voice
  texts: Texts
}

interface QuestionContext {
  listing: Listing
  from: Person
  at: number
  /** Topics of earlier questions of this person on the listing. */
  topics: readonly Topic[]
  /** The seller has answered a question of this person on the listing before. */
  isFollowUp: boolean
}

/** A question of a person on a listing, and its answer. */
export function writeQuestion(style: SellerStyle, context: QuestionContext, r: Random): QuestionText {
  const { voice, texts } = style
  const { listing, from, at, isFollowUp } = context
  const topic = chooseTopic(style, context, r)
  const words = wordsFor(style, listing, from, r)
  const values = { ...words, daytime: daytime(voice, at) }
  const opening = isFollowUp
    ? maybe(0.6, texts.followUps, r)
    : from.typing === 'bare'
      ? ''
      : maybe(0.75, voice.greetings, r)
  const closing = maybe(0.4, voice.thanks, r)
  const sentence = join(fill(opening, values), fill(r.pick(topic.ask), values))
  const template = r.pick(topic.answer)
  const opener = maybe(0.85, voice.openers, r)
  const closer = maybe(0.75, voice.closers, r)
  return {
    topic,
    text: applyTyping(closing ? join(sentence, closing) : sentence, from.typing, texts.accents, r),
    answer(at) {
      const replying = { ...words, daytime: daytime(voice, at) }
      return [join(fill(opener, replying), fill(template, replying)), fill(closer, replying)].filter(Boolean).join(' ')
    },
  }
}

/** A text that needs no answer: spam, or sent by mistake. */
export function writeNote(style: SellerStyle, lines: readonly string[], r: Random): string {
  return fill(r.pick(lines), style.voice.words)
}

/** A round amount in the notation of this site: `$ 45.000`. */
function typedAmount({ price }: Site, amount: number): string {
  const digits = String(Math.max(1, Math.round(Number(amount.toPrecision(2)))))
  return `${price.symbol} ${digits.replace(/\B(?=(\d{3})+$)/g, price.thousands)}`
}

const maybe = (p: number, lines: readonly string[], r: Random) => (r.chance(p) ? r.pick(lines) : '')

function chooseTopic(
  { site, texts }: SellerStyle,
  { listing, from, topics, isFollowUp }: QuestionContext,
  r: Random,
): Topic {
  const tags = new Set(listing.product.tags)
  if (listing.row.in_flex && from.city === site.home.city) tags.add('flex')
  const suits = ({ about }: Topic) => about.some((tag) => tags.has(tag))
  if (isFollowUp && suits(texts.bought) && !topics.includes(texts.bought) && r.chance(0.35)) return texts.bought
  const fitting = texts.topics.filter(suits)
  const fresh = fitting.filter((topic) => !topics.includes(topic))
  return r.pick(fresh.length > 0 ? fresh : fitting)
}

function wordsFor({ site, voice, texts }: SellerStyle, listing: Listing, from: Person, r: Random): Words {
  const { row, product } = listing
  const [colour, colour2] = r.shuffle(texts.colours)
  const sizes = voice.words[product.tags.includes('shoes') ? 'shoes' : 'sizes']!.split('|')
  // Goods are collected at the shop; flats and cars have other addresses.
  const neighborhoodIndex = product.category === 'parcel' || product.category === 'bulky' ? 0 : Number(row.id.slice(-2))
  return {
    ...voice.words,
    the: listing.the,
    shop: site.seller.shop,
    city: from.city,
    hood: r.pick(site.neighborhoods),
    pickup: site.neighborhoods[neighborhoodIndex % site.neighborhoods.length]!,
    colour: colour!,
    colour2: colour2!,
    size: r.pick(sizes),
    vehicle: r.pick(texts.vehicles),
    offer: typedAmount(site, row.price * r.pick([0.8, 0.85, 0.9])),
    n: String(r.int(8, 40)),
    few: String(r.pick([3, 6])),
    days: String(from.city === site.home.city ? r.int(1, 2) + 1 : r.int(3, 7)),
    months: String(r.pick([3, 6, 12])),
    percent: String(r.pick([5, 8, 10])),
    cm: String(r.int(38, 84)),
  }
}

function daytime({ daytime: [morning, afternoon, evening] }: Voice, at: number): string {
  const hour = hourOf(at)
  return hour >= 5 && hour < 12 ? morning : hour >= 12 && hour < 19 ? afternoon : evening
}

import { type Listing, type Person, type Shop, seenAt } from '../../demo.ts'
import type { Random } from '../../shared/demo/random.ts'
import { afterNight, DAY, HOUR, MINUTE, periodOf } from '../../shared/demo/wording.ts'
import { type blocked_buyer, type question, UNANSWERED_DEFAULTS } from '../tables.ts'
import type { Topic } from './language.ts'
import { type SellerStyle, writeNote, writeQuestion } from './question_texts.ts'
import { TEXTS } from './texts.ts'

type BlockedBuyerRow = typeof blocked_buyer.$inferInsert

// A world's "now" is any instant of the week after the origin: later questions are deleted, questions answered later
// are open again. Changes that cannot be undone (other statuses, closed listings) end a day before the origin.
const LAST_CHANGE_AT = -DAY

// Weekends before the origin, and index of the spammer. The first two may be blocked later.
const SPAM = [
  [6, 0],
  [4, 2],
  [0, 3],
] as const

/** Input of the functions that generate one seller's questions. */
interface InboxContext {
  shop: Shop
  style: SellerStyle
  inbox: Inbox
  active: readonly Listing[]
  r: Random
  /** A random listing that is visible at that instant. */
  anyListingAt(at: number): Listing
  activeListingAt(at: number): Listing
  shopper(): Person
  /** A random instant of the weekend that is this number of weeks before the origin. */
  weekend(weeks: number): number
}

/** About 300 questions to one seller, and the buyers that it has blocked. */
export function questionsOf(shop: Shop, r: Random): { drafts: Draft[]; blocked: BlockedBuyerRow[] } {
  const { site, voice, cast, listings, rhythm } = shop
  const style = { site, voice, texts: TEXTS[site.language] }
  const active = listings.filter(({ row }) => row.status === 'active')
  const context: InboxContext = {
    shop,
    style,
    inbox: createInbox(style, r),
    active,
    r,
    anyListingAt: (at) => seenAt(listings, at, r)!,
    activeListingAt: (at) => seenAt(active, at, r)!,
    shopper: () => r.pick(cast.shoppers),
    weekend: (weeks) => rhythm.instant(r, -2 - 7 * weeks, -7 * weeks),
  }
  const old = addHistory(context)
  addQuestionsOfTestBuyers(context)
  addUnanswered(context, old)
  addOnClosedListings(context)
  addRemoved(context)
  addSuspected(context)
  const drafts = context.inbox.all.map(({ draft }) => draft)
  return { drafts, blocked: blockSpammers(shop, drafts, r) }
}

function repeat(times: number, run: (i: number) => void): void {
  for (let i = 0; i < times; i++) run(i)
}

/** Returns the questions that were answered a week before the origin; three of them are hidden. */
function addHistory({ shop: { rhythm }, inbox, r, anyListingAt, shopper }: InboxContext) {
  repeat(r.int(205, 220), () => {
    const at = rhythm.instant(r)
    inbox.simulate(anyListingAt(at), shopper(), at)
  })
  const old = inbox.all.filter(repliedBefore(-7 * DAY))
  for (const { draft } of r.shuffle(old).slice(0, 3)) draft.hidden = 1
  return old
}

function addQuestionsOfTestBuyers({ shop: { cast, rhythm }, inbox, r, activeListingAt, weekend }: InboxContext): void {
  for (const buyer of cast.buyers) {
    repeat(r.int(5, 7), () => {
      const at = rhythm.instant(r, -60, -5)
      inbox.reply(inbox.ask(activeListingAt(at), buyer, at))
    })
    const { listing } = inbox.all.at(-1)!
    inbox.ask(listing, buyer, weekend(0))
  }
}

/**
 * Unanswered questions of the last weekend and of the week. Most askers have asked about the listing before: the response
 * time counts only first questions, and that of a quick seller should be short.
 */
function addUnanswered(
  { shop, inbox, active, r, activeListingAt, shopper, weekend }: InboxContext,
  old: Inbox['all'],
): void {
  const { cast, rhythm, site } = shop
  const regulars = old.filter(({ listing, from }) => active.includes(listing) && cast.shoppers.includes(from))
  const addQuestion = (at: number) => {
    const { listing, from } = r.pick(regulars)
    if (r.chance(0.8)) inbox.ask(listing, from, at)
    else inbox.ask(activeListingAt(at), shopper(), at)
  }
  /** An instant outside office hours, when good sellers do not answer either. */
  const instantOutsideOffice = (from: number, until: number): number => {
    const at = rhythm.instant(r, from, until)
    return periodOf(at) === 'office' ? instantOutsideOffice(from, until) : at
  }
  repeat(site.seller.backlog, () => addQuestion(weekend(0)))
  repeat(r.int(4, 6), () => addQuestion(instantOutsideOffice(0, 7)))
}

function addOnClosedListings({ shop: { listings, rhythm }, inbox, r, shopper }: InboxContext): void {
  for (const listing of listings) {
    const status = { closed: 'CLOSED_UNANSWERED', under_review: 'UNDER_REVIEW' } as const
    const questionStatus = status[listing.row.status as keyof typeof status]
    const lastDay = Math.floor(listing.until / DAY)
    if (questionStatus)
      repeat(r.int(1, 3), () =>
        inbox.ask(listing, shopper(), rhythm.instant(r, lastDay - 4, lastDay), { status: questionStatus }),
      )
  }
}

/** Questions that were deleted, banned or disabled. */
function addRemoved({ shop: { cast, rhythm }, style, inbox, r, anyListingAt, shopper }: InboxContext): void {
  repeat(r.int(4, 6), () => {
    const at = rhythm.instant(r, -85, -2)
    const { draft } = inbox.ask(anyListingAt(at), shopper(), at, { status: 'DELETED', deleted_from_listing: 1 })
    if (r.chance(0.7)) draft.text = writeNote(style, style.texts.mistaken, r)
  })
  repeat(r.int(3, 5), (i) => {
    const at = rhythm.instant(r, -85, -3)
    inbox.ask(anyListingAt(at), cast.spammers[i % cast.spammers.length]!, at, { status: 'BANNED', text: '' })
  })
  repeat(3, (i) => {
    const at = rhythm.instant(r, -85, -16)
    const asked = inbox.ask(anyListingAt(at), shopper(), at)
    if (i > 0 && inbox.reply(asked, Math.min(asked.listing.until, LAST_CHANGE_AT)))
      asked.draft.answer_status = 'DISABLED'
    asked.draft.status = 'DISABLED'
  })
}

/** Questions that are suspected spam, or wait for moderation. */
function addSuspected({ shop: { cast }, style, inbox, r, activeListingAt, shopper, weekend }: InboxContext): void {
  for (const [weeks, i] of SPAM) {
    const at = weekend(weeks)
    inbox.ask(activeListingAt(at), cast.spammers[i]!, at, {
      suspected_spam: 1,
      text: writeNote(style, style.texts.spam, r),
    })
  }
  for (const weeks of [1, 0]) {
    const at = weekend(weeks)
    inbox.ask(activeListingAt(at), shopper(), at, { hold: 1, text: writeNote(style, style.texts.moderated, r) })
  }
}

function blockSpammers({ cast }: Shop, drafts: readonly Draft[], r: Random): BlockedBuyerRow[] {
  return cast.spammers.slice(0, r.int(1, 2)).map(({ row: { id: buyer_id } }) => {
    const asked = drafts.filter(({ from_id }) => from_id === buyer_id).map(({ date_created }) => date_created)
    const date_created = Math.max(...asked) + r.int(600, 20 * 3600) * 1000
    return { seller_id: cast.seller.row.id, buyer_id, date_created }
  })
}

/** A question without id; times are relative to the origin. */
export type Draft = Omit<typeof question.$inferSelect, 'id' | 'first_of_buyer'>

interface InboxQuestion {
  draft: Draft
  listing: Listing
  from: Person
  topic: Topic
  answer(at: number): string
}

/** One seller's questions in the order of their creation. */
export interface Inbox {
  readonly all: readonly InboxQuestion[]
  /** Adds a question that stays UNANSWERED, unless `change` has another status. */
  ask(listing: Listing, from: Person, at: number, change?: Partial<Draft>): InboxQuestion
  /** Answers at the seller's pace; returns false if the answer would not be before `before`. */
  reply(asked: InboxQuestion, before?: number): boolean
  /** Adds a question, and usually its answer and a follow-up question. */
  simulate(listing: Listing, from: Person, at: number): void
}

const repliedBefore =
  (at: number) =>
  ({ draft: { answered_at } }: InboxQuestion) =>
    typeof answered_at === 'number' && answered_at < at

export function createInbox(style: SellerStyle, r: Random): Inbox {
  const { pace } = style.site.seller
  const all: InboxQuestion[] = []

  const ask: Inbox['ask'] = (listing, from, at, change = {}) => {
    const others = all.filter((other) => other.listing === listing && other.from === from)
    const topics = others.map(({ topic }) => topic)
    const { topic, text, answer } = writeQuestion(
      style,
      { listing, from, at, topics, isFollowUp: others.some(repliedBefore(at)) },
      r,
    )
    const draft: Draft = {
      seller_id: listing.row.seller_id,
      item_id: listing.row.id,
      from_id: from.row.id,
      text,
      date_created: at,
      ...UNANSWERED_DEFAULTS,
      ...change,
    }
    const asked = { draft, listing, from, topic, answer }
    all.push(asked)
    return asked
  }

  const reply: Inbox['reply'] = ({ draft, listing, answer }, before = listing.until) => {
    const period = periodOf(draft.date_created)
    // The seller answers questions of the night first in the morning.
    const start = period === 'night' ? afterNight(draft.date_created, r) : draft.date_created
    // Mostly below the mean, sometimes twice as long; only sums and products, which are exact on every machine.
    const draw = r.next()
    const minutes = pace[period === 'night' ? 'office' : period] * (0.4 + 1.8 * draw * draw * draw)
    const due = afterNight(start + Math.max(minutes, 1) * MINUTE, r)
    const at = Math.floor(due / 1000) * 1000
    if (at >= before) return false
    Object.assign(draft, { status: 'ANSWERED', answer_text: answer(at), answer_status: 'ACTIVE', answered_at: at })
    return true
  }

  const simulate: Inbox['simulate'] = (listing, from, at) => {
    const { status } = listing.row
    const asked = ask(listing, from, at)
    const isIgnored = status === 'active' && periodOf(at) !== 'office' && r.chance(pace.unansweredShare)
    if (!isIgnored && reply(asked)) {
      const later = afterNight(asked.draft.answered_at! + r.int(5 * 60, 30 * 3600) * 1000, r)
      if (r.chance(0.14) && later < listing.until - HOUR) simulate(listing, from, later)
    } else if (status === 'closed') asked.draft.status = 'CLOSED_UNANSWERED'
    else if (status === 'under_review') asked.draft.status = 'UNDER_REVIEW'
    // Paused and inactive listings have no open questions, so remove it.
    else if (status !== 'active') all.pop()
  }

  return { all, ask, reply, simulate }
}

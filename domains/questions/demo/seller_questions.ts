import { type Listing, type Person, type Shop, seenAt } from '../../demo.ts'
import type { Random } from '../../shared/demo/random.ts'
import { DAY, periodOf } from '../../shared/demo/rhythm.ts'
import type { blocked_buyer } from '../tables.ts'
import { createInbox, type Draft, type Inbox, repliedBefore } from './inbox.ts'
import { type SellerStyle, writeNote } from './question_texts.ts'
import { TEXTS } from './texts.ts'

type BlockedBuyerRow = typeof blocked_buyer.$inferInsert

// A world's "now" is any instant of the week after the origin: later questions are deleted, questions answered later
// are open again. Changes that cannot be undone (other statuses, closed listings) end a day before the origin.
const SETTLED_UNTIL = -DAY

// Weekends before the origin, and index of the spammer. The first two may be blocked later.
const SPAM = [
  [6, 0],
  [4, 2],
  [0, 3],
] as const

/** Input of the functions that generate one seller's questions. */
interface Stage {
  shop: Shop
  style: SellerStyle
  inbox: Inbox
  active: readonly Listing[]
  r: Random
  /** A random listing that is visible at that instant. */
  anyAt(at: number): Listing
  activeAt(at: number): Listing
  shopper(): Person
  /** A random instant of the weekend that is this number of weeks before the origin. */
  weekend(weeks: number): number
}

/** About 300 questions to one seller, and the buyers that it has blocked. */
export function questionsOf(shop: Shop, r: Random): { drafts: Draft[]; blocked: BlockedBuyerRow[] } {
  const { site, voice, cast, listings, rhythm } = shop
  const style = { site, voice, texts: TEXTS[site.language] }
  const active = listings.filter(({ row }) => row.status === 'active')
  const stage: Stage = {
    shop,
    style,
    inbox: createInbox(style, r),
    active,
    r,
    anyAt: (at) => seenAt(listings, at, r)!,
    activeAt: (at) => seenAt(active, at, r)!,
    shopper: () => r.pick(cast.shoppers),
    weekend: (weeks) => rhythm.instant(r, -2 - 7 * weeks, -7 * weeks),
  }
  const old = askInDailyUse(stage)
  askByTestBuyers(stage)
  leaveWaiting(stage, old)
  askOnSettledListings(stage)
  askAndLose(stage)
  askAndHold(stage)
  const drafts = stage.inbox.all.map(({ draft }) => draft)
  return { drafts, blocked: blockSpammers(shop, drafts, r) }
}

function repeat(times: number, run: (i: number) => void): void {
  for (let i = 0; i < times; i++) run(i)
}

/** Returns the questions that were answered a week before the origin; three of them are hidden. */
function askInDailyUse({ shop: { rhythm }, inbox, r, anyAt, shopper }: Stage) {
  repeat(r.int(205, 220), () => {
    const at = rhythm.instant(r)
    inbox.simulate(anyAt(at), shopper(), at)
  })
  const old = inbox.all.filter(repliedBefore(-7 * DAY))
  for (const { draft } of r.shuffle(old).slice(0, 3)) draft.hidden = 1
  return old
}

function askByTestBuyers({ shop: { cast, rhythm }, inbox, r, activeAt, weekend }: Stage): void {
  for (const buyer of cast.buyers) {
    repeat(r.int(5, 7), () => {
      const at = rhythm.instant(r, -60, -5)
      inbox.reply(inbox.ask(activeAt(at), buyer, at))
    })
    const { listing } = inbox.all.at(-1)!
    inbox.ask(listing, buyer, weekend(0))
  }
}

/**
 * Unanswered questions of the last weekend and of the week. Most askers have asked about the listing before: the response
 * time counts only first questions, and that of a quick seller should be short.
 */
function leaveWaiting({ shop, inbox, active, r, activeAt, shopper, weekend }: Stage, old: Inbox['all']): void {
  const { cast, rhythm, site } = shop
  const regulars = old.filter(({ listing, from }) => active.includes(listing) && cast.shoppers.includes(from))
  const wait = (at: number) => {
    const { listing, from } = r.pick(regulars)
    if (r.chance(0.8)) inbox.ask(listing, from, at)
    else inbox.ask(activeAt(at), shopper(), at)
  }
  /** An instant outside office hours, when good sellers do not answer either. */
  const quiet = (from: number, until: number): number => {
    const at = rhythm.instant(r, from, until)
    return periodOf(at) === 'office' ? quiet(from, until) : at
  }
  repeat(site.seller.backlog, () => wait(weekend(0)))
  repeat(r.int(4, 6), () => wait(quiet(0, 7)))
}

function askOnSettledListings({ shop: { listings, rhythm }, inbox, r, shopper }: Stage): void {
  for (const listing of listings) {
    const status = { closed: 'CLOSED_UNANSWERED', under_review: 'UNDER_REVIEW' } as const
    const left = status[listing.row.status as keyof typeof status]
    const lastDay = Math.floor(listing.until / DAY)
    if (left)
      repeat(r.int(1, 3), () =>
        inbox.ask(listing, shopper(), rhythm.instant(r, lastDay - 4, lastDay), { status: left }),
      )
  }
}

/** Questions that were deleted, banned or disabled. */
function askAndLose({ shop: { cast, rhythm }, style, inbox, r, anyAt, shopper }: Stage): void {
  repeat(r.int(4, 6), () => {
    const at = rhythm.instant(r, -85, -2)
    const { draft } = inbox.ask(anyAt(at), shopper(), at, { status: 'DELETED', deleted_from_listing: 1 })
    if (r.chance(0.7)) draft.text = writeNote(style, style.texts.mistaken, r)
  })
  repeat(r.int(3, 5), (i) => {
    const at = rhythm.instant(r, -85, -3)
    inbox.ask(anyAt(at), cast.spammers[i % cast.spammers.length]!, at, { status: 'BANNED', text: '' })
  })
  repeat(3, (i) => {
    const at = rhythm.instant(r, -85, -16)
    const asked = inbox.ask(anyAt(at), shopper(), at)
    if (i > 0 && inbox.reply(asked, Math.min(asked.listing.until, SETTLED_UNTIL)))
      asked.draft.answer_status = 'DISABLED'
    asked.draft.status = 'DISABLED'
  })
}

/** Questions that are suspected spam, or wait for moderation. */
function askAndHold({ shop: { cast }, style, inbox, r, activeAt, shopper, weekend }: Stage): void {
  for (const [weeks, i] of SPAM) {
    const at = weekend(weeks)
    inbox.ask(activeAt(at), cast.spammers[i]!, at, {
      suspected_spam: 1,
      text: writeNote(style, style.texts.spam, r),
    })
  }
  for (const weeks of [1, 0]) {
    const at = weekend(weeks)
    inbox.ask(activeAt(at), shopper(), at, { hold: 1, text: writeNote(style, style.texts.moderated, r) })
  }
}

function blockSpammers({ cast }: Shop, drafts: readonly Draft[], r: Random): BlockedBuyerRow[] {
  return cast.spammers.slice(0, r.int(1, 2)).map(({ row: { id: buyer_id } }) => {
    const asked = drafts.filter(({ from_id }) => from_id === buyer_id).map(({ date_created }) => date_created)
    const date_created = Math.max(...asked) + r.int(600, 20 * 3600) * 1000
    return { seller_id: cast.seller.row.id, buyer_id, date_created }
  })
}

import type { Random } from '../random.ts'
import { type Draft, inbox, repliedBefore } from './inbox.ts'
import { type Listing, seenAt } from './listings.ts'
import type { Cast } from './people.ts'
import { type SellerStyle, writeNote } from './question_texts.ts'
import { DAY, periodOf, type Rhythm } from './rhythm.ts'
import type { BlockedBuyerRow } from './rows.ts'

export interface Shop extends SellerStyle {
  cast: Cast
  listings: Listing[]
  rhythm: Rhythm
}

// "Now" may be any instant of the week after the origin: what lies behind it is cut off, what was answered behind it
// is open again. Whatever could not be undone so (other statuses, closed listings) is settled a day before.
const SETTLED_UNTIL = -DAY

// How many weekends before the origin, and by which spammer. The first two may be blocked by then.
const SPAM = [
  [6, 0],
  [4, 2],
  [0, 3],
] as const

/** About 300 questions to one seller, and the buyers that it has blocked. */
export function questionsOf(shop: Shop, r: Random): { drafts: Draft[]; blocked: BlockedBuyerRow[] } {
  const { cast, listings, rhythm, texts, site } = shop
  const { all, ask, reply, simulate } = inbox(shop, r)
  const active = listings.filter(({ row }) => row.status === 'active')
  const anyAt = (at: number) => seenAt(listings, at, r)!
  const activeAt = (at: number) => seenAt(active, at, r)!
  const shopper = () => r.pick(cast.shoppers)
  const times = (n: number, make: (i: number) => void) => {
    for (let i = 0; i < n; i++) make(i)
  }
  const weekend = (weeks: number) => rhythm.instant(r, -2 - 7 * weeks, -7 * weeks)
  /** Outside office hours, when even good sellers let things wait. */
  const quiet = (from: number, until: number): number => {
    const at = rhythm.instant(r, from, until)
    return periodOf(at) === 'office' ? quiet(from, until) : at
  }

  times(r.int(205, 220), () => {
    const at = rhythm.instant(r)
    simulate(anyAt(at), shopper(), at)
  })
  const old = all.filter(repliedBefore(-7 * DAY))
  for (const { draft } of r.shuffle(old).slice(0, 3)) draft.hidden = 1

  for (const buyer of cast.buyers) {
    times(r.int(5, 7), () => {
      const at = rhythm.instant(r, -60, -5)
      reply(ask(activeAt(at), buyer, at))
    })
    const { listing } = all.at(-1)!
    ask(listing, buyer, weekend(0))
  }

  // The weekend before the origin leaves some waiting, and so does the week. Most come from people who have asked there
  // before: the response time counts first questions only, and a quick seller should look quick in it.
  const regulars = old.filter(({ listing, from }) => active.includes(listing) && cast.shoppers.includes(from))
  const wait = (at: number) => {
    const { listing, from } = r.pick(regulars)
    if (r.chance(0.8)) ask(listing, from, at)
    else ask(activeAt(at), shopper(), at)
  }
  times(site.seller.backlog, () => wait(weekend(0)))
  times(r.int(4, 6), () => wait(quiet(0, 7)))

  for (const listing of listings) {
    const status = { closed: 'CLOSED_UNANSWERED', under_review: 'UNDER_REVIEW' } as const
    const left = status[listing.row.status as keyof typeof status]
    const lastDay = Math.floor(listing.until / DAY)
    if (left)
      times(r.int(1, 3), () => ask(listing, shopper(), rhythm.instant(r, lastDay - 4, lastDay), { status: left }))
  }

  times(r.int(4, 6), () => {
    const at = rhythm.instant(r, -85, -2)
    const { draft } = ask(anyAt(at), shopper(), at, { status: 'DELETED', deleted_from_listing: 1 })
    if (r.chance(0.7)) draft.text = writeNote(shop, texts.mistaken, r)
  })
  times(r.int(3, 5), (i) => {
    const at = rhythm.instant(r, -85, -3)
    ask(anyAt(at), cast.spammers[i % cast.spammers.length]!, at, { status: 'BANNED', text: '' })
  })
  times(3, (i) => {
    const at = rhythm.instant(r, -85, -16)
    const asked = ask(anyAt(at), shopper(), at)
    if (i > 0 && reply(asked, Math.min(asked.listing.until, SETTLED_UNTIL))) asked.draft.answer_status = 'DISABLED'
    asked.draft.status = 'DISABLED'
  })
  for (const [weeks, i] of SPAM) {
    const at = weekend(weeks)
    ask(activeAt(at), cast.spammers[i]!, at, { suspected_spam: 1, text: writeNote(shop, texts.spam, r) })
  }
  for (const weeks of [1, 0]) {
    const at = weekend(weeks)
    ask(activeAt(at), shopper(), at, { hold: 1, text: writeNote(shop, texts.moderated, r) })
  }

  const drafts = all.map(({ draft }) => draft)
  const blocked = cast.spammers.slice(0, r.int(1, 2)).map(({ row: { id: buyer_id } }) => {
    const asked = drafts.filter(({ from_id }) => from_id === buyer_id).map(({ date_created }) => date_created)
    const date_created = Math.max(...asked) + r.int(600, 20 * 3600) * 1000
    return { seller_id: cast.seller.row.id, buyer_id, date_created }
  })
  return { drafts, blocked }
}

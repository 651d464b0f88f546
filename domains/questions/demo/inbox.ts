import type { Listing, Person } from '../../demo.ts'
import type { Random } from '../../shared/demo/random.ts'
import { afterNight, HOUR, MINUTE, periodOf } from '../../shared/demo/rhythm.ts'
import { eachFlag } from '../flags.ts'
import type { question } from '../tables.ts'
import type { Topic } from './language.ts'
import { type SellerStyle, writeQuestion } from './question_texts.ts'

/** A question without id; times are relative to the origin. */
export type Draft = Omit<typeof question.$inferSelect, 'id' | 'first_of_buyer'>

export interface InboxQuestion {
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

export const repliedBefore =
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
      status: 'UNANSWERED',
      date_created: at,
      answer_text: null,
      answer_status: null,
      answered_at: null,
      ...eachFlag(() => 0),
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

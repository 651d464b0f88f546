import type { Random } from '../random.ts'
import type { Listing } from './listings.ts'
import type { Person } from './people.ts'
import { type SellerStyle, writeQuestion } from './question_texts.ts'
import { afterNight, HOUR, MINUTE, periodOf } from './rhythm.ts'
import type { QuestionRow } from './rows.ts'
import type { Topic } from './wording.ts'

/** A question before it has its number; times are counted from the origin. */
export type Draft = Required<Omit<QuestionRow, 'id' | 'first_of_buyer'>>

export interface InboxQuestion {
  draft: Draft
  listing: Listing
  from: Person
  topic: Topic
  answer(at: number): string
}

/** One seller's questions, as they come in and are answered. */
export interface Inbox {
  readonly all: readonly InboxQuestion[]
  /** A question that is left as it is: UNANSWERED, unless `change` says otherwise. */
  ask(listing: Listing, from: Person, at: number, change?: Partial<Draft>): InboxQuestion
  /** Answers at the seller's pace, unless that would not be before `before`. */
  reply(asked: InboxQuestion, before?: number): boolean
  /** A question and what becomes of it in the course of things, often another one. */
  simulate(listing: Listing, from: Person, at: number): void
}

export const repliedBefore =
  (at: number) =>
  ({ draft: { answered_at } }: InboxQuestion) =>
    typeof answered_at === 'number' && answered_at < at

export function inbox(desk: SellerStyle, r: Random): Inbox {
  const { pace } = desk.site.seller
  const all: InboxQuestion[] = []

  const ask: Inbox['ask'] = (listing, from, at, change = {}) => {
    const others = all.filter((other) => other.listing === listing && other.from === from)
    const topics = others.map(({ topic }) => topic)
    const { topic, text, answer } = writeQuestion(
      desk,
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
      deleted_from_listing: 0,
      hold: 0,
      suspected_spam: 0,
      hidden: 0,
      ...change,
    }
    const asked = { draft, listing, from, topic, answer }
    all.push(asked)
    return asked
  }

  const reply: Inbox['reply'] = ({ draft, listing, answer }, before = listing.until) => {
    const period = periodOf(draft.date_created)
    // What came at night is the first thing of the morning.
    const start = period === 'night' ? afterNight(draft.date_created, r) : draft.date_created
    // Mostly sooner than the mean, now and then twice as late; sums and products only, exact on every machine.
    const luck = r.next()
    const minutes = pace[period === 'night' ? 'office' : period] * (0.4 + 1.8 * luck * luck * luck)
    const due = afterNight(start + Math.max(minutes, 1) * MINUTE, r)
    const at = Math.floor(due / 1000) * 1000
    if (at >= before) return false
    Object.assign(draft, { status: 'ANSWERED', answer_text: answer(at), answer_status: 'ACTIVE', answered_at: at })
    return true
  }

  const simulate: Inbox['simulate'] = (listing, from, at) => {
    const { status } = listing.row
    const asked = ask(listing, from, at)
    const forgotten = status === 'active' && periodOf(at) !== 'office' && r.chance(pace.neglect)
    if (!forgotten && reply(asked)) {
      const later = afterNight(asked.draft.answered_at! + r.int(5 * 60, 30 * 3600) * 1000, r)
      if (r.chance(0.14) && later < listing.until - HOUR) simulate(listing, from, later)
    } else if (status === 'closed') asked.draft.status = 'CLOSED_UNANSWERED'
    else if (status === 'under_review') asked.draft.status = 'UNDER_REVIEW'
    // Paused and inactive listings keep no open questions: as if it had not been asked.
    else if (status !== 'active') all.pop()
  }

  return { all, ask, reply, simulate }
}

import type { Schemas } from '../../../lib/types.ts'

export type Question = Schemas['AnyQuestion']
export type Status = Question['status']

/** In the order of the filter, with the colour of the badge. */
export const TONES: Record<Status, 'warn' | 'good' | 'info' | 'bad' | 'plain'> = {
  UNANSWERED: 'warn',
  ANSWERED: 'good',
  UNDER_REVIEW: 'info',
  BANNED: 'bad',
  CLOSED_UNANSWERED: 'plain',
  DELETED: 'plain',
  DISABLED: 'plain',
}
export const STATUSES = Object.keys(TONES) as Status[]

export const FLAGS = ['hidden', 'hold', 'suspected_spam', 'deleted_from_listing'] as const
export type Flag = (typeof FLAGS)[number]

const HOUR = 3_600_000
/** Minimum ages of the filter, in ms. */
export const AGES: Record<string, number> = { '1h': HOUR, '1d': 24 * HOUR, '7d': 7 * 24 * HOUR }

/** How urgent an unanswered question is: its age lowers the seller's response time. */
export function toneOfAge({ status }: Question, ageMs: number): 'bad' | 'warn' | 'plain' {
  if (status !== 'UNANSWERED') return 'plain'
  return ageMs >= AGES['1d']! ? 'bad' : ageMs >= AGES['1h']! ? 'warn' : 'plain'
}

/** A question with those whom it is about. */
export interface Context {
  question: Question
  item: Schemas['Listing']
  seller: Schemas['User']
  /** null for a guest. */
  buyer: Schemas['User'] | null
}

import { badRequest } from '../../plugins/errors.ts'
import type { QuestionRow } from './queries.ts'

type Status = QuestionRow['status']

/** What of a question can become otherwise. */
export type State = Pick<
  QuestionRow,
  | 'status'
  | 'text'
  | 'answer_text'
  | 'answer_status'
  | 'answered_at'
  | 'deleted_from_listing'
  | 'hold'
  | 'suspected_spam'
  | 'hidden'
>

export const FLAGS = ['deleted_from_listing', 'hold', 'suspected_spam', 'hidden'] as const
export type Flag = (typeof FLAGS)[number]

/** What is asked to become otherwise; what is undefined stays, or follows from the rest. */
export interface Wanted {
  status?: Status | undefined
  text?: string | undefined
  flags?: Partial<Record<Flag, boolean>> | undefined
  /** null takes the answer away. `date_created` in ms; a new answer needs a text, and is dated now. */
  answer?: WantedAnswer | null | undefined
}
export interface WantedAnswer {
  text?: string | undefined
  date_created?: number | undefined
  status?: 'ACTIVE' | 'DISABLED' | 'BANNED' | undefined
}

/** What a question without an answer is, by the status of its listing. */
export const unansweredOn = (listing: string | undefined): Status =>
  listing === 'closed' ? 'CLOSED_UNANSWERED' : listing === 'under_review' ? 'UNDER_REVIEW' : 'UNANSWERED'

const WITHOUT_ANSWER: ReadonlySet<Status> = new Set(['UNANSWERED', 'CLOSED_UNANSWERED', 'UNDER_REVIEW'])

/**
 * The state that follows: an answer makes a question ANSWERED, without one it is `unanswered`, unless the status says
 * otherwise; a banned one has no text, a deleted one is off the listing. Throws a 400 naming the member that
 * contradicts.
 */
export function stateAfter<Before extends State & { date_created: number }>(
  before: Before,
  wanted: Wanted,
  { unanswered, now }: { unanswered: Status; now: number },
): State {
  const answer = answerAfter(before, wanted.answer, now)
  const isAnswered = answer.answer_text !== null
  const status = wanted.status ?? implied(before.status, isAnswered, unanswered)
  if (status === 'ANSWERED' && !isAnswered) throw badRequest('answer: is required where status is ANSWERED')
  if (isAnswered && WITHOUT_ANSWER.has(status))
    throw badRequest('status: must be ANSWERED, BANNED, DELETED or DISABLED where there is an answer')
  return { status, text: textAfter(before, wanted, status), ...answer, ...flagsAfter(before, wanted, status) }
}

function implied(before: Status, isAnswered: boolean, unanswered: Status): Status {
  if (isAnswered && WITHOUT_ANSWER.has(before)) return 'ANSWERED'
  return !isAnswered && before === 'ANSWERED' ? unanswered : before
}

type AnswerColumns = Pick<State, 'answer_text' | 'answer_status' | 'answered_at'>

function answerAfter(before: State & { date_created: number }, wanted: Wanted['answer'], now: number): AnswerColumns {
  if (wanted === null) return { answer_text: null, answer_status: null, answered_at: null }
  const { text = before.answer_text, status = before.answer_status, date_created = before.answered_at } = wanted ?? {}
  if (!wanted) return { answer_text: text, answer_status: status, answered_at: date_created }
  if (text === null) throw badRequest('answer.text: is required where there is no answer yet')
  if (wanted.date_created !== undefined && wanted.date_created < before.date_created)
    throw badRequest('answer.date_created: must not be earlier than that of the question')
  return { answer_text: text, answer_status: status ?? 'ACTIVE', answered_at: date_created ?? now }
}

function textAfter(before: State, { status: asked, text }: Wanted, status: Status): string {
  if (status !== 'BANNED') {
    if (text === undefined && before.status === 'BANNED') throw badRequest('text: is required, the ban has erased it')
    return text ?? before.text
  }
  if (asked === undefined && text !== undefined) throw badRequest('text: a BANNED question has none')
  return ''
}

function flagsAfter(before: State, { flags = {} }: Wanted, status: Status): Record<Flag, number> {
  const isDeleted = status === 'DELETED'
  if (isDeleted && flags.deleted_from_listing === false)
    throw badRequest('flags.deleted_from_listing: must be true where status is DELETED')
  const followed =
    isDeleted || before.status === 'DELETED' ? { ...before, deleted_from_listing: isDeleted ? 1 : 0 } : before
  const after = (flag: Flag): number => (flags[flag] === undefined ? followed[flag] : flags[flag] ? 1 : 0)
  return {
    deleted_from_listing: after('deleted_from_listing'),
    hold: after('hold'),
    suspected_spam: after('suspected_spam'),
    hidden: after('hidden'),
  }
}

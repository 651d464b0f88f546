import { badRequest } from '../../http/errors/control_errors.ts'
import type { QuestionRow } from './queries.ts'
import { type ANSWER_STATUSES, eachFlag, FLAG_NAMES, type Flag } from './tables.ts'

type Status = QuestionRow['status']

/** The columns of a question that can change. */
export const STATE_COLUMNS = ['status', 'text', 'answer_text', 'answer_status', 'answered_at', ...FLAG_NAMES] as const
export type State = Pick<QuestionRow, (typeof STATE_COLUMNS)[number]>

/** A requested change. A member that is undefined stays, or follows from the given ones. */
export interface QuestionPatch {
  status?: Status | undefined
  text?: string | undefined
  flags?: Partial<Record<Flag, boolean>> | undefined
  /** null removes the answer. `date_created`: ms; a new answer needs a text, and its default date is now. */
  answer?: AnswerPatch | null | undefined
}
export interface AnswerPatch {
  text?: string | undefined
  date_created?: number | undefined
  status?: (typeof ANSWER_STATUSES)[number] | undefined
}

/** The status of a question without an answer on a listing with this status. */
export const unansweredStatusOn = (listing: string | undefined): Status =>
  listing === 'closed' ? 'CLOSED_UNANSWERED' : listing === 'under_review' ? 'UNDER_REVIEW' : 'UNANSWERED'

export const STATUSES_WITHOUT_ANSWER: ReadonlySet<Status> = new Set(['UNANSWERED', 'CLOSED_UNANSWERED', 'UNDER_REVIEW'])

/**
 * The state after a patch. Unless the patch has a status, an answer makes a question ANSWERED and removing it makes it
 * `unanswered`. BANNED implies an empty text, DELETED a removal from the listing. Throws a 400 naming a contradiction.
 */
export function nextState<Before extends State & { date_created: number }>(
  before: Before,
  patch: QuestionPatch,
  { unanswered, now }: { unanswered: Status; now: number },
): State {
  const answer = nextAnswer(before, patch.answer, now)
  const isAnswered = answer.answer_text !== null
  const status = patch.status ?? impliedStatus(before.status, isAnswered, unanswered)
  if (status === 'ANSWERED' && !isAnswered) throw badRequest('answer: is required where status is ANSWERED')
  if (isAnswered && STATUSES_WITHOUT_ANSWER.has(status))
    throw badRequest('status: must be ANSWERED, BANNED, DELETED or DISABLED where there is an answer')
  return { status, text: nextText(before, patch, status), ...answer, ...nextFlags(before, patch, status) }
}

function impliedStatus(before: Status, isAnswered: boolean, unanswered: Status): Status {
  if (isAnswered && STATUSES_WITHOUT_ANSWER.has(before)) return 'ANSWERED'
  return !isAnswered && before === 'ANSWERED' ? unanswered : before
}

type AnswerColumns = Pick<State, 'answer_text' | 'answer_status' | 'answered_at'>

function nextAnswer(
  before: State & { date_created: number },
  patch: QuestionPatch['answer'],
  now: number,
): AnswerColumns {
  if (patch === null) return { answer_text: null, answer_status: null, answered_at: null }
  const { text = before.answer_text, status = before.answer_status, date_created = before.answered_at } = patch ?? {}
  if (!patch) return { answer_text: text, answer_status: status, answered_at: date_created }
  if (text === null) throw badRequest('answer.text: is required where there is no answer yet')
  if (patch.date_created !== undefined && patch.date_created < before.date_created)
    throw badRequest('answer.date_created: must not be earlier than that of the question')
  return { answer_text: text, answer_status: status ?? 'ACTIVE', answered_at: date_created ?? now }
}

function nextText(before: State, { status: requestedStatus, text }: QuestionPatch, status: Status): string {
  if (status !== 'BANNED') {
    if (text === undefined && before.status === 'BANNED')
      throw badRequest('text: is required, because the ban erased it')
    return text ?? before.text
  }
  if (requestedStatus === undefined && text !== undefined)
    throw badRequest('text: must not be given for a BANNED question')
  return ''
}

function nextFlags(before: State, { flags = {} }: QuestionPatch, status: Status): Record<Flag, number> {
  const isDeleted = status === 'DELETED'
  if (isDeleted && flags.deleted_from_listing === false)
    throw badRequest('flags.deleted_from_listing: must be true where status is DELETED')
  const base =
    isDeleted || before.status === 'DELETED' ? { ...before, deleted_from_listing: isDeleted ? 1 : 0 } : before
  return eachFlag((flag) => (flags[flag] === undefined ? base[flag] : flags[flag] ? 1 : 0))
}

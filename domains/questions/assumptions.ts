import { type Assumptions, assumed, observed } from '../../http/assumptions.ts'
import { defineSwitch } from '../../http/switches.ts'
import { SCAN_OFFSET } from '../shared/paging.ts'
import { MAX_TEXT_LENGTH } from './errors.ts'

export const REFRESH = defineSwitch('response_time.refresh', ['live', 'daily'])
export const BLOCKED_ANSWER = defineSwitch('questions.blocked_answer', ['allowed', 'refused'])
export const UNANSWERED_LIFE = defineSwitch('questions.unanswered_life', ['7 months', 'forever'])

export const QUESTIONS: Assumptions = {
  [REFRESH.name]: observed('How often the response time is computed', REFRESH),
  [UNANSWERED_LIFE.name]: observed('How long a question without an answer exists', UNANSWERED_LIFE),
  'questions.transitions': assumed(
    'Status changes of a question',
    'answered: ANSWERED; listing closed: CLOSED_UNANSWERED, also from UNDER_REVIEW; listing under review: UNDER_REVIEW and back; moderation: BANNED; deleted: DELETED',
  ),
  'questions.flags': assumed(
    'Meaning of the flags',
    'hold: waits for moderation; suspected_spam: the filter suspects spam; deleted_from_listing: removed from the page',
  ),
  'questions.asked': assumed('Answer to a new question', '201 with the question'),
  'questions.own_item': assumed('Answer to a question on one’s own listing', '400 invalid_item'),
  'questions.blocked': assumed('Answer to a question of a blocked buyer', '403 access_denied'),
  [BLOCKED_ANSWER.name]: observed(
    'Whether the open question of a buyer whom the seller has blocked can be answered or deleted',
    BLOCKED_ANSWER,
  ),
  'questions.not_found': assumed('Message for an unknown question', 'Question with id {id} not found'),
  'questions.text_too_long': assumed(
    'Answer to a text that is too long, and its unit',
    `400 text_too_long above ${MAX_TEXT_LENGTH} code points`,
  ),
  'questions.error.closed': assumed(
    'Answer to answering a CLOSED_UNANSWERED question of a listing that is active again',
    '400 not_active_item, The question was closed with its listing',
  ),
  'questions.search.period': assumed('Period of a search', 'date_created.from inclusive, date_created.to exclusive', [
    { route: 'GET /*questions/search', sends: ['date_created.from', 'date_created.to'] },
  ]),
  [SCAN_OFFSET.name]: observed('Whether a search with `scroll_id` takes an `offset`', SCAN_OFFSET),
  'questions.search.sort': assumed('Default order of a search', 'date_created, newest first'),
  'questions.search.sorts': assumed('filters.sorts for the default order', 'empty'),
  'questions.search.from': assumed(
    'Which questions a search by `from` finds',
    'those that the caller asked or received',
    [{ route: 'GET /*questions/search', sends: ['from'], omits: ['item', 'item_id'] }],
  ),
  'questions.answered_questions': assumed(
    'What from.answered_questions counts',
    'the questions of that user that this seller has answered',
  ),
  'questions.hidden.answer': assumed('Answer to hiding questions', '200 with the question_ids that are now hidden'),
  'questions.hidden.list': assumed('Path of the list of hidden questions', 'GET /my/questions/hidden', [
    { route: 'GET /my/questions/hidden' },
  ]),
  'response_time.offset': assumed('Time zone of the days and hours of the periods', '-04:00'),
  'response_time.first_question': assumed(
    'Which question of a buyer on a listing counts',
    'the first by date_created, then id, also if it was created later with an earlier date',
  ),
  'response_time.removed': assumed(
    'Whether deleted and banned questions count',
    'no, and neither do later ones of that buyer',
  ),
  'response_time.empty_period': assumed('Value of a period without questions', '0'),
  'response_time.sales_forecast': assumed(
    'Forecast of extra sales for faster answers, percent',
    '5, 10, 15, 20 for up to 2, 8, 24 hours and more',
  ),
}

import { type Assumptions, assumed } from '../../http/assumptions.ts'
import { MAX_TEXT_LENGTH } from './errors.ts'

export const QUESTIONS: Assumptions = {
  'questions.transitions': assumed(
    'How a question changes its status',
    'answered: ANSWERED; listing closed: CLOSED_UNANSWERED; listing under review: UNDER_REVIEW and back; moderation: BANNED; deleted: DELETED',
  ),
  'questions.flags': assumed(
    'What the flags mean',
    'hold: waits for moderation; suspected_spam: the filter took it for spam; deleted_from_listing: removed from the page',
  ),
  'questions.asked': assumed('What asking answers', '201 with the question'),
  'questions.own_item': assumed('What asking on one’s own listing answers', '400 invalid_item'),
  'questions.blocked': assumed('What a blocked buyer’s question answers', '403 access_denied'),
  'questions.not_found': assumed('Message for an unknown question', 'Question with id {id} not found'),
  'questions.text_too_long': assumed(
    'What too long a text answers, and how it is measured',
    `400 text_too_long above ${MAX_TEXT_LENGTH} code points`,
  ),
  'questions.search.period': assumed(
    'How a search is limited to a period',
    'date_created.from, inclusive, and date_created.to, exclusive',
  ),
  'questions.search.sort': assumed('In what order questions are found', 'date_created, newest first'),
  'questions.search.sorts': assumed('filters.sorts for the default order', 'nothing'),
  'questions.search.from': assumed(
    'Which questions a search by `from` finds',
    'those that the caller asked or received',
  ),
  'questions.answered_questions': assumed(
    'What from.answered_questions counts',
    'the questions of that user that this seller has answered',
  ),
  'questions.hidden.answer': assumed('What hiding questions answers', '200 with the question_ids that are hidden now'),
  'questions.hidden.list': assumed('How hidden questions are listed', 'GET /my/questions/hidden'),
  'response_time.offset': assumed('Where days and hours of the periods are cut', '-04:00'),
  'response_time.first_question': assumed(
    'Which question of a buyer on a listing counts',
    'the first by date_created, then id, also where it was asked later with an earlier date',
  ),
  'response_time.removed': assumed(
    'Whether deleted and banned questions count',
    'no, nor the later ones of that buyer',
  ),
  'response_time.empty_period': assumed('What a period without questions has', '0'),
  'response_time.sales_forecast': assumed(
    'What answering sooner promises, percent',
    '5, 10, 15, 20 for up to 2, 8, 24 hours and more',
  ),
  'response_time.computed': assumed('When the report is computed', 'with each call'),
}

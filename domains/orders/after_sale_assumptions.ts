import { type Assumptions, assumed } from '../../http/assumptions.ts'

/** Of billing data, feedback, notes and the block list. */
export const AFTER_SALE: Assumptions = {
  'orders.billing.documents': assumed(
    'Documents of buyers',
    'invented from the buyer’s id, with the check digits of MLA, MLB and MLC; one buyer in eight is a company',
  ),
  'orders.billing.list': assumed(
    'What additional_info lists',
    'name, document, address and kind of taxpayer, twelve types; empty texts where the buyer has none',
  ),
  'orders.billing.not_found': assumed(
    'Answer to an unknown id of billing data',
    '404 Billing info with id {id} not found',
  ),
  'orders.feedback.given': assumed('Answer to a new feedback', '201 with the feedback'),
  'orders.feedback.once': assumed('Answer to a second feedback on an order', '400 feedback_already_exists'),
  'orders.feedback.message': assumed('Answer to a text over 160 characters', '400 invalid_message'),
  'orders.feedback.visible': assumed('When the other side sees a feedback', 'at once'),
  'orders.feedback.fulfilled_order': assumed(
    'When a feedback makes an order fulfilled',
    'positive or without a rating: fulfilled; negative, or fulfilled false: not; neutral: as before',
  ),
  'orders.feedback.points': assumed('points of a feedback’s users', 'their completed sales'),
  'orders.feedback.foreign': assumed('Answer to a feedback of others', '403 not_owned_feedback'),
  'orders.feedback.reply.answer': assumed('Answer to a reply', '200 with the feedback'),
  'orders.notes.answer': assumed(
    'Answer to writing, changing and deleting a note',
    '201 with the note, 200 with the note',
  ),
  'orders.notes.not_found': assumed('Message for an unknown note', 'Note {id} not found'),
}

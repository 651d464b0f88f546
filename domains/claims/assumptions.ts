import { type Assumptions, assumed } from '../../http/assumptions.ts'

export const CLAIMS: Assumptions = {
  'claims.order': assumed('Order of the checks of a call about a claim', 'token, body, 404, 403, available action'),
  'claims.unavailable': assumed(
    'Answer to an action that is not available',
    '400 The action {action} is not available',
  ),
  'claims.actions': assumed(
    'What players can do',
    'the seller of an open claim: refund; in stage claim also messages to the buyer, open_dispute and, if the product was received, allow_partial_refund and allow_return; in a dispute messages to the mediator. The buyer: messages and open_dispute',
  ),
  'claims.resolutions': assumed(
    'Answer to a refund, a partial refund and a return that the seller accepts',
    '200 with the expected resolutions; a refund closes the claim at once, a return when it has arrived',
  ),
  'claims.percentage': assumed('Body of a partial refund', 'percentage, from 1 to 99; default 50'),
  'claims.due_date': assumed('due_date of an open claim', '3 days after its stage began; nothing happens then'),
  'claims.mediator': assumed('The mediator of a dispute', 'a player of type internal, 2400000001'),
  'claims.reasons': assumed('Reasons of claims', 'PNR9501, PNR9502, PDD9939, PDD9941 to PDD9944; others 404'),
  'claims.attachments': assumed('Files of a claim', 'none are kept: the list is empty'),
  'claims.messages.answer': assumed('Answer to a message', '201 {}'),
  'claims.messages.read': assumed('When a message is read', 'when its receiver writes'),
  'claims.reputation': assumed(
    'When a claim affects the reputation',
    'in a dispute, or ended for the buyer and accepted by the seller more than 2 days after it began; never if the buyer repents',
  ),
  'claims.search.filters': assumed('Combined filters', 'joined with AND; among the caller’s claims, the newest first'),
  'claims.search.limit': assumed('Largest page of a search', '100, default 30'),
  'claims.search.range': assumed(
    'Form of range',
    'date_created or last_updated, :after:, an instant, and ,before:, an instant; one or both, exclusive',
  ),
  'claims.returns': assumed(
    'A return',
    'has the id and the status of its shipment (ready_to_ship is label_generated); refund_at delivered: when it arrives, all is refunded and the open claim ends with payment_refunded; money retained until the claim ends',
  ),
  'claims.topics': assumed('Topic claims', 'the same events as post_purchase'),
}

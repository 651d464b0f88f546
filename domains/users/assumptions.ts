import { type Assumptions, assumed } from '../../http/assumptions.ts'

export const USERS: Assumptions = {
  'users.details': assumed(
    'Document, points and experience of a user',
    'a document invented from the id, the completed sales, and NEWBIE without a level_id, else ADVANCED',
  ),
  'users.reputation.metrics': assumed(
    'Metrics of a seller',
    'of the last 60 days: sales by their payment, claims that were opened, sales that were shipped more than 3 days after it, and those that the seller cancelled',
  ),
  'users.test_users': assumed('Number of test users, and callers who can create them', 'any number, any caller', [
    { route: 'POST /users/test_user', isAnonymous: true },
  ]),
}

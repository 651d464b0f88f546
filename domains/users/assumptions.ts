import { type Assumptions, assumed } from '../../http/assumptions.ts'

export const USERS: Assumptions = {
  'users.reputation.metrics': assumed(
    'Metrics of a seller',
    'of the last 60 days: sales by their payment, claims that were opened, sales that were shipped more than 3 days after it, and those that the seller cancelled',
  ),
  'users.test_users': assumed('Number of test users, and callers who can create them', 'any number, any caller', [
    { route: 'POST /users/test_user', isAnonymous: true },
  ]),
}

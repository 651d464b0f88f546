import { type Assumptions, assumed } from '../../http/assumptions.ts'

export const USERS: Assumptions = {
  'users.test_users': assumed('Number of test users, and callers who can create them', 'any number, any caller', [
    { route: 'POST /users/test_user', isAnonymous: true },
  ]),
}

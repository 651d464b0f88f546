import { type Assumptions, assumed } from '../../http/assumptions.ts'

export const USERS: Assumptions = {
  'users.test_users': assumed('How many test users can be created, and who can create them', 'any number, any caller'),
}

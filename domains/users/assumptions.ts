import { type Assumptions, assumed } from '../../http/assumptions.ts'

export const USERS: Assumptions = {
  'users.test_users': assumed('How many test users may be made, and who may make them', 'any number, anybody'),
}

import { type Assumptions, assumed } from '../../plugins/assumptions.ts'

export const USERS: Assumptions = {
  'users.test_users': assumed('How many test users may be made, and who may make them', 'any number, anybody'),
}

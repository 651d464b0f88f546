import type { Domain } from '../domain.ts'
import { USERS } from './assumptions.ts'
import routes from './routes.ts'

export const users: Domain = { name: 'users', routes, assumptions: USERS }

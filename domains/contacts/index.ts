import type { Domain } from '../domain.ts'
import { CONTACTS } from './assumptions.ts'
import routes from './routes.ts'

export const contacts: Domain = { name: 'contacts', routes, assumptions: CONTACTS }

import type { Domain } from '../domain.ts'
import { FLEX } from './assumptions.ts'
import routes from './routes.ts'

export const flex: Domain = { name: 'flex', routes, assumptions: FLEX }

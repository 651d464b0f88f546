import type { Domain } from '../domain.ts'
import { CREDITS } from './assumptions.ts'
import routes from './routes.ts'

export const credits: Domain = { name: 'credits', routes, assumptions: CREDITS }

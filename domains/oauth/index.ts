import type { Domain } from '../domain.ts'
import routes from './routes.ts'

export const oauth: Domain = { name: 'oauth', routes, assumptions: {} }

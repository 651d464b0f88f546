import type { Domain } from '../domain.ts'
import routes from './routes.ts'

export const items: Domain = { name: 'items', routes, assumptions: {} }

import type { Domain } from '../domain.ts'
import routes from './routes.ts'

export const notifications: Domain = { name: 'notifications', routes, assumptions: {} }

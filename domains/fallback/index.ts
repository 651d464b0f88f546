import type { Domain } from '../domain.ts'
import { FALLBACK } from './assumptions.ts'
import routes from './routes.ts'

/** Answers without state for calls that programs make and that no other domain has. */
export const fallback: Domain = {
  name: 'fallback',
  uses: { reads: ['items', 'orders', 'users'] },
  routes,
  control: null,
  assumptions: FALLBACK,
  topics: [],
  commands: null,
  due: [],
  tables: [],
  demo: null,
  trimHistory: null,
  worldFile: null,
}

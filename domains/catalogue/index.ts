import type { Domain } from '../domain.ts'
import { CATALOGUE } from './assumptions.ts'
import routes from './routes.ts'

export const catalogue: Domain = {
  name: 'catalogue',
  uses: { reads: ['currencies', 'items', 'users'] },
  routes,
  control: null,
  assumptions: CATALOGUE,
  topics: [],
  commands: null,
  due: [],
  tables: [],
  demo: null,
  trimHistory: null,
  worldFile: null,
}

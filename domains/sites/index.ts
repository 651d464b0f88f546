import type { Domain } from '../domain.ts'
import { SITES } from './assumptions.ts'
import routes from './routes.ts'

export const sites: Domain = {
  name: 'sites',
  uses: { reads: ['users'] },
  routes,
  control: null,
  assumptions: SITES,
  topics: [],
  commands: null,
  due: [],
  tables: [],
  demo: null,
  trimHistory: null,
  worldFile: null,
}

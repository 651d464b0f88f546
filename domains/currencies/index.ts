import type { Domain } from '../domain.ts'
import { CURRENCIES } from './assumptions.ts'
import routes from './routes.ts'

export const currencies: Domain = {
  name: 'currencies',
  uses: {},
  routes,
  control: null,
  assumptions: CURRENCIES,
  topics: [],
  commands: null,
  due: [],
  tables: [],
  demo: null,
  trimHistory: null,
  worldFile: null,
}

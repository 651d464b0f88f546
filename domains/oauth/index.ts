import { describeTable } from '../../db/tables.ts'
import type { Domain } from '../domain.ts'
import { OAUTH } from './assumptions.ts'
import commands from './commands.ts'
import { due } from './queries.ts'
import { access_token, application, application_grant, authorization_code, refresh_token } from './tables.ts'

export const oauth: Domain = {
  name: 'oauth',
  uses: { reads: ['notifications', 'users'] },
  routes: () => import('./routes.ts'),
  paths: ['oauth', 'authorization', 'applications', 'users/*/applications'],
  control: () => import('./control/index.ts'),
  assumptions: OAUTH,
  topics: [],
  commands,
  due,
  tables: [
    describeTable(application, { secrets: ['secret'] }),
    describeTable(application_grant, { times: { date_created: 'ms', last_call: 'ms' } }),
    describeTable(access_token, { times: { expires_at: 'ms' }, secrets: ['token'] }),
    describeTable(refresh_token, { times: { expires_at: 'ms' }, secrets: ['token'] }),
    describeTable(authorization_code, { times: { expires_at: 'ms' }, secrets: ['code', 'code_challenge'] }),
  ],
  demo: null,
  trimHistory: null,
}

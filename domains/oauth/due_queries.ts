import type { DueEntry, DueSource } from '../due.ts'
import { dueRows, fixedDelay } from '../shared/due_queries.ts'
import { access_token, authorization_code, refresh_token } from './tables.ts'

/** Without the texts of tokens and codes, which are secrets. */
const expiryOf = (
  kind: DueEntry['kind'],
  table: typeof access_token | typeof refresh_token | typeof authorization_code,
): DueSource =>
  dueRows({
    kind,
    effect: 'expires',
    from: table,
    time: table.expires_at,
    delay: fixedDelay(0),
    columns: { user_id: table.user_id, application_id: table.application_id },
    present: (owner) => ({ id: null, resource: null, ...owner }),
  })

/** [spec: oauth.lifetimes] */
export const due: readonly DueSource[] = [
  expiryOf('token', access_token),
  expiryOf('refresh_token', refresh_token),
  expiryOf('code', authorization_code),
]

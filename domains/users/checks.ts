import { type CallChecks, type CallContext, ownUser } from '../../http/errors/checks.ts'
import { USER_EXISTS } from '../shared/checks.ts'
import { listUsers } from './queries.ts'

export const READ_ME: CallChecks = { order: 'http.order', checks: [USER_EXISTS] }

export const READ_USER: CallChecks = {
  order: 'http.order',
  checks: [USER_EXISTS],
  values: { user_id: existingUsers },
}

/** The caller, or some users. */
async function existingUsers(context: CallContext): Promise<readonly unknown[]> {
  if (context.caller) return ownUser(context)
  return (await listUsers(context.q, {}, { limit: 20, offset: 0 })).rows.map(({ id }) => id)
}

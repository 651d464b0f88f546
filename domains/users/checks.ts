import { type CallChecks, type CallContext, defineChecks, ownUser } from '../../http/errors/checks.ts'
import { USER_EXISTS } from '../shared/checks.ts'
import { listUsers } from './queries.ts'
import { SITES } from './sites.ts'

const CHECKS = defineChecks({
  site_exists: ['users.test_user.site', 'The site exists', 'El sitio existe', 'O site existe', 'site_id'],
})

export const CREATE_TEST_USER: CallChecks = {
  order: 'http.order',
  checks: [CHECKS.site_exists],
  values: { site_id: () => SITES },
}

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

import type { CallContext } from '../../http/errors/checks.ts'
import { testUsers } from '../users/queries.ts'
import { applicationById, firstApplication } from './queries.ts'

// Values with which calls of OAuth succeed, for explanations. No value is a secret.

/** The application that the call names, else the first one. */
const applicationOf = async ({ q, sent }: CallContext) =>
  (await applicationById(q, Number(sent('client_id')))) ?? (await firstApplication(q))

export async function applicationIds(context: CallContext): Promise<number[]> {
  const application = await applicationOf(context)
  return application ? [application.id] : []
}

export async function redirectAddresses(context: CallContext): Promise<string[]> {
  const application = await applicationOf(context)
  return application ? [application.redirect_uri] : []
}

export const users = async ({ q }: CallContext): Promise<number[]> =>
  (await testUsers(q)).slice(0, 5).map(({ id }) => id)

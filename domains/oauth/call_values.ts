import { type CallContext, SecretValue } from '../../http/errors/checks.ts'
import { testUsers, userById } from '../users/queries.ts'
import { issueCode, issueRefreshToken } from './operations.ts'
import { applicationById, firstApplication } from './queries.ts'

// Values with which calls of OAuth succeed, for explanations. Secrets are issued in the copy of the world.

/** The application that the call names, else the first one. */
const applicationOf = async ({ q, sent }: CallContext) =>
  (await applicationById(q, Number(sent('client_id')))) ?? (await firstApplication(q))

export async function applicationIds(context: CallContext): Promise<number[]> {
  const application = await applicationOf(context)
  return application ? [application.id] : []
}

export async function secrets(context: CallContext): Promise<SecretValue[]> {
  const application = await applicationOf(context)
  return application ? [new SecretValue(application.secret, `{client_secret of application ${application.id}}`)] : []
}

export async function redirectAddresses(context: CallContext): Promise<string[]> {
  const application = await applicationOf(context)
  return application ? [application.redirect_uri] : []
}

export const users = async ({ q }: CallContext): Promise<number[]> =>
  (await testUsers(q)).slice(0, 5).map(({ id }) => id)

/** A new code, as the authorization page would give it for the redirect address of the call. */
export async function codes(context: CallContext): Promise<SecretValue[]> {
  const { world, sent } = context
  const grant = await grantOf(context, 'code')
  if (!grant) return []
  const redirect_uri = String(sent('redirect_uri') ?? grant.redirect_uri)
  const verifier = sent('code_verifier')
  const challenge = {
    code_challenge: verifier === undefined ? null : String(verifier),
    code_challenge_method: verifier === undefined ? null : ('plain' as const),
  }
  const code = await world.tx((q) => issueCode(q, world, { ...grant, ...challenge, redirect_uri }, world.clock.now()))
  return [new SecretValue(code, `{new code of user ${grant.user_id}}`)]
}

export async function refreshTokens(context: CallContext): Promise<SecretValue[]> {
  const { world } = context
  const grant = await grantOf(context, 'refresh_token')
  if (!grant) return []
  const token = await world.tx((q) => issueRefreshToken(q, world, grant, world.clock.now()))
  return [new SecretValue(token, `{refresh token of user ${grant.user_id}}`)]
}

/** The application, and the user that a dead code or token ends with, else the first test user. */
async function grantOf(context: CallContext, name: string) {
  const application = await applicationOf(context)
  const [first] = await testUsers(context.q)
  const named = Number(/-(\d+)$/.exec(String(context.sent(name)))?.[1])
  const user = (Number.isSafeInteger(named) ? await userById(context.q, named) : undefined) ?? first
  return application && user
    ? { application_id: application.id, user_id: user.id, redirect_uri: application.redirect_uri }
    : undefined
}

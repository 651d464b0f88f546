import { type CallChecks, type CallContext, defineChecks, ownUser } from '../../http/errors/checks.ts'
import { isCaller, USER_EXISTS } from '../shared/checks.ts'
import { testUsers } from '../users/queries.ts'
import { applicationById, firstApplication } from './queries.ts'

// Values with which calls of OAuth succeed, for explanations. No value is a secret.

/** The application that the call names, else the first one. */
const applicationOf = async ({ q, sent }: CallContext) =>
  (await applicationById(q, Number(sent('client_id')))) ?? (await firstApplication(q))

async function applicationIds(context: CallContext): Promise<number[]> {
  const application = await applicationOf(context)
  return application ? [application.id] : []
}

async function redirectAddresses(context: CallContext): Promise<string[]> {
  const application = await applicationOf(context)
  return application ? [application.redirect_uri] : []
}

const users = async ({ q }: CallContext): Promise<number[]> => (await testUsers(q)).slice(0, 5).map(({ id }) => id)

const CHECKS = defineChecks({
  grant_type: [
    ['oauth.required', 'oauth.grants'],
    'grant_type is authorization_code or refresh_token',
    'grant_type es authorization_code o refresh_token',
    'grant_type é authorization_code ou refresh_token',
    'grant_type',
  ],
  parameters: [
    'oauth.required',
    'All required parameters are sent',
    'Se envían todos los parámetros obligatorios',
    'Todos os parâmetros obrigatórios são enviados',
  ],
  client: [
    'oauth.client',
    'client_id and client_secret are those of an application',
    'client_id y client_secret son los de una aplicación',
    'client_id e client_secret são os de uma aplicação',
    'client_secret',
  ],
  client_blocked: [
    'oauth.blocked',
    'The application is not blocked',
    'La aplicación no está bloqueada',
    'A aplicação não está bloqueada',
  ],
  live_grant: [
    'oauth.dead_grant',
    'The grant is alive: it had a call in the last four months, and the user has not changed the password or revoked it',
    'La autorización sigue viva: tuvo una llamada en los últimos cuatro meses, y el usuario no cambió la contraseña ni la revocó',
    'A autorização segue viva: teve uma chamada nos últimos quatro meses, e o usuário não mudou a senha nem a revogou',
    'refresh_token',
  ],
  grant: [
    'oauth.grant_expired',
    'The code or refresh token is of the application, was not used, and has not expired',
    'El código o refresh token es de la aplicación, no se usó y no venció',
    'O código ou refresh token é da aplicação, não foi usado e não venceu',
  ],
  redirect_uri: [
    ['oauth.redirect', 'oauth.authorization.errors'],
    'redirect_uri is the expected address',
    'redirect_uri es la dirección esperada',
    'redirect_uri é o endereço esperado',
    'redirect_uri',
  ],
  code_verifier: [
    ['oauth.required', 'oauth.pkce'],
    'code_verifier fits the code_challenge of the code',
    'code_verifier corresponde al code_challenge del código',
    'code_verifier corresponde ao code_challenge do código',
    'code_verifier',
  ],
  code_challenge: [
    'oauth.use_pkce',
    'code_challenge is sent, if the application uses PKCE',
    'Se envía code_challenge, si la aplicación usa PKCE',
    'code_challenge é enviado, se a aplicação usa PKCE',
    'code_challenge',
  ],
  code_with_challenge: [
    'oauth.use_pkce',
    'The code was made with a code_challenge, if the application uses PKCE',
    'El código se creó con un code_challenge, si la aplicación usa PKCE',
    'O código foi criado com um code_challenge, se a aplicação usa PKCE',
    'code',
  ],
  response_type: [
    'oauth.authorization.errors',
    'response_type is code',
    'response_type es code',
    'response_type é code',
    'response_type',
  ],
  client_id: [
    'oauth.authorization.errors',
    'client_id is an application of this world',
    'client_id es una aplicación de este mundo',
    'client_id é uma aplicação deste mundo',
    'client_id',
  ],
  code_challenge_method: [
    'oauth.authorization.errors',
    'code_challenge_method is S256 or plain',
    'code_challenge_method es S256 o plain',
    'code_challenge_method é S256 ou plain',
    'code_challenge_method',
  ],
  application_exists: [
    'oauth.application.not_found',
    'The application exists, and the caller has authorized it',
    'La aplicación existe, y quien llama la autorizó',
    'A aplicação existe, e quem chama a autorizou',
    'application_id',
  ],
  own_application: [
    'oauth.application',
    'The application is that of the token',
    'La aplicación es la del token',
    'A aplicação é a do token',
    'application_id',
  ],
  own_grant: isCaller('oauth.revoke'),
  user_id: [
    ['oauth.required', 'oauth.authorization.errors'],
    'user_id is a user of this world',
    'user_id es un usuario de este mundo',
    'user_id é um usuário deste mundo',
    'user_id',
  ],
  not_operator: [
    'oauth.operator',
    'The user owns the account, and is no operator',
    'El usuario es el dueño de la cuenta, y no un operador',
    'O usuário é o dono da conta, e não um operador',
    'user_id',
  ],
})

const APPLICATION_VALUES = { client_id: applicationIds, redirect_uri: redirectAddresses }

export const EXCHANGE_TOKEN: CallChecks = {
  order: 'oauth.order',
  checks: [
    CHECKS.grant_type,
    CHECKS.parameters,
    CHECKS.client,
    CHECKS.client_blocked,
    CHECKS.grant,
    CHECKS.live_grant,
    CHECKS.code_with_challenge,
    CHECKS.redirect_uri,
    CHECKS.code_verifier,
  ],
  values: APPLICATION_VALUES,
}

export const AUTHORIZE: CallChecks = {
  order: 'oauth.authorization.errors',
  checks: [
    CHECKS.parameters,
    CHECKS.response_type,
    CHECKS.client_id,
    CHECKS.client_blocked,
    CHECKS.redirect_uri,
    CHECKS.code_challenge,
    CHECKS.code_challenge_method,
  ],
  values: { ...APPLICATION_VALUES, response_type: () => ['code'], code_challenge_method: () => ['S256', 'plain'] },
}

export const PICK_USER: CallChecks = {
  ...AUTHORIZE,
  checks: [...AUTHORIZE.checks, CHECKS.user_id, CHECKS.not_operator],
  values: { ...AUTHORIZE.values, user_id: users },
}

const ownApplication = ({ caller }: CallContext) => (caller ? [caller.application_id] : [])

export const READ_APPLICATION: CallChecks = {
  order: 'http.order',
  checks: [CHECKS.application_exists, CHECKS.own_application],
  values: { application_id: ownApplication },
}

export const REVOKE_GRANT: CallChecks = {
  order: 'http.order',
  checks: [USER_EXISTS, CHECKS.own_grant, CHECKS.application_exists],
  values: { user_id: ownUser, application_id: ownApplication },
}

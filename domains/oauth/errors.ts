import { Type } from '@sinclair/typebox'
import { type AnsweredError, standardError } from '../../http/errors/answered_error.ts'
import { notFound } from '../../http/errors/control_errors.ts'
import { apiError } from '../../http/errors/errors.ts'
import type { RuleId } from '../../http/rules.ts'
import { ResponseObject, StandardErrorBody } from '../shared/schemas.ts'

/** A parameter with a value that is not allowed. */
export const invalidRequest = (field: string, problem: string, rule: RuleId = 'oauth.authorization.errors') =>
  apiError({ rule, field }, 400, 'invalid_request', `${field}: ${problem}`)
/** `check`: the one that needs the parameter, if it is not that of all parameters. */
export const isRequired = (field: string, check = 'parameters') =>
  apiError({ rule: 'oauth.required', field, check }, 400, 'invalid_request', `${field} is required`)
export const unsupportedGrant = (grant: string) =>
  apiError({ rule: 'oauth.grants', field: 'grant_type' }, 400, 'unsupported_grant_type', `invalid grant_type: ${grant}`)
export const invalidClient = () => apiError('oauth.client', 400, 'invalid_client', 'invalid client_id or client_secret')
const GRANT_MESSAGE =
  'Error validating grant. Your authorization code or refresh token may be expired or it was already used'
/** `field`: the parameter with the grant. */
export const invalidGrant = (field: 'code' | 'refresh_token') =>
  apiError({ rule: 'oauth.grant_expired', field }, 400, 'invalid_grant', GRANT_MESSAGE)
/** The user has changed the password, or the application has made no call for four months. */
export const deadGrant = () =>
  apiError({ rule: 'oauth.dead_grant', field: 'refresh_token' }, 400, 'invalid_grant', GRANT_MESSAGE)
/** The application is blocked; `check`: the one of the route. */
export const clientBlocked = () =>
  apiError({ rule: 'oauth.blocked', check: 'client_blocked' }, 401, 'unauthorized_scopes', 'unauthorized_scopes')
export const challengeRequired = () =>
  apiError({ rule: 'oauth.use_pkce', field: 'code_challenge' }, 400, 'invalid_request', 'code_challenge is required')
/** A code that was made without a challenge, before the application needed one. */
export const codeWithoutChallenge = () =>
  apiError({ rule: 'oauth.use_pkce', field: 'code' }, 400, 'invalid_grant', GRANT_MESSAGE)
export const isOperator = () =>
  apiError(
    { rule: 'oauth.operator', field: 'user_id' },
    400,
    'invalid_operator_user_id',
    'The user is an operator. The owner of the account must authorize the application',
  )
export const redirectMismatch = () =>
  apiError('oauth.redirect', 400, 'invalid_grant', 'The redirect_uri does not match the original')
export const verifierMismatch = () =>
  apiError('oauth.pkce', 400, 'invalid_grant', 'code_verifier does not match the code_challenge')

/** An error of control calls. The message does not repeat the token: an answer must not reveal it. */
export const tokenNotFound = () => notFound('Token not found')

/** The standard body, then error_description, which OAuth clients read [spec: oauth.errors]. */
const oauthBody = (error: AnsweredError) => ({ ...standardError(error), error_description: error.message })

export const OAuth = {
  name: 'OAuth',
  description: 'How an application gets a token to act for a user',
  errorBody: oauthBody,
}

export const OAuthErrorBody = ResponseObject(
  {
    ...StandardErrorBody.properties,
    error_description: Type.String({ description: 'The message again, where OAuth clients look for it' }),
  },
  { title: 'OAuthError', description: 'Standard error with error_description' },
)

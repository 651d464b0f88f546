import { Type } from '@sinclair/typebox'
import { type AnsweredError, standardError } from '../../http/errors/answered_error.ts'
import { notFound } from '../../http/errors/control_errors.ts'
import { apiError } from '../../http/errors/errors.ts'
import type { RuleId } from '../../http/rules.ts'
import { ResponseObject } from '../shared/schemas.ts'

/** A parameter with a value that is not allowed. */
export const invalidRequest = (field: string, problem: string, rule: RuleId = 'oauth.authorization.errors') =>
  apiError({ rule, field }, 400, 'invalid_request', `${field}: ${problem}`)
/** `check`: the one that needs the parameter, if it is not that of all parameters. */
export const isRequired = (field: string, check = 'parameters') =>
  apiError({ rule: 'oauth.required', field, check }, 400, 'invalid_request', `${field} is required`)
export const unsupportedGrant = (grant: string) =>
  apiError({ rule: 'oauth.grants', field: 'grant_type' }, 400, 'unsupported_grant_type', `invalid grant_type: ${grant}`)
export const invalidClient = () => apiError('oauth.client', 400, 'invalid_client', 'invalid client_id or client_secret')
/** `field`: the parameter with the dead grant. */
export const invalidGrant = (field: 'code' | 'refresh_token') =>
  apiError(
    { rule: 'oauth.grant_expired', field },
    400,
    'invalid_grant',
    'Error validating grant. Your authorization code or refresh token may be expired or it was already used',
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
    message: Type.String({ description: 'Text for people' }),
    error: Type.String({ description: 'Code for programs' }),
    status: Type.Integer({ description: 'HTTP status' }),
    cause: Type.Array(Type.Unknown(), { description: 'Details; may be empty' }),
    error_description: Type.String({ description: 'The message again, where OAuth clients look for it' }),
  },
  { title: 'OAuthError', description: 'Standard error with error_description' },
)

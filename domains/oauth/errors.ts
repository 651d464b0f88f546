import { type ApiError, apiError, notFound, standardError } from '../../http/errors.ts'

/** [spec: oauth.authorization.errors] */
export const invalidRequest = (message: string) => apiError(400, 'invalid_request', message)
/** [spec: oauth.required] */
export const isRequired = (name: string) => invalidRequest(`${name} is required`)
/** [spec: oauth.grants] */
export const unsupportedGrant = (grant: string) =>
  apiError(400, 'unsupported_grant_type', `invalid grant_type: ${grant}`)
/** [spec: oauth.client] */
export const invalidClient = () => apiError(400, 'invalid_client', 'invalid client_id or client_secret')
/** [spec: oauth.grant_expired] */
export const invalidGrant = () =>
  apiError(
    400,
    'invalid_grant',
    'Error validating grant. Your authorization code or refresh token may be expired or it was already used',
  )
/** [spec: oauth.redirect] */
export const redirectMismatch = () => apiError(400, 'invalid_grant', 'The redirect_uri does not match the original')
/** [spec: oauth.pkce] */
export const verifierMismatch = () => apiError(400, 'invalid_grant', 'code_verifier does not match the code_challenge')

/** The message does not repeat the token: an answer must not reveal it. */
export const tokenNotFound = () => notFound('Token not found')

/** The standard body, then error_description, which OAuth clients read [spec: oauth.errors]. */
export const oauthError = (error: ApiError) => ({ ...standardError(error), error_description: error.message })

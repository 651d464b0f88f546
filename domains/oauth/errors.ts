import { type ApiError, apiError, notFound, standardError } from '../../http/errors.ts'

export const invalidRequest = (message: string) => apiError(400, 'invalid_request', message)
export const isRequired = (name: string) => invalidRequest(`${name} is required`)
export const unsupportedGrant = (grant: string) =>
  apiError(400, 'unsupported_grant_type', `invalid grant_type: ${grant}`)
export const invalidClient = () => apiError(400, 'invalid_client', 'invalid client_id or client_secret')
export const invalidGrant = () =>
  apiError(
    400,
    'invalid_grant',
    'Error validating grant. Your authorization code or refresh token may be expired or it was already used',
  )
export const redirectMismatch = () => apiError(400, 'invalid_grant', 'The redirect_uri does not match the original')
export const verifierMismatch = () => apiError(400, 'invalid_grant', 'code_verifier does not match the code_challenge')

/** The message does not repeat the token: an answer must not reveal it. */
export const tokenNotFound = () => notFound('Token not found')

/** OAuth clients look for error_description; it stands behind the standard members. */
export const oauthError = (error: ApiError) => ({ ...standardError(error), error_description: error.message })

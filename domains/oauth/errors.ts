import { type Refusal, refusal, standardError } from '../../plugins/errors.ts'

export const invalidRequest = (message: string) => refusal(400, 'invalid_request', message)
export const isRequired = (name: string) => invalidRequest(`${name} is required`)
export const unsupportedGrant = (grant: string) =>
  refusal(400, 'unsupported_grant_type', `invalid grant_type: ${grant}`)
export const invalidClient = () => refusal(400, 'invalid_client', 'invalid client_id or client_secret')
export const invalidGrant = () =>
  refusal(
    400,
    'invalid_grant',
    'Error validating grant. Your authorization code or refresh token may be expired or it was already used',
  )
export const redirectMismatch = () => refusal(400, 'invalid_grant', 'The redirect_uri does not match the original')
export const verifierMismatch = () => refusal(400, 'invalid_grant', 'code_verifier does not match the code_challenge')

/** OAuth clients look for error_description; it stands behind the standard members. */
export const oauthError = (error: Refusal) => ({ ...standardError(error), error_description: error.message })

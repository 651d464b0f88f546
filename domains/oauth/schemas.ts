import { Type } from '@sinclair/typebox'
import { ResponseObject } from '../shared/schemas.ts'
import { oauthBody } from './errors.ts'

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

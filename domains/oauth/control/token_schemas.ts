import { type Static, Type } from '@sinclair/typebox'
import { PagingQuery, StrictBody } from '../../shared/control_schemas.ts'
import { Id, MAX_ID, Nullable, ResponseObject, SecretText, UserId } from '../../shared/schemas.ts'
import { VisibleAscii } from '../../shared/texts.ts'

/** A hundred years. */
const MAX_LIFETIME_SECONDS = 3_153_600_000

const ExpiresIn = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  minimum: 0,
  maximum: MAX_LIFETIME_SECONDS,
  description: 'Lifetime from now on, in seconds of world time; 0: expired, null: does not expire',
  examples: [3600],
  'x-message': `must be an integer from 0 to ${MAX_LIFETIME_SECONDS}, or null`,
})

const TokenFields = {
  token: SecretText({ description: 'Access token', examples: ['TOKEN-DE-PRUEBA'] }),
  application_id: Id('Application of the token', 1000000001),
  user_id: UserId,
  expires_at: Nullable(Type.String(), { description: 'World time of its expiry, UTC; null: never' }),
  valid: Type.Boolean({ description: 'Whether it is valid now' }),
}
export const Token = ResponseObject(TokenFields, { title: 'Token', description: 'An access token' })
export type Token = Static<typeof Token>

export const CreatedToken = ResponseObject(
  {
    ...TokenFields,
    refresh_token: Nullable(SecretText(), {
      description: 'Valid for six months, usable once; null if not requested',
    }),
  },
  { title: 'NewToken', description: 'A new access token' },
)

export const NewToken = StrictBody({
  user_id: UserId,
  application_id: Type.Optional(Id('The application; default: the world’s first', 1000000001)),
  token: Type.Optional(VisibleAscii('Text of the token; default: a new one', 'TOKEN-DE-PRUEBA')),
  expires_in: Type.Optional(ExpiresIn),
  refresh: Type.Optional(
    Type.Boolean({
      description: 'Create a refresh token, too',
      default: false,
      'x-message': 'must be true or false',
    }),
  ),
})

export const TokenLifetime = StrictBody({ expires_in: ExpiresIn })

export const TokenList = Type.Object({
  user_id: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_ID,
      description: 'Only those of a user',
      'x-message': 'must be an integer',
    }),
  ),
  application_id: Type.Optional(Id('Only those of an application', 1000000001)),
  ...PagingQuery,
})

export const TokenParams = Type.Object({
  token: Type.String({ description: 'Access token', examples: ['TOKEN-DE-PRUEBA'] }),
})

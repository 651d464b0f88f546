import { type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { MAX_ID, ResponseObject } from './schemas.ts'

/** The `config` of control routes; their document groups them by `name`. */
export const controlConfig = (name: string, description: string) => ({
  resource: { name, description },
  access: 'control' as const,
})

/** The `config` of control routes that the viewer token may call: they change nothing, and mark the secrets they answer. */
export const viewable = <T extends object>(config: T) => ({ ...config, isViewable: true as const })

/** The routes of users and of OAuth share a group. */
export const PEOPLE = controlConfig('Users and applications', 'Users, applications and tokens')

/** A body with these members only: a misspelled member is an error. */
export const StrictBody = <T extends TProperties>(members: T, options: object = {}) =>
  Type.Object(members, { additionalProperties: false, ...options })

/** An id that the caller chooses for a new resource. */
export const OptionalId = (resource: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_ID,
      description: `Id of the new ${resource}; default: a new one`,
      'x-message': `must be an integer from 1 to ${MAX_ID}`,
    }),
  )

/** The answer of a call that has nothing to return. */
export const NoContent = Type.Null({ description: 'Done' })

/** Parameters of a page. */
export const PagingQuery = {
  limit: Type.Integer({
    minimum: 0,
    maximum: 1000,
    default: 50,
    description: 'Elements of the page; 0: only the total',
    'x-message': 'must be an integer from 0 to 1000',
  }),
  offset: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
    description: 'Elements before the page',
    'x-message': 'must be an integer from 0',
  }),
}

/** A page of a list. */
export const Page = <T extends TSchema>(element: T, description: string) =>
  ResponseObject({
    paging: ResponseObject(
      {
        total: Type.Integer({ description: 'Number of elements in the whole list' }),
        limit: Type.Integer({ description: 'As requested' }),
        offset: Type.Integer({ description: 'As requested' }),
      },
      { title: 'Paging', description: 'Position of the page' },
    ),
    results: Type.Array(element, { description }),
  })

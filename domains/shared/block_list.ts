import { Type } from '@sinclair/typebox'
import { userNotFound } from './errors.ts'
import { Limit, Offset } from './paging.ts'
import { ResponseObject, UserId, UserIdInPath } from './schemas.ts'

// The buyers that sellers have blocked: those of questions and those of orders are two lists with the same calls.

export const SellerParams = Type.Object({ seller_id: UserIdInPath(userNotFound) })
export const BlockedParams = Type.Object({ ...SellerParams.properties, buyer_id: UserIdInPath(userNotFound) })
export const BlockedQuery = Type.Object({ limit: Limit(100), offset: Offset })
export const Blocking = Type.Object(
  { user_id: UserId },
  { 'x-message': 'must be a JSON object with user_id', examples: [{ user_id: 2500001011 }] },
)
export const Blocked = ResponseObject({ user_id: UserId }, { description: 'The buyer' })
/** A page of a list; `users`: who is on it. */
export const BlockedBuyers = (title: string, users: string) =>
  ResponseObject(
    {
      paging: ResponseObject(
        {
          total: Type.Integer({ description: 'Buyers on the list' }),
          offset: Type.Integer({ description: 'As applied' }),
          limit: Type.Integer({ description: 'As applied' }),
        },
        { description: 'Which part of the list this is' },
      ),
      users: Type.Array(ResponseObject({ id: UserId }), { description: users }),
    },
    { title, description: 'The block list' },
  )

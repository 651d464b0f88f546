import { type Static, Type } from '@sinclair/typebox'
import { OptionalId, PagingQuery, StrictBody } from '../../shared/control_schemas.ts'
import { Id, IdInPath, Nullable, OneOf, ResponseObject, UserId } from '../../shared/schemas.ts'
import { subscriptionNotFound } from '../errors.ts'
import { presentSubscription } from '../present.ts'
import type { SubscriptionRow } from '../queries.ts'
import { Subscription } from '../schemas.ts'
import { FLEX_MODES, FLEX_STATUSES } from '../tables.ts'

export const AnySubscription = ResponseObject(
  {
    ...Subscription.properties,
    training_days: Nullable(Type.Integer(), { description: 'Days of practice before the first orders; null for none' }),
    is_moderated: Type.Boolean({ description: 'As in the configuration query' }),
  },
  { title: 'AnySubscription', description: 'A Flex subscription of any seller' },
)
export const present = (row: SubscriptionRow): Static<typeof AnySubscription> => ({
  ...presentSubscription(row),
  training_days: row.training_days,
  is_moderated: row.is_moderated === 1,
})

const status = (description: string) => Type.Optional(OneOf([...FLEX_STATUSES], { description, examples: ['in'] }))

export const NewSubscription = StrictBody(
  {
    user_id: UserId,
    mode: Type.Optional(OneOf([...FLEX_MODES], { description: 'TURBO needs FLEX. Default: FLEX' })),
    status: status('State. Default: pending'),
    training_days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 365,
        description: 'Days of practice before the first orders; default: none',
        examples: [7],
        'x-message': 'must be an integer from 1 to 365',
      }),
    ),
    service_id: OptionalId('service'),
    id: OptionalId('subscription'),
  },
  { examples: [{ user_id: 2500000101, mode: 'TURBO', status: 'in' }] },
)

export const SubscriptionChange = StrictBody(
  {
    status: status('Possible changes: pending to in, in to out, out to pending'),
    is_moderated: Type.Optional(
      Type.Boolean({ description: 'Whether it is moderated', 'x-message': 'must be true or false' }),
    ),
  },
  {
    minProperties: 1,
    'x-message': 'must be a JSON object with status, is_moderated or both',
    examples: [{ status: 'in' }],
  },
)

export const SubscriptionParams = Type.Object({
  id: IdInPath('Subscription identifier', 111181, subscriptionNotFound),
})

export const SubscriptionList = Type.Object({
  user_id: Type.Optional(Id('Those of this seller', 2500000101)),
  ...PagingQuery,
})

import { Type } from '@sinclair/typebox'
import { Nullable, OneOf, ResponseObject } from '../domains/shared/schemas.ts'

/** What caused a change. */
export const Cause = Nullable(
  ResponseObject({
    kind: OneOf(['request', 'control'], {
      description: 'A recorded request, or a control call',
      examples: ['request'],
    }),
    id: Nullable(Type.Integer(), { description: 'Its id; null until it is recorded', examples: [17] }),
  }),
  { description: 'The call that caused it; null if it is not known: causes are in memory, the latest 2000 of a world' },
)

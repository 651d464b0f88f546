import { type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { MAX_ID, ResponseObject } from './schemas.ts'

const controlConfig = (name: string, description: string) => ({
  resource: { name, description },
  access: 'control' as const,
})

/** What control calls are about, as their document groups them: the `config` of a route. */
export const ControlConfig = {
  worlds: controlConfig('Worlds', 'Marketplaces of their own, side by side'),
  snapshots: controlConfig('Reset and snapshots', 'Back to the beginning, or to any kept state'),
  clock: controlConfig('Clock', 'What time it is in a world'),
  people: controlConfig('People and programs', 'Users, applications and tokens'),
  items: controlConfig('Listings', 'Listings of any seller'),
  questions: controlConfig('Questions', 'Questions of any buyer, and what moderation does'),
  contacts: controlConfig('Contacts', 'Phone views, messaging clicks and questions, as many as you like'),
  credits: controlConfig('Credits', 'Leads of pre-approved credits'),
  flex: controlConfig('Flex', 'Subscriptions, shipments and drivers'),
  faults: controlConfig('Faults', 'Calls that go wrong'),
  requests: controlConfig('Requests', 'What was called, and whether it was what you expected'),
  files: controlConfig('World files', 'A whole world as JSON'),
  notifications: controlConfig('Notifications', 'What applications are told of changes, and how that went'),
  document: controlConfig('Documentation', 'What can be called here'),
  service: controlConfig('Service', 'How the server itself is'),
  assumptions: controlConfig('Assumptions', 'What this server does where nobody knows what the real one does'),
} as const

/** A body with these members and no others: what is misspelt is told, not ignored. */
export const StrictBody = <T extends TProperties>(members: T, options: object = {}) =>
  Type.Object(members, { additionalProperties: false, ...options })

/** An id that the caller gives to what it makes. */
export const OptionalId = (what: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_ID,
      description: `Id of the new ${what}; without it the world gives one`,
      'x-message': `must be an integer from 1 to ${MAX_ID}`,
    }),
  )

/** Where a list begins, and how much of it. */
export const PagingQuery = {
  limit: Type.Integer({
    minimum: 0,
    maximum: 1000,
    default: 50,
    description: 'At most so many; 0 for the total alone',
    'x-message': 'must be an integer from 0 to 1000',
  }),
  offset: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
    description: 'So many are left out',
    'x-message': 'must be an integer from 0',
  }),
}

/** A page of a list. */
export const Page = <T extends TSchema>(element: T, description: string) =>
  ResponseObject({
    paging: ResponseObject(
      {
        total: Type.Integer({ description: 'How many there are' }),
        limit: Type.Integer({ description: 'As asked' }),
        offset: Type.Integer({ description: 'As asked' }),
      },
      { title: 'Paging', description: 'Which part of the list this is' },
    ),
    results: Type.Array(element, { description }),
  })

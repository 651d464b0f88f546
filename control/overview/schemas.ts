import { Type } from '@sinclair/typebox'
import { LEAD_STATUSES } from '../../domains/credits/tables.ts'
import { FLEX_STATUSES } from '../../domains/flex/tables.ts'
import { NOTIFICATION_STATUSES } from '../../domains/notifications/tables.ts'
import { QUESTION_STATUSES } from '../../domains/questions/tables.ts'
import { Instant, Nullable, OneOf, ResponseObject } from '../../domains/shared/schemas.ts'
import { TOPICS } from '../../domains/shared/topics.ts'
import { Clock } from '../worlds/clock_schemas.ts'

const Count = (description: string) => Type.Integer({ description, examples: [12] })

/** Classes of answers in the journal. */
export const ANSWER_CLASSES = ['2xx', '3xx', '4xx', '5xx', 'none'] as const
export type AnswerClass = (typeof ANSWER_CLASSES)[number]

const byStatus = (statuses: readonly string[], description: string) =>
  ResponseObject(Object.fromEntries(statuses.map((status) => [status, Count(`Number with ${status}`)])), {
    description,
  })

export const Overview = ResponseObject(
  {
    world: ResponseObject(
      {
        id: Type.Integer({ description: 'Number of the world', examples: [2] }),
        name: Nullable(Type.String(), { description: 'Name of the world; null if it has none' }),
        scenario: Type.String({ description: 'What it was created from', examples: ['demo'] }),
        seed: Type.Integer({ description: 'Seed of the scenario', examples: [1] }),
        mode: OneOf(['temporary', 'kept', 'shared'], { description: 'Whether it exists after the server ends' }),
        created_at: Nullable(Type.String(), {
          description: 'Real time when it was created; null for the default world',
        }),
      },
      { description: 'The world' },
    ),
    clock: Clock,
    version: Type.String({ description: 'Version of the server', examples: ['0.1.0'] }),
    requests: ResponseObject(
      {
        total: Count('Recorded requests'),
        dropped: Count('Earlier requests that are no longer stored'),
        by_status: byStatus(ANSWER_CLASSES, 'Recorded requests by class of status; none: without an answer'),
        minutes: Type.Array(
          ResponseObject(
            {
              at: Instant('Its beginning, real time', '2026-03-02T12:00:00.000Z'),
              total: Count('Requests'),
              refused: Count('Requests with 4xx, 5xx or no answer'),
              p95_ms: Nullable(Type.Integer(), {
                description: 'Ms within which 95 % of them were answered; null: there were none',
              }),
            },
            { title: 'RequestsOfMinute', description: 'Recorded requests of a minute' },
          ),
          { description: 'The last ten minutes, the present one last' },
        ),
      },
      { description: 'The journal' },
    ),
    questions: ResponseObject(
      { by_status: byStatus(QUESTION_STATUSES, 'Questions of all sellers by status') },
      { description: 'Questions' },
    ),
    deliveries: ResponseObject(
      { by_status: byStatus(NOTIFICATION_STATUSES, 'Notifications by status') },
      { description: 'Notifications' },
    ),
    loans: ResponseObject(
      {
        by_status: byStatus(LEAD_STATUSES, 'Leads of all ages by status'),
        expired: Count('Leads that are expired, of any status'),
      },
      { description: 'Leads of credits' },
    ),
    flex: ResponseObject(
      { by_status: byStatus(FLEX_STATUSES, 'Subscriptions by status') },
      { description: 'Flex subscriptions' },
    ),
    contacts: ResponseObject(
      {
        phone_views: Count('Phone views'),
        messaging_clicks: Count('Clicks on the messaging button'),
        questions: Count('Questions'),
      },
      { description: 'Contacts of all sellers in the current hour of the world and the 23 before it' },
    ),
    faults: ResponseObject(
      {
        rules: Count('Fault rules'),
        active: Count('Rules that are on, and that were not yet applied as often as `times` allows'),
        hits: Count('Calls that the rules affected'),
      },
      { description: 'Fault rules' },
    ),
    topics_off: Type.Array(
      ResponseObject(
        {
          application_id: Type.Integer({ description: 'The application' }),
          topic: OneOf([...TOPICS], { description: 'The topic' }),
          since: Type.String({ description: 'World time' }),
        },
        { title: 'SwitchedOffTopic', description: 'A topic of which too many notifications were missed' },
      ),
      { description: 'Topics that were switched off' },
    ),
    applications: Count('Applications'),
    users: Count('Users'),
    items: Count('Listings'),
    orders: Count('Orders'),
    snapshots: Count('Snapshots'),
  },
  { title: 'Overview', description: 'What a world contains, in numbers' },
)

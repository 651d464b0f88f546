import { type Static, Type } from '@sinclair/typebox'
import { StrictBody } from '../../domains/shared/control_schemas.ts'
import { DURATION_MESSAGE } from '../../domains/shared/durations.ts'
import { Integer, OneOf, ResponseObject } from '../../domains/shared/schemas.ts'
import { TOPICS } from '../../domains/shared/topics.ts'
import type { Entry } from '../../http/journal/journal_entry.ts'
import { CheckPath, PathPattern } from '../faults/schemas.ts'
import { STATUS_CLASSES } from './expectations.ts'
import { DroppedCount, IncludeAgent, RecordedRequest, RequestFilter, redactedPath, redactedQuery } from './schemas.ts'

/** Limits of lists in answers. */
export const MAX_REQUESTS = 100
export const MAX_MISSES = 3
export const MAX_GROUPS = 20

const countField = (description: string) => Type.Optional(Integer(0, 1_000_000, description, { examples: [1] }))
const STATUS_MESSAGE = {
  'x-message': `must be an HTTP status, 0 for no answer, or one of ${STATUS_CLASSES.join(', ')}`,
}
/** What a call must have besides its path. */
const CallFields = {
  method: RequestFilter.method,
  query: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Query parameters that the call must have; an array for repeated ones',
      examples: [{ item: 'MLA1400000001' }],
      'x-message': 'must be an object of parameters',
    }),
  ),
  body: Type.Optional(
    Type.Unknown({
      description:
        'What the body must contain: these members of objects, all elements of arrays. A form body is an object of strings; a body that is neither JSON nor a form is a string',
      examples: [{ text: 'Sí, tenemos stock.' }],
    }),
  ),
  status: Type.Optional(
    Type.Union(
      [Type.Integer({ minimum: 0, maximum: 599, ...STATUS_MESSAGE }), OneOf([...STATUS_CLASSES], STATUS_MESSAGE)],
      {
        description: 'Status of the answer, or a class such as 2xx; 0: without an answer. Default: any',
        examples: ['2xx'],
        ...STATUS_MESSAGE,
      },
    ),
  ),
}
const PER = {
  pattern: '^(path(\\.[1-9]\\d?)?|user_id|(body|query)\\..+)$',
  maxLength: 200,
  'x-message': 'must be body.NAME, query.NAME, path, path.N (its Nth part) or user_id',
}
const After = StrictBody(
  {
    path: Type.Optional(PathPattern),
    ...CallFields,
    topic: Type.Optional(
      OneOf([...TOPICS], { description: 'Instead of a path: the topic of an event', examples: ['questions'] }),
    ),
    per: Type.Optional(
      Type.String({
        ...PER,
        description:
          'Where its value of `per` is; for an event a part of its resource. Every call or event of `after` then needs calls of its own',
        examples: ['path.2'],
      }),
    ),
  },
  {
    description:
      'Only calls count that come after a call of this kind, or after an event: the latest one before counts',
    'x-message': 'must be an object with path or topic',
  },
)
export type After = Static<typeof After>

export const Expectation = StrictBody(
  {
    path: PathPattern,
    ...CallFields,
    times: countField('Exact number of calls'),
    at_least: countField('Minimum number of calls; default: 1 if neither times nor at_most is given'),
    at_most: countField('Maximum number of calls'),
    per: Type.Optional(
      Type.String({
        ...PER,
        description: 'The numbers are for each value of this member of the calls, such as one call for each question',
        examples: ['body.question_id'],
      }),
    ),
    after: Type.Optional(After),
    include_agent: IncludeAgent,
    within: Type.Optional(
      Type.Unsafe<string | number>({
        type: ['string', 'integer'],
        description:
          'Only calls count that come so soon after `after`, in world time: `5s`, `PT5S` or an integer in ms',
        examples: ['5s'],
        'x-message': DURATION_MESSAGE,
      }),
    ),
    check_path: CheckPath,
  },
  { examples: [{ method: 'POST', path: '/answers', body: { question_id: 1 }, times: 1 }] },
)
export type Expectation = Static<typeof Expectation>

export const MatchedCount = Type.Integer({ description: 'Number of matching requests' })
export const DifferenceSchema = ResponseObject(
  {
    what: Type.String({ description: 'The member that differs', examples: ['body.question_id'] }),
    expected: Type.Unknown({ description: 'Expected value' }),
    actual: Type.Optional(Type.Unknown({ description: 'Actual value; absent if there is none' })),
  },
  { title: 'Difference', description: 'One difference' },
)
/** A call without its bodies. */
export const CallSummary = ResponseObject(
  {
    id: RecordedRequest.properties.id,
    method: RecordedRequest.properties.method,
    path: RecordedRequest.properties.path,
    query: RecordedRequest.properties.query,
    status: RecordedRequest.properties.response.properties.status,
  },
  { description: 'The request; GET /requests has all members' },
)
export const summarize = (entry: Entry) => ({
  id: entry.id,
  method: entry.method,
  path: redactedPath(entry),
  query: redactedQuery(entry),
  status: entry.status,
})
const Miss = ResponseObject(
  {
    request: CallSummary,
    differences: Type.Array(DifferenceSchema, {
      description: 'Differences, at most 20; empty for a request beyond the expected number',
    }),
  },
  { title: 'Miss', description: 'A request that nearly matches' },
)
export const VerificationFailed = ResponseObject(
  {
    message: Type.String({ description: 'The expectation, and the number of matching requests' }),
    error: Type.Literal('verification_failed', { description: 'Code for programs' }),
    status: Type.Integer({ description: 'HTTP status' }),
    cause: Type.Array(Miss, {
      description: 'If there are too few: the nearest requests, at most 3; if too many: the latest ones',
    }),
    matched: MatchedCount,
    dropped: DroppedCount,
    groups: Type.Optional(
      Type.Array(
        ResponseObject(
          {
            value: Type.Unknown({ description: 'Value of `per`; null if the calls have none' }),
            matched: MatchedCount,
          },
          { title: 'Group', description: 'Calls with one value of `per`' },
        ),
        { description: `With \`per\`: the values whose number is not as expected; at most ${MAX_GROUPS}` },
      ),
    ),
  },
  { title: 'VerificationFailed', description: 'The number of matching requests is not as expected' },
)

/** Characters of an expectation in a message. */
const MAX_NAME_CHARACTERS = 500

type Call = Pick<Expectation, 'method' | 'path' | 'query' | 'body' | 'status'>

/** The expected call on one line: `POST /answers with body {"question_id":1}`. */
export function describeCall({ method, path, query, body, status }: Call): string {
  const rest = [
    ...(query === undefined ? [] : [`query ${JSON.stringify(query)}`]),
    ...(body === undefined ? [] : [`body ${JSON.stringify(body)}`]),
    ...(status === undefined ? [] : [status === 0 ? 'no answer' : `status ${status}`]),
  ].join(' and ')
  const name = `${method ?? 'any method'} ${path}${rest && ` with ${rest}`}`
  return name.length > MAX_NAME_CHARACTERS ? `${name.slice(0, MAX_NAME_CHARACTERS)}…` : name
}

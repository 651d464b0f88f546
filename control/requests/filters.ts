import { type Static, Type } from '@sinclair/typebox'
import { realNow } from '../../db/clock.ts'
import { PagingQuery } from '../../domains/shared/control_schemas.ts'
import { MAX_ID, OneOf } from '../../domains/shared/schemas.ts'
import type { ControlCall } from '../../http/journal/control_call.ts'
import type { Entry, Excerpt } from '../../http/journal/journal_entry.ts'
import { redact, SECRETS } from '../../http/journal/redaction.ts'
import { matchesCall } from '../../http/patterns.ts'
import { PathPattern, withoutTrailingSlash } from '../faults/schemas.ts'
import { matchesStatus, STATUS_CLASSES, type StatusClass } from './expectations.ts'
import { matchesFilter, RequestFilter, redactedAddress } from './schemas.ts'

const integer = (description: string, example: number, message: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_ID, description, examples: [example], 'x-message': message }))
const REQUEST_ID_MESSAGE = 'must be the id of a request'
const CONTROL_CALL_ID_MESSAGE = 'must be the id of a control call'
const MAX_TEXT_CHARACTERS = 200

const Status = Type.Optional(
  Type.Unsafe<number | string>({
    type: ['integer', 'string'],
    pattern: '^(0|[1-9]\\d?|[1-5]\\d\\d|[1-5]xx)$',
    description: 'Only calls answered with this status, or with one of this class (4xx); 0: without an answer',
    examples: [503],
    'x-message': `must be an HTTP status, 0 for no answer, or one of ${STATUS_CLASSES.join(', ')}`,
  }),
)
const Order = OneOf(['asc', 'desc'], { default: 'asc', description: 'asc: oldest first', examples: ['desc'] })

export const RequestList = Type.Object({
  ...RequestFilter,
  status: Status,
  user: integer('Only calls with a token of this user', 2500000101, 'must be a user identifier'),
  application_id: integer('Only calls with a token of this application', 1055337457, 'must be an integer from 0'),
  stub: integer('Only calls that this stub answered', 1, 'must be the id of a stub'),
  fault: integer('Only calls to which this fault rule was applied', 1, 'must be the id of a fault rule'),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_TEXT_CHARACTERS,
      description:
        'Only calls with this text in the address, the body or the answer, as they are shown; upper and lower case are the same',
      examples: ['MLA1400000001'],
      'x-message': `must be a text of 1 to ${MAX_TEXT_CHARACTERS} characters`,
    }),
  ),
  max_age: integer('Only calls of the last so many seconds, real time', 300, 'must be a number of seconds'),
  since: integer('Only requests after the one with this id', 17, REQUEST_ID_MESSAGE),
  before: integer('Only requests before the one with this id', 17, REQUEST_ID_MESSAGE),
  order: Order,
  bodies: OneOf(['true', 'false'], {
    default: 'true',
    description: 'false: without headers, bodies and bodies of answers',
    examples: ['false'],
  }),
  ...PagingQuery,
})
export type RequestList = Static<typeof RequestList>

export const ControlCallList = Type.Object({
  method: Type.Optional(OneOf(['POST', 'PUT', 'PATCH', 'DELETE'], { description: 'Method', examples: ['POST'] })),
  path: Type.Optional({
    ...PathPattern,
    description: 'A path without `/_sandbox` and query; `*` matches anything, a trailing slash is ignored',
    'x-message': 'must be a path of a control call, such as /questions/*; * matches anything',
  }),
  status: Status,
  since: integer('Only calls after the one with this id', 5, CONTROL_CALL_ID_MESSAGE),
  before: integer('Only calls before the one with this id', 5, CONTROL_CALL_ID_MESSAGE),
  order: Order,
  ...PagingQuery,
})

/** The predicate of the filters of a list. */
export function createFilter({ user, application_id, stub, fault, q, method, path, max_age, ...call }: RequestList) {
  const start = max_age === undefined ? 0 : realNow() - max_age * 1000
  const matchesCommon = createCommonFilter(call)
  const text = q?.toLowerCase()
  // To show the path of each entry takes most of the time of a list.
  const isOfAll = method === undefined && path === undefined
  return (entry: Entry): boolean =>
    matchesCommon(entry) &&
    entry.at >= start &&
    (user === undefined || entry.user_id === user) &&
    (application_id === undefined || entry.application_id === application_id) &&
    (stub === undefined || entry.stub_id === stub) &&
    (fault === undefined || entry.fault_ids.includes(fault)) &&
    (isOfAll || matchesFilter({ method, path }, entry)) &&
    (text === undefined || includesText(entry, text))
}

export function createControlFilter({ method, path, ...call }: Static<typeof ControlCallList>) {
  const matchesCommon = createCommonFilter(call)
  const pattern = path === undefined ? undefined : withoutTrailingSlash(path)
  return (entry: ControlCall): boolean => matchesCommon(entry) && matchesCall({ method, path: pattern }, entry)
}

function createCommonFilter({ status, since = 0, before = MAX_ID }: Pick<RequestList, 'status' | 'since' | 'before'>) {
  const expectedStatus = readStatus(status)
  return (entry: Pick<Entry, 'id' | 'status'>): boolean =>
    entry.id > since && entry.id < before && (expectedStatus === undefined || matchesStatus(expectedStatus, entry))
}

/** Query parameters arrive as texts. */
const readStatus = (status: number | string | undefined): number | StatusClass | undefined =>
  status === undefined || String(status).endsWith('xx') ? (status as StatusClass | undefined) : Number(status)

/** `text` is in lower case. */
const includesText = (entry: Entry, text: string): boolean =>
  redactedAddress(entry).toLowerCase().includes(text) ||
  excerptIncludes(entry.body, text, SECRETS.request) ||
  excerptIncludes(entry.answer, text, SECRETS.response)

/** Searches what is shown, so that no secret can be guessed. Only the texts that contain it are redacted. */
const excerptIncludes = (excerpt: Excerpt | null, text: string, secrets: Set<string>): boolean =>
  excerpt?.text.toLowerCase().includes(text) === true && redact(excerpt.text, secrets).toLowerCase().includes(text)

import { type Static, Type } from '@sinclair/typebox'
import { PagingQuery } from '../../domains/shared/control_schemas.ts'
import { MAX_ID, OneOf } from '../../domains/shared/schemas.ts'
import type { Entry, Excerpt } from '../../http/journal_entry.ts'
import { redact, SECRETS } from '../../http/redaction.ts'
import { matchesStatus, STATUS_CLASSES, type StatusClass } from './expectations.ts'
import { matchesFilter, RequestFilter, redactedAddress } from './schemas.ts'

const integer = (description: string, example: number, message: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_ID, description, examples: [example], 'x-message': message }))
const REQUEST_ID_MESSAGE = 'must be the id of a request'
const MAX_TEXT_CHARACTERS = 200

export const RequestList = Type.Object({
  ...RequestFilter,
  status: Type.Optional(
    Type.Unsafe<number | string>({
      type: ['integer', 'string'],
      pattern: '^(0|[1-9]\\d?|[1-5]\\d\\d|[1-5]xx)$',
      description: 'Only calls answered with this status, or with one of this class (4xx); 0: without an answer',
      examples: [503],
      'x-message': `must be an HTTP status, 0 for no answer, or one of ${STATUS_CLASSES.join(', ')}`,
    }),
  ),
  user: integer('Only calls with a token of this user', 2500000101, 'must be a user identifier'),
  application_id: integer('Only calls with a token of this application', 1055337457, 'must be an integer from 0'),
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
  since: integer('Only requests after the one with this id', 17, REQUEST_ID_MESSAGE),
  before: integer('Only requests before the one with this id', 17, REQUEST_ID_MESSAGE),
  order: OneOf(['asc', 'desc'], { default: 'asc', description: 'asc: oldest first', examples: ['desc'] }),
  bodies: OneOf(['true', 'false'], {
    default: 'true',
    description: 'false: without headers, bodies and bodies of answers',
    examples: ['false'],
  }),
  ...PagingQuery,
})
export type RequestList = Static<typeof RequestList>

/** The predicate of the filters of a list. */
export function createFilter({ status, user, application_id, q, since = 0, before = MAX_ID, ...call }: RequestList) {
  const expectedStatus = readStatus(status)
  const text = q?.toLowerCase()
  return (entry: Entry): boolean =>
    entry.id > since &&
    entry.id < before &&
    (expectedStatus === undefined || matchesStatus(expectedStatus, entry)) &&
    (user === undefined || entry.user_id === user) &&
    (application_id === undefined || entry.application_id === application_id) &&
    matchesFilter(call, entry) &&
    (text === undefined || includesText(entry, text))
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

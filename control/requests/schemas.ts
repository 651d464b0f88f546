import { type Static, Type } from '@sinclair/typebox'
import type { Cause } from '../../db/causes.ts'
import { controlConfig } from '../../domains/shared/control_schemas.ts'
import { utcMillis } from '../../domains/shared/instants.ts'
import { Bool, IdInPath, Instant, MAX_ID, Nullable, OneOf, ResponseObject } from '../../domains/shared/schemas.ts'
import { parseBody } from '../../http/bodies.ts'
import { notFound } from '../../http/errors/control_errors.ts'
import { type Entry, type Excerpt, pathOfEntry } from '../../http/journal/journal_entry.ts'
import type { Mark } from '../../http/journal/journals.ts'
import { redact, redactTokens, SECRETS } from '../../http/journal/redaction.ts'
import { matchesCall } from '../../http/patterns.ts'
import { METHODS, PathPattern, withoutTrailingSlash } from '../faults/schemas.ts'
import { type CallContext, deliveryBefore } from './after_delivery.ts'

export const requestNotFound = (id: unknown) =>
  notFound(`Request with id ${id} not found: it was not recorded, or is no longer stored`)
export const RequestParams = Type.Object({
  id: IdInPath('Number of the request', 17, requestNotFound, { minimum: 1 }),
})

const INCLUDE_AGENT = 'Calls of the MCP tool call_api count as well'
export const IncludeAgent = Type.Optional(Bool(INCLUDE_AGENT, { default: false }))
export const IncludeAgentInQuery = Type.Optional(
  OneOf(['true', 'false'], { default: 'false', description: INCLUDE_AGENT }),
)
const NullableText = (description: string) => Nullable(Type.String(), { description })
const Truncated = Type.Boolean({ description: 'The body was cut to 8 KiB' })
const Query = Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]), {
  description: 'Query parameters, decoded; an array for repeated ones',
})
const Status = Nullable(Type.Integer(), {
  description: 'HTTP status, for a JSONP call the one in its script; null: the connection was closed without an answer',
})
const RequestId = Type.Integer({
  minimum: 0,
  maximum: MAX_ID,
  description: 'Number since the world was created, reset, restored or loaded, in the order of the answers',
  examples: [17],
  'x-message': 'must be the id of a request',
})

const Fields = {
  id: RequestId,
  at: Instant('Real time at which it arrived', '2026-03-02T12:00:00.000Z'),
  world_time: Instant('World time of the answer', '2026-03-02T12:00:00.000Z'),
  method: Type.String({ description: 'Method; for a JSONP write the one in its `_method`', examples: ['POST'] }),
  path: Type.String({ description: 'Path without base address and query', examples: ['/questions'] }),
  query: Query,
}
const Bodies = {
  headers: Type.Record(Type.String(), Type.String(), {
    description: 'The relevant headers, in lower case; the values of authorization and cookie are redacted',
  }),
  body: NullableText(
    'Body as sent; null if there was none, or if the server did not read it, for example because the token was invalid',
  ),
  truncated: Truncated,
}
const ContextFields = {
  user_id: Nullable(Type.Integer(), { description: 'User of the token' }),
  application_id: Nullable(Type.Integer(), { description: 'Application of the token' }),
  faults: Type.Array(Type.Integer(), { description: 'Ids of the fault rules that were applied' }),
  stub: Nullable(Type.Integer(), { description: 'Id of the stub that answered it; null: the API itself' }),
  error: NullableText('Code of the error that was answered, null: none'),
}
const AnswerBody = {
  body: NullableText('Body of the answer; for a JSONP call the one in its script'),
  truncated: Truncated,
}
const AfterDelivery = Nullable(
  ResponseObject({
    id: Type.Integer({ description: 'Number of the delivery', examples: [3] }),
    n: Type.Integer({ description: 'Number of the attempt, from 1', examples: [1] }),
    inferred: Type.Boolean({ description: 'Always true: no call says why it is made', examples: [true] }),
  }),
  {
    description:
      'The attempt that the call probably follows: the latest one before it to its application that is about an id in its address or body; else, if it reads a list, the latest one for its user about something in this list that is in flight or ended at most 2 s of real time before. null if there is none, and for a read that its client (user, application and user agent) has made since that attempt, with any query: it polls',
  },
)
const Found = Nullable(
  ResponseObject({
    shown: Type.Integer({ description: 'Elements in the answer', examples: [12] }),
    total: Type.Integer({ description: 'All that match', examples: [261] }),
  }),
  { description: 'Of the answer of a list, as far as its paging is in the stored text; null for others' },
)
const MAX_CHANGES = 100
export const Changes = Type.Array(Type.Integer(), {
  description: `Ids of the facts that it caused, as in the stream of events; at most the latest ${MAX_CHANGES}`,
})
const Consequences = { found: Found, changes: Changes, after_delivery: AfterDelivery }
const Duration = Type.Integer({ description: 'Duration in real time, ms' })

/** Secrets are replaced by `***`. */
export const RecordedRequest = ResponseObject(
  {
    ...Fields,
    ...Bodies,
    ...ContextFields,
    response: ResponseObject({ status: Status, ...AnswerBody, ms: Duration }, { description: 'The answer' }),
    ...Consequences,
  },
  { title: 'Request', description: 'A call of the emulated API' },
)
export type RecordedRequest = Static<typeof RecordedRequest>

/** The same; with `bodies=false` without headers and bodies. */
export const ListedRequest = ResponseObject(
  {
    ...Fields,
    ...Type.Partial(Type.Object(Bodies)).properties,
    ...ContextFields,
    response: ResponseObject(
      { status: Status, ...Type.Partial(Type.Object(AnswerBody)).properties, ms: Duration },
      { description: 'The answer' },
    ),
    ...Consequences,
  },
  {
    title: 'ListedRequest',
    description: 'A call of the emulated API; with bodies=false it has no headers and no bodies',
  },
)
export type ListedRequest = Static<typeof ListedRequest>

/** Number of requests that the journal has dropped, some of which may have matched. */
export const DroppedCount = Type.Integer({
  description: 'Earlier requests that are no longer stored: a world stores 1000, and 4 MiB',
})

export const Marks = Type.Array(
  ResponseObject({
    after: Type.Integer({ description: 'The last request before it, 0: none', examples: [17] }),
    change: OneOf(['reset', 'restore', 'undo', 'load'], {
      description: 'The change of the world',
      examples: ['restore'],
    }),
    name: NullableText('Name of the snapshot, if there is one'),
    by: NullableText('Who made it, as in the list of control calls; null if not known'),
    real_at: Instant('Real time', '2026-03-02T12:00:00.000Z'),
  }),
  {
    description:
      'Changes of the world’s state after which the list continued or began, at most the latest 100; `changes` of the requests before one are facts of the earlier state',
  },
)
export const presentMark = ({ at, ...mark }: Mark): Static<typeof Marks>[number] => ({
  ...mark,
  real_at: utcMillis(at),
})

/** Filter of a list or verification. */
export const RequestFilter = {
  method: Type.Optional(OneOf(METHODS, { description: 'GET includes HEAD', examples: ['POST'] })),
  path: Type.Optional(PathPattern),
}

export const matchesFilter = (
  { method, path }: { method?: string | undefined; path?: string | undefined },
  entry: Entry,
) =>
  matchesCall(
    { method, path: path === undefined ? undefined : withoutTrailingSlash(path) },
    // As it is shown: patterns must not find the parts of a token.
    { method: entry.method, path: redactedPath(entry) },
  )

export const presentRequest = (context: CallContext, entry: Entry): RecordedRequest => {
  const { response, ...request } = presentWithoutBodies(context, entry)
  return {
    ...request,
    headers: Object.fromEntries(Object.entries(entry.headers).map(([name, value]) => [name, redactTokens(value)])),
    ...presentBody(entry.body, SECRETS.request),
    response: { ...response, ...presentBody(entry.answer, SECRETS.response) },
  }
}

export const presentWithoutBodies = (context: CallContext, entry: Entry) => ({
  id: entry.id,
  at: utcMillis(entry.at),
  world_time: utcMillis(entry.world_time),
  method: entry.method,
  path: redactedPath(entry),
  query: redactedQuery(entry),
  user_id: entry.user_id,
  application_id: entry.application_id,
  faults: entry.fault_ids,
  stub: entry.stub_id,
  error: errorOf(entry),
  response: { status: entry.status, ms: entry.ms },
  ...presentConsequences(context, entry),
})

const ERROR_CODE = /"error":\s*"([\w.-]{1,100})"/
const errorOf = ({ status, answer }: Entry): string | null => {
  const code = status !== null && status >= 400 ? ERROR_CODE.exec(answer?.text ?? '')?.[1] : undefined
  return code === undefined ? null : redactTokens(code)
}

/** What a call has found and caused, and what may have caused it. */
export const presentConsequences = (context: CallContext, entry: Entry) => ({
  found: foundBy(entry),
  changes: changedBy(entry.cause),
  after_delivery: deliveryBefore(context, entry),
})

/** Members of one object: the paging of a list. */
const PAGING = /"(?:total|limit|offset)":\d+(?:,"\w+":\d+)*/g

function foundBy({ answer, url }: Entry): { shown: number; total: number } | null {
  for (const [text] of answer?.text.matchAll(PAGING) ?? []) {
    const numberOf = (name: string) => new RegExp(`"${name}":(\\d+)`).exec(text)?.[1]
    const [total, limit] = [numberOf('total'), numberOf('limit')]
    if (total === undefined || limit === undefined) continue
    const offset = numberOf('offset') ?? /[?&]offset=(\d+)/.exec(url)?.[1] ?? 0
    return { shown: Math.max(0, Math.min(Number(limit), Number(total) - Number(offset))), total: Number(total) }
  }
  return null
}

/** The ids of the latest events that a call caused. */
export function changedBy(cause: Cause | undefined): number[] {
  const ids: number[] = []
  for (const { first, last } of cause?.events.toReversed() ?? [])
    for (let id = last; id >= first && ids.length < MAX_CHANGES; id--) ids.push(id)
  return ids.reverse()
}

/** The path without tokens: some clients put them anywhere. */
export const redactedPath = (entry: Entry): string => redactTokens(pathOfEntry(entry))

/** Path and query, decoded. */
export function redactedAddress(entry: Entry): string {
  const members = Object.entries(redactedQuery(entry)).flatMap(([name, value]) =>
    [value].flat().map((one) => `${name}=${one}`),
  )
  return redactedPath(entry) + (members.length > 0 ? `?${members.join('&')}` : '')
}

const presentBody = (captured: Excerpt | null, secrets: Set<string>) => ({
  body: captured && redact(captured.text, secrets),
  truncated: captured !== null && !captured.isComplete,
})

/** The query parameters without secrets. */
export function redactedQuery({ url }: Entry): Static<typeof Query> {
  const start = url.indexOf('?')
  if (start < 0) return {}
  const parameters = new Map<string, string[]>()
  for (const [sent, value] of new URLSearchParams(url.slice(start + 1))) {
    const name = redactTokens(sent)
    const shown = SECRETS.request.has(name) ? '***' : redact(value, SECRETS.request)
    const previous = parameters.get(name)
    if (previous) previous.push(shown)
    else parameters.set(name, [shown])
  }
  return Object.fromEntries(
    [...parameters].map(([name, [first, ...more]]) => [name, more.length > 0 ? [first!, ...more] : first!]),
  )
}

/** The body as JSON, as a form if its type says so, or as text; null if it is empty. Without secrets. */
export function redactedBody({ body, headers }: Entry): unknown {
  if (!body) return null
  const text = redact(body.text, SECRETS.request)
  return body.isComplete ? parseBody(text, headers['content-type']) : text
}

export const config = controlConfig('Requests', 'Recorded calls, and their verification')

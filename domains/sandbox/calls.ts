import { type Static, Type } from '@sinclair/typebox'
import { type Entry, type Excerpt, pathOfEntry } from '../../plugins/journals.ts'
import { matchesCall } from '../../plugins/wildcards.ts'
import { ResponseObject, Instant, MAX_ID, Nullable, OneOf } from '../shared/atoms.ts'
import { utcMillis } from '../shared/instants.ts'
import { bare, METHODS, PathPattern } from './fault_rules.ts'
import { redacted, SECRETS, withoutTokens } from './redaction.ts'

const Text = (description: string) => Nullable(Type.String(), { description })
const Truncated = Type.Boolean({ description: 'Only the first 8 KiB of the body are here' })
const Query = Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]), {
  description: 'Its parameters, decoded; an array where one came more than once',
})
const Status = Nullable(Type.Integer(), {
  description: 'HTTP status, of a JSONP call the one in its script; null: the connection closed without an answer',
})
const RequestId = Type.Integer({
  minimum: 0,
  maximum: MAX_ID,
  description: 'Its number since the world’s making, reset, restore or load, in the order of the answers',
  examples: [17],
  'x-message': 'must be the id of a request',
})

/** Secrets in all of it are `***`. */
export const CallShape = ResponseObject(
  {
    id: RequestId,
    at: Instant('Real time when it came', '2026-03-02T12:00:00.000Z'),
    world_time: Instant('World time when it was answered', '2026-03-02T12:00:00.000Z'),
    method: Type.String({ description: 'Of a JSONP write the one it stands for', examples: ['POST'] }),
    path: Type.String({ description: 'Without the world’s base address and the query', examples: ['/questions'] }),
    query: Query,
    headers: Type.Record(Type.String(), Type.String(), {
      description: 'Those that matter, in lower case; authorization and cookie only tell that they were sent',
    }),
    body: Text('As it was sent; null for none, or where nobody read it, as with a token that is not valid'),
    truncated: Truncated,
    user_id: Nullable(Type.Integer(), { description: 'Whose token it bore' }),
    application_id: Nullable(Type.Integer(), { description: 'Whose token it bore' }),
    faults: Type.Array(Type.Integer(), { description: 'Ids of the rules by which it went wrong' }),
    response: ResponseObject(
      {
        status: Status,
        body: Text('As it was answered; of a JSONP call what its script bears'),
        truncated: Truncated,
        ms: Type.Integer({ description: 'Real time that it took' }),
      },
      { description: 'What it was answered' },
    ),
  },
  { title: 'Request', description: 'A call of the emulated API' },
)
export type Call = Static<typeof CallShape>

/** How many entries had to go: what was asked and is not here may have been among them. */
export const Dropped = Type.Integer({
  description: 'Earlier requests that were forgotten: a world keeps 1000, and 4 MiB',
})

/** Which calls a list or a verification is about. */
export const Which = {
  method: Type.Optional(OneOf(METHODS, { description: 'GET takes HEAD as well', examples: ['POST'] })),
  path: Type.Optional(PathPattern),
}

export const isAbout = ({ method, path }: { method?: string | undefined; path?: string | undefined }, entry: Entry) =>
  matchesCall(
    { method, path: path === undefined ? undefined : bare(path) },
    { method: entry.method, path: pathOfEntry(entry) },
  )

export const presentCall = (entry: Entry): Call => ({
  id: entry.id,
  at: utcMillis(entry.at),
  world_time: utcMillis(entry.world_time),
  method: entry.method,
  path: pathShown(entry),
  query: queryOf(entry),
  headers: Object.fromEntries(Object.entries(entry.headers).map(([name, value]) => [name, withoutTokens(value)])),
  ...presentText(entry.body, SECRETS.sent),
  user_id: entry.user_id,
  application_id: entry.application_id,
  faults: entry.fault_ids,
  response: { status: entry.status, ...presentText(entry.answer, SECRETS.answered), ms: entry.ms },
})

/** Its path; some clients put tokens anywhere. */
export const pathShown = (entry: Entry): string => withoutTokens(pathOfEntry(entry))

const presentText = (kept: Excerpt | null, secrets: Set<string>) => ({
  body: kept && redacted(kept.text, secrets),
  truncated: kept !== null && !kept.isComplete,
})

/** The parameters of a call, without secrets. */
export function queryOf({ url }: Entry): Static<typeof Query> {
  const start = url.indexOf('?')
  if (start < 0) return {}
  const all = new Map<string, string | string[]>()
  for (const [sent, value] of new URLSearchParams(url.slice(start + 1))) {
    const name = withoutTokens(sent)
    const shown = SECRETS.sent.has(name) ? '***' : redacted(value, SECRETS.sent)
    const before = all.get(name)
    all.set(name, before === undefined ? shown : [before, shown].flat())
  }
  return Object.fromEntries(all)
}

/** What a body says: JSON, else a form where it says that it is one, else its text; null for none. Without secrets. */
export function bodyOf({ body, headers }: Entry): unknown {
  if (!body) return null
  const text = redacted(body.text, SECRETS.sent)
  if (!body.isComplete) return text
  try {
    return JSON.parse(text)
  } catch {
    const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded')
    return isForm ? Object.fromEntries(new URLSearchParams(text)) : text
  }
}

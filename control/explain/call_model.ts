import type { RouteOptions } from 'fastify'
import { decoded } from '../../http/decoded.ts'
import { SecretValue } from '../../http/errors/checks.ts'
import type { Entry } from '../../http/journal/journal_entry.ts'
import { REDACTED, redact, redactTokens, SECRETS } from '../../http/journal/redaction.ts'
import type { Path, Paths } from '../../http/paths.ts'
import { type CallBody, formatMembers, readBody } from './bodies.ts'
import { type Schema, schemaOf } from './ladder.ts'
import { memberAt } from './members.ts'

export interface CallUser {
  user_id: number
  application_id: number
}

/** A call that can be changed and sent. Secrets in it are those that were sent, or `SecretValue`s. */
export interface CallModel {
  method: string
  /** As sent, without the query. */
  path: string
  /** Decoded. */
  query: readonly (readonly [name: string, value: string | SecretValue])[]
  headers: Readonly<Record<string, string>>
  body: CallBody
  /** `user` null: none, or an invalid one. */
  token: { user: CallUser | null; place: 'header' | 'query'; isSent: boolean }
  /** The function of a write by JSONP. */
  jsonp: string | undefined
}

export type Place = 'path' | 'query' | 'body' | 'header'

/** The route of a call, with the path that it was found by. */
export interface MatchedCall {
  path: Path | undefined
  route: RouteOptions | undefined
}

/** The method whose route answers a call. */
export const routedMethod = (method: string): string => (method === 'HEAD' ? 'GET' : method)

export function matchCall(paths: Paths, { method, path }: Pick<CallModel, 'method' | 'path'>): MatchedCall {
  const matched = paths.match(path, routedMethod(method))
  return { path: matched, route: matched?.routes.get(routedMethod(method)) }
}

/** Whether the answer is wrapped in a script. */
export const hasCallback = ({ jsonp, query }: CallModel): boolean =>
  jsonp !== undefined || query.some(([name]) => name === 'callback')

/** Headers that the journal records, and that an answer may depend on. */
const SENT_HEADERS = ['content-type', 'x-sandbox', 'x-sandbox-fault']

/** A delay refuses nothing, and a try must not wait for it. */
const isDelay = (name: string, value: string): boolean =>
  name === 'x-sandbox-fault' && value.trim().startsWith('delay=')

/** The recorded call. Its token is not recorded, but who it belongs to. */
export function readCall(entry: Entry): CallModel {
  const start = entry.url.indexOf('?')
  const path = start < 0 ? entry.url : entry.url.slice(0, start)
  const all = [...new URLSearchParams(start < 0 ? '' : entry.url.slice(start + 1))]
  const isJsonpWrite =
    entry.method !== 'GET' &&
    entry.method !== 'HEAD' &&
    all.some(([name]) => name === 'callback') &&
    all.some(([name, value]) => name === '_method' && value.toUpperCase() === entry.method)
  const jsonp = isJsonpWrite ? all.find(([name]) => name === 'callback')![1] : undefined
  const dropped = isJsonpWrite ? ['access_token', 'callback', '_method', '_body'] : ['access_token']
  const hasQueryToken = all.some(([name]) => name === 'access_token')
  const { user_id, application_id, headers } = entry
  return {
    method: entry.method,
    path,
    query: all.filter(([name]) => !dropped.includes(name)),
    headers: Object.fromEntries(
      SENT_HEADERS.flatMap((name) => (headers[name] && !isDelay(name, headers[name]) ? [[name, headers[name]]] : [])),
    ),
    body: readBody(entry),
    token: {
      user: user_id === null || application_id === null ? null : { user_id, application_id },
      place: hasQueryToken && headers.authorization === undefined ? 'query' : 'header',
      isSent: hasQueryToken || headers.authorization !== undefined,
    },
    jsonp,
  }
}

/** Where a route has a parameter or member; undefined if it has none of that name. */
export function placeOf({ url, ...route }: RouteOptions, { query, body }: CallModel, name: string): Place | undefined {
  if (url.split('/').includes(`:${name}`)) return 'path'
  const { querystring, body: bodySchema } = schemaOf({ url, ...route })
  if (querystring?.properties?.[name]) return 'query'
  const isInQuery = query.some(([sent]) => sent === name)
  // The parameters of OAuth may be in the query instead.
  if (bodySchema && !(isInQuery && memberOf(body, name) === undefined)) return 'body'
  if (isInQuery || route.method === 'GET') return 'query'
  return undefined
}

/** The schema of a parameter or member. */
export function fieldSchema(route: RouteOptions, place: Place, name: string): Schema | undefined {
  const { params, querystring, body } = schemaOf(route)
  if (place === 'path') return params?.properties?.[name]
  if (place === 'query') return querystring?.properties?.[name] ?? body?.properties?.[name]
  return memberAt.schema(body, name)
}

/** The value of a parameter or member that a call has; undefined without one. */
export function sentValue(route: RouteOptions | undefined, call: CallModel, place: Place, name: string): unknown {
  if (place === 'header') return call.headers[name]
  if (place === 'path') return decoded(call.path.split('/')[route?.url.split('/').indexOf(`:${name}`) ?? -1] ?? '')
  if (place === 'body') return memberOf(call.body, name)
  const values = call.query.filter(([sent]) => sent === name).map(([, value]) => value)
  return values.length > 1 ? values : values[0]
}

export function memberOf(body: CallBody, name: string): unknown {
  if (body.kind === 'json') return memberAt.read(body.value, name)
  return body.kind === 'form' ? body.members[name] : undefined
}

/** The same call with a value in a field, or without the field: undefined. */
export function withField(
  { url }: Pick<RouteOptions, 'url'>,
  call: CallModel,
  place: Place,
  name: string,
  value: unknown,
): CallModel {
  if (place === 'path') {
    const at = url.split('/').indexOf(`:${name}`)
    const segments = call.path.split('/').map((one, n) => (n === at ? encodeURIComponent(String(value)) : one))
    return { ...call, path: segments.join('/') }
  }
  if (place === 'query') {
    const first = call.query.findIndex(([sent]) => sent === name)
    const query = call.query.filter(([sent]) => sent !== name)
    const at = first < 0 ? query.length : first
    if (value !== undefined) query.splice(at, 0, [name, value instanceof SecretValue ? value : String(value)])
    return { ...call, query }
  }
  if (place === 'header') {
    const { [name]: _, ...headers } = call.headers
    return { ...call, headers: value === undefined ? headers : { ...headers, [name]: String(value) } }
  }
  return { ...call, body: withMember(call.body, name, value) }
}

function withMember(body: CallBody, name: string, value: unknown): CallBody {
  if (body.kind === 'form') {
    const { [name]: _, ...members } = body.members
    return { kind: 'form', members: value === undefined ? members : { ...members, [name]: value as string } }
  }
  return { kind: 'json', value: memberAt.write(body.kind === 'json' ? body.value : {}, name, value) }
}

/** A call as it is sent, or as it is shown: without secrets. */
export interface WrittenCall {
  method: string
  url: string
  headers: Record<string, string>
  body: string | undefined
}

/** `token`: in the place of the caller's token. */
export function writeCall(call: CallModel, token: string | undefined, isShown: boolean): WrittenCall {
  const { jsonp, token: sent, headers } = call
  const body = formatBody(call.body, isShown)
  const query = call.query.map(([name, value]) => `${encodeURIComponent(name)}=${formatValue(name, value, isShown)}`)
  if (jsonp !== undefined) {
    query.push(`callback=${encodeURIComponent(jsonp)}`, `_method=${call.method}`)
    if (body !== undefined) query.push(`_body=${encodeURIComponent(body)}`)
  }
  const isInQuery = sent.place === 'query'
  if (token !== undefined && isInQuery) query.push(`access_token=${isShown ? token : encodeURIComponent(token)}`)
  const path = isShown ? redactTokens(call.path) : call.path
  return {
    method: jsonp === undefined ? call.method : 'GET',
    url: query.length > 0 ? `${path}?${query.join('&')}` : path,
    headers: { ...(token !== undefined && !isInQuery && { authorization: `Bearer ${token}` }), ...headers },
    body: jsonp === undefined ? body : undefined,
  }
}

function formatValue(name: string, value: string | SecretValue, isShown: boolean): string {
  if (value instanceof SecretValue) return isShown ? value.shown : encodeURIComponent(value.value)
  if (!isShown) return encodeURIComponent(value)
  return SECRETS.request.has(name) ? REDACTED : encodeURIComponent(redactTokens(value))
}

function formatBody(body: CallBody, isShown: boolean): string | undefined {
  if (body.kind === 'none' || body.kind === 'unknown') return undefined
  if (body.kind === 'text') return isShown ? redact(body.text, SECRETS.request) : body.text
  return formatMembers(body, isShown)
}

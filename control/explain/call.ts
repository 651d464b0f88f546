import type { RouteOptions } from 'fastify'
import type { World } from '../../db/world.ts'
import { callerOfToken } from '../../domains/oauth/token_cache.ts'
import { isTooDeep } from '../../domains/shared/texts.ts'
import { parseJson } from '../../http/bodies.ts'
import type { CallContext } from '../../http/errors/checks.ts'
import type { Caller } from '../../http/fastify_types.ts'
import type { InternalRequest } from '../../http/internal_request.ts'
import type { Entry } from '../../http/journal/journal_entry.ts'
import { redact, redactTokens, SECRETS } from '../../http/journal/redaction.ts'
import { decoded, type Paths } from '../../http/paths.ts'
import { type Schema, schemaOf } from './ladder.ts'
import { memberAt } from './members.ts'

/** A recorded call, to be sent again. */
export interface Call {
  method: string
  /** As sent, without the query. */
  path: string
  /** Without the token. */
  query: URLSearchParams
  headers: Readonly<Record<string, string>>
  /** null: none; undefined: it was not recorded, or only its beginning. */
  body: string | null | undefined
  /** Undefined: nobody, or not known. */
  user: Caller | undefined
  /** The token that was rejected, or not looked up. */
  token: string | undefined
  /** Where the token was sent; undefined: nowhere. */
  tokenIn: 'header' | 'query' | undefined
}

type Place = 'path' | 'query' | 'body' | 'header'

export const routeOf = (paths: Paths, { method, path }: Pick<Call, 'method' | 'path'>): RouteOptions | undefined => {
  const routed = method === 'HEAD' ? 'GET' : method
  return paths.match(path, routed)?.routes.get(routed)
}

/** Headers that the journal records, and that an answer may depend on. */
const SENT_HEADERS = ['content-type', 'x-sandbox', 'x-sandbox-fault']

export async function readCall(world: World, entry: Entry): Promise<Call> {
  const { method, url, headers, user_id, application_id, rejected_token: token } = entry
  const [path = '', ...rest] = url.split('?')
  const query = new URLSearchParams(rest.join('?'))
  const tokenIn = headers.authorization !== undefined ? 'header' : query.has('access_token') ? 'query' : undefined
  query.delete('access_token')
  const known = user_id === null || application_id === null ? undefined : { user_id, application_id }
  return {
    method,
    path,
    query,
    headers: Object.fromEntries(SENT_HEADERS.flatMap((name) => (headers[name] ? [[name, headers[name]]] : []))),
    body: readBody(entry),
    user: known ?? (token === undefined ? undefined : await callerOfToken(world, token)),
    token,
    tokenIn,
  }
}

export const isWrite = ({ method }: Pick<Call, 'method'>): boolean => !['GET', 'HEAD', 'OPTIONS'].includes(method)
/** Calls that are rejected by these rules have not been read. */
const UNREAD = /^http\.(token|faults|jsonp|body\.limit|body\.incomplete)|^credits\.unauthorized$|token_errors$/

function readBody(entry: Entry): Call['body'] {
  const { body, violation } = entry
  if (body) return body.isComplete ? body.text : undefined
  return isWrite(entry) && violation && UNREAD.test(violation.rule) ? undefined : null
}

// Parameters and members

/** The JSON of a body, or the members of a form; undefined for another text. */
export function bodyValue(body: Call['body']): unknown {
  if (!body) return undefined
  const { value } = parseJson(body)
  if (value !== undefined) return isTooDeep(value) ? undefined : value
  return isForm(body) ? Object.fromEntries(new URLSearchParams(body)) : undefined
}

const isForm = (text: string): boolean => /^[\w.%+-]+=/.test(text) && !/[\s{}]/.test(text)

const positionIn = ({ url }: Pick<RouteOptions, 'url'>, name: string): number => url.split('/').indexOf(`:${name}`)

const HEADER_FIELDS = ['authorization', 'x-sandbox-fault', 'Host', 'Expect']

/** Where a call has a parameter or member, or should have it; undefined if its route has none of that name. */
export function placeOf(route: RouteOptions | undefined, { query, body, tokenIn }: Call, name: string) {
  if (HEADER_FIELDS.includes(name)) return name === 'authorization' ? (tokenIn ?? 'header') : 'header'
  if (name === 'callback') return 'query'
  if (!route) return undefined
  if (positionIn(route, name) >= 0) return 'path'
  const { querystring, body: schema } = schemaOf(route)
  if (querystring?.properties?.[name]) return 'query'
  // The parameters of OAuth may be in the query instead.
  if (schema && !(query.has(name) && memberAt.read(bodyValue(body), name) === undefined)) return 'body'
  return query.has(name) || route.method === 'GET' ? 'query' : undefined
}

/** The schema of a parameter or member. */
export function fieldSchema(route: RouteOptions | undefined, place: Place, name: string): Schema | undefined {
  const { params, querystring, body } = schemaOf(route)
  if (place === 'path') return params?.properties?.[name]
  if (place === 'query') return querystring?.properties?.[name] ?? body?.properties?.[name]
  return memberAt.schema(body, name)
}

/** The value of a parameter or member that a call has; undefined without one. */
export function sentValue(route: RouteOptions | undefined, call: Call, place: Place, name: string): unknown {
  if (place === 'header') return call.headers[name]
  if (place === 'body') return memberAt.read(bodyValue(call.body), name)
  if (place === 'path') return decoded(call.path.split('/')[route ? positionIn(route, name) : -1] ?? '')
  const values = call.query.getAll(name)
  return values.length > 1 ? values : values[0]
}

interface Field {
  place: Place
  name: string
}

/** The same call with a value in a field, or without the field: undefined. */
export function withField(route: RouteOptions, call: Call, { place, name }: Field, value: unknown): Call {
  if (place === 'query') return { ...call, query: withPair(call.query, name, value) }
  if (place === 'path') {
    const at = positionIn(route, name)
    const segments = call.path.split('/').map((one, n) => (n === at ? encodeURIComponent(String(value)) : one))
    return { ...call, path: segments.join('/') }
  }
  const { body } = call
  if (body && isForm(body)) return { ...call, body: String(withPair(new URLSearchParams(body), name, value)) }
  return { ...call, body: JSON.stringify(memberAt.write(bodyValue(body) ?? {}, name, value)) }
}

function withPair(pairs: URLSearchParams, name: string, value: unknown): URLSearchParams {
  const changed = new URLSearchParams(pairs)
  if (value === undefined) changed.delete(name)
  else changed.set(name, String(value))
  return changed
}

/** What the functions of domains that find values know of a call. */
export const contextOf = (world: World, route: RouteOptions, call: Call): CallContext => ({
  q: world.read,
  world,
  caller: call.user,
  sent: (name) => sentValue(route, call, placeOf(route, call, name) ?? 'query', name) ?? call.headers[name],
})

/** A call as it is sent. `token`: in the place of the caller's token. `isShown`: without secrets. */
export function writeCall(call: Call, token: string | undefined, isShown: boolean): Omit<InternalRequest, 'world'> {
  const { method, path, headers, tokenIn } = call
  const body = call.body ? (isShown ? redact(call.body, SECRETS.request) : call.body) : undefined
  // A write by JSONP has its body in the query.
  const isJsonp = isWrite(call) && call.query.has('callback') && call.query.has('_method')
  const query = String(isJsonp ? withPair(call.query, '_body', body) : call.query)
  const isInQuery = token !== undefined && tokenIn === 'query'
  const parts = [
    isShown ? redact(query, SECRETS.request) : query,
    isInQuery ? `access_token=${isShown ? token : encodeURIComponent(token)}` : '',
  ]
  const search = parts.filter(Boolean).join('&')
  return {
    method: isJsonp ? 'GET' : method,
    url: (isShown ? redactTokens(path) : path) + (search && `?${search}`),
    headers: { ...(token !== undefined && !isInQuery && { authorization: `Bearer ${token}` }), ...headers },
    body: isJsonp ? undefined : body,
  }
}

import type { IncomingMessage } from 'node:http'
import type { onRequestHookHandler } from 'fastify'
import { pathOf } from './patterns.ts'
import { type RequestState, stateOf } from './request_state.ts'

/** The base path of the control plane. */
export const CONTROL_PREFIX = '/_sandbox'
/** Characters that end the prefix: `/_sandboxes` is not a control call. */
const PREFIX_ENDS = new Set([undefined, '/', '?'])
/** `http://host` of an absolute-form target. */
const ORIGIN = /^https?:\/\/[^/?#]*/i
const WORLD_PREFIX = /^\/w\/([^/?]*)(?=[/?]|$)/
const WRITE_METHODS = new Set(['POST', 'PUT', 'DELETE'])

/**
 * What the router gets of a request, the same each time: reads a target in absolute-form as its path and query [spec: http.path.absolute]. `/w/{number}`
 * selects the world; `callback` asks for JSONP, where `_method` and `_body` turn a GET into a write [spec: http.jsonp].
 * Control calls have no JSONP and no HEAD; a HEAD of any other path has the route of its GET.
 */
export function rewriteUrl(raw: IncomingMessage): string {
  const state = stateOf(raw)
  state.routed ??= readTarget(raw, state)
  return state.routed
}

function readTarget(raw: IncomingMessage, state: RequestState): string {
  let url = raw.url ?? '/'
  if (url[0] !== '/') url = withoutPrefix(url, ORIGIN.exec(url)?.[0] ?? '')
  if (url.startsWith('/w/')) {
    const match = WORLD_PREFIX.exec(url)
    if (match) {
      state.worldNumber = /^\d{1,9}$/.test(match[1]!) ? Number(match[1]) : Number.NaN
      url = withoutPrefix(url, match[0])
    }
  }
  if (isControlCall(url)) state.isControl = true
  else if (raw.method === 'GET' || raw.method === 'HEAD') {
    const start = url.indexOf('?')
    const query = start < 0 ? '' : url.slice(start + 1)
    if (MAY_HAVE_CALLBACK.test(query)) readJsonp(raw, state, new URLSearchParams(query))
  }
  if (raw.method !== 'GET') hideContentType(raw, state)
  if (raw.method === 'HEAD' && !state.isControl) {
    state.isHead = true
    raw.method = 'GET'
  }
  return url
}

/** The first hook: after the router has read the method, and before anything else does. */
export const restoreMethod: onRequestHookHandler = ({ raw }, _reply, done) => {
  if (stateOf(raw).isHead) raw.method = 'HEAD'
  done()
}

/** Whether a target in origin-form is a control call. The router decodes paths: `/%5Fsandbox` is one, too. */
export function isControlCall(url: string): boolean {
  const hasEscape = url.lastIndexOf('%', CONTROL_PREFIX.length - 1) >= 0
  const path = hasEscape ? pathOf(url) : url
  return path.startsWith(CONTROL_PREFIX) && PREFIX_ENDS.has(path[CONTROL_PREFIX.length])
}

/** The rest of a target, in origin-form. */
function withoutPrefix(url: string, prefix: string): string {
  const rest = url.slice(prefix.length)
  return prefix !== '' && rest[0] !== '/' ? `/${rest}` : rest
}

/** Fastify rejects unknown media types before a body is read: it sees every body as text. */
function hideContentType(raw: IncomingMessage, state: RequestState): void {
  state.contentType = raw.headers['content-type']
  if (state.contentType !== undefined) raw.headers['content-type'] = 'text/plain'
}

/** The parameter may have no value, or escaped characters in its name. */
const MAY_HAVE_CALLBACK = /(?:^|&)(?:callback|[^=&]*%)/

function readJsonp(raw: IncomingMessage, state: RequestState, query: URLSearchParams): void {
  const [callback, ...more] = query.getAll('callback')
  if (callback === undefined) return
  state.callbackViolation =
    more.length > 0
      ? 'http.query.repeated'
      : callback === ''
        ? 'http.query.empty'
        : isCallback(callback)
          ? undefined
          : 'http.jsonp.name'
  if (state.callbackViolation) return
  state.callback = callback
  const method = query.get('_method')?.toUpperCase()
  if (raw.method !== 'GET' || !method || !WRITE_METHODS.has(method)) return
  raw.method = method
  state.jsonpBody = query.get('_body') ?? ''
}

/** A function name of up to ten dotted parts and 128 characters; anything else could be script [spec: http.jsonp.name]. */
const isCallback = (name: string): boolean =>
  name.length <= 128 && /^[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*){0,9}$/.test(name)

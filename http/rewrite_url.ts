import type { IncomingMessage } from 'node:http'
import { realNow } from '../db/clock.ts'

declare module 'http' {
  interface IncomingMessage {
    /** Real time, ms, when its head was read. */
    receivedAt?: number
    /** The world that the address names; NaN where it names none that can be. */
    worldNumber?: number
    /** JSONP: the function to call; only ever the name of one. */
    callback?: string
    /** JSONP was asked for with what is no name of a function. */
    hasBadCallback?: boolean
    /** What the client said its body is. */
    contentType?: string | undefined
    /** JSONP: the body of a write that came as a GET. */
    jsonpBody?: string
    /** A call of the control plane, not of the emulated API. */
    isControl?: boolean
  }
}

/** What tells control calls from those of the emulated API. */
export const CONTROL_PREFIX = '/_sandbox'
/** What may follow: `/_sandboxes` is nothing of its. */
const PREFIX_ENDS = new Set([undefined, '/', '?'])
const WORLD_PREFIX = /^\/w\/([^/?]*)(?=[/?]|$)/
const WRITE_METHODS = new Set(['POST', 'PUT', 'DELETE'])

/**
 * What the head of a request says besides the path, read before the route is found: `/w/{id}` names the world;
 * `callback` asks for JSONP, and with it `_method` and `_body` make a GET the write that an old browser could not send.
 * Control calls know none of that.
 */
export function rewriteUrl(raw: IncomingMessage): string {
  let url = raw.url ?? '/'
  if (url.startsWith('/w/')) {
    const match = WORLD_PREFIX.exec(url)
    if (match) {
      raw.worldNumber = /^\d{1,9}$/.test(match[1]!) ? Number(match[1]) : Number.NaN
      url = url.slice(match[0].length) || '/'
      if (url[0] === '?') url = `/${url}`
    }
  }
  if (url.startsWith(CONTROL_PREFIX) && PREFIX_ENDS.has(url[CONTROL_PREFIX.length])) {
    raw.isControl = true
    if (raw.method !== 'GET') hideContentType(raw)
    return url
  }
  raw.receivedAt = realNow()
  const start = url.indexOf('?')
  if (start >= 0 && (raw.method === 'GET' || raw.method === 'HEAD')) {
    const query = url.slice(start + 1)
    if (MAY_HAVE_CALLBACK.test(query)) readJsonp(raw, new URLSearchParams(query))
  }
  if (raw.method !== 'GET') hideContentType(raw)
  return url
}

/** Fastify would refuse what is no media type before anybody could read the text: it sees all bodies as text. */
function hideContentType(raw: IncomingMessage): void {
  raw.contentType = raw.headers['content-type']
  if (raw.contentType !== undefined) raw.headers['content-type'] = 'text/plain'
}

/** Every way to write that parameter: without a value, or with its letters escaped. */
const MAY_HAVE_CALLBACK = /(?:^|&)(?:callback|[^=&]*%)/

function readJsonp(raw: IncomingMessage, query: URLSearchParams): void {
  const callback = query.get('callback')
  if (callback === null) return
  if (!isCallback(callback)) {
    raw.hasBadCallback = true
    return
  }
  raw.callback = callback
  const method = query.get('_method')?.toUpperCase()
  if (raw.method !== 'GET' || !method || !WRITE_METHODS.has(method)) return
  raw.method = method
  raw.jsonpBody = query.get('_body') ?? ''
}

/** A function name as scripts have them: up to ten dotted parts, 128 characters; anything else could be script. */
const isCallback = (name: string): boolean =>
  name.length <= 128 && /^[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*){0,9}$/.test(name)

import type { IncomingMessage } from 'node:http'

declare module 'http' {
  interface IncomingMessage {
    /** The world that the address names; NaN where it names none that can be. */
    world_number?: number
    /** JSONP: the function to call. */
    callback?: string
    /** JSONP: the body of a write that came as a GET. */
    jsonp_body?: string
  }
}

const WORLD = /^\/w\/([^/?]*)(?=[/?]|$)/
const WRITES = new Set(['POST', 'PUT', 'DELETE'])

/**
 * What the address says besides the path, read before the route is found: `/w/{id}` names the world; `callback` asks for
 * JSONP, and with it `_method` and `_body` make a GET the write that an old browser could not send.
 */
export function readAddress(raw: IncomingMessage): string {
  let url = raw.url ?? '/'
  if (url.startsWith('/w/')) {
    const named = WORLD.exec(url)
    if (named) {
      raw.world_number = /^\d{1,9}$/.test(named[1]!) ? Number(named[1]) : Number.NaN
      url = url.slice(named[0].length) || '/'
      if (url[0] === '?') url = `/${url}`
    }
  }
  if (url.includes('callback=') && (raw.method === 'GET' || raw.method === 'HEAD')) readJsonp(raw, url)
  return url
}

function readJsonp(raw: IncomingMessage, url: string): void {
  const query = new URLSearchParams(url.slice(url.indexOf('?') + 1))
  const callback = query.get('callback')
  if (callback === null) return
  raw.callback = callback
  const method = query.get('_method')?.toUpperCase()
  if (raw.method !== 'GET' || !method || !WRITES.has(method) || !isCallback(callback)) return
  raw.method = method
  raw.jsonp_body = query.get('_body') ?? ''
}

/** A function name as scripts have them: up to ten dotted parts, 128 characters; anything else could be script. */
export const isCallback = (name: string): boolean =>
  name.length <= 128 && /^[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*){0,9}$/.test(name)

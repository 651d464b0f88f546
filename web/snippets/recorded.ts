import type { RequestMade } from '../../lib/types.ts'
import type { HttpCall } from './curl.ts'

/** Headers that every client sends on its own. */
const OWN_HEADERS = new Set([
  'authorization',
  'host',
  'user-agent',
  'accept',
  'accept-encoding',
  'connection',
  'content-length',
])

/** A recorded call, to make it again at `base`. Tokens are not recorded: a variable takes their place. */
export function callOf({ method, path, query, headers, body, user_id }: RequestMade, base: string): HttpCall {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, one]))
  const sent = pairs.filter(([name]) => name !== 'access_token')
  const search = sent.length === 0 ? '' : `?${new URLSearchParams(sent)}`
  return {
    method,
    url: `${base}${path}${search}`,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name))),
    body,
    tokenVariable: user_id !== null || headers.authorization !== undefined ? 'TOKEN' : null,
  }
}

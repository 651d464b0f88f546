import type { IncomingHttpHeaders } from 'node:http'

const ALWAYS = [
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection'],
  ...['te', 'trailer', 'upgrade'],
]

/** Names of the headers that concern one connection and are not sent on (RFC 9110, 7.6.1), without `transfer-encoding`. */
export function connectionHeaders({ connection = '' }: IncomingHttpHeaders): Set<string> {
  return new Set([...ALWAYS, ...connection.toLowerCase().split(/[\s,]+/)])
}

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

const ALWAYS = [
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection'],
  ...['te', 'trailer', 'upgrade'],
]

/** Names of the headers that concern one connection and are not sent on (RFC 9110, 7.6.1), without `transfer-encoding`. */
export function connectionHeaders({ connection = '' }: IncomingHttpHeaders): Set<string> {
  return new Set([...ALWAYS, ...connection.toLowerCase().split(/[\s,]+/)])
}

/** The names and values of the headers that are for the other end, as they arrived, except those in `without`. */
export function endToEndHeaders({ rawHeaders, headers }: IncomingMessage, without: readonly string[]): string[] {
  const dropped = new Set([...connectionHeaders(headers), ...without])
  return rawHeaders.flatMap((name, n) =>
    n % 2 === 0 && !dropped.has(name.toLowerCase()) ? [name, rawHeaders[n + 1]!] : [],
  )
}

/** Whether the sender of a message closes the connection after it. */
export const isLastOfConnection = ({ headers: { connection = '' } }: IncomingMessage): boolean =>
  /\bclose\b/i.test(connection)

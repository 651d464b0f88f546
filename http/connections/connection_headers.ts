import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

const ALWAYS: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection'],
  ...['te', 'trailer', 'upgrade'],
])

/** Names of the headers that concern one connection and are not sent on (RFC 9110, 7.6.1), without `transfer-encoding`. */
export function connectionHeaders({ connection = 'close' }: IncomingHttpHeaders): ReadonlySet<string> {
  // As almost all messages have it: it names no header.
  if (connection === 'keep-alive' || connection === 'close') return ALWAYS
  return new Set([...ALWAYS, ...connection.toLowerCase().split(/[\s,]+/)])
}

/** The names and values of the headers that are for the other end, as they arrived, except those in `without`. */
export function endToEndHeaders({ rawHeaders, headers }: IncomingMessage, without: readonly string[]): string[] {
  const dropped = connectionHeaders(headers)
  const kept: string[] = []
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n]!.toLowerCase()
    if (!dropped.has(name) && !without.includes(name)) kept.push(rawHeaders[n]!, rawHeaders[n + 1]!)
  }
  return kept
}

/** Whether the sender of a message closes the connection after it. */
export const isLastOfConnection = ({ headers: { connection = '' } }: IncomingMessage): boolean =>
  /\bclose\b/i.test(connection)

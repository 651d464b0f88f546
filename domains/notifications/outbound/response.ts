import type { IncomingMessage } from 'node:http'

/** Bytes of a body that are read. */
export const MAX_BODY_BYTES = 64 * 1024

/** Names in lower case, those sent twice joined with commas. */
export function headersOf({ rawHeaders }: IncomingMessage): Record<string, string> {
  const headers = new Map<string, string>()
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n]!.toLowerCase()
    const previous = headers.get(name)
    headers.set(name, previous === undefined ? rawHeaders[n + 1]! : `${previous}, ${rawHeaders[n + 1]}`)
  }
  return Object.fromEntries(headers)
}

/** A character that the limit cut is left out; bytes that are no UTF-8 become U+FFFD. */
export const decodeBody = (chunks: Buffer[], truncated: boolean): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES), {
    stream: truncated,
  })

import type { ClientRequest, IncomingMessage } from 'node:http'

const MAX_BODY_BYTES = 64 * 1024

/** A response as far as it has been read. */
export interface ReceivedResponse {
  head?: IncomingMessage
  chunks: Buffer[]
  bodyBytes: number
}

/** Reads a response into `received`. `onEnd`: it is complete, or `isCut`: the connection must be closed after it. */
export function readResponse(
  request: ClientRequest,
  head: IncomingMessage,
  received: ReceivedResponse,
  onEnd: (isCut: boolean) => void,
): void {
  received.head = head
  head.on('data', (chunk: Buffer) => {
    if (isTruncated(received)) return
    received.chunks.push(chunk)
    received.bodyBytes += chunk.length
    if (isTruncated(received)) onEnd(true)
  })
  // A receiver that responds before it has read the whole request may never read the rest.
  head.on('end', () => onEnd(!request.writableFinished))
}

/** The members of an attempt that come from the response. */
export function presentResponse({ head, chunks, bodyBytes }: ReceivedResponse) {
  const truncated = isTruncated({ bodyBytes })
  return {
    http_code: head?.statusCode ?? null,
    headers: head ? headersOf(head) : {},
    body: decodeBody(chunks, truncated),
    truncated,
  }
}

const isTruncated = ({ bodyBytes }: Pick<ReceivedResponse, 'bodyBytes'>): boolean => bodyBytes > MAX_BODY_BYTES

function headersOf({ rawHeaders }: IncomingMessage): Record<string, string> {
  const headers = new Map<string, string>()
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n]!.toLowerCase()
    const previous = headers.get(name)
    headers.set(name, previous === undefined ? rawHeaders[n + 1]! : `${previous}, ${rawHeaders[n + 1]}`)
  }
  return Object.fromEntries(headers)
}

/** Drops a character that the limit cuts in two; replaces invalid UTF-8 by U+FFFD. */
const decodeBody = (chunks: Buffer[], truncated: boolean): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES), {
    stream: truncated,
  })

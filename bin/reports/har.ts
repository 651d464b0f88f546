import { writeFile } from 'node:fs/promises'
import { STATUS_CODES } from 'node:http'
import { type Client, printable, type Terminal } from '../../domains/shared/commands.ts'
import type { Schemas } from '../../lib/operations.ts'
import { queryString } from '../../lib/urls.ts'
import about from '../../package.json' with { type: 'json' }
import { formatJson, replaceFile } from '../output.ts'

type RecordedCall = Schemas['Request']

const CUT = 'cut to 8 KiB'

/** Writes the recorded calls that match a query in HAR 1.2, with secrets as `***`. `file` true: to the terminal. */
export async function writeHar(client: Client, query: object, file: string | true, terminal: Terminal): Promise<void> {
  const { results, dropped } = await client.call(`GET /requests${queryString({ ...query, bodies: true, limit: 1000 })}`)
  const text = `${formatJson(toHar(results, dropped, client.base))}\n`
  if (file === true) return terminal.out(text)
  await replaceFile(file, (tempFile) => writeFile(tempFile, text))
  terminal.out(`wrote ${results.length} ${results.length === 1 ? 'request' : 'requests'} to ${printable(file)}\n`)
}

const toHar = (calls: readonly RecordedCall[], dropped: number, base: string) => ({
  log: {
    version: '1.2',
    creator: { name: 'mercadito', version: about.version },
    entries: calls.map((call) => toEntry(call, base)),
    ...(dropped > 0 && { comment: `${dropped} earlier calls are no longer stored` }),
  },
})

const toEntry = (call: RecordedCall, base: string) => ({
  startedDateTime: call.at,
  time: call.response.ms,
  request: toRequest(call, base),
  response: toResponse(call.response),
  cache: {},
  timings: { send: 0, wait: call.response.ms, receive: 0 },
  comment: `request ${call.id}, world time ${call.world_time}`,
})

function toRequest({ method, path, query, headers, body, truncated }: RecordedCall, base: string) {
  const parameters = new URLSearchParams(
    Object.entries(query).flatMap(([name, values]) => [values].flat().map((value): [string, string] => [name, value])),
  )
  const mimeType = headers['content-type'] ?? ''
  return {
    method,
    url: `${base}${path.split('/').map(encodeURIComponent).join('/')}${parameters.size > 0 ? `?${parameters}` : ''}`,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    queryString: [...parameters].map(([name, value]) => ({ name, value })),
    ...(body !== null && { postData: { mimeType, text: body, ...(truncated && { comment: CUT }) } }),
    headersSize: -1,
    bodySize: sizeOf(body, truncated),
    comment: 'headers in part',
  }
}

/** The journal has no headers of answers. Without an answer the status is 0. */
const toResponse = ({ status, body, truncated }: RecordedCall['response']) => ({
  status: status ?? 0,
  statusText: STATUS_CODES[status ?? 0] ?? '',
  httpVersion: 'HTTP/1.1',
  cookies: [],
  headers: [],
  content: {
    size: sizeOf(body, truncated),
    mimeType: body === null ? 'x-unknown' : typeOf(body),
    ...(body !== null && { text: body }),
    ...(truncated && { comment: CUT }),
  },
  redirectURL: '',
  headersSize: -1,
  bodySize: sizeOf(body, truncated),
  ...(status === null && { comment: 'the connection was closed without an answer' }),
})

/** Bytes; −1 if they are not known. */
const sizeOf = (body: string | null, isCut: boolean): number => (isCut ? -1 : Buffer.byteLength(body ?? ''))

/** The type of an answer is not recorded, but an answer is JSON, a page or a text of a fault rule. */
function typeOf(body: string): string {
  if (/^\s*[[{]/.test(body)) return 'application/json'
  return /^\s*</.test(body) ? 'text/html' : 'text/plain'
}

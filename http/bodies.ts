import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { MAX_UNREAD_BYTES } from './connections/limits.ts'
import { stateOf } from './request_state.ts'

/** Bytes that a body may have [spec: http.body.limit]. */
export const MAX_BODY_BYTES = 1024 * 1024

/** Parses a JSON text; no `value` if it is not JSON. */
export function parseJson(text: unknown): { value?: unknown } {
  if (typeof text !== 'string') return {}
  try {
    // Editors on some platforms write a byte order mark.
    return { value: JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text) }
  } catch {
    return {}
  }
}

/** Whether a JSON value has members. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A body as JSON, as the members of a form if its type says so, or as text; null if it is empty. */
export function parseBody(text: string | undefined, contentType: string | undefined): unknown {
  if (!text) return null
  const { value } = parseJson(text)
  if (value !== undefined) return value
  const isForm = contentType?.startsWith('application/x-www-form-urlencoded')
  return isForm ? Object.fromEntries(new URLSearchParams(text)) : text
}

/** Whether a request announces a body. */
export const hasBody = ({ headers: { 'content-length': length, 'transfer-encoding': encoding } }: IncomingMessage) =>
  encoding !== undefined || (length !== undefined && length !== '0')

/** Reads the body of a request that ends before Fastify reads it, so that the journal can record it. */
export function readUnparsedBody(raw: IncomingMessage): Promise<void> {
  if (raw.destroyed || !hasBody(raw)) return Promise.resolve()
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const end = () => {
      stateOf(raw).rawBody = Buffer.concat(chunks).toString('utf8')
      resolve()
    }
    raw.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= MAX_BODY_BYTES) chunks.push(chunk)
      else end()
    })
    for (const event of ['end', 'close', 'error']) raw.once(event, end)
  })
}

/**
 * An answer to a request that is not read to its end. The whole text is sent at once; the stream, and with it the
 * connection, ends when the rest of the body has arrived or is too much [spec: http.body.limit].
 */
export const answerBeforeBody = (text: string, raw: IncomingMessage): Readable =>
  Readable.from(
    (async function* () {
      yield text
      await discardBody(raw)
    })(),
  )

/** Resolves when the rest of a body has arrived, or is too much. The time that it may take: see http/connections/traffic.ts. */
export function discardBody(raw: IncomingMessage): Promise<void> {
  if (raw.complete || raw.readableEnded || raw.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    let bytes = 0
    raw.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > MAX_UNREAD_BYTES) resolve()
    })
    for (const event of ['end', 'close', 'error']) raw.once(event, resolve)
  })
}

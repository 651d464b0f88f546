import type { FastifyReply } from 'fastify'

const SCRIPT_TYPE = 'text/javascript;charset=UTF-8'
/** Headers that describe the connection, not the answer. */
const TRANSPORT_HEADERS = new Set(['content-length', 'connection', 'date', 'keep-alive', 'transfer-encoding'])

/** Turns the reply that is about to be sent into a call of `callback` with its status, headers and body. */
export function wrapInScript(callback: string, reply: FastifyReply, payload: unknown): string {
  const status = reply.statusCode
  const isJson = String(reply.getHeader('content-type') ?? '').startsWith('application/json')
  reply.removeHeader('content-length')
  reply.code(200).header('content-type', SCRIPT_TYPE).header('x-content-type-options', 'nosniff')
  const text = payload === null || payload === undefined || payload === '' ? 'null' : String(payload)
  const body = isJson || text === 'null' ? text : JSON.stringify(text)
  return `${callback}([${status},${JSON.stringify(sentHeaders(reply))},${body}])`
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}

/** [spec: http.jsonp.headers] */
function sentHeaders(reply: FastifyReply): Record<string, string[]> {
  const sent: Record<string, string[]> = {}
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined && !TRANSPORT_HEADERS.has(name)) sent[canonicalName(name)] = [value].flat().map(String)
  return sent
}

/** `content-type` → `Content-Type`. */
const canonicalName = (name: string): string =>
  name.replace(/(^|-)([a-z])/g, (_, dash, letter) => dash + letter.toUpperCase())

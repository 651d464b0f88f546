import type { FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import '../http/rewrite_url.ts'
import { apiError } from '../http/errors.ts'

const SCRIPT_TYPE = 'text/javascript;charset=UTF-8'
const TRANSPORT_HEADERS = new Set(['content-length', 'connection', 'date', 'keep-alive', 'transfer-encoding'])

/**
 * JSONP: any GET with `callback` is answered with status 200 and a script that calls that function with
 * `[status, headers, body]`, whatever the outcome was (contract, Limits).
 */
export default fp(
  async (app) => {
    app.addHook('onRequest', (request, _reply, done) => {
      if (!request.raw.hasBadCallback) return done()
      done(apiError(400, 'invalid_callback', 'callback: must be the name of a function, at most 128 characters'))
    })

    app.addHook('onSend', (request, reply, payload, done) => {
      const { callback } = request.raw
      if (callback === undefined) return done(null, payload)
      done(null, wrapInScript(callback, reply, payload))
    })
  },
  { name: 'jsonp' },
)

/** Turns the answer that is about to be sent into a call of `callback`. */
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

function sentHeaders(reply: FastifyReply): Record<string, string[]> {
  const sent: Record<string, string[]> = {}
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined && !TRANSPORT_HEADERS.has(name)) sent[canonicalName(name)] = [value].flat().map(String)
  return sent
}

/** `content-type` → `Content-Type`. */
const canonicalName = (name: string): string =>
  name.replace(/(^|-)([a-z])/g, (_, dash, letter) => dash + letter.toUpperCase())

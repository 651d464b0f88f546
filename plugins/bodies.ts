import fp from 'fastify-plugin'
import { badRequest } from '../http/errors.ts'

declare module 'http' {
  interface IncomingMessage {
    /** The body as it was sent. */
    rawBody?: string
  }
}

/** Bytes that a body may have. */
export const MAX_BODY_BYTES = 1024 * 1024

/**
 * Reads every body as text, whatever its content type says: working clients send JSON as a form, under no type, or
 * an empty body as JSON. A route that declares a body schema gets the parsed JSON, validated; one whose schema says
 * `'x-read': 'route'` gets the text and words its refusals itself; the others ignore any body.
 */
export default fp(
  async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_BODY_BYTES }, (request, body, done) => {
      request.raw.rawBody = body as string
      done(null, body)
    })

    app.addHook('onRoute', (route) => {
      if (route.method === 'GET' || route.method === 'HEAD') return
      const declared = route.schema?.body as { 'x-read'?: string } | undefined
      const parse = declared !== undefined && declared['x-read'] !== 'route'
      route.preValidation = [
        (request, _reply, done) => {
          if (request.raw.jsonpBody !== undefined) request.body = request.raw.jsonpBody
          if (!parse) return done()
          const { value } = parseJson(request.body)
          if (value === undefined) return done(badRequest('body: must be JSON'))
          request.body = value
          done()
        },
        ...[route.preValidation ?? []].flat(),
      ]
    })
  },
  { name: 'bodies' },
)

/** The value of a JSON text; undefined when it is none. */
export function parseJson(text: unknown): { value?: unknown } {
  if (typeof text !== 'string') return {}
  try {
    // Some platforms' writers begin a text with a byte order mark.
    return { value: JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text) }
  } catch {
    return {}
  }
}

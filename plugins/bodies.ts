import fp from 'fastify-plugin'
import { answerBeforeBody, hasBody, MAX_BODY_BYTES, parseJson } from '../http/bodies.ts'
import { badRequest, incompleteBody } from '../http/errors/errors.ts'
import { isWordForId } from '../http/paths.ts'
import { stateOf } from '../http/request_state.ts'

/**
 * Reads every body as text, whatever its content type: clients send JSON as a form, without a type, or an empty body as
 * JSON [spec: http.body]. A route with a body schema gets the parsed and validated JSON, or the schema's default instead
 * of an empty body; a route whose schema says `'x-read': 'route'` gets the text; all other routes ignore the body.
 */
export default fp(
  async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_BODY_BYTES }, (request, body, done) => {
      stateOf(request.raw).rawBody = body as string
      done(null, body)
    })

    // Such a stream emits nothing more, even if all of it has arrived: Fastify would wait for its end, and the request keep
    // its world open.
    app.addHook('preParsing', ({ raw }, _reply, payload, done) => {
      if (raw.destroyed && !raw.readableEnded && hasBody(raw)) done(incompleteBody())
      else done(null, payload)
    })

    // Fastify closes the connection of a body that it has not read to the end.
    app.addHook('onSend', (request, reply, payload, done) => {
      if (reply.getHeader('connection') !== 'close' || request.raw.complete) return done(null, payload)
      const text = String(payload)
      reply.header('content-length', Buffer.byteLength(text))
      done(null, answerBeforeBody(text, request.raw))
    })

    app.addHook('onRoute', (route) => {
      if (route.method === 'GET') return
      const declared = route.schema?.body as { 'x-read'?: string; default?: object } | undefined
      const isParsed = declared !== undefined && declared['x-read'] !== 'route'
      route.preValidation = [
        (request, _reply, done) => {
          const { jsonpBody } = stateOf(request.raw)
          if (jsonpBody !== undefined) request.body = jsonpBody
          if (!isParsed) return done()
          if (declared.default && !request.body) {
            request.body = { ...declared.default }
            return done()
          }
          const { value } = parseJson(request.body)
          // The path comes first: one that is unknown [spec: http.path.word] is found by the validation.
          if (value === undefined && !isWordForId(request.routeOptions, request.url))
            return done(badRequest('http.body.json', 'body: must be JSON'))
          request.body = value
          done()
        },
        ...[route.preValidation ?? []].flat(),
      ]
    })
  },
  { name: 'bodies', dependencies: [] },
)

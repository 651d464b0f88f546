import fp from 'fastify-plugin'
import { EMPTY_PARAMETER } from '../http/assumptions.ts'
import { apiError } from '../http/errors/errors.ts'
import { wrapInScript } from '../http/jsonp.ts'
import { stateOf } from '../http/request_state.ts'

/**
 * JSONP: answers a GET with `callback` with status 200 and a script that calls that function with
 * `[status, headers, body]`, for errors too [spec: http.jsonp].
 */
export default fp(
  async (app) => {
    app.addHook('onRequest', (request, _reply, done) => {
      const { callbackViolation: rule } = stateOf(request.raw)
      const isAllowed = rule === 'http.query.empty' && EMPTY_PARAMETER.of(request.world) === 'absent'
      if (!rule || isAllowed) return done()
      done(
        apiError(
          { rule, field: 'callback', check: 'callback' },
          400,
          'invalid_callback',
          'callback: must be the name of a function, at most 128 characters',
        ),
      )
    })

    app.addHook('onSend', (request, reply, payload, done) => {
      const state = stateOf(request.raw)
      const { callback } = state
      if (callback === undefined) return done(null, payload)
      state.scriptStatus = reply.statusCode
      done(null, wrapInScript(callback, reply, payload))
    })
  },
  // Its script wraps the projected answer, which the journal records unwrapped; a fault comes before a bad callback.
  { name: 'jsonp', dependencies: ['worlds', 'faults', 'response cache', 'projection', 'journal'] },
)

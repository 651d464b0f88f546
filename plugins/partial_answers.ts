import fp from 'fastify-plugin'
import { isObject } from '../http/bodies.ts'
import { stateOf } from '../http/request_state.ts'

/**
 * An answer about orders without the members that a fault rule names: 206, null in their place, and their names in a
 * header [spec: orders.partial].
 */
export default fp(
  async (app) => {
    app.addHook('onSend', ({ raw }, reply, payload, done) => {
      const { missing } = stateOf(raw)
      if (!missing || reply.statusCode !== 200 || typeof payload !== 'string') return done(null, payload)
      const answer = JSON.parse(payload) as { results?: unknown }
      const orders = Array.isArray(answer.results) ? answer.results : [answer]
      const names = missing.filter((name) => orders.some((order) => isObject(order) && Object.hasOwn(order, name)))
      if (names.length === 0) return done(null, payload)
      for (const order of orders) for (const name of names) order[name] = null
      reply.removeHeader('content-length')
      reply.code(206).header('x-content-missing', names.join())
      done(null, JSON.stringify(answer))
    })
  },
  // The response cache stores whole answers.
  { name: 'partial answers', dependencies: ['faults', 'response cache'] },
)

import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { errorBody } from '../../http/errors/error_handler.ts'
import { unavailable } from '../../http/errors/errors.ts'
import { stateOf } from '../../http/request_state.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

/** Has each answer wait until the commits that it has seen are stored: another server may continue without others. */
export default fp(
  async (app) => {
    app.addHook('onSend', (request, reply, payload, done) => {
      const { world } = request
      const stored = world?.whenStored()
      const answer = () => done(null, world?.isBroken() ? refuse(request, reply, payload) : payload)
      if (stored) stored.then(answer, answer)
      else answer()
    })
  },
  { name: 'stored answers', dependencies: ['traffic'] },
)

/** Answers with 503 in place of an answer that another server may contradict. Returns the body. */
function refuse(request: FastifyRequest, reply: FastifyReply, payload: unknown): string {
  if (payload instanceof Readable) payload.destroy()
  const error = unavailable()
  stateOf(request.raw).violation = error.violation
  reply.code(error.statusCode).headers(error.headers!).removeHeader('content-length').type(JSON_TYPE)
  return JSON.stringify(errorBody(request, error))
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { DEFAULT_WORLD } from '../db/worlds.ts'
import { EXPLAIN_HEADER, requestExplanation, violationExplanation } from '../http/errors/explain_address.ts'
import { enterCause, isWriteRoute } from '../http/journal/enter_cause.ts'
import type { Journals } from '../http/journal/journals.ts'
import { stateOf } from '../http/request_state.ts'

interface JournalOptions {
  journals: Journals
  /** Refused answers have the address of their explanation. */
  explain: boolean
}

/**
 * Records every call of the emulated API with its answer, and what it changes. A projected answer is recorded as it is
 * sent; a JSONP answer as it was before it became a script.
 */
export default fp<JournalOptions>(
  async (app, { journals, explain }) => {
    app.addHook('onRoute', (route) => {
      if (isWriteRoute(route)) route.preHandler = [...[route.preHandler ?? []].flat(), enterCause('request')]
      if (!route.config?.internal) return
      // After `onRequest`: an internal call without access is recorded.
      route.preParsing = [
        (request, _reply, _payload, done) => {
          stateOf(request.raw).isInternal = true
          done()
        },
        ...[route.preParsing ?? []].flat(),
      ]
    })

    app.addHook('onSend', (request, reply, payload, done) => {
      journals.record(request, reply.statusCode, payload, !request.raw.socket.destroyed)
      if (explain && reply.statusCode >= 400) addExplanation(request, reply)
      done(null, payload)
    })

    function addExplanation(request: FastifyRequest, reply: FastifyReply): void {
      const { world, raw } = request
      const { violation, journalId: id } = stateOf(raw)
      const server = app.publicUrl ?? ''
      const base = world && world.id !== DEFAULT_WORLD ? `${server}/w/${world.id}` : server
      const address = id === 0 ? violation && violationExplanation(base, violation) : requestExplanation(base, id)
      if (violation && address !== undefined) reply.header(EXPLAIN_HEADER, address)
    }
  },
  { name: 'journal', dependencies: ['worlds', 'auth', 'projection'] },
)

/** Records the control calls that may change a world, and what they change. */
export const controlJournal = fp(
  async (app, { journals }: { journals: Journals }) => {
    app.addHook('onRoute', (route) => {
      if (!isWriteRoute(route) || route.config?.internal) return
      route.preHandler = [...[route.preHandler ?? []].flat(), enterCause('control')]
      route.onSend = [
        ...[route.onSend ?? []].flat(),
        (request, reply, payload, done) => {
          journals.recordControl(request, reply.statusCode)
          done(null, payload)
        },
      ]
    })
  },
  { name: 'control journal', dependencies: ['worlds'] },
)

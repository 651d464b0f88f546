import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import { countHit, type StubHit, type StubRule } from '../db/stubs.ts'
import { refreshStubs } from '../db/world.ts'
import { applicationBlocked, invalidToken, missingToken } from '../http/errors/errors.ts'
import type { FindCaller } from '../http/fastify_types.ts'
import { isWordForId } from '../http/paths.ts'
import { stateOf } from '../http/request_state.ts'
import { type AnsweredCall, answerTextOf, type ReadWorldValue } from '../http/stubs/answers.ts'
import { matchesMethod, matchPath, matchStub, receivedCall } from '../http/stubs/stubs.ts'
import { effectiveToken, repeatedToken } from '../http/tokens.ts'

interface StubOptions {
  findCaller: FindCaller
  readWorldValue: ReadWorldValue
}

/**
 * Answers calls by the stubs of the world: those that the API does not have or answers without state, and others where a
 * stub says `override`
 * [spec: http.stubs]. It runs when the body has been read, before any hook of a route validates it.
 */
export default fp<StubOptions>(
  async (app, { findCaller, readWorldValue }) => {
    app.addHook('onRoute', (route) => {
      if (route.method !== 'HEAD') return
      route.onSend = [...[route.onSend ?? []].flat(), removeLength]
    })

    app.addHook('preValidation', (request, reply, done) => {
      if (request.world.stubs.length === 0 || request.routeOptions.config?.internal) return done()
      answerByStub(request, reply).then((isAnswered) => isAnswered || done(), done)
    })

    async function answerByStub(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
      const { world } = request
      const isUnknown = request.is404 || isWordForId(request.routeOptions, request.url)
      const isReplaced = isUnknown || request.routeOptions.config?.typed
      const call = receivedCall(request)
      const state = stateOf(request.raw)
      for (const rule of world.stubs) {
        const params = isReplaced || rule.override ? matchStub(rule, call) : undefined
        if (!params) continue
        state.stubId = rule.id
        await checkToken(request, rule)
        const hit = await world.tx((q) => countHit(q, rule.id))
        if (hit) {
          await send(reply, hit, { ...call, params })
          return true
        }
        // It has answered as often as it may.
        state.stubId = null
        await refreshStubs(world)
      }
      return isUnknown && sendPreflight(reply)
    }

    /** The token of a call without a route; the token of a route is checked by `auth`. */
    async function checkToken(request: FastifyRequest, { access }: StubRule): Promise<void> {
      if (request.caller) return
      const error = repeatedToken(request)
      if (error) throw error
      const token = effectiveToken(request)
      if (token === undefined) {
        if (access === 'token') throw missingToken()
        return
      }
      const caller = await findCaller(request.world, token)
      if (!caller) throw invalidToken()
      if (caller.isBlocked) throw applicationBlocked()
      request.caller = caller
    }

    async function send(reply: FastifyReply, hit: StubHit, call: AnsweredCall): Promise<void> {
      const { request } = reply
      const state = stateOf(request.raw)
      // What a stub answers is no answer of the route.
      state.pending = undefined
      const { status, headers = {}, body } = hit.answer
      const text = await answerTextOf(hit, call, { request, readWorldValue })
      if (status >= 400) state.violation = { rule: 'http.stubs', retryAfter: headers['retry-after'] }
      reply.code(status).headers(headers)
      if (text !== undefined && !reply.hasHeader('content-type'))
        reply.type(typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8')
      reply.send(text)
    }
  },
  { name: 'stubs', dependencies: ['auth', 'faults', 'jsonp', 'bodies'] },
)

/** Fastify gives every answer to HEAD a length. */
const removeLength: onSendHookHandler = (_request, reply, payload, done) => {
  if (reply.statusCode === 204) reply.removeHeader('content-length')
  done(null, payload)
}

/** Answers the preflight of a call that a stub would answer. */
function sendPreflight(reply: FastifyReply): boolean {
  const { method, url, headers, world } = reply.request
  const requested = headers['access-control-request-method']
  if (method !== 'OPTIONS' || requested === undefined) return false
  const path = url.split('?', 1)[0]!
  if (!world.stubs.some((rule) => matchesMethod(rule, requested) && matchPath(rule.path, path))) return false
  reply.code(204).headers({
    'access-control-allow-methods': requested,
    'access-control-allow-headers': headers['access-control-request-headers'] ?? 'authorization, content-type',
    'access-control-max-age': '86400',
  })
  reply.send()
  return true
}

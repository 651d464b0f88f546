import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { refreshStubs, type World } from '../db/world.ts'
import { applicationBlocked, invalidToken, missingToken } from '../http/errors/errors.ts'
import type { FindCaller } from '../http/fastify_types.ts'
import { isWordForId } from '../http/paths.ts'
import { stateOf } from '../http/request_state.ts'
import { type AnsweredCall, answerTextOf, type ReadWorldValue } from '../http/stubs/answers.ts'
import { countHit, type StubHit } from '../http/stubs/operations.ts'
import {
  matchesMethod,
  matchPath,
  matchStub,
  receivedCall,
  type StubCall,
  type StubRule,
  stubsOf,
} from '../http/stubs/stubs.ts'
import { effectiveToken, repeatedToken } from '../http/tokens.ts'

export interface StubOptions {
  findCaller: FindCaller
  readWorldValue: ReadWorldValue
  /** Finds or makes the proposed stub for a call that nothing answers; undefined: none is made. */
  propose?: ((world: World, call: StubCall) => Promise<StubRule | undefined>) | undefined
  /** Proposed stubs answer. */
  isProposing: boolean
}

/**
 * Answers calls by the stubs of the world: those that the API does not have or answers without state, and others where a
 * stub says `override` [spec: http.stubs]. It runs when the body has been read, before any hook of a route validates it.
 */
export default fp<StubOptions>(
  async (app, { findCaller, readWorldValue, propose, isProposing }) => {
    app.addHook('preValidation', (request, reply, done) => {
      if ((request.world.stubs.length === 0 && !propose) || request.routeOptions.config?.internal) return done()
      answerByStub(request, reply).then((isAnswered) => isAnswered || done(), done)
    })

    async function answerByStub(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
      const { world } = request
      const isUnknown = request.is404 || isWordForId(request.routeOptions, request.url)
      const isReplaced = isUnknown || request.routeOptions.config?.typed
      const call = receivedCall(request)
      for (const rule of stubsOf(world))
        if (!rule.proposed && (isReplaced || rule.override) && (await answerBy(rule, call, reply))) return true
      if (!isUnknown) return false
      const proposed = await proposalFor(request, call)
      if (proposed && (await answerBy(proposed, call, reply))) return true
      return sendPreflight(reply, isProposing)
    }

    async function answerBy(rule: StubRule, call: StubCall, reply: FastifyReply): Promise<boolean> {
      const params = matchStub(rule, call)
      if (!params) return false
      const { request } = reply
      const { world } = request
      const state = stateOf(request.raw)
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
      return false
    }

    /** The proposed stub that may answer a call. A preflight is one for its call, which browsers send only after it. */
    async function proposalFor({ world, headers }: FastifyRequest, call: StubCall): Promise<StubRule | undefined> {
      const method = call.method === 'OPTIONS' ? headers['access-control-request-method'] : call.method
      if (!propose || method === undefined || isPage(headers.accept)) return undefined
      const rule = await propose(world, { ...call, method })
      return isProposing ? rule : undefined
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
      state.repeat = undefined
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

/** What a person opens in a browser is no call of a program. */
const isPage = (accept = ''): boolean => /^(?:text\/html|image\/)/i.test(accept)

/** Answers the preflight of a call that a stub would answer. */
function sendPreflight(reply: FastifyReply, isProposing: boolean): boolean {
  const { method, url, headers, world } = reply.request
  const requested = headers['access-control-request-method']
  if (method !== 'OPTIONS' || requested === undefined) return false
  const path = url.split('?', 1)[0]!
  const rules = stubsOf(world).filter(({ proposed }) => isProposing || !proposed)
  if (!rules.some((rule) => matchesMethod(rule, requested) && matchPath(rule.path, path))) return false
  reply.code(204).headers({
    'access-control-allow-methods': requested,
    'access-control-allow-headers': headers['access-control-request-headers'] ?? 'authorization, content-type',
    'access-control-max-age': '86400',
  })
  reply.send()
  return true
}

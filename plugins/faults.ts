import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Worlds } from '../db/worlds.ts'
import { readUnparsedBody } from '../http/bodies.ts'
import type { Traffic } from '../http/connections/traffic.ts'
import { errorForStatus, localRateLimited, optimisticLock } from '../http/errors/errors.ts'
import type { FindCaller } from '../http/fastify_types.ts'
import {
  createDelays,
  FAULT_HEADER,
  type FaultAction,
  type FaultOutcome,
  parseFaultHeader,
} from '../http/faults/faults.ts'
import { applyRules } from '../http/faults/operations.ts'
import { matchingRules } from '../http/faults/rules.ts'
import type { Journals } from '../http/journal/journals.ts'
import { stateOf } from '../http/request_state.ts'
import { releaseWorld } from '../http/request_world.ts'
import { effectiveToken } from '../http/tokens.ts'

interface FaultOptions {
  worlds: Worlds
  journals: Journals
  findCaller: FindCaller
  traffic: Traffic
}

/**
 * Injects faults: by the rules of the world, or by a header for one call. Runs before authentication, as the overload
 * of a real service does, and looks the caller up itself for rules that name one.
 */
export default fp<FaultOptions>(
  async (app, { worlds, journals, findCaller, traffic }) => {
    const delays = createDelays(traffic)
    app.closing.add(delays.endAll)

    app.addHook('onRequest', (request, reply, done) => {
      const header = request.headers[FAULT_HEADER]
      if (header === undefined && request.world.faults.length === 0) return done()
      if (request.routeOptions.config?.internal) return done()
      injectFaults(request, reply, header).then((hasEnded) => hasEnded || done(), done)
    })

    /** True if the call has been answered or aborted. Throws the API error of a fault that has a status only. */
    async function injectFaults(request: FastifyRequest, reply: FastifyReply, header: unknown): Promise<boolean> {
      const { delayMs, action } = await planFaults(request, header)
      if (delayMs > 0 && !(await delays.wait(delayMs, request))) return abort(request, reply)
      if (!action) return false
      if ('partial' in action) {
        stateOf(request.raw).missing = action.partial
        return false
      }
      await readUnparsedBody(request.raw)
      if ('drop' in action) return abort(request, reply)
      send(reply, action)
      return true
    }

    async function planFaults(request: FastifyRequest, header: unknown): Promise<FaultOutcome> {
      const fromHeader = header === undefined ? undefined : parseFaultHeader(String(header))
      const rules = matchingRules(request)
      if (!fromHeader && rules.length === 0) return { delayMs: 0 }
      // The journal shows the caller of a call that ends here.
      const token = effectiveToken(request)
      const caller = token === undefined ? undefined : await findCaller(request.world, token)
      if (caller) request.caller = caller
      if (fromHeader?.action) return fromHeader
      const ofCaller = rules.filter(({ user_id }) => user_id === null || user_id === caller?.user_id)
      const { delayMs, action } = await applyRules(request, ofCaller, caller)
      return { delayMs: delayMs + (fromHeader?.delayMs ?? 0), action }
    }

    /** Ends a call without an answer: its connection closes, or has closed. */
    function abort(request: FastifyRequest, reply: FastifyReply): true {
      stateOf(request.raw).violation = { rule: 'http.faults' }
      journals.record(request, null, null)
      releaseWorld(worlds, request)
      reply.hijack()
      reply.raw.destroy()
      return true
    }
  },
  { name: 'faults', dependencies: ['traffic', 'worlds', 'auth'] },
)

function send(reply: FastifyReply, action: Exclude<FaultAction, { drop: true } | { partial: string[] }>): void {
  if ('limits' in action) throw localRateLimited()
  if ('optimistic_lock' in action) throw optimisticLock()
  const { status, body, headers } = action
  if (body === undefined)
    throw errorForStatus(status === 429 ? 'http.errors.too_many_requests' : 'http.faults', status, headers)
  if (status >= 400)
    stateOf(reply.request.raw).violation = { rule: 'http.faults', retryAfter: headers?.['retry-after'] }
  reply.code(status).headers(headers ?? {})
  if (!reply.hasHeader('content-type'))
    reply.type(typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8')
  reply.send(typeof body === 'string' ? body : JSON.stringify(body))
}

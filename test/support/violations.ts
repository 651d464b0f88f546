import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { ladderOf, refusingCheck } from '../../control/explain/ladder.ts'
import { stateOf } from '../../http/request_state.ts'
import { readRules } from '../../tools/rules.ts'

const rules = new Set(readRules().map(({ id }) => id))

/** What an explanation of a refused call would lack; undefined: nothing. */
function missingPart({ raw, world, is404, routeOptions }: FastifyRequest): string | undefined {
  const { violation, stubId } = stateOf(raw)
  if (!violation) return 'a violation'
  if (!rules.has(violation.rule)) return `the rule ${violation.rule}`
  const route = is404 ? undefined : (routeOptions as RouteOptions)
  const check = refusingCheck(ladderOf({ route, hasCallback: true, isStubbed: stubId !== null }, world), violation)
  return check ? undefined : `a check of ${violation.rule} ${violation.check ?? ''}`
}

/**
 * Every error of the emulated API must name a rule of docs/spec and a check of its route. Otherwise the test gets a 500
 * and a fault.
 */
export function checkViolations(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const { method, url, world, raw, routeOptions } = request
    const isRefused = reply.statusCode >= 400 && world && !stateOf(raw).isControl && !routeOptions.config?.internal
    const missing = isRefused ? missingPart(request) : undefined
    if (missing === undefined) return done(null, payload)
    // Its own error has no rule, either.
    stateOf(raw).isControl = true
    done(new Error(`${method} ${url}, ${reply.statusCode}, has no ${missing}`))
  })
}

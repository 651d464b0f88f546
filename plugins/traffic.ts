import type { IncomingMessage } from 'node:http'
import fp from 'fastify-plugin'
import { clearInterval, setInterval } from '../db/timers.ts'
import { REQUEST_ID, type TrafficCounter } from '../http/connections/traffic.ts'
import { type ApiError, apiError, badParameter, errorForStatus } from '../http/errors/errors.ts'
import { stateOf } from '../http/request_state.ts'

const RETRY_AFTER_SECONDS = '1'

/** Counts every request, and rejects those above the limit or with a wrong head. */
export default fp(
  async (app, { traffic }: { traffic: TrafficCounter }) => {
    app.addHook('onRequest', (request, reply, done) => {
      if (stateOf(request.raw).isUncounted) return done()
      if (traffic.hasIds) reply.header(REQUEST_ID, request.id)
      const isAccepted = traffic.begin(request, reply.raw)
      const error = isAccepted
        ? headError(request.raw)
        : errorForStatus('http.errors.overload', 503, { 'retry-after': RETRY_AFTER_SECONDS })
      if (!error) return done()
      if (!stateOf(request.raw).isControl) reply.header('access-control-allow-origin', '*')
      done(error)
    })
  },
  { name: 'traffic', dependencies: [] },
)

/** Ends the requests of all parts whose bodies do not arrive. */
export const slowBodies = fp(
  async (app, { traffic }: { traffic: TrafficCounter }) => {
    const sweep = setInterval(traffic.abortSlowBodies, traffic.bodyTimeoutMs / 6).unref()
    app.addHook('onClose', (_app, done) => {
      clearInterval(sweep)
      done()
    })
  },
  { name: 'slow bodies', dependencies: ['traffic'] },
)

/** What Node itself would reject without a body [spec: http.errors.host, http.errors.expect]. */
function headError({ headers, rawHeaders, httpVersion }: IncomingMessage): ApiError | undefined {
  if (hasTwoHosts(rawHeaders)) return badParameter('Host', 'must be sent once', 'http.errors.host')
  if (headers.host === undefined && httpVersion === '1.1')
    return badParameter('Host', 'is required', 'http.errors.host')
  if (headers.expect === undefined || httpVersion !== '1.1' || CONTINUE.test(headers.expect)) return undefined
  return apiError('http.errors.expect', 417, 'expectation_failed', 'Expect: must be 100-continue')
}

/** Node keeps the first one; a proxy may have chosen another. */
function hasTwoHosts(rawHeaders: string[]): boolean {
  let hosts = 0
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1
}

/** As Node matches it. */
const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i

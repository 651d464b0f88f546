import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { type Action, countApplied, countMatch, type Rule } from '../db/faults.ts'
import { derived } from '../db/ids.ts'
import type { Worlds } from '../db/worlds.ts'
import { badRequest, errorForStatus } from '../http/errors.ts'
import type { Journals } from '../http/journals.ts'
import { matchesCall, pathOf } from '../http/patterns.ts'
import { countCall } from '../http/rate_limit.ts'
import { effectiveToken, type FindCaller } from './auth.ts'
import { MAX_BODY_BYTES } from './bodies.ts'
import type { Traffic } from './traffic.ts'
import { releaseWorld } from './worlds.ts'

/** Ms that one delay may take. */
export const MAX_DELAY_MS = 60_000
const FAULT_HEADER = 'x-sandbox-fault'

interface FaultOptions {
  worlds: Worlds
  journals: Journals
  findCaller: FindCaller
  traffic: Traffic
}

/** What a call has coming. */
interface FaultOutcome {
  /** Ms to wait before anything else. */
  delayMs: number
  /** What it then gets instead of its answer. */
  action?: Extract<Action, { status: number } | { drop: true }>
}

/**
 * Calls that go wrong: by the rules of their world, or by a header for one call. The first rule by number that fires
 * decides; delays add up and go on to the next. It stands before the check of the token. OPTIONS only where a rule
 * names it.
 */
export default fp<FaultOptions>(
  async (app, { worlds, journals, findCaller, traffic }) => {
    const pendingDelays = new Set<() => void>()
    // A server that is told to end does not wait for those that wait.
    app.addHook('preClose', (done) => {
      for (const goOn of pendingDelays) goOn()
      done()
    })

    app.addHook('onRequest', (request, reply, done) => {
      const header = request.headers[FAULT_HEADER]
      if (header === undefined && request.world.rules.length === 0) return done()
      if (request.routeOptions.config?.internal) return done()
      applyFaults(request, reply, header).then((shouldContinue) => shouldContinue && done(), done)
    })

    /** False when the call has ended here. Throws the refusal that it gets. */
    async function applyFaults(request: FastifyRequest, reply: FastifyReply, header: unknown): Promise<boolean> {
      const outcome = await planFaults(request, header)
      if (outcome.delayMs > 0 && !(await delay(outcome.delayMs, request))) return abort(request, reply)
      if (!outcome.action) return true
      await readBody(request.raw)
      if ('drop' in outcome.action) return abort(request, reply)
      const { status, body, headers } = outcome.action
      if (body === undefined) throw errorForStatus(status, headers)
      reply.code(status).headers(headers ?? {})
      if (!reply.hasHeader('content-type'))
        reply.type(typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8')
      reply.send(typeof body === 'string' ? body : JSON.stringify(body))
      return false
    }

    async function planFaults(request: FastifyRequest, header: unknown): Promise<FaultOutcome> {
      const headerFault = header === undefined ? undefined : readHeader(String(header))
      const call = { method: request.method, path: pathOf(request.url) }
      const rules = request.world.rules.filter(
        (rule) => matchesCall(rule, call) && (call.method !== 'OPTIONS' || rule.method === 'OPTIONS'),
      )
      if (!headerFault && rules.length === 0) return { delayMs: 0 }
      // Nobody else may look the token up of a call that ends here.
      const token = effectiveToken(request)
      const caller = token === undefined ? undefined : await findCaller(request.world, token)
      if (caller) request.caller = caller
      if (headerFault && !('delay' in headerFault)) return { delayMs: 0, action: headerFault }
      const matching = rules.filter(({ user_id }) => user_id === null || user_id === caller?.user_id)
      const drawnOutcome = await drawFaults(request, matching, caller ? `user ${caller.user_id}` : request.ip)
      return { ...drawnOutcome, delayMs: drawnOutcome.delayMs + (headerFault?.delay ?? 0) }
    }

    /** Ends a call without an answer: its connection closes, or has closed. */
    function abort(request: FastifyRequest, reply: FastifyReply): boolean {
      journals.record(request, null, null)
      releaseWorld(worlds, request)
      reply.hijack()
      reply.raw.destroy()
      return false
    }

    /** False when the client has gone meanwhile. */
    function delay(ms: number, request: FastifyRequest): Promise<boolean> {
      const { socket } = request.raw
      traffic.park(request, true)
      return new Promise((resolve) => {
        const end = (isConnected: boolean) => {
          clearTimeout(timer)
          socket.removeListener('close', onClose)
          pendingDelays.delete(proceed)
          if (isConnected) traffic.park(request, false)
          resolve(isConnected)
        }
        const onClose = () => end(false)
        const proceed = () => end(true)
        const timer = setTimeout(proceed, ms)
        pendingDelays.add(proceed)
        socket.once('close', onClose)
        if (socket.destroyed) onClose()
      })
    }
  },
  { name: 'faults', dependencies: ['worlds'] },
)

/** Tries rules one after the other and counts what they did: together with all that is counted beside it, exactly. */
async function drawFaults({ world, raw }: FastifyRequest, rules: Rule[], callerKey: string): Promise<FaultOutcome> {
  if (rules.length === 0) return { delayMs: 0 }
  return world.tx(async (q) => {
    const outcome: FaultOutcome = { delayMs: 0 }
    const appliedIds: number[] = []
    raw.faultIds = appliedIds
    for (const { id, action, probability, seed } of rules) {
      const matchNumber = await countMatch(q, id)
      if (matchNumber === undefined || draw(seed, matchNumber, 'happens') >= probability) continue
      const seconds = 'rate_limit' in action ? countCall(world.generation, id, callerKey, action.rate_limit) : 0
      if ('rate_limit' in action && seconds === 0) continue
      if (!(await countApplied(q, id))) continue
      appliedIds.push(id)
      if ('delay' in action) outcome.delayMs += delayOf(action.delay, seed, matchNumber)
      else return { ...outcome, action: 'rate_limit' in action ? rateLimited(seconds) : action }
    }
    return outcome
  })
}

const rateLimited = (seconds: number) => ({ status: 429, headers: { 'retry-after': String(seconds) } })

/** From 0 to below 1; the same for the same rule and call. */
const draw = (seed: number, matchNumber: number, purpose: string): number =>
  Number.parseInt(derived(String(seed), `${purpose} ${matchNumber}`, 13), 16) / 16 ** 13

function delayOf(delay: number | { min: number; max: number }, seed: number, matchNumber: number): number {
  if (typeof delay === 'number') return delay
  return delay.min + Math.floor(draw(seed, matchNumber, 'delay') * (delay.max - delay.min + 1))
}

/** One call's own fault; 400 when it is none. */
function readHeader(text: string): FaultOutcome['action'] | { delay: number } {
  const [, name, value] = /^(drop|[45]\d\d|delay=(\d{1,5}))$/.exec(text.trim()) ?? []
  if (name === 'drop') return { drop: true }
  const delay = Number(value)
  if (value !== undefined && delay <= MAX_DELAY_MS) return { delay }
  if (name === undefined || value !== undefined)
    throw badRequest(
      `${FAULT_HEADER}: must be a status from 400 to 599, delay=MS with at most ${MAX_DELAY_MS}, or drop`,
    )
  return { status: Number(name) }
}

/** Reads what is still to come of a call that nobody else will read, so that the journal has it. */
function readBody(raw: IncomingMessage): Promise<void> {
  const { 'content-length': length, 'transfer-encoding': chunked } = raw.headers
  if (raw.destroyed || (chunked === undefined && (length === undefined || length === '0'))) return Promise.resolve()
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const end = () => {
      raw.rawBody = Buffer.concat(chunks).toString('utf8')
      resolve()
    }
    raw.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= MAX_BODY_BYTES) chunks.push(chunk)
      else end()
    })
    for (const event of ['end', 'close', 'error']) raw.once(event, end)
  })
}

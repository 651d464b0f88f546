import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { type Action, countApplied, countMatch, type Rule } from '../db/faults.ts'
import { derived } from '../db/ids.ts'
import type { Worlds } from '../db/worlds.ts'
import { type CallerOf, tokenThatCounts } from './auth.ts'
import { BODY_LIMIT } from './bodies.ts'
import { badRequest, refusalOf } from './errors.ts'
import type { Journals } from './journals.ts'
import { countCall } from './limits.ts'
import type { Traffic } from './traffic.ts'
import { isOf, pathOf } from './wildcards.ts'
import { release } from './worlds.ts'

/** Ms that one delay may take. */
export const LONGEST_DELAY = 60_000
const HEADER = 'x-sandbox-fault'

interface FaultOptions {
  worlds: Worlds
  journals: Journals
  callerOf: CallerOf
  traffic: Traffic
}

/** What a call has coming. */
interface Fate {
  /** Ms to wait before anything else. */
  wait: number
  /** What it then gets instead of its answer. */
  end?: Extract<Action, { status: number } | { drop: true }>
}

/**
 * Calls that go wrong: by the rules of their world, or by a header for one call. The first rule by number that fires
 * decides; delays add up and go on to the next. It stands before the check of the token. OPTIONS only where a rule
 * names it.
 */
export default fp<FaultOptions>(
  async (app, { worlds, journals, callerOf, traffic }) => {
    const waiting = new Set<() => void>()
    // A server that is told to end does not wait for those that wait.
    app.addHook('preClose', (done) => {
      for (const goOn of waiting) goOn()
      done()
    })

    app.addHook('onRequest', (request, reply, done) => {
      const header = request.headers[HEADER]
      if (header === undefined && request.world.rules.length === 0) return done()
      if (request.routeOptions.config?.aside) return done()
      meet(request, reply, header).then((goesOn) => goesOn && done(), done)
    })

    /** False when the call has ended here. Throws the refusal that it gets. */
    async function meet(request: FastifyRequest, reply: FastifyReply, header: unknown): Promise<boolean> {
      const fate = await fateOf(request, header)
      if (fate.wait > 0 && !(await wait(fate.wait, request))) return leave(request, reply)
      if (!fate.end) return true
      await takeBody(request.raw)
      if ('drop' in fate.end) return leave(request, reply)
      const { status, body, headers } = fate.end
      if (body === undefined) throw refusalOf(status, headers)
      reply.code(status).headers(headers ?? {})
      if (!reply.hasHeader('content-type'))
        reply.type(typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8')
      reply.send(typeof body === 'string' ? body : JSON.stringify(body))
      return false
    }

    async function fateOf(request: FastifyRequest, header: unknown): Promise<Fate> {
      const asked = header === undefined ? undefined : readHeader(String(header))
      const call = { method: request.method, path: pathOf(request.url) }
      const rules = request.world.rules.filter(
        (rule) => isOf(rule, call) && (call.method !== 'OPTIONS' || rule.method === 'OPTIONS'),
      )
      if (!asked && rules.length === 0) return { wait: 0 }
      // Nobody else may look the token up of a call that ends here.
      const token = tokenThatCounts(request)
      const caller = token === undefined ? undefined : await callerOf(request.world, token)
      if (caller) request.caller = caller
      if (asked && !('delay' in asked)) return { wait: 0, end: asked }
      const fitting = rules.filter(({ user_id }) => user_id === null || user_id === caller?.user_id)
      const fate = await drawn(request, fitting, caller ? `user ${caller.user_id}` : request.ip)
      return { ...fate, wait: fate.wait + (asked?.delay ?? 0) }
    }

    /** Ends a call without an answer: its connection closes, or has closed. */
    function leave(request: FastifyRequest, reply: FastifyReply): boolean {
      journals.record(request, null, null)
      release(worlds, request)
      reply.hijack()
      reply.raw.destroy()
      return false
    }

    /** False when the client has gone meanwhile. */
    function wait(ms: number, request: FastifyRequest): Promise<boolean> {
      const { socket } = request.raw
      traffic.park(request, true)
      return new Promise((resolve) => {
        const end = (stays: boolean) => {
          clearTimeout(timer)
          socket.removeListener('close', gone)
          waiting.delete(goOn)
          if (stays) traffic.park(request, false)
          resolve(stays)
        }
        const gone = () => end(false)
        const goOn = () => end(true)
        const timer = setTimeout(goOn, ms)
        waiting.add(goOn)
        socket.once('close', gone)
        if (socket.destroyed) gone()
      })
    }
  },
  { name: 'faults', dependencies: ['worlds'] },
)

/** Tries rules one after the other and counts what they did: together with all that is counted beside it, exactly. */
async function drawn({ world, raw }: FastifyRequest, rules: Rule[], who: string): Promise<Fate> {
  if (rules.length === 0) return { wait: 0 }
  return world.tx(async (q) => {
    const fate: Fate = { wait: 0 }
    const by: number[] = []
    raw.fault_ids = by
    for (const { id, action, probability, seed } of rules) {
      const nth = await countMatch(q, id)
      if (nth === undefined || draw(seed, nth, 'happens') >= probability) continue
      const seconds = 'rate_limit' in action ? countCall(world.life, id, who, action.rate_limit) : 0
      if ('rate_limit' in action && seconds === 0) continue
      if (!(await countApplied(q, id))) continue
      by.push(id)
      if ('delay' in action) fate.wait += delayOf(action.delay, seed, nth)
      else return { ...fate, end: 'rate_limit' in action ? tooMany(seconds) : action }
    }
    return fate
  })
}

const tooMany = (seconds: number) => ({ status: 429, headers: { 'retry-after': String(seconds) } })

/** From 0 to below 1; the same for the same rule and call. */
const draw = (seed: number, nth: number, what: string): number =>
  Number.parseInt(derived(String(seed), `${what} ${nth}`, 13), 16) / 16 ** 13

function delayOf(delay: number | { min: number; max: number }, seed: number, nth: number): number {
  if (typeof delay === 'number') return delay
  return delay.min + Math.floor(draw(seed, nth, 'delay') * (delay.max - delay.min + 1))
}

/** One call's own fault; 400 when it is none. */
function readHeader(text: string): Fate['end'] | { delay: number } {
  const [, name, value] = /^(drop|[45]\d\d|delay=(\d{1,5}))$/.exec(text.trim()) ?? []
  if (name === 'drop') return { drop: true }
  const delay = Number(value)
  if (value !== undefined && delay <= LONGEST_DELAY) return { delay }
  if (name === undefined || value !== undefined)
    throw badRequest(`${HEADER}: must be a status from 400 to 599, delay=MS with at most ${LONGEST_DELAY}, or drop`)
  return { status: Number(name) }
}

/** Reads what is still to come of a call that nobody else will read, so that the journal has it. */
function takeBody(raw: IncomingMessage): Promise<void> {
  const { 'content-length': length, 'transfer-encoding': chunked } = raw.headers
  if (raw.destroyed || (chunked === undefined && (length === undefined || length === '0'))) return Promise.resolve()
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const end = () => {
      raw.sent_body = Buffer.concat(chunks).toString('utf8')
      resolve()
    }
    raw.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= BODY_LIMIT) chunks.push(chunk)
      else end()
    })
    for (const event of ['end', 'close', 'error']) raw.once(event, end)
  })
}

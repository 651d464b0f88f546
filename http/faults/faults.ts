import type { FastifyRequest } from 'fastify'
import { realNow } from '../../db/clock.ts'
import { type Action, countApplied, countMatch, type RateLimit, type Rule } from '../../db/faults.ts'
import { derived } from '../../db/ids.ts'
import { clearTimeout, setTimeout } from '../../db/timers.ts'
import type { World } from '../../db/world.ts'
import type { Traffic } from '../connections/traffic.ts'
import { badParameter } from '../errors/errors.ts'
import type { Caller } from '../fastify_types.ts'
import { matchesCall, pathOf } from '../patterns.ts'
import { stateOf } from '../request_state.ts'
import { countCall, exceedsPublishedLimits } from './rate_limit.ts'

/** Ms of one delay. */
export const MAX_DELAY_MS = 60_000
/** The header that injects a fault into one call. */
export const FAULT_HEADER = 'x-sandbox-fault'

/** The effect on a call instead of its answer. */
export type FaultAction = Extract<
  Action,
  { status: number } | { drop: true } | { optimistic_lock: true } | { limits: string } | { partial: string[] }
>

export interface FaultOutcome {
  /** Ms to wait first. */
  delayMs: number
  action?: FaultAction | undefined
}

/** The fault in a header; 400 if it is not one. */
export function parseFaultHeader(text: string): FaultOutcome {
  const [, name, value] = /^(drop|[45]\d\d|delay=(\d{1,5}))$/.exec(text.trim()) ?? []
  const delayMs = Number(value ?? 0)
  if (name === undefined || delayMs > MAX_DELAY_MS)
    throw badParameter(
      FAULT_HEADER,
      `must be a status from 400 to 599, delay=MS with at most ${MAX_DELAY_MS}, or drop`,
      'http.faults.header',
    )
  if (value !== undefined) return { delayMs }
  return { delayMs, action: name === 'drop' ? { drop: true } : { status: Number(name) } }
}

/** The routes whose answers can lack members: reads of orders. */
const PARTIAL = /^\/orders\/(search\b|:order_id$)/

/** The rules of the world that a call matches; OPTIONS only if a rule names it. */
export function matchingRules({ method, url, world, routeOptions }: FastifyRequest): Rule[] {
  const call = { method, path: pathOf(url) }
  const canBePartial = (method === 'GET' || method === 'HEAD') && PARTIAL.test(routeOptions.url ?? '')
  return world.rules.filter(
    (rule) =>
      matchesCall(rule, call) &&
      (method !== 'OPTIONS' || rule.method === 'OPTIONS') &&
      (canBePartial || !('partial' in rule.action)),
  )
}

/**
 * Applies rules in their order and counts them in one transaction, so that the counts are exact. Delays add up; the
 * first rule with another action ends it.
 */
export async function applyRules(
  request: FastifyRequest,
  matching: Rule[],
  caller: Caller | undefined,
): Promise<FaultOutcome> {
  // Most calls are within the published limits: counting them in the world would make each a write.
  const rules = matching.filter(
    ({ id, action }) => !('limits' in action) || exceedsPublishedLimits(request, id, caller),
  )
  if (rules.length === 0) return { delayMs: 0 }
  const { world, raw } = request
  const callerKey = caller ? `user ${caller.user_id}` : request.ip
  return world.tx(async (q) => {
    const appliedIds: number[] = []
    stateOf(raw).faultIds = appliedIds
    let delayMs = 0
    for (const { id, action, probability, seed } of rules) {
      const matchNumber = await countMatch(q, id)
      if (matchNumber === undefined || draw(seed, matchNumber, 'happens') >= probability) continue
      const waitSeconds = 'rate_limit' in action ? secondsToWait(world, id, callerKey, action.rate_limit) : 0
      if ('rate_limit' in action && waitSeconds === 0) continue
      if (!(await countApplied(q, id))) continue
      appliedIds.push(id)
      if ('delay' in action) delayMs += delayOf(action.delay, seed, matchNumber)
      else return { delayMs, action: 'rate_limit' in action ? tooManyRequests(waitSeconds) : action }
    }
    return { delayMs }
  })
}

const secondsToWait = (world: World, rule: number, callerKey: string, { clock, ...limit }: RateLimit): number =>
  countCall(world.generation, rule, callerKey, limit, clock === 'world' ? world.clock.now() : realNow())

const tooManyRequests = (seconds: number): FaultAction => ({ status: 429, headers: { 'retry-after': String(seconds) } })

/** From 0 to below 1; the same for the same rule and match. */
const draw = (seed: number, matchNumber: number, purpose: string): number =>
  Number.parseInt(derived(String(seed), `${purpose} ${matchNumber}`, 13), 16) / 16 ** 13

function delayOf(delay: number | { min: number; max: number }, seed: number, matchNumber: number): number {
  if (typeof delay === 'number') return delay
  return delay.min + Math.floor(draw(seed, matchNumber, 'delay') * (delay.max - delay.min + 1))
}

/** Delays of requests; a request that waits does not count as in flight. */
interface Delays {
  /** Resolves after `ms`, or when its client disconnects: then with false. */
  wait(ms: number, request: FastifyRequest): Promise<boolean>
  /** Ends all delays, so that a closing server does not wait for them. */
  endAll(): void
}

export function createDelays(traffic: Traffic): Delays {
  const pending = new Set<() => void>()
  return {
    wait(ms, request) {
      const { socket } = request.raw
      traffic.park(request, true)
      return new Promise((resolve) => {
        const end = (isConnected: boolean) => {
          clearTimeout(timer)
          socket.removeListener('close', onClose)
          pending.delete(proceed)
          if (isConnected) traffic.park(request, false)
          resolve(isConnected)
        }
        const onClose = () => end(false)
        const proceed = () => end(true)
        const timer = setTimeout(proceed, ms)
        pending.add(proceed)
        socket.once('close', onClose)
        if (socket.destroyed) onClose()
      })
    },
    endAll() {
      for (const proceed of pending) proceed()
    },
  }
}

import { isNull, lt, or, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { realNow } from '../../db/clock.ts'
import { $ } from '../../db/engine.ts'
import { derived } from '../../db/ids.ts'
import { updateReturning, updateRows } from '../../db/rows.ts'
import { fault } from '../../db/tables.ts'
import type { World } from '../../db/world.ts'
import type { Caller } from '../fastify_types.ts'
import { stateOf } from '../request_state.ts'
import type { FaultAction, FaultOutcome } from './faults.ts'
import { countCall, exceedsPublishedLimits } from './rate_limit.ts'
import type { RateLimit, Rule } from './rules.ts'

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
      const counted = await countMatch(q).one({ id })
      // It may have been deleted.
      if (!counted || draw(seed, counted.matched, 'happens') >= probability) continue
      const waitSeconds = 'rate_limit' in action ? secondsToWait(world, id, callerKey, action.rate_limit) : 0
      if ('rate_limit' in action && waitSeconds === 0) continue
      if ((await countApplied(q).run({ id })) === 0) continue
      appliedIds.push(id)
      if ('delay' in action) delayMs += delayOf(action.delay, seed, counted.matched)
      else return { delayMs, action: 'rate_limit' in action ? tooManyRequests(waitSeconds) : action }
    }
    return { delayMs }
  })
}

const countMatch = updateReturning(fault, { matched: sql`${fault.matched} + 1` }, { id: $ })

/** Changes nothing if the rule has been applied `times` times. */
const countApplied = updateRows(fault, { applied: sql`${fault.applied} + 1` }, { id: $ }, () =>
  or(isNull(fault.times), lt(fault.applied, fault.times)),
)

const secondsToWait = (world: World, rule: number, callerKey: string, { clock, ...limit }: RateLimit): number =>
  countCall(world.generation, { rule, callerKey, now: clock === 'world' ? world.clock.now() : realNow() }, limit)

const tooManyRequests = (seconds: number): FaultAction => ({ status: 429, headers: { 'retry-after': String(seconds) } })

/** From 0 to below 1; the same for the same rule and match. */
const draw = (seed: number, matchNumber: number, purpose: string): number =>
  Number.parseInt(derived(String(seed), `${purpose} ${matchNumber}`, 13), 16) / 16 ** 13

function delayOf(delay: number | { min: number; max: number }, seed: number, matchNumber: number): number {
  if (typeof delay === 'number') return delay
  return delay.min + Math.floor(draw(seed, matchNumber, 'delay') * (delay.max - delay.min + 1))
}

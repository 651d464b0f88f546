import type { FastifyInstance, RouteOptions } from 'fastify'
import { KeyedMutex } from '../../db/semaphore.ts'
import type { World } from '../../db/world.ts'
import type { Worlds } from '../../db/worlds.ts'
import { findOrIssueToken } from '../../domains/oauth/operations.ts'
import { firstApplication } from '../../domains/oauth/queries.ts'
import { listUsers, userById } from '../../domains/users/queries.ts'
import { bySite } from '../../domains/users/sites.ts'
import { isObject, parseJson } from '../../http/bodies.ts'
import type { Violation } from '../../http/errors/answered_error.ts'
import type { Check } from '../../http/errors/checks.ts'
import type { Caller } from '../../http/fastify_types.ts'
import { sendInternally } from '../../http/internal_request.ts'
import { bodyValue, type Call, contextOf, writeCall } from './call.ts'
import { COMMON } from './common_checks.ts'
import { schemaOf } from './ladder.ts'
import type { NoFix } from './texts.ts'
import { type ChangedCall, otherChange, withOtherValue } from './values.ts'

// A fix changes the one thing that the violated check names. It never turns a read into a write, or gives a write another target.

/** A call that a check refused. */
export interface Refusal {
  world: World
  /** Undefined: the API has no such path or method. */
  route: RouteOptions | undefined
  call: Call
  check: Check | undefined
  violation: Violation
  status: number | null
}

/** A changed call that works. */
export interface Fix extends ChangedCall {
  status: number
}

/** Checks that are not about the request. */
const NOT_FIXED = new Map<Check | undefined, NoFix>([
  [COMMON.faults, 'fault'],
  [COMMON.stub, 'stub'],
  [COMMON.server, 'server'],
  [COMMON.path, 'unknown_path'],
])

/** The changed call if it works, or why there is none. */
export async function findFix(refusal: Refusal, tryCall: TryCall | undefined): Promise<Fix | NoFix> {
  const reason = NOT_FIXED.get(refusal.check)
  if (reason) return reason
  if (!tryCall) return 'not_requested'
  if (refusal.call.body === undefined) return 'unknown_body'
  const changed = await proposeFix(refusal)
  const status = changed && (await tryCall(refusal.world, changed.call))
  if (status === 'too_large') return status
  return changed && status !== undefined ? { ...changed, status } : 'none_found'
}

/** The change that the check asks for; undefined if there is none, or none that can be sent. */
async function proposeFix(refusal: Refusal): Promise<ChangedCall | undefined> {
  const { check, violation, status, call, route, world } = refusal
  if (!route) return undefined
  if (check?.id === 'token') return withToken(call, await otherCaller(refusal, route))
  if (isBrokenBody(refusal)) return withRepairedBody(call)
  // The data of another user: its owner may call.
  const owner = status === 403 ? await otherCaller(refusal, route) : undefined
  if (owner && owner.user_id !== call.user?.user_id) return withToken(call, owner)
  const field = violation.field ?? check?.field
  return field === undefined ? undefined : withOtherValue(world, route, call, field)
}

// Callers

function withToken(call: Call, user: Caller | undefined): ChangedCall | undefined {
  const from = call.user ? String(call.user.user_id) : null
  return (
    user && { call: { ...call, user, tokenIn: 'header' }, change: otherChange('token', from, String(user.user_id)) }
  )
}

/**
 * Who may be meant, with the application of the call or the first one: the owner of what it names, else the user that it
 * names. For a wrong token first the user of that token, and last the first seller.
 */
async function otherCaller({ world, call, check }: Refusal, route: RouteOptions): Promise<Caller | undefined> {
  const context = contextOf(world, route, call)
  const ids = [
    ...((await route.config?.checks?.callers?.(context)) ?? []),
    context.sent('user_id'),
    context.sent('seller_id'),
  ]
  if (check?.id === 'token') {
    const sellers = await listUsers(world.read, { kind: 'seller' }, { limit: 50, offset: 0 })
    ids.unshift(/-(\d+)$/.exec(call.token ?? '')?.[1])
    ids.push(sellers.rows.sort(bySite)[0]?.id)
  }
  const application_id = call.user?.application_id ?? (await firstApplication(world.read))?.id
  if (application_id === undefined) return undefined
  for (const user_id of ids.map(Number))
    if (Number.isSafeInteger(user_id) && (await userById(world.read, user_id))) return { user_id, application_id }
  return undefined
}

// Bodies

/** Whether the check is about the body as a whole, and the body is no JSON object. */
export const isBrokenBody = ({ route, check, call: { body } }: Refusal): boolean =>
  schemaOf(route).body !== undefined &&
  /^json$|body$/.test(check?.id ?? '') &&
  body !== undefined &&
  !isObject(parseJson(body).value)

/** The same members as JSON; undefined if they cannot be read. */
function withRepairedBody(call: Call): ChangedCall | undefined {
  const found = [bodyValue(call.body), ...repairedTexts(call.body ?? '')].find(isObject)
  return found && { call: { ...call, body: JSON.stringify(found) }, change: otherChange('body', null, null) }
}

/** What people write in place of JSON: names without quotes, commas before the end, single quotes. */
function repairedTexts(text: string): unknown[] {
  const repaired = text.replace(/([{,]\s*)([A-Za-z_]\w*)\s*:/g, '$1"$2":').replace(/,\s*([}\]])/g, '$1')
  return [repaired, repaired.replaceAll("'", '"')].map((one) => parseJson(one).value)
}

// Tries

/** Sends a call to a copy of a world. Answers the status of its success; undefined if it is refused. */
export type TryCall = (world: World, call: Call) => Promise<number | 'too_large' | undefined>

/** Worlds that are copied at the same time: each copy takes the disk. */
const MAX_COPIES = 4

/** Calls of one world are tried one after the other. */
export function createTries(server: Pick<FastifyInstance, 'routing'>, worlds: Worlds): TryCall {
  const mutex = new KeyedMutex<World>(MAX_COPIES)
  const tryCall: TryCall = async (world, call) => {
    // The fault of the header would hit the try, too.
    const { 'x-sandbox-fault': _, ...headers } = call.headers
    const answer = await worlds.copies.use(world.id, async (copy, number) => {
      const token = call.user && (await findOrIssueToken(copy, call.user))
      return sendInternally(server, { ...writeCall({ ...call, headers }, token, false), world: number })
    })
    if (!answer) return 'too_large'
    return answer.status < 400 && !answer.violation ? answer.status : undefined
  }
  return (world, call) => mutex.run(world, () => tryCall(world, call))
}

import { realNow } from '../../db/clock.ts'
import type { Violation } from '../../http/errors/answered_error.ts'
import type { RuleId } from '../../http/rules.ts'
import { type CallModel, hasCallback, matchCall, writeCall } from './call_model.ts'
import { candidatesOf, type Problem } from './candidates.ts'
import { type Attempt, otherChange } from './changes.ts'
import { COMMON } from './common_checks.ts'
import { exampleBody } from './example_bodies.ts'
import { ladderOf, refusingCheck } from './ladder.ts'
import type { Session } from './session.ts'

export interface TriedCall extends Attempt {
  status: number
}

/** `found`: the first call that was accepted; undefined if none was. */
export interface Search {
  found: TriedCall | undefined
  tried: TriedCall[]
}

const MAX_TRIES = 20
/** Real ms after which no further call is tried. */
const MAX_SEARCH_MS = 3000
const MAX_CHANGES = 4

/** An attempt that waits to be tried, and how far the call got that it changes. */
interface Waiting extends Attempt {
  /** Checks that it passed. */
  passed: number
  /** The field that was refused. */
  field?: string | undefined
}

/**
 * Tries the call as it is, then with one change, then with more, until one is accepted. Of calls with as many changes
 * those come first whose origin passed more checks.
 */
export async function searchFix(session: Session, call: CallModel, violation: Violation): Promise<Search> {
  const until = realNow() + MAX_SEARCH_MS
  const waiting: Waiting[] = [{ ...(await completeCall(session, call, violation)), passed: 0 }]
  const seen = new Set<string>()
  const tried: TriedCall[] = []
  while (waiting.length > 0 && tried.length < MAX_TRIES && realNow() < until) {
    const [attempt] = waiting.splice(indexOfFirst(waiting), 1) as [Waiting]
    const key = JSON.stringify([writeCall(attempt.call, '', false), attempt.call.token])
    if (seen.has(key)) continue
    seen.add(key)
    const { status, violation } = await session.send(attempt.call)
    tried.push({ ...attempt, status })
    if (status < 400 && !violation) return { found: tried.at(-1), tried }
    const problem = violation && problemOf(session, attempt, violation, status)
    if (!problem || !isFurther(problem, attempt) || attempt.changes.length >= MAX_CHANGES) continue
    const { passed } = problem
    const { field } = problem.violation
    waiting.push(...(await candidatesOf(session, problem)).map((one) => ({ ...one, passed, field })))
  }
  return { found: undefined, tried }
}

/** The index of the attempt to try next. */
function indexOfFirst(waiting: readonly Waiting[]): number {
  let first = 0
  for (const [n, attempt] of waiting.entries()) {
    const best = waiting[first]!
    const difference = sizeOf(attempt) - sizeOf(best)
    if (difference < 0 || (difference === 0 && attempt.passed > best.passed)) first = n
  }
  return first
}

/** Another body loses what the person has written: it counts as two changes. */
const sizeOf = ({ changes }: Attempt): number => changes.length + changes.filter(({ kind }) => kind === 'body').length

/**
 * The call as far as it is known. A body that was not recorded is replaced by an example; a token that was sent, but not
 * looked up, by one of a user whom the call names, or of the first seller.
 */
async function completeCall(session: Session, recorded: CallModel, violation: Violation): Promise<Attempt> {
  const { route } = matchCall(session.paths, recorded)
  const isUnchecked = recorded.token.isSent && recorded.token.user === null && !isTokenRule(violation.rule)
  const [user = null] = isUnchecked ? await session.likelyCallers(recorded) : [recorded.token.user]
  const call = { ...recorded, token: { ...recorded.token, user } }
  if (call.body.kind !== 'unknown' || !route) return { call, changes: [] }
  const body = await exampleBody(session, route, call)
  const kind = violation.rule === 'http.body.limit' ? 'body' : 'assumed'
  return { call: { ...call, body }, changes: body.kind === 'none' ? [] : [otherChange(kind, null, null)] }
}

const isTokenRule = (rule: RuleId): boolean => COMMON.token.rules.includes(rule)

/** Whether the change before has led to a later check, or to another field of the same one. */
const isFurther = ({ passed, violation }: Problem & { passed: number }, before: Waiting): boolean =>
  before.passed === 0 || passed > before.passed || (passed === before.passed && violation.field !== before.field)

/** What was refused, and the number of the checks that passed. */
function problemOf(
  session: Session,
  attempt: Attempt,
  violation: Violation,
  status: number,
): (Problem & { passed: number }) | undefined {
  const matched = matchCall(session.paths, attempt.call)
  const ladder = ladderOf({ route: matched.route, hasCallback: hasCallback(attempt.call) }, session.world)
  const check = refusingCheck(ladder, violation)
  if (!check) return undefined
  return { ...attempt, ...matched, check, violation, status, passed: ladder.indexOf(check) }
}

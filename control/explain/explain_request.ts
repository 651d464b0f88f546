import type { World } from '../../db/world.ts'
import type { Violation } from '../../http/errors/answered_error.ts'
import type { Check, Language } from '../../http/errors/checks.ts'
import type { Entry } from '../../http/journal/journal_entry.ts'
import { redactTokens } from '../../http/journal/redaction.ts'
import type { Paths } from '../../http/paths.ts'
import { redactedPath } from '../requests/schemas.ts'
import { type NearStub, nearestStubs, readStubs } from '../stubs/nearest.ts'
import { type CallModel, hasCallback, matchCall, readCall } from './call_model.ts'
import { COMMON } from './common_checks.ts'
import { presentAssumption, presentChecks, presentField, presentFix, presentRule } from './explanation.ts'
import { ladderOf, orderOf, refusingCheck } from './ladder.ts'
import type { Explanation } from './schemas.ts'
import { SENTENCES, type Sentences } from './texts.ts'
import type { Tried, Tries } from './tries.ts'

interface Context {
  world: World
  paths: Paths
  /** Undefined: no fix is wanted. */
  tries: Tries | undefined
}

/** The call of an entry with its checks, and the one that refused it. */
function analyze(entry: Entry, { world, paths }: Context) {
  const call = readCall(entry)
  const matched = matchCall(paths, call)
  const { stub_id } = entry
  const target = { route: matched.route, hasCallback: hasCallback(call), isStubbed: stub_id !== null }
  const ladder = ladderOf(target, world)
  return { call, matched, ladder, check: entry.violation && refusingCheck(ladder, entry.violation) }
}

/** The smallest changed call that works; undefined if none was found, or the call was not refused. */
export async function findFix(entry: Entry, context: Context): Promise<CallModel | undefined> {
  const { violation } = entry
  if (!violation) return undefined
  const { search } = await tryCalls({ ...context, ...analyze(entry, context), violation })
  return typeof search === 'string' ? undefined : search.found?.call
}

/** Why a recorded call was answered as it was, and by which stub, or which ones would nearly have answered it. */
export async function explainRequest(entry: Entry, context: Context & { language: Language }): Promise<Explanation> {
  const explanation = await explainAnswer(entry, context)
  const words = SENTENCES[context.language]
  if (entry.stub_id !== null) return { ...explanation, text: `${explanation.text} ${words.stub(entry.stub_id)}` }
  const near = nearestStubs(await readStubs(context.world), entry)
  return near[0]
    ? { ...explanation, text: `${explanation.text} ${describeNear(near[0], words)}`, near_stubs: near }
    : explanation
}

function describeNear({ id, differences }: NearStub, words: Sentences): string {
  const { what, expected, actual } = differences[0]!
  const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  return words.nearStub(id, what, shown(expected), actual === undefined ? null : shown(actual))
}

async function explainAnswer(
  entry: Entry,
  { language, ...context }: Context & { language: Language },
): Promise<Explanation> {
  const { world, tries } = context
  const words = SENTENCES[language]
  const { call, matched, ladder, check } = analyze(entry, context)
  const { violation, status } = entry
  const path = redactedPath(entry)
  const explained = {
    request: { id: entry.id, method: entry.method, path, status, ...readAnswer(entry) },
    refused: violation !== undefined,
    checks: presentChecks(ladder, check, violation !== undefined, language),
    order: matched.route ? presentRule(orderOf(matched.route)) : null,
    check: check?.id ?? null,
  }
  const name = `${entry.method} ${path}`
  if (!violation) {
    const text = status === null ? words.closed(name) : words.accepted(name, status)
    return { ...explained, text, rule: null, assumption: null, field: null, fix: null, no_fix: null }
  }
  const { found, search } = await tryCalls({ world, call, violation, check, tries })
  const field = presentField(matched, call, { violation, check }, { found, words })
  const refused = status === null ? words.closed(name) : words.refused(name, status, check?.text[language] ?? '')
  return {
    ...explained,
    text: field ? `${refused} ${describeField(field, words)}` : refused,
    rule: presentRule(violation.rule),
    assumption: presentAssumption(violation.rule, world),
    field,
    ...presentFix(search, words),
  }
}

interface Refusal {
  world: World
  call: CallModel
  violation: Violation
  check: Check | undefined
  tries: Tries | undefined
}

/** Rules whose errors come from a fault rule, if the call does not ask for a fault itself. */
const FAULT_RULES = new Set(['http.faults', 'http.errors.too_many_requests'])

async function tryCalls({ world, call, violation, check, tries }: Refusal): Promise<Tried> {
  const isByRule = FAULT_RULES.has(violation.rule) && call.headers['x-sandbox-fault'] === undefined
  if (isByRule) return { found: [], search: 'fault' }
  if (check === COMMON.stub) return { found: [], search: 'stub' }
  if (check === COMMON.server) return { found: [], search: 'server' }
  if (!tries) return { found: [], search: 'not_requested' }
  return tries(world, call, violation, violation.field ?? check?.field)
}

function describeField(
  { name, in: place, received, allowed }: NonNullable<Explanation['field']>,
  words: Sentences,
): string {
  const where = words.place[place]
  const sent = received === null ? words.field.missing(name, where) : words.field.received(name, where, received)
  return allowed === null ? sent : `${sent} ${words.allowed(allowed)}`
}

const NO_ANSWER = { error: null, message: null }
const textOf = (value: unknown): string | null => (typeof value === 'string' ? redactTokens(value) : null)

/** Code and message of an error answer. */
function readAnswer({ answer, violation }: Entry): { error: string | null; message: string | null } {
  if (!violation || !answer?.isComplete) return NO_ANSWER
  try {
    const { error, code, message } = JSON.parse(answer.text) ?? {}
    return { error: textOf(error ?? code), message: textOf(message) }
  } catch {
    // A fault rule may answer any text.
    return NO_ANSWER
  }
}

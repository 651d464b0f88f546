import { readAsset } from '../../db/assets.ts'
import type { World } from '../../db/world.ts'
import { ASSUMPTIONS } from '../../domains/assumptions.ts'
import { quoteShell } from '../../domains/shared/commands.ts'
import { INSTANT_MESSAGE } from '../../domains/shared/schemas.ts'
import type { Check, Language } from '../../http/errors/checks.ts'
import type { Entry } from '../../http/journal/journal_entry.ts'
import { redactTokens } from '../../http/journal/redaction.ts'
import type { Paths } from '../../http/paths.ts'
import type { RuleId } from '../../http/rules.ts'
import { redactedPath } from '../requests/schemas.ts'
import { nearestStubs, readStubs } from '../stubs/nearest.ts'
import { fieldSchema, placeOf, readCall, routeOf, sentValue, writeCall } from './call.ts'
import { decidingFact, describeNearStub } from './facts.ts'
import { type Fix, findFix, type Refusal, type TryCall } from './fix.ts'
import { ladderOf, orderOf, refusingCheck, type Schema } from './ladder.ts'
import type { Explanation } from './schemas.ts'
import { type NoFix, SENTENCES, type Sentences } from './texts.ts'
import { fits, shownValues, showValue, valuesOf, wordsOf } from './values.ts'

interface Context {
  world: World
  paths: Paths
  /** Undefined: no fix is wanted. */
  tryCall: TryCall | undefined
}

async function analyze(entry: Entry, { world, paths }: Context) {
  const { violation, status, stub_id } = entry
  const call = await readCall(world, entry)
  await paths.complete()
  const route = routeOf(paths, call)
  const ladder = ladderOf({ route, hasCallback: call.query.has('callback'), isStubbed: stub_id !== null }, world)
  const check = violation && refusingCheck(ladder, violation)
  const refusal: Refusal | undefined = violation && { world, route, call, check, violation, status }
  return { ladder, route, refusal }
}

/** Why a recorded call was answered as it was, and by which stub, or which ones would nearly have answered it. */
export async function explainRequest(entry: Entry, context: Context & { language: Language }): Promise<Explanation> {
  const { world, paths, language } = context
  const words = SENTENCES[language]
  const { ladder, route, refusal } = await analyze(entry, context)
  const { status, method } = entry
  const check = refusal?.check
  const path = redactedPath(entry)
  const call = `${method} ${path}`
  const explained = {
    request: { id: entry.id, method, path, status, ...presentAnswer(entry) },
    refused: refusal !== undefined,
    checks: presentChecks(ladder, check, refusal !== undefined, language),
    order: route ? presentRule(orderOf(route)) : null,
    check: check?.id ?? null,
  }
  const near = nearestStubs(await readStubs(world), entry)
  const ofStub = entry.stub_id === null ? near[0] && describeNearStub(near[0], words) : words.stub(entry.stub_id)
  const ofTyped = route?.config?.typed && entry.stub_id === null ? words.typed() : undefined
  const stubs = near.length > 0 ? { near_stubs: near } : {}
  if (!refusal) {
    const accepted = status === null ? words.closed(call) : words.accepted(call, status)
    const text = joined(accepted, ofTyped, ofStub)
    return { ...explained, ...stubs, text, rule: null, assumption: null, field: null, fix: null, no_fix: null }
  }
  const { rule } = refusal.violation
  const field = await presentField(refusal, words)
  const fact = await decidingFact(refusal, { field, paths, words, language })
  const found = await findFix(refusal, context.tryCall)
  return {
    ...explained,
    ...stubs,
    text: joined(refusedText(call, refusal, language), fact, ofTyped, ofStub),
    rule: presentRule(rule),
    assumption: presentAssumption(rule, world),
    field,
    ...(typeof found === 'string' ? presentNoFix(found, words, [method, path]) : presentFix(found, words)),
  }
}

function refusedText(call: string, { status, check }: Refusal, language: Language): string {
  const words = SENTENCES[language]
  if (status === null) return words.closed(call)
  return check?.id === 'path'
    ? words.notEmulated(call, status)
    : words.refused(call, status, check?.text[language] ?? '')
}

const joined = (...sentences: (string | undefined)[]): string => sentences.filter(Boolean).join(' ')

/** The fix of a recorded call; undefined if it has none, or was not refused. */
export async function fixOf(entry: Entry, context: Context): Promise<Fix | undefined> {
  const { refusal } = await analyze(entry, context)
  const found = refusal ? await findFix(refusal, context.tryCall) : 'none_found'
  return typeof found === 'string' ? undefined : found
}

const MAX_SHOWN_VALUES = 10

/** The checks with their results. */
export function presentChecks(
  ladder: readonly Check[],
  refused: Check | undefined,
  isRefused: boolean,
  language: Language,
): Explanation['checks'] {
  // Of an error that names no check, none is known to have passed.
  const passed = refused ? ladder.indexOf(refused) : isRefused ? 0 : ladder.length
  return ladder.map((check, n) => ({
    id: check.id,
    text: check.text[language],
    state: n < passed ? 'passed' : check === refused ? 'failed' : 'not_reached',
    field: check.field ?? null,
  }))
}

export function presentRule(id: RuleId): NonNullable<Explanation['rule']> {
  const { page, text, sources } = ruleOf(id)
  return { id, text, page: `docs/spec/${page}.md`, sources: sources as ('documented' | 'observed' | 'assumed')[] }
}

/** The assumption that a rule cites, with its value in the world. */
function presentAssumption(rule: RuleId, world: Pick<World, 'switches'>): Explanation['assumption'] {
  const [name] = ruleOf(rule).assumptions
  const assumption = name === undefined ? undefined : ASSUMPTIONS[name]
  if (name === undefined || !assumption) return null
  const { value } = assumption
  if (typeof value === 'string') return { name, value, values: null }
  return { name, value: value.of(world), values: [...value.values] }
}

/** Code and message of an error answer. */
function presentAnswer({ answer, violation }: Entry): Pick<Explanation['request'], 'error' | 'message'> {
  const textOf = (value: unknown) => (typeof value === 'string' ? redactTokens(value) : null)
  try {
    const { error, code, message } = violation && answer?.isComplete ? (JSON.parse(answer.text) ?? {}) : {}
    return { error: textOf(error ?? code), message: textOf(message) }
  } catch {
    // A fault rule may answer any text.
    return { error: null, message: null }
  }
}

/** The field that a check is about, with values that exist in the world, else those that the schema shows. */
async function presentField(refusal: Refusal, words: Sentences): Promise<Explanation['field']> {
  const { route, world, call, violation, check } = refusal
  const name = violation.field ?? check?.field
  const place = name === undefined || name === 'body' ? undefined : placeOf(route, call, name)
  if (name === undefined || place === undefined) return null
  const schema = route && fieldSchema(route, place, name)
  const sent = sentValue(route, call, place, name)
  const found = await valuesOf(world, route, call, name)
  const values = found.length === 0 && schema ? shownValues(schema) : found
  return {
    name,
    in: place,
    received: name === 'authorization' ? (call.tokenIn ? '***' : null) : showValue(name, sent),
    allowed: (schema && !fits(sent, schema) && allowedText(schema, words)) || null,
    values: values.slice(0, MAX_SHOWN_VALUES).map((value) => showValue(name, value)!),
  }
}

/** What a schema allows, in words; undefined if it allows anything. */
function allowedText(schema: Schema, words: Sentences): string | undefined {
  const { type, pattern, minimum, exclusiveMinimum, maximum, anyOf } = schema
  if (schema['x-message'] === INSTANT_MESSAGE) return words.date()
  const listed = wordsOf(schema)
  if (listed) return words.oneOf(listed.join(', '))
  if (pattern) return words.form(String(schema.examples?.[0] ?? pattern))
  const [first] = [type ?? []].flat()
  if (first === 'integer') return words.integer(minimum, maximum)
  if (first === 'number') return words.number(exclusiveMinimum ?? minimum, maximum)
  if (first === 'string')
    return schema.maxLength === undefined ? undefined : words.text(schema.minLength ?? 0, schema.maxLength)
  return anyOf?.map((choice) => allowedText(choice, words)).find((text) => text !== undefined)
}

type Fixed = Pick<Explanation, 'fix' | 'no_fix'>

/** `call`: method and path. */
export function presentNoFix(reason: NoFix, words: Sentences, [method, path = ''] = ['', '']): Fixed {
  const command = reason === 'unknown_path' ? ` mercadito stub add ${method} ${quoteShell(path)} --body '{}'` : ''
  return { fix: null, no_fix: { reason, text: words.noFix[reason] + command } }
}

function presentFix({ call, change, status }: Fix, words: Sentences): Fixed {
  const { user } = call
  const { method, url, headers, body } = writeCall(call, user && `{token of user ${user.user_id}}`, true)
  const text = words.fixed(words.change[change.kind](change.name, change.to), status)
  return { fix: { text, change, request: { method, path: url, headers, body: body ?? null }, status }, no_fix: null }
}

/** A rule of docs/spec, as the build reads it. */
export interface Rule {
  id: RuleId
  /** Name of its page. */
  page: string
  /** Markdown. */
  text: string
  sources: string[]
  /** Names of assumptions. */
  assumptions: string[]
}

let rules: ReadonlyMap<RuleId, Rule> | undefined

/** The rules are read when the first call is explained. */
export function allRules(): ReadonlyMap<RuleId, Rule> {
  rules ??= new Map((JSON.parse(readAsset('rules.json').toString()) as Rule[]).map((rule) => [rule.id, rule]))
  return rules
}

export const ruleOf = (id: RuleId): Rule => allRules().get(id)!

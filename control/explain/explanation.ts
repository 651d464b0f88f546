import type { RouteOptions } from 'fastify'
import type { World } from '../../db/world.ts'
import { ASSUMPTIONS } from '../../domains/assumptions.ts'
import type { Violation } from '../../http/errors/answered_error.ts'
import type { Check, Language } from '../../http/errors/checks.ts'
import type { RuleId } from '../../http/rules.ts'
import { allowedText, fits, shownValues } from './allowed.ts'
import {
  type CallModel,
  fieldSchema,
  type MatchedCall,
  type Place,
  placeOf,
  sentValue,
  writeCall,
} from './call_model.ts'
import { describeChange, showValue } from './changes.ts'
import type { Search, TriedCall } from './fix.ts'
import { ruleOf } from './rules.ts'
import type { Explanation } from './schemas.ts'
import type { NoFix, Sentences } from './texts.ts'

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
export function presentAssumption(rule: RuleId, world: Pick<World, 'switches'>): Explanation['assumption'] {
  const [name] = ruleOf(rule).assumptions
  const assumption = name === undefined ? undefined : ASSUMPTIONS[name]
  if (name === undefined || !assumption) return null
  const { value } = assumption
  if (typeof value === 'string') return { name, value, values: null }
  return { name, value: value.of(world), values: [...value.values] }
}

/** The field that a check is about; `found`: values of it that exist in the world. */
export function presentField(
  { route }: MatchedCall,
  call: CallModel,
  { violation, check }: { violation: Violation; check: Check | undefined },
  { found, words }: { found: readonly unknown[]; words: Sentences },
): Explanation['field'] {
  const name = violation.field ?? check?.field
  if (name === undefined || name === 'body') return null
  const place = placeOfField(route, call, name)
  if (place === undefined) return null
  const schema = route && fieldSchema(route, place, name)
  const sent = sentValue(route, call, place, name)
  const values = [...found, ...(schema && found.length === 0 ? shownValues(schema) : [])]
  return {
    name,
    in: place,
    received: receivedValue(route, call, place, name),
    allowed: (schema && !fits(sent, schema) && allowedText(schema, words)) || null,
    values: values.slice(0, MAX_SHOWN_VALUES).map((value) => showValue(name, value)!),
  }
}

const HEADER_FIELDS = new Set(['authorization', 'x-sandbox-fault', 'Host', 'Expect'])

function placeOfField(route: RouteOptions | undefined, call: CallModel, name: string): Place | undefined {
  if (HEADER_FIELDS.has(name)) return name === 'authorization' && call.token.place === 'query' ? 'query' : 'header'
  if (name === 'callback') return 'query'
  return route && placeOf(route, call, name)
}

/** A token is never shown. */
function receivedValue(route: RouteOptions | undefined, call: CallModel, place: Place, name: string): string | null {
  if (name === 'authorization') return call.token.isSent ? '***' : null
  return showValue(name, sentValue(route, call, place, name))
}

/** The result of a search for a call that works. */
export function presentFix(search: Search | NoFix, words: Sentences): Pick<Explanation, 'fix' | 'no_fix'> {
  if (typeof search === 'string') return { fix: null, no_fix: { reason: search, text: words.noFix[search], tried: [] } }
  const { found, tried } = search
  if (found) return { fix: presentFound(found, tried.length, words), no_fix: null }
  const attempts = tried.map((one) => ({ text: describeChanges(one, words), status: one.status }))
  return { fix: null, no_fix: { reason: 'none_found', text: words.noFix.none_found, tried: attempts } }
}

function presentFound(found: TriedCall, tried: number, words: Sentences): NonNullable<Explanation['fix']> {
  const { call, changes, status } = found
  const user = call.token.user
  const { method, url, headers, body } = writeCall(call, user ? `{token of user ${user.user_id}}` : undefined, true)
  return {
    text: changes.length === 0 ? words.acceptedNow(status) : words.fixed(describeChanges(found, words), status),
    changes: [...changes],
    request: { method, path: url, headers, body: body ?? null },
    status,
    tried,
  }
}

const describeChanges = ({ changes }: Pick<TriedCall, 'changes'>, words: Sentences): string =>
  changes.map((change) => describeChange(change, words)).join('; ')

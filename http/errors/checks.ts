import type { Q } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import type { RuleId } from '../rules.ts'

// What a route says about its errors, for explanations. No call reads it until one is explained.

/** The languages of explanations and findings. */
export const LANGUAGES = ['en', 'es', 'pt'] as const
export type Language = (typeof LANGUAGES)[number]
export type Texts = Readonly<Record<Language, string>>

/** One check of a call. */
export interface Check {
  id: string
  /** The rules whose violations it finds. */
  rules: readonly RuleId[]
  /** What must be so, as a sentence. */
  text: Texts
  /** The parameter or member that it is about; undefined: none, or several. */
  field?: string | undefined
}

/** The checks of the handler of a route, after those of every call. */
export interface CallChecks {
  /** The rule that has their order. */
  order: RuleId
  /** In their order. */
  checks: readonly Check[]
  /** Values with which the call succeeds, by the parameter or member, the best first. */
  values?: Readonly<Record<string, FindValues>>
  /** Users whose calls succeed, the best first; default: those that the call names. */
  callers?: FindCallers
}

/** What is known of a call for which values are found. */
export interface CallContext {
  q: Q
  world: World
  /** Who calls; undefined without a valid token. */
  caller: { user_id: number; application_id: number } | undefined
  /** The value that the call has in a parameter or member; undefined without one. */
  sent(name: string): unknown
}
export type FindValues = (context: CallContext) => Promise<readonly unknown[]> | readonly unknown[]
type FindCallers = (context: CallContext) => Promise<readonly number[]>

/** `[rules, text in English, Spanish and Portuguese, field]`. */
export type CheckRow = readonly [rules: RuleId | readonly RuleId[], en: string, es: string, pt: string, field?: string]

/** Checks by their ids. */
export function defineChecks<Id extends string>(rows: Readonly<Record<Id, CheckRow>>): Record<Id, Check> {
  const checks = {} as Record<Id, Check>
  for (const id of Object.keys(rows) as Id[]) {
    const [rules, en, es, pt, field] = rows[id]
    checks[id] = { id, rules: typeof rules === 'string' ? [rules] : rules, text: { en, es, pt }, field }
  }
  return checks
}

/** The checks of a route whose handler rejects no call. */
export const NO_CHECKS: CallChecks = { order: 'http.order', checks: [] }

/** The caller as the value of `user_id` or `seller_id`. */
export const ownUser: FindValues = ({ caller }) => (caller ? [caller.user_id] : [])

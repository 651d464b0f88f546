import { readAsset } from '../../db/assets.ts'
import type { RuleId } from '../../http/rules.ts'

/** A rule of docs/spec, as the build reads it. */
interface Rule {
  id: string
  /** Name of its page. */
  page: string
  /** Markdown. */
  text: string
  sources: string[]
  /** Names of assumptions. */
  assumptions: string[]
}

let rules: ReadonlyMap<string, Rule> | undefined

/** The rules are read when the first call is explained. */
export function ruleOf(id: RuleId): Rule {
  rules ??= new Map((JSON.parse(readAsset('rules.json').toString()) as Rule[]).map((rule) => [rule.id, rule]))
  return rules.get(id)!
}

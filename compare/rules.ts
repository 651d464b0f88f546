import { allRules, type Rule } from '../control/explain/explanation.ts'
import type { RuleId } from '../http/rules.ts'
import type { RecordedCall } from './calls.ts'
import type { Difference } from './compare_values.ts'

/** Members with a rule of their own, by the rule and path of the call and their place. The first row that fits. */
const MEMBER_RULES: readonly [call: RegExp, place: RegExp, rule: RuleId][] = [
  [/^questions\.search/, /^questions\[\]\.answer\b/, 'questions.answer.shape'],
  [/^questions\.search/, /^questions\[\]./, 'questions.element'],
  [/^questions\.search/, /^filters/, 'questions.search.applied'],
  [/^questions\.search/, /^available/, 'questions.search.available'],
  [/^questions\.read/, /^answer\b/, 'questions.answer.shape'],
  [/^contacts\.totals/, /date_(from|to)$/, 'contacts.totals.echo'],
  [/^contacts\.(windows|several)/, /results/, 'contacts.windows.buckets'],
  [/^contacts\.(windows|several)/, /(^|\.)(total|date_(from|to))$/, 'contacts.windows.span'],
  [/^contacts\.(windows|several)/, /./, 'contacts.windows.shape'],
  [/^items\.(read|multiget)/, /shipping\.tags/, 'flex.items.tags'],
  [/^users\./, /^seller_reputation/, 'users.reputation'],
  [/^credits\.search/, /^results/, 'credits.search.element'],
  [/configuration\/v3$/, /delivery_ranges/, 'flex.configuration.ranges'],
  [/configuration\/v3$/, /zones/, 'flex.configuration.zones'],
  [/configuration\/v3$/, /availables/, 'flex.configuration.availables'],
  [/configuration\/v3$/, /training_times/, 'flex.training'],
  [/configuration\/v3$/, /./, 'flex.configuration.fields'],
  [/\/shipping\/flex\/.*\/subscriptions/, /./, 'flex.subscriptions.shape'],
  [/\/flex\/.*\/subscriptions/, /./, 'flex.subscriptions.newer'],
  [/\/selfservice\//, /./, 'flex.items'],
  [/\/flex\/.*\/items\//, /./, 'flex.items.newer'],
  [/\/configurations\/coverage/, /./, 'flex.newer.zones'],
  [/\/configurations\/delivery/, /./, 'flex.newer.ranges'],
  [/\/configurations\/holidays/, /./, 'flex.newer.holidays'],
  [/\/courier-shipment\//, /./, 'flex.courier'],
  [/\/assignment\//, /./, 'flex.driver'],
]

/** What is known of a difference: the assumption with which it vanishes, and why this server rejects the call. */
interface Known {
  /** `name=value`. */
  proposal?: string | null
  violated?: RuleId | undefined
}

/** The rule that a difference is about. */
export function ruleOfDifference(
  { route, template, answer, method }: RecordedCall,
  { kind, place }: Difference,
  { proposal, violated }: Known = {},
): RuleId {
  const rules = [...allRules().values()]
  const [name = ''] = proposal?.split('=') ?? []
  const assumed = rules.find(({ assumptions }) => assumptions.includes(name))
  if (assumed) return assumed.id
  if (method === 'OPTIONS') return 'http.options.members'
  if (violated) return violated
  const call = ruleOfCall(rules, method, template)?.id ?? 'http.order'
  if (kind !== 'status' && answer.status < 400)
    return MEMBER_RULES.find(([calls, places]) => calls.test(`${call} ${template}`) && places.test(place))?.[2] ?? call
  // Only the other server rejects the call.
  const order = route.config?.checks?.order ?? 'http.order'
  if (order !== 'http.order') return order
  const status = new RegExp(`\\b${answer.status}\\b`)
  const [domain] = call.split('.')
  const rejecting = rules.filter(({ text }) => answer.status >= 400 && status.test(text))
  return (rejecting.find(({ id }) => id.startsWith(`${domain}.`)) ?? rejecting[0])?.id ?? order
}

/** The first rule that says what a call does, such as `GET /items/{item_id}`: the earlier in its text, the better. */
function ruleOfCall(rules: Rule[], method: string, template: string): Rule | undefined {
  const distances = rules.map(({ text }) =>
    Math.min(
      ...[...text.matchAll(/`(?:([A-Z]+) )?(\u2026?\/[^`?]*)/g)]
        .filter(([, , path]) => patternOf(path!).test(template))
        .map(({ index, 1: named }) => (named === method ? index : index + OTHER_METHOD)),
    ),
  )
  const nearest = Math.min(...distances)
  return nearest === Number.POSITIVE_INFINITY ? undefined : rules[distances.indexOf(nearest)]
}
/** A rule with another method is farther away than any of the same. */
const OTHER_METHOD = 100_000

/** A path as the specification writes it, with `{kind}` for a segment and `…` for a beginning. */
const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replace(/[.+*]/g, '\\$&')
      .replace('…', '.*')
      .replace(/\{\w+\}/g, '[^/]+')}$`,
  )

import { isObject, type Members, membersOf, type RecordedCall } from './calls.ts'
import { Facts, type Kind } from './facts.ts'
import { LEARNERS } from './learn_calls.ts'
import { learnSales } from './learn_sales.ts'
import { learnThing, numeric } from './learn_things.ts'

/** A token that a call has shown to be valid. */
interface Token {
  user_id: number
  /** Undefined: not known. */
  application: number | undefined
}

export interface Learned {
  facts: Facts
  tokens: ReadonlyMap<string, Token>
}

/** Ids of users that are invented: no service has them. */
export const INVENTED_USER = 8_999_000_000_000
const FIRST_OF_TOKENS = INVENTED_USER + 1_000_000

/** Learns what the answers of calls show of the world. */
export function learn(calls: readonly RecordedCall[]): Learned {
  const facts = new Facts()
  const tokens = learnTokens(calls)
  // Answers name the same times again and again.
  const numbers = new Map<number, number>()
  function callAt(ms: number): number {
    const n = numbers.get(ms) ?? calls.find(({ at }) => at >= ms)?.line.n ?? 0
    numbers.set(ms, n)
    return n
  }
  for (const call of calls) learnCall(facts, call, { caller: tokens.get(call.token ?? '')?.user_id, callAt })
  return { facts, tokens }
}

function learnTokens(calls: readonly RecordedCall[]): Map<string, Token> {
  const tokens = new Map<string, Token>()
  const users = new Map<string, number>()
  for (const { line, token, answer, template, query } of calls) {
    if (token === undefined) continue
    const { status, json } = answer
    const { id, filters } = membersOf(json)
    const user = line.caller ?? (template === '/users/me' && status === 200 ? numeric(id) : membersOf(filters).caller)
    if (Number.isSafeInteger(user) && !users.has(token)) users.set(token, user)
    const isRejected = status === 401 && /invalid|expired|not_found/i.test(JSON.stringify(json ?? ''))
    const app = /^\/(missed_|my)feeds$/.test(template) && status === 200 ? numeric(query.get('app_id')) : undefined
    const known = tokens.get(token) ?? { user_id: FIRST_OF_TOKENS + tokens.size, application: undefined }
    if (!isRejected) tokens.set(token, { ...known, application: app ?? known.application })
  }
  for (const [name, token] of tokens) token.user_id = users.get(name) ?? token.user_id
  return tokens
}

/** The kinds of things that answers show: as a whole, or as elements of a list. */
const SHOWN: readonly [template: RegExp, kind: Kind][] = [
  [/^\/users\/(me|\{user_id\})$/, 'users'],
  [/^\/items(\/\{item_id\})?$/, 'items'],
  [/^\/(questions(\/\{\w+\})?|answers)$|questions\/search$/, 'questions'],
  [/^\/vis\/loans/, 'loans'],
  [/subscriptions\/v1$/, 'flex_subscriptions'],
]

function learnCall(facts: Facts, call: RecordedCall, context: Parameters<typeof learnSales>[2]): void {
  const { caller } = context
  const { line, answer, template, method } = call
  if (line.headers['x-sandbox'] !== undefined || method === 'OPTIONS') return
  learnPath(facts, call, caller)
  if (answer.status >= 300) return
  const [, learnMore] = LEARNERS.find(([calls]) => calls.test(`${method} ${template}`)) ?? []
  learnMore?.(facts, call, caller)
  learnSales(facts, call, context)
  const kind = SHOWN.find(([templates]) => templates.test(template))?.[1]
  if (!kind) return
  for (const [position, element] of elementsOf(call).entries()) {
    const unnamed = kind === 'questions' ? line.n * 1000 + position : undefined
    learnThing({ facts, n: line.n }, kind, element, {
      unnamed,
      ...(kind !== 'users' && { caller }),
      ...searched(call, kind),
    })
  }
}

/** The results of a search; else the whole answer, or what each element of a list has. */
function elementsOf({ template, answer: { json } }: RecordedCall): Members[] {
  const { questions, results } = membersOf(json)
  const all = template.endsWith('/search') ? (questions ?? results) : json
  return [all]
    .flat()
    .map((one) => membersOf(one).body ?? one)
    .filter(isObject)
}

/** What a search says of all that it finds. */
function searched({ template, query }: RecordedCall, kind: Kind): Members {
  if (!template.endsWith('/search')) return {}
  if (kind === 'questions') return ['item', 'item_id', 'from'].some((name) => query.has(name)) ? {} : { hidden: false }
  const status = query.get('status') || 'approved'
  return { status: status === 'all' ? undefined : status }
}

/** The ids in a path are those of things that exist, unless they are not found. */
function learnPath(facts: Facts, call: RecordedCall, caller: number | undefined): void {
  const { template, params, answer, line } = call
  const { status } = answer
  const { item_id, credit_id } = params
  // An answer without a token says nothing of them: most calls name things that exist.
  const isUnknown = status === 401 && !facts.has('items', item_id ?? '', 'exists')
  const isExpired = status === 410 && credit_id !== undefined
  const exists = status < 300 || status === 403 || isUnknown || isExpired
  const isMissing = status === 404 && /^\/(?:items\/\{item_id\}|users\/\{user_id\})$/.test(template)
  if (!exists && !isMissing) return
  for (const id of [params.user_id, params.seller_id, params.buyer_id])
    if (/^\d+$/.test(id ?? '')) facts.set('users', id!, { exists }, line.n)
  if (item_id !== undefined) facts.set('items', item_id, { exists, ...(status < 300 && { caller }) }, line.n)
  if (isExpired) facts.set('loans', credit_id.toLowerCase(), { expired: true, caller }, line.n)
}

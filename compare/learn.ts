import type { RecordedCall } from './calls.ts'
import type { Fact, Facts } from './facts.ts'
import { learnFlex } from './learn_flex.ts'
import { isObject, type Learn, learnItem, learnLead, learnQuestion, learnUser, list, millis } from './learn_things.ts'
import { WRITE_LEARNERS } from './learn_writes.ts'

/** Learns what the answer of a call shows of the world. */
export function learn(facts: Facts, call: RecordedCall): void {
  const { line, answer, route } = call
  learnCaller(facts, call)
  if (line.headers['x-sandbox'] !== undefined || call.method === 'OPTIONS') return
  const { status, json } = answer
  learnPath(facts, call)
  const learner = call.isWrite
    ? WRITE_LEARNERS.find(([routes]) => routes.test(`${call.method} ${route.template}`))?.[1]
    : LEARNERS.find(([template]) => template.test(route.template))?.[1]
  if (status >= 200 && status < 300 && learner)
    learner(facts, call, typeof json === 'object' && json !== null ? json : {})
}

/** Whose token it is, and whether it is valid. */
function learnCaller(facts: Facts, { line, token, answer, route, query }: RecordedCall): void {
  if (token === undefined) return
  const { status } = answer
  const json = (answer.json ?? {}) as Fact
  const isRejected = status === 401 && /invalid|expired|not_found/i.test(JSON.stringify(json))
  if (!facts.has('token', token, 'valid') || !isRejected) facts.set('token', token, { valid: !isRejected }, 0)
  const app = Number(query.get('app_id'))
  if (route.template === '/missed_feeds' && status === 200 && app > 0)
    facts.set('token', token, { application: app }, 0)
  if (facts.has('token', token, 'user_id')) return
  const me = route.template === '/users/me' && status === 200 ? Number(json.id) : undefined
  const user_id = line.caller ?? me ?? (Number(json.filters?.caller) || undefined)
  if (user_id !== undefined) facts.set('token', token, { user_id }, 0)
}

/** The ids in a path are those of things that exist, unless they are not found. */
function learnPath(
  facts: Facts,
  { route: { template, params }, answer: { status }, line: { n }, token }: RecordedCall,
): void {
  // An answer without a token says nothing of them: most calls name things that exist.
  const isUnknown = status === 401 && !facts.has('item', params.item_id ?? '', 'exists')
  const exists = status < 300 || status === 403 || isUnknown || (status === 410 && params.credit_id !== undefined)
  const owner = token === undefined ? undefined : { hint_seller: token }
  if (status === 404 && /^\/(?:items\/\{item_id\}|users\/\{user_id\})$/.test(template)) {
    if (params.item_id) facts.set('item', params.item_id, { exists: false }, n)
    if (params.user_id) facts.set('user', params.user_id, { exists: false }, n)
  }
  if (!exists) return
  for (const id of [params.user_id, params.seller_id, params.buyer_id])
    if (/^\d+$/.test(id ?? '')) facts.set('user', id!, { exists: true }, n)
  if (params.item_id !== undefined) facts.set('item', params.item_id, { exists: true, ...(status < 300 && owner) }, n)
  if (status === 410 && params.credit_id !== undefined)
    facts.set('lead', params.credit_id.toLowerCase(), { exists: true, expired: true, ...owner }, n)
}

const learnItems: Learn = (facts, { line: { n } }, json) => {
  for (const element of list(json)) if (isObject(element)) learnItem(facts, n, (element.body ?? {}) as Fact)
}

const learnItemSearch: Learn = (facts, { line: { n }, route, query }, json) => {
  const { results, paging, orders } = json as Fact
  const seller_id = Number(route.params.user_id)
  const isSorted = orders?.[0]?.id === 'stop_time_asc' && !query.get('status') && !query.get('q')
  for (const [position, id] of list(results).entries())
    facts.set(
      'item',
      String(id),
      {
        ...{ exists: true, seller_id, status: query.get('status') || undefined },
        ...(isSorted && !query.has('scroll_id') && { position: (Number(paging?.offset) || 0) + position }),
      },
      n,
    )
}

const learnQuestions: Learn = (facts, { line: { n }, query, token }, json) => {
  const isOfSeller = !['item', 'item_id', 'from'].some((name) => query.has(name))
  const more = { token, ...(isOfSeller && { hidden: false }) }
  for (const [position, element] of list((json as Fact).questions).entries())
    if (isObject(element)) learnQuestion(facts, n, element, { ...more, unnamed: n * 1000 + position })
}

const learnHidden: Learn = (facts, { line: { n }, token }, json) => {
  for (const id of list((json as Fact).question_ids))
    facts.set('question', String(id), { hidden: true, hint_seller: token }, n)
}

const learnBlocks: Learn = (facts, { line: { n }, route }, json) => {
  for (const [position, user] of list((json as Fact).users).entries())
    if (isObject(user)) facts.set('block', `${route.params.seller_id} ${user.id}`, { exists: true, position }, n)
}

const learnLeads: Learn = (facts, { line: { n }, query }, json) => {
  const status = query.get('status') || 'approved'
  for (const lead of list((json as Fact).results))
    if (isObject(lead)) learnLead(facts, n, { ...lead, status: status === 'all' ? undefined : status })
}

const learnReport: Learn = (facts, { line: { n }, route }) =>
  facts.set('user', route.params.user_id!, { has_report: true }, n)

const HOUR = 3_600_000
const learnContacts: Learn = (facts, { line: { n }, route }, json) => {
  const [, kind] = /contacts\/(\w+)/.exec(route.template)!
  for (const one of Array.isArray(json) ? json : [json]) {
    if (!isObject(one)) continue
    const subject = one.item_id !== undefined ? `item ${one.item_id}` : `user ${one.user_id}`
    const set = (from: number, to: number, count: unknown) => {
      if (Number.isSafeInteger(from) && Number.isSafeInteger(to) && Number.isSafeInteger(Number(count)))
        facts.set('count', `${subject} ${kind} ${from} ${to}`, { subject, kind, from, to, count: Number(count) }, n)
    }
    const unit = one.unit === 'hour' ? HOUR : 24 * HOUR
    if (Array.isArray(one.results))
      for (const { date, total } of one.results.filter(isObject)) set(millis(date)!, millis(date)! + unit, total)
    else set(millis(one.date_from)!, millis(one.date_to)!, one.total)
  }
}

const LEARNERS: readonly [RegExp, Learn][] = [
  [/^\/users\/(me|\{user_id\})$/, (facts, { line: { n } }, json) => learnUser(facts, n, json as Fact)],
  [/^\/items\/\{item_id\}$/, (facts, { line: { n } }, json) => learnItem(facts, n, json as Fact)],
  [/^\/items$/, learnItems],
  [/\/items\/search$/, learnItemSearch],
  [/questions\/search$/, learnQuestions],
  [
    /^\/questions\/\{question_id\}$/,
    (facts, { line: { n }, token }, json) => learnQuestion(facts, n, json as Fact, { token, unnamed: n }),
  ],
  [/^\/my\/questions\/hidden$/, learnHidden],
  [/questions_blacklist$/, learnBlocks],
  [/response_time$/, learnReport],
  [/^\/vis\/loans\/search$/, learnLeads],
  [/^\/vis\/loans\/\{credit_id\}$/, (facts, { line: { n } }, json) => learnLead(facts, n, json as Fact)],
  [/contacts\//, learnContacts],
  [/flex|selfservice/, learnFlex],
]
